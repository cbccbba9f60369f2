"""What sample.py asks: (q text, the same in SQL, names of columns compared within a tolerance).

q leaves nulls out of aggregates, sorts groups by key (symbols by their text), names a column after
the column that it aggregates (`count i` is called x), and puts keys first.
"""

from compare import day, last_rows, rows_where

SEVENTH, EIGHTH = day("2015.01.07"), day("2015.01.08")
JUNE = day("2019.06.25")


def nanoseconds(days, hours, minutes=0):
    return ((days * 24 + hours) * 60 + minutes) * 60_000_000_000


def asked(shown, table, where):
    """The text of q."""
    return " ".join(["select", *shown, "from", table, *(["where", where] if where else [])])


def rows(table, where, condition, columns=None):
    """Rows as they are, of all columns or these."""
    shown = [columns.replace(", ", ",")] if columns else []
    return asked(shown, table, where), rows_where(table, condition, columns)


def last(table, keys, where="", condition="true", shown=()):
    """The last row of each group."""
    by = ["by", keys.replace(", ", ",")]
    return asked([*shown, *by], table, where), last_rows(table, condition, keys)


def groups(table, keys, shown, sql, *approximate, where="", condition="true"):
    """Aggregates of each group, in q and in SQL."""
    return (asked([shown, "by", keys.replace(", ", ",")], table, where),
            f"SELECT {keys}, {sql} FROM {table} WHERE {condition} GROUP BY {keys} ORDER BY {keys}",
            *approximate)


def nth(function, column):
    """The first or last value of a group, nulls included."""
    pick = {"first": "arg_min_null", "last": "arg_max_null"}[function]
    return f"{pick}({column}, rn)"


WAVG = "fsum({0}::DOUBLE * {1}) / fsum({0}::DOUBLE) AS {1}"


def of_day(more=""):
    """Of quote 2015.01.07 alone is whole."""
    return f"date=2015.01.07{more}"


ONE_DAY = [
    rows("quote", of_day(", sym=`AAPL"), "sym = 'AAPL'"),
    last("quote", "sym", of_day()),
    last("quote", "sym, ex", of_day(", bid>20"), "bid > 20"),
    last("quote", "date, sym", of_day(", asize<>20"), "asize <> 20", shown=["*"]),
    last("quote", "ex", of_day(", sym=`IBM"), "sym = 'IBM'"),
    groups("quote", "sym", "n:count i", "count(*) AS n", where=of_day()),
    (asked(["count i"], "quote", of_day()), "SELECT count(*) AS x FROM quote"),
    groups("quote", "sym", "high:max bid, low:min ask", "max(bid) AS high, min(ask) AS low",
           where=of_day()),
    rows("quote", of_day(", time within"
                         " (2015.01.07D01:00:00.000000000;2015.01.07D01:05:00.000000000)"),
         f"time BETWEEN {nanoseconds(SEVENTH, 1)} AND {nanoseconds(SEVENTH, 1, 5)}"),
    rows("quote", of_day(", time>=2015.01.07D10:30:00.000000000, ex in \"NO\", bsize within 10 20"),
         f"time >= {nanoseconds(SEVENTH, 10, 30)} AND ex IN ('N', 'O')"
         " AND bsize BETWEEN 10 AND 20", "time, sym, bid"),
    rows("quote", of_day(", sym in `AAPL`GOOG, bid>20.5"),
         "sym IN ('AAPL', 'GOOG') AND bid > 20.5"),
    rows("quote", of_day(", sym like \"A*\", ex=\"N\""), "sym LIKE 'A%' AND ex = 'N'"),
    rows("quote", of_day(", not sym in `MSFT`AAPL`DOW, asize<12"),
         "sym NOT IN ('MSFT', 'AAPL', 'DOW') AND asize < 12", "sym, ask, asize"),
    rows("quote", of_day(", sym<>`AAPL, mode=\"Y\", bsize=12"),
         "sym <> 'AAPL' AND mode = 'Y' AND bsize = 12"),
    groups("quote", "sym, ex", "avg bid, sum bsize",
           "favg(bid) AS bid, sum(bsize)::BIGINT AS bsize", "bid", where=of_day()),
    groups("quote", "sym", "bsize wavg bid", WAVG.format("bsize", "bid"), "bid", where=of_day()),
    groups("quote", "ex", "dev ask", "stddev_pop(ask) AS ask", "ask", where=of_day()),
    groups("quote", "sym", "med bid", "median(bid) AS bid", "bid", where=of_day()),
    groups("quote", "sym", "first bid, last ask",
           f"{nth('first', 'bid')} AS bid, {nth('last', 'ask')} AS ask", where=of_day()),
    rows("quote", of_day(", sym=`NOSUCH"), "false"),
]

# Over trade, which is whole on both days.
BOTH_DAYS = [
    last("trade", "date, sym"),
    last("trade", "sym"),
    last("trade", "cond", "date=2015.01.08", f"date = {EIGHTH}"),
    groups("trade", "date", "n:count i", "count(*) AS n"),
    groups("trade", "date, sym", "count i", "count(*) AS x", where="size>50",
           condition="size > 50"),
    groups("trade", "date, sym", "size wavg price", WAVG.format("size", "price"), "price"),
    groups("trade", "date, sym",
           "open:first price, high:max price, low:min price, close:last price",
           f"{nth('first', 'price')} AS open, max(price) AS high, min(price) AS low,"
           f" {nth('last', 'price')} AS close"),
    groups("trade", "sym", "sum size, avg price, sd:dev price",
           "sum(size)::BIGINT AS size, favg(price) AS price, stddev_pop(price) AS sd", "price",
           "sd", where="date=2015.01.08", condition=f"date = {EIGHTH}"),
    groups("trade", "sym", "first time, n:count i, smallest:min size",
           f"{nth('first', 'time')} AS time, count(*) AS n, min(size) AS smallest"),
    groups("trade", "sym", "med size", "median(size) AS size", "size"),
    groups("trade", "ex", "n:count i, stops:sum stop",
           "count(*) AS n, sum(stop)::BIGINT AS stops"),
    rows("trade", "date within 2015.01.07 2015.01.08, size=37, stop=1b",
         "size = 37 AND stop = 1"),
    rows("trade", "stop=1b, sym=`DELL", "stop = 1 AND sym = 'DELL'"),
    rows("trade", "date in 2015.01.07 2015.01.08, cond=\"R\", price<12",
         "cond = 'R' AND price < 12"),
    rows("trade", "not size within 5 95, sym like \"*S*\"",
         "size NOT BETWEEN 5 AND 95 AND sym LIKE '%S%'"),
    rows("trade", "date=2015.01.07, sym like \"[AM]*\", ex<>\"N\"",
         f"date = {SEVENTH} AND left(sym, 1) IN ('A', 'M') AND ex <> 'N'", "date, time, price"),
    rows("trade", "sym in `AAPL`MSFT, size in 10 20 30, date=2015.01.08",
         f"sym IN ('AAPL', 'MSFT') AND size IN (10, 20, 30) AND date = {EIGHTH}"),
    rows("trade", "date>2015.01.07, not sym like \"?M*\", price>=40",
         f"date > {SEVENTH} AND NOT sym LIKE '_M%' AND price >= 40"),
    rows("trade", "date=2015.01.09", "false"),
]

# Over the gzip-compressed database: infinities, timespans, eight-byte symbols, parted.
GZIP = [
    rows("statsTab", "maxPrice=-0w", "maxPrice = '-inf'"),
    last("statsTab", "sym"),
    groups("statsTab", "date, sym",
           "high:max maxPrice, low:min minPrice, most:max volume, least:min volume",
           "max(maxPrice) AS high, min(minPrice) AS low, max(volume) AS most,"
           " min(volume) AS least"),
    rows("statsTab", "date=2019.06.25, volume>0, time within 0D20:30 0D20:45:10.5",
         f"date = {JUNE} AND volume > 0 AND time BETWEEN {nanoseconds(0, 20, 30)}"
         f" AND {nanoseconds(0, 20, 45)} + 10500000000"),
    groups("statsTab", "sym", "avg maxPrice, sum volume",
           "favg(maxPrice) AS maxPrice, sum(volume)::BIGINT AS volume", "maxPrice",
           where="volume>0", condition="volume > 0"),
    rows("statsTab", "minPrice<0w, lowAsk<200, not sym in `IBM`AAPL",
         "minPrice < 'inf' AND lowAsk < 200 AND sym NOT IN ('IBM', 'AAPL')", "sym, time, lowAsk"),
    last("quote", "exchange, date"),
    groups("quote", "exchange", "askSize wavg ask, last time",
           f"{WAVG.format('askSize', 'ask')}, {nth('last', 'time')} AS time", "ask",
           where="sym<>`CSA", condition="sym <> 'CSA'"),
]
