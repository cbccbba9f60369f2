"""The queries of queries/desk.q as Polars says them, evaluated with words().

`trade` and `quote` are the day's rows, a slice that the sorted date gives, `trades` those of the
month. Sums of q's reals are reals, so they are rounded to f32 once.
"""

import datetime

from desk_questions import CLOSE_NS, DAY, FIRST, HOUR_NS, LAST, MINUTE_NS, ONE, OPEN_NS, SECOND_NS

IS_ONE = f'col("sym") == "{ONE}"'
SAME = 'col("sym") == col("sym").shift({})'  # a symbol's rows are together
BID = 'col("bid") > 0'
BARS = f'(col("time") - col("time") % {5 * MINUTE_NS}).alias("bar")'
HALF_HOURS = f'(col("time") - col("time") % {30 * MINUTE_NS}).alias("bar")'
MINUTE, SECOND, HOUR = (f'(col("time") // {ns}).cast(i32).alias("{name}")' for ns, name in (
    (MINUTE_NS, "minute"), (SECOND_NS, "second"), (HOUR_NS, "hh")))
BAR = ('col("price").first().alias("open"), col("price").max().alias("high"),'
       ' col("price").min().alias("low"), col("price").last().alias("close")')
SHARES = 'col("size").cast(i64).sum()'
VOLUME = f'{SHARES}.alias("volume")'
VALUE = '(col("size").cast(f32) * col("price"))'
MID = '(0.5 * (col("bid") + col("ask")).cast(f64))'
BESIDE = ('.join_asof(quote{}.select("sym", "time", "bid", "ask"), on="time", by="sym",'
          " check_sortedness=False)")
BESIDE_BIDS = BESIDE.format(f".filter({BID})")
IN_SESSION = f'col("time").is_between({OPEN_NS}, {CLOSE_NS})'
TOP = (f'trade.group_by("sym").agg({SHARES}).sort(["size", "sym"], descending=[True, False])'
       ".head(10)")
FORMS = {
    1: 'trade.group_by("sym").agg(((col("size").cast(f64) * col("price")).sum()'
       f' / {SHARES}).alias("vwap"))',
    2: f'trade.filter({IN_SESSION}, col("corr") == 0).group_by("sym").agg(({VALUE}.cast(f64)'
       f'.sum().cast(f32).cast(f64) / {SHARES}).alias("vwap"))',
    3: f"trade.filter({IS_ONE}).group_by({MINUTE}).agg({BAR}, {SHARES})",
    4: f'trade.group_by("sym", {BARS}).agg({BAR}, {VOLUME})',
    5: f'trades.group_by("date", "sym").agg({BAR}, {VOLUME}, len().alias("trades"))',
    6: f'trade.group_by("sym").agg({VOLUME}).sort(["volume", "sym"], descending=[True, False])'
       ".head(10)",
    7: f'trade.select("sym", "time", "ex", {VALUE}.alias("value")).sort("value", descending=True,'
       " maintain_order=True).head(50)",
    8: f'trade.filter(col("size") >= 10000, ~{IN_SESSION}).select("sym", "time", "size", "price")',
    9: f'trade.group_by("ex").agg({VOLUME}, len().alias("trades"))',
    10: f'trade.filter(col("ex") == {ord("D")}).group_by("trf", {HOUR}).agg({VOLUME})',
    11: f'trades.group_by("date").agg((1e-6 * {VALUE}.cast(f64).sum().cast(f32).cast(f64))'
        '.alias("turnover"))',
    12: f'trade.group_by({HOUR}).agg((col("size") < 100).mean().alias("oddlots"))',
    13: f'trade.group_by("cond").agg(len().alias("trades"), {VOLUME})',
    14: 'trade.select("sym", "ex").unique()',
    15: 'quote.group_by("ex").agg(col("sym").n_unique())',
    16: f'quote.filter({BID}, col("ask") > col("bid")).group_by("sym").agg((1e4 * ((col("ask")'
        f' - col("bid")).cast(f64) / {MID}).mean()).alias("spread"))',
    17: f'quote.filter({BID}, col("sym").is_in({TOP}.collect()["sym"].implode()))'
        f'.group_by("sym", {HALF_HOURS})'
        '.agg((col("ask") - col("bid")).cast(f64).mean().alias("spread"),'
        ' (col("ask") - col("bid")).max().alias("widest"))',
    18: 'quote.group_by("ex").agg((col("bid") == col("ask")).sum().alias("locked"),'
        ' (col("bid") > col("ask")).sum().alias("crossed"), len().alias("quotes"))',
    19: 'quote.filter(col("bid") == 0).group_by("sym").agg(len().alias("n"))'
        '.sort(["n", "sym"], descending=[True, False]).head(20)',
    20: f'quote.filter({IS_ONE}, col("bsize") > 0).group_by({MINUTE}).agg(((col("bsize")'
        ' - col("asize")) / (col("bsize") + col("asize"))).mean().alias("imbalance"))',
    21: f'quote.filter({IS_ONE}, col("bsize") > 0).select("time", ((col("bid")'
        ' * col("asize").cast(f32) + col("ask") * col("bsize").cast(f32)).cast(f64)'
        ' / (col("bsize") + col("asize"))).alias("micro"))',
    22: f'quote.filter({IS_ONE}, col("time").is_between({10 * HOUR_NS},'
        f' {10 * HOUR_NS + 30 * MINUTE_NS})).group_by({SECOND})'
        '.agg(col("bid").max(), col("ask").min())',
    23: 'quote.group_by("sym").agg(len().alias("quotes")).join(trade.group_by("sym")'
        '.agg(len().alias("trades")), on="sym").select("sym", (col("quotes") / col("trades"))'
        '.alias("ratio"))',
    24: 'trade.select("sym", "time", "price", "size")' + BESIDE.format(""),
    25: f'trade.select("sym", "time", "price"){BESIDE_BIDS}.group_by("sym").agg((2 * (col("price")'
        f' - {MID}).abs()).mean().alias("effective"))',
    26: f'trade.select("sym", "time", "price", "size"){BESIDE_BIDS}.group_by("sym", {BARS})'
        f'.agg((col("size") * (col("price") - {MID}).sign().cast(i64).fill_null(-1)).sum()'
        '.alias("flow"))',
    27: f'trade.select("sym", "time", "price", "size", "ex"){BESIDE_BIDS}.filter((col("price")'
        ' < col("bid")) | (col("price") > col("ask")) | col("ask").is_null())',
    28: 'trade.select("sym", "time").join_asof(quote.select("sym", "time", qtime="time"),'
        ' on="time", by="sym", check_sortedness=False).group_by("sym").agg((col("time")'
        ' - col("qtime").fill_null(col("time"))).mean().alias("age"))',
    29: f'trade.filter({IS_ONE}).select("time", "price", col("price").cast(f64)'
        '.rolling_mean(50, min_samples=1).alias("mean"), col("price").cast(f64)'
        '.rolling_std(50, min_samples=1, ddof=0).alias("deviation"))',
    30: f'trade.filter({IS_ONE}).select("time", col("size").cast(i64).cum_sum().alias("volume"),'
        f' ({VALUE}.cast(f64).cum_sum().cast(f32).cast(f64) / col("size").cast(i64).cum_sum())'
        '.alias("vwap"))',
    31: f'trade.select("sym", "time", "price", (col("price") - when({SAME.format(1)})'
        '.then(col("price").shift(1)).otherwise(0)).sign().cast(i32).alias("tick"),'
        ' col("price").cum_max().over("sym").alias("high"))',
    32: f'trade.filter(col("corr") == 0).select("sym", when({SAME.format(1)})'
        '.then((col("price").cast(f64) / col("price").shift(1)).log()).alias("volatility"))'
        '.group_by("sym").agg(col("volatility").std())',
    33: f'quote.select("sym", when({SAME.format(-1)}).then(col("time").shift(-1) - col("time"))'
        '.alias("life")).group_by("sym").agg(col("life").mean())',
    34: f'quote.select("sym", (col("bid").ne_missing(col("bid").shift(1)) | ~({SAME.format(1)})'
        '.fill_null(False)).alias("changes")).group_by("sym").agg(col("changes").sum(),'
        ' len().alias("quotes"))',
    35: 'trade.select("sym", "time", "size", "price").filter(col("size")'
        ' == col("size").max().over("sym"))',
    36: 'quote.select("sym", "ex", "time", "bid", "bsize").filter(col("bid")'
        ' == col("bid").max().over("sym", "ex"))',
    37: f'trade.group_by({HOUR}).agg(col("size").median(), col("size").std(ddof=0)'
        '.alias("size1"), col("size").max().alias("size2"))',
    38: 'trade.group_by("sym").agg(corr(col("price").cast(f64), col("size").cast(f64))'
        '.alias("c"), len().alias("n")).filter(col("n") > 1000)',
    39: 'trade.filter(col("ptime").is_not_null()).group_by("ex").agg((col("time")'
        ' - col("ptime")).mean().alias("delay"), (col("ptime") > col("time")).sum()'
        '.alias("ahead"))',
    40: 'trade.filter(col("ptime").is_null()).select("sym", "time", "ex", "seq")'
        '.sort("time", descending=True, maintain_order=True)',
}
IN_MEMORY = (21, 22, 24, 25, 26)  # those that the streaming engine answers later


def text(question):
    end = "" if question.number in IN_MEMORY else 'engine="streaming"'
    return f"{FORMS[question.number]}.collect({end})"


def of_days(frame, first, last):
    """The rows of the days, as the sorted date finds them."""
    begin = frame["date"].search_sorted(first, "left")
    end = frame["date"].search_sorted(last, "right")
    return frame.slice(begin, end - begin).lazy()


def words(polars, frames):
    """Text is evaluated with these; it is the program's own."""
    day, first, last = map(datetime.date.fromisoformat, (DAY, FIRST, LAST))
    return {
        "trade": of_days(frames["trade"], day, day),
        "quote": of_days(frames["quote"], day, day),
        "trades": of_days(frames["trade"], first, last),
        "col": polars.col, "when": polars.when, "len": polars.len, "corr": polars.corr,
        "i32": polars.Int32, "i64": polars.Int64, "f32": polars.Float32, "f64": polars.Float64,
        "__builtins__": {},
    }  # fmt: skip
