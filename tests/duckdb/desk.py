"""The queries of queries/desk.q over small generated tables of trades and quotes, against DuckDB.

Every row is compared; floats within compare.TOLERANCE where the order of adding may differ. Results
must be the same bytes under every setting, and where working memory is spilled. The SQL is written
here by hand and shares nothing with the peers'.
"""

import pathlib
import re
import sys
import tempfile

from compare import Session, day, generate
from eleven import cells

SCALE = "0.02"
SPILLED = ["-w", "1", "--on-limit", "spill"]
TODAY = f"date = {day('2020.01.07')}"
MONTH = f"date BETWEEN {day('2020.01.03')} AND {day('2020.01.31')}"
HOUR = 3600 * 10**9
OPEN, CLOSE = 9 * HOUR + HOUR // 2, 16 * HOUR
MINUTE, SECOND = "(time // 60000000000)::INTEGER", "(time // 1000000000)::INTEGER"
HH = f"(time // {HOUR})::INTEGER"
BARS = "time - time % 300000000000"
VOLUME = "sum(size)::BIGINT AS volume"
VALUE = "(size::FLOAT * price)"
# Sums of reals are rounded to a real once.
SUM_OF_VALUE = f"fsum({VALUE}::DOUBLE)::FLOAT::DOUBLE"
FIRST, LAST = "arg_min_null(price, rn)", "arg_max_null(price, rn)"
BAR = f"{FIRST} AS open, max(price) AS high, min(price) AS low, {LAST} AS close"
MID = "0.5 * (bid + ask)::DOUBLE"
ONE = "sym = 'BYYF'"


def grouped(shown, keys, table="trade", condition=TODAY):
    """Of each group, in the order of its keys."""
    places = ", ".join(str(at) for at, _ in enumerate(keys, 1))
    return (f"SELECT {', '.join(keys)}, {shown} FROM {table} WHERE {condition} GROUP BY {places}"
            f" ORDER BY {places}")


def as_of(trades, quotes, shown, condition="true"):
    """Of quotes of one time the last: ASOF takes any."""
    return (f"(SELECT {shown} FROM (SELECT * FROM trade WHERE {TODAY}) t ASOF LEFT JOIN"
            f" (SELECT {quotes} FROM quote WHERE {TODAY} AND {condition} QUALIFY row_number() OVER"
            f" (PARTITION BY sym, time ORDER BY rn DESC) = 1) q"
            f" ON t.sym = q.sym AND t.time >= q.time ORDER BY t.rn) {trades}")


JOINED = "t.rn, t.sym, t.time, t.price, t.size, t.ex, q.bid, q.ask"
BESIDE = as_of("j", "sym, time, bid, ask", JOINED)
BESIDE_BIDS = as_of("j", "sym, time, bid, ask", JOINED, "bid > 0")
BESIDE_TIMES = as_of("j", "sym, time, bid", "t.rn, t.sym, t.time AS ttime,"
                     " coalesce(q.time, t.time) AS qtime")
ROLLING = "(ORDER BY rn ROWS BETWEEN 49 PRECEDING AND CURRENT ROW)"
SO_FAR = "(ORDER BY rn ROWS UNBOUNDED PRECEDING)"
EACH = "(PARTITION BY sym ORDER BY rn)"


def of_rows(table, condition, made):
    return f"(SELECT *, {made} FROM {table} WHERE {condition})"


TOP = f"SELECT sym FROM trade WHERE {TODAY} GROUP BY sym ORDER BY sum(size) DESC, sym LIMIT 10"
# By number: SQL, and the columns that are compared within the tolerance.
DESK = {
    1: (grouped("fsum(size::DOUBLE * price) / fsum(size::DOUBLE) AS vwap", ["sym"]), "vwap"),
    2: (grouped(f"{SUM_OF_VALUE} / sum(size)::DOUBLE AS vwap", ["sym"], "trade",
                f"{TODAY} AND time BETWEEN {OPEN} AND {CLOSE} AND corr = 0"), "vwap"),
    3: (grouped(f"{BAR}, sum(size)::BIGINT AS size", [f"{MINUTE} AS minute"], "trade",
                f"{TODAY} AND {ONE}"),),
    4: (grouped(f"{BAR}, {VOLUME}", ["sym", f"{BARS} AS time"]),),
    5: (grouped(f"{BAR}, {VOLUME}, count(*) AS trades", ["date", "sym"], condition=MONTH),),
    6: (f"SELECT sym, {VOLUME} FROM trade WHERE {TODAY} GROUP BY sym ORDER BY volume DESC, sym"
        " LIMIT 10",),
    7: (f"SELECT sym, time, ex, {VALUE} AS value FROM trade WHERE {TODAY}"
        " ORDER BY value DESC NULLS LAST, rn LIMIT 50",),
    8: (f"SELECT sym, time, size, price FROM trade WHERE {TODAY} AND size >= 10000"
        f" AND NOT time BETWEEN {OPEN} AND {CLOSE} ORDER BY rn",),
    9: (grouped(f"{VOLUME}, count(*) AS trades", ["ex"]),),
    10: (grouped(VOLUME, ["trf", f"{HH} AS hh"], condition=f"{TODAY} AND ex = 'D'"),),
    11: (grouped(f"1e-6 * {SUM_OF_VALUE} AS turnover", ["date"], condition=MONTH), "turnover"),
    12: (grouped("favg((size < 100)::INTEGER) AS oddlots", [f"{HH} AS hh"]), "oddlots"),
    13: (grouped(f"count(*) AS trades, {VOLUME}", ["cond"]),),
    14: (f"SELECT sym, ex FROM trade WHERE {TODAY} GROUP BY sym, ex ORDER BY min(rn)",),
    15: (grouped("count(DISTINCT sym) AS symbols", ["ex"], "quote"),),
    16: (grouped(f"1e4 * favg((ask - bid)::DOUBLE / (0.5 * (ask + bid)::DOUBLE)) AS spread",
                 ["sym"], "quote", f"{TODAY} AND bid > 0 AND ask > bid"), "spread"),
    17: (grouped("favg((ask - bid)::DOUBLE) AS spread, max(ask - bid) AS widest",
                 ["sym", "time - time % 1800000000000 AS time"], "quote",
                 f"{TODAY} AND sym IN ({TOP}) AND bid > 0"), "spread"),
    18: (grouped("count(*) FILTER (bid = ask) AS locked, count(*) FILTER (bid > ask) AS crossed,"
                 " count(*) AS quotes", ["ex"], "quote"),),
    19: (f"SELECT sym, count(*) AS n FROM quote WHERE {TODAY} AND bid = 0 GROUP BY sym"
         " ORDER BY n DESC, sym LIMIT 20",),
    20: (grouped("favg((bsize - asize)::DOUBLE / (bsize + asize)::DOUBLE) AS imbalance",
                 [f"{MINUTE} AS minute"], "quote", f"{TODAY} AND {ONE} AND bsize > 0"),
         "imbalance"),
    21: ("SELECT time, ((bid * asize::FLOAT) + ask * bsize::FLOAT)::DOUBLE"
         " / (bsize + asize)::DOUBLE AS micro"
         f" FROM quote WHERE {TODAY} AND {ONE} AND bsize > 0 ORDER BY rn",),
    22: (grouped("max(bid) AS bid, min(ask) AS ask", [f"{SECOND} AS second"], "quote",
                 f"{TODAY} AND {ONE} AND time BETWEEN {10 * HOUR} AND {10 * HOUR + HOUR // 2}"),),
    23: (f"SELECT sym, quotes::DOUBLE / trades AS ratio FROM (SELECT sym, count(*) AS quotes FROM"
         f" quote WHERE {TODAY} GROUP BY sym) JOIN (SELECT sym, count(*) AS trades FROM trade WHERE"
         f" {TODAY} GROUP BY sym) USING (sym) ORDER BY sym",),
    24: (f"SELECT sym, time, price, size, bid, ask FROM {BESIDE} ORDER BY rn",),
    25: (grouped(f"favg(2 * abs(price - {MID})) AS effective", ["sym"], BESIDE_BIDS, "true"),
         "effective"),
    26: (grouped(f"sum(size * coalesce(sign(price - {MID}), -1)::BIGINT)::BIGINT AS flow",
                 ["sym", f"{BARS} AS time"], BESIDE_BIDS, "true"),),
    27: (f"SELECT sym, time, price, size, ex, bid, ask FROM {BESIDE_BIDS} WHERE"
         " coalesce(price < bid, false) OR coalesce(price > ask, ask IS NULL) ORDER BY rn",),
    28: (grouped("favg((ttime - qtime)::DOUBLE) AS age", ["sym"], BESIDE_TIMES, "true"), "age"),
    29: (f"SELECT time, price, avg(price::DOUBLE) OVER {ROLLING} AS mean,"
         f" stddev_pop(price::DOUBLE) OVER {ROLLING} AS deviation FROM trade WHERE {TODAY} AND"
         f" {ONE} ORDER BY rn", "mean", "deviation"),
    30: (f"SELECT time, sum(size) OVER {SO_FAR} ::BIGINT AS volume,"
         f" (sum({VALUE}::DOUBLE) OVER {SO_FAR})::FLOAT::DOUBLE / sum(size) OVER {SO_FAR} AS vwap"
         f" FROM trade WHERE {TODAY} AND {ONE} ORDER BY rn", "vwap"),
    31: (f"SELECT sym, time, price, coalesce(sign(price - coalesce(lag(price) OVER {EACH},"
         f" 0)), -1)::INTEGER AS tick, max(price) OVER {EACH} AS high FROM trade WHERE {TODAY}"
         " ORDER BY rn",),
    32: (grouped("stddev_samp(ln(ratio)) AS volatility", ["sym"],
                 of_rows("trade", f"{TODAY} AND corr = 0",
                         f"price::DOUBLE / lag(price) OVER {EACH} AS ratio"), "true"),
         "volatility"),
    33: (grouped("favg((upto - time)::DOUBLE) AS life", ["sym"],
                 of_rows("quote", TODAY, f"lead(time) OVER {EACH} AS upto"), "true"), "life"),
    34: (grouped("count(*) FILTER (is_first OR bid IS DISTINCT FROM before) AS changes,"
                 " count(*) AS quotes", ["sym"],
                 of_rows("quote", TODAY, f"lag(bid) OVER {EACH} AS before,"
                         f" row_number() OVER {EACH} = 1 AS is_first"), "true"),),
    35: (f"SELECT sym, time, size, price FROM trade WHERE {TODAY}"
         " QUALIFY size = max(size) OVER (PARTITION BY sym) ORDER BY rn",),
    36: (f"SELECT sym, ex, time, bid, bsize FROM quote WHERE {TODAY}"
         " QUALIFY bid = max(bid) OVER (PARTITION BY sym, ex) ORDER BY rn",),
    37: (grouped("median(size)::DOUBLE AS size, stddev_pop(size) AS size1, max(size) AS size2",
                 [f"{HH} AS hh"]), "size1"),
    38: (grouped("corr(price::DOUBLE, size::DOUBLE) AS c, count(*) AS n", ["sym"])
         .replace("ORDER BY", "HAVING count(*) > 1000 ORDER BY"), "c"),
    39: (grouped("favg((time - ptime)::DOUBLE) AS delay, count(*) FILTER (ptime > time) AS ahead",
                 ["ex"], condition=f"{TODAY} AND ptime IS NOT NULL"), "delay"),
    40: (f"SELECT sym, time, ex, seq FROM trade WHERE {TODAY} AND ptime IS NULL"
         " ORDER BY time DESC, rn",),
}  # fmt: skip
KINDS = {"minute": "minute", "second": "second", "hh": "int", "open": "real", "high": "real",
         "low": "real", "close": "real", "value": "real", "widest": "real", "tick": "int",
         "size1": "float", "size2": "int"}  # fmt: skip


def main():
    binary, source = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    file = source / "queries" / "desk.q"
    numbers = [int(n) for n in re.findall(r"^/ (\d+)$", file.read_text(), re.MULTILINE)]
    if sorted(numbers) != sorted(DESK):
        raise SystemExit(f"{file}: queries {numbers}, but SQL for {sorted(DESK)}")
    with tempfile.TemporaryDirectory(prefix="hdbench-desk-") as folder:
        database = pathlib.Path(folder, "db")
        generate(binary, database, "taq", SCALE)
        session = Session(binary, database, folder, trade=None, quote=None)
        session.oracle.kinds.update(KINDS)
        for axes in [*list(cells())[::3], SPILLED]:
            for number, (sql, *approximate) in DESK.items():
                session.check(f"desk.q query {number}", ["--file", str(file), "--id", str(number)],
                              axes, sql, approximate)
        return session.finish()


if __name__ == "__main__":
    sys.exit(main())
