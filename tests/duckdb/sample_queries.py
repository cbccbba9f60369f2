"""What sample.py asks: (q text, the same in SQL, names of columns compared within a tolerance).

q leaves nulls out of aggregates, sorts groups by key (symbols by their text), names a column after
the column that it aggregates (`count i` is called x), and puts keys first.
"""

from compare import day, last_rows, rows_where

SEVENTH, EIGHTH = day("2015.01.07"), day("2015.01.08")
JUNE = day("2019.06.25")


def nanoseconds(days, hours, minutes=0):
    return ((days * 24 + hours) * 60 + minutes) * 60_000_000_000


def grouped(table, keys, shown, condition="true"):
    return f"SELECT {keys}, {shown} FROM {table} WHERE {condition} GROUP BY {keys} ORDER BY {keys}"


def nth(function, column):
    """The first or last value of a group, nulls included."""
    pick = {"first": "arg_min_null", "last": "arg_max_null"}[function]
    return f"{pick}({column}, rn)"


WAVG = "fsum({0}::DOUBLE * {1}) / fsum({0}::DOUBLE) AS {1}"
APPLE = "sym = 'AAPL'"

# Over quote, where only 2015.01.07 is whole.
ONE_DAY = [
    ("select from quote where date=2015.01.07, sym=`AAPL", rows_where("quote", APPLE)),
    ("select by sym from quote where date=2015.01.07", last_rows("quote", "true", "sym")),
    (
        "select by sym,ex from quote where date=2015.01.07, bid>20",
        last_rows("quote", "bid > 20", "sym, ex"),
    ),
    (
        "select * by date,sym from quote where date=2015.01.07, asize<>20",
        last_rows("quote", "asize <> 20", "date, sym"),
    ),
    ("select by ex from quote where date=2015.01.07, sym=`IBM",
     last_rows("quote", "sym = 'IBM'", "ex")),
    (
        "select n:count i by sym from quote where date=2015.01.07",
        grouped("quote", "sym", "count(*) AS n"),
    ),
    ("select count i from quote where date=2015.01.07", "SELECT count(*) AS x FROM quote"),
    (
        "select high:max bid, low:min ask by sym from quote where date=2015.01.07",
        grouped("quote", "sym", "max(bid) AS high, min(ask) AS low"),
    ),
    (
        "select from quote where date=2015.01.07,"
        " time within (2015.01.07D01:00:00.000000000;2015.01.07D01:05:00.000000000)",
        rows_where(
            "quote",
            f"time BETWEEN {nanoseconds(SEVENTH, 1)} AND {nanoseconds(SEVENTH, 1, 5)}",
        ),
    ),
    (
        "select time,sym,bid from quote where date=2015.01.07, time>=2015.01.07D10:30:00.000000000,"
        " ex in \"NO\", bsize within 10 20",
        rows_where(
            "quote",
            f"time >= {nanoseconds(SEVENTH, 10, 30)} AND ex IN ('N', 'O')"
            " AND bsize BETWEEN 10 AND 20",
            "time, sym, bid",
        ),
    ),
    (
        "select from quote where date=2015.01.07, sym in `AAPL`GOOG, bid>20.5",
        rows_where("quote", "sym IN ('AAPL', 'GOOG') AND bid > 20.5"),
    ),
    (
        "select from quote where date=2015.01.07, sym like \"A*\", ex=\"N\"",
        rows_where("quote", "sym LIKE 'A%' AND ex = 'N'"),
    ),
    (
        "select sym,ask,asize from quote where date=2015.01.07, not sym in `MSFT`AAPL`DOW,"
        " asize<12",
        rows_where(
            "quote", "sym NOT IN ('MSFT', 'AAPL', 'DOW') AND asize < 12", "sym, ask, asize"
        ),
    ),
    (
        "select from quote where date=2015.01.07, sym<>`AAPL, mode=\"Y\", bsize=12",
        rows_where("quote", "sym <> 'AAPL' AND mode = 'Y' AND bsize = 12"),
    ),
    (
        "select avg bid, sum bsize by sym,ex from quote where date=2015.01.07",
        grouped("quote", "sym, ex", "favg(bid) AS bid, sum(bsize)::BIGINT AS bsize"),
        "bid",
    ),
    (
        "select bsize wavg bid by sym from quote where date=2015.01.07",
        grouped("quote", "sym", WAVG.format("bsize", "bid")),
        "bid",
    ),
    (
        "select dev ask by ex from quote where date=2015.01.07",
        grouped("quote", "ex", "stddev_pop(ask) AS ask"),
        "ask",
    ),
    (
        "select med bid by sym from quote where date=2015.01.07",
        grouped("quote", "sym", "median(bid) AS bid"),
        "bid",
    ),
    (
        "select first bid, last ask by sym from quote where date=2015.01.07",
        grouped("quote", "sym", f"{nth('first', 'bid')} AS bid, {nth('last', 'ask')} AS ask"),
    ),
    (
        "select from quote where date=2015.01.07, sym=`NOSUCH",
        rows_where("quote", "false"),
    ),
]

# Over trade, which is whole on both days.
BOTH_DAYS = [
    ("select by date,sym from trade", last_rows("trade", "true", "date, sym")),
    ("select by sym from trade", last_rows("trade", "true", "sym")),
    (
        "select by cond from trade where date=2015.01.08",
        last_rows("trade", f"date = {EIGHTH}", "cond"),
    ),
    ("select n:count i by date from trade", grouped("trade", "date", "count(*) AS n")),
    (
        "select count i by date,sym from trade where size>50",
        grouped("trade", "date, sym", "count(*) AS x", "size > 50"),
    ),
    (
        "select size wavg price by date,sym from trade",
        grouped("trade", "date, sym", WAVG.format("size", "price")),
        "price",
    ),
    (
        "select open:first price, high:max price, low:min price, close:last price"
        " by date,sym from trade",
        grouped(
            "trade",
            "date, sym",
            f"{nth('first', 'price')} AS open, max(price) AS high, min(price) AS low,"
            f" {nth('last', 'price')} AS close",
        ),
    ),
    (
        "select sum size, avg price, sd:dev price by sym from trade where date=2015.01.08",
        grouped(
            "trade",
            "sym",
            "sum(size)::BIGINT AS size, favg(price) AS price, stddev_pop(price) AS sd",
            f"date = {EIGHTH}",
        ),
        "price",
        "sd",
    ),
    (
        "select first time, n:count i, smallest:min size by sym from trade",
        grouped("trade", "sym", f"{nth('first', 'time')} AS time, count(*) AS n,"
                " min(size) AS smallest"),
    ),
    ("select med size by sym from trade",
     grouped("trade", "sym", "median(size) AS size"), "size"),
    (
        "select n:count i, stops:sum stop by ex from trade",
        grouped("trade", "ex", "count(*) AS n, sum(stop)::BIGINT AS stops"),
    ),
    (
        "select from trade where date within 2015.01.07 2015.01.08, size=37, stop=1b",
        rows_where("trade", "size = 37 AND stop = 1"),
    ),
    ("select from trade where stop=1b, sym=`DELL",
     rows_where("trade", "stop = 1 AND sym = 'DELL'")),
    (
        "select from trade where date in 2015.01.07 2015.01.08, cond=\"R\", price<12",
        rows_where("trade", "cond = 'R' AND price < 12"),
    ),
    (
        "select from trade where not size within 5 95, sym like \"*S*\"",
        rows_where("trade", "size NOT BETWEEN 5 AND 95 AND sym LIKE '%S%'"),
    ),
    (
        "select date,time,price from trade where date=2015.01.07, sym like \"[AM]*\", ex<>\"N\"",
        rows_where(
            "trade",
            f"date = {SEVENTH} AND left(sym, 1) IN ('A', 'M') AND ex <> 'N'",
            "date, time, price",
        ),
    ),
    (
        "select from trade where sym in `AAPL`MSFT, size in 10 20 30, date=2015.01.08",
        rows_where(
            "trade", f"sym IN ('AAPL', 'MSFT') AND size IN (10, 20, 30) AND date = {EIGHTH}"
        ),
    ),
    (
        "select from trade where date>2015.01.07, not sym like \"?M*\", price>=40",
        rows_where("trade", f"date > {SEVENTH} AND NOT sym LIKE '_M%' AND price >= 40"),
    ),
    (
        "select from trade where date=2015.01.09",
        rows_where("trade", "false"),
    ),
]

# Over the gzip-compressed database: infinities, timespans, eight-byte symbols, parted.
GZIP = [
    ("select from statsTab where maxPrice=-0w", rows_where("statsTab", "maxPrice = '-inf'")),
    ("select by sym from statsTab", last_rows("statsTab", "true", "sym")),
    (
        "select high:max maxPrice, low:min minPrice, most:max volume, least:min volume"
        " by date,sym from statsTab",
        grouped(
            "statsTab",
            "date, sym",
            "max(maxPrice) AS high, min(minPrice) AS low, max(volume) AS most,"
            " min(volume) AS least",
        ),
    ),
    (
        "select from statsTab where date=2019.06.25, volume>0, time within 0D20:30 0D20:45:10.5",
        rows_where(
            "statsTab",
            f"date = {JUNE} AND volume > 0 AND time BETWEEN {nanoseconds(0, 20, 30)}"
            f" AND {nanoseconds(0, 20, 45)} + 10500000000",
        ),
    ),
    (
        "select avg maxPrice, sum volume by sym from statsTab where volume>0",
        grouped(
            "statsTab",
            "sym",
            "favg(maxPrice) AS maxPrice, sum(volume)::BIGINT AS volume",
            "volume > 0",
        ),
        "maxPrice",
    ),
    (
        "select sym,time,lowAsk from statsTab where minPrice<0w, lowAsk<200, not sym in `IBM`AAPL",
        rows_where(
            "statsTab",
            "minPrice < 'inf' AND lowAsk < 200 AND sym NOT IN ('IBM', 'AAPL')",
            "sym, time, lowAsk",
        ),
    ),
    ("select by exchange,date from quote", last_rows("quote", "true", "exchange, date")),
    (
        "select askSize wavg ask, last time by exchange from quote where sym<>`CSA",
        grouped(
            "quote",
            "exchange",
            f"{WAVG.format('askSize', 'ask')}, {nth('last', 'time')} AS time",
            "sym <> 'CSA'",
        ),
        "ask",
    ),
]
