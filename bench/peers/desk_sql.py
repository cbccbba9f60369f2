"""The queries of queries/desk.q as the engines with SQL say them alike: FORMS of desk_ENGINE.py are
these in the engine's own words, and its own where it says a query in another way.

Sums of q's reals are reals, so they are rounded to REAL once. A result's columns are known by their
places: names are such that none hides a column of the table.
"""

import dataclasses
from collections.abc import Callable

from desk_questions import CLOSE_NS, FIRST, HOUR_NS, LAST, MINUTE_NS, ONE, OPEN_NS, SECOND_NS

HALF_HOUR_NS = 30 * MINUTE_NS
IN_SESSION = f"time BETWEEN {OPEN_NS} AND {CLOSE_NS}"
IS_ONE = f"sym = '{ONE}'"
BARS = f"time - time % {5 * MINUTE_NS}"
BEST_FIRST = "ORDER BY sum(size) DESC, sym LIMIT 10"


def of_day(source, today=""):
    """What selects a day's rows: today is the condition where the source holds others too."""
    def selected(shown, condition=""):
        tests = " AND ".join(test for test in (today, condition) if test)
        return f"SELECT {shown} FROM {source}" + (f" WHERE {tests}" if tests else "")

    return selected


@dataclasses.dataclass(frozen=True)
class Words:
    """What the engines say in different ways; {} is an expression."""

    of_trades: Callable  # (shown, condition) of the day
    of_quotes: Callable
    as_of: Callable  # (shown, condition, quotes): trades t of the day with the last quotes q so far
    all_trades: str
    date: str  # a literal
    row: str  # the row's number
    first: str
    last: str
    so_far: str  # the window of a table's rows in their order
    units: str  # {} of the time in whole units of {}
    double: str  # {} as a double before it is divided
    total: str  # a sum of whole numbers
    value: str  # size times price in reals
    spread: str
    mid: str
    coalesce: str
    count_if: str
    top: str  # the symbols of the most volume, from a query of them
    deviation: str  # of the last prices
    median: str
    correlation: str
    has_ptime: str
    no_ptime: str


def bar(words):
    return (f"{words.first} AS open, max(price) AS high, min(price) AS low,"
            f" {words.last} AS close")


def forms(words):
    """The queries by number."""
    of_trades, of_quotes, as_of = words.of_trades, words.of_quotes, words.as_of
    minute, second, hour = (words.units.format("time", ns)
                            for ns in (MINUTE_NS, SECOND_NS, HOUR_NS))
    prices, volume = bar(words), f"{words.total.format('size')} AS volume"
    month = f"date BETWEEN {words.date.format(FIRST)} AND {words.date.format(LAST)}"
    value = f"sum(({words.value})::DOUBLE)"
    rolling = f"(ORDER BY {words.row} ROWS BETWEEN 49 PRECEDING AND CURRENT ROW)"
    double, count_if, so_far = words.double.format, words.count_if.format, words.so_far
    top = words.top.format(of_trades("sym") + f" GROUP BY sym {BEST_FIRST}")
    return {
        1: of_trades(f"sym, sum({double('size')} * price) / sum(size) AS vwap") + " GROUP BY 1",
        2: of_trades(f"sym, {value}::REAL::DOUBLE / sum(size) AS vwap",
                     f"{IN_SESSION} AND corr = 0") + " GROUP BY 1",
        3: of_trades(f"{minute} AS minute, {prices}, {volume}", IS_ONE) + " GROUP BY 1",
        4: of_trades(f"sym, {BARS} AS bar, {prices}, {volume}") + " GROUP BY 1, 2",
        5: f"SELECT date, sym, {prices}, {volume}, count(*) AS trades FROM {words.all_trades}"
           f" WHERE {month} GROUP BY 1, 2",
        6: of_trades(f"sym, {volume}") + " GROUP BY 1 ORDER BY volume DESC, sym LIMIT 10",
        7: of_trades(f"sym, time, ex, {words.value} AS value")
           + f" ORDER BY value DESC, {words.row} LIMIT 50",
        8: of_trades("sym, time, size, price", f"size >= 10000 AND NOT {IN_SESSION}"),
        9: of_trades(f"ex, {volume}, count(*) AS trades") + " GROUP BY 1",
        10: of_trades(f"trf, {hour} AS hh, {volume}", "ex = ascii('D')") + " GROUP BY 1, 2",
        11: f"SELECT date, 1e-6::DOUBLE * {value}::REAL::DOUBLE AS turnover FROM"
            f" {words.all_trades} WHERE {month} GROUP BY 1",
        12: of_trades(f"{hour} AS hh, avg((size < 100)::INTEGER) AS oddlots") + " GROUP BY 1",
        13: of_trades(f"cond, count(*) AS trades, {volume}") + " GROUP BY 1",
        14: of_trades("DISTINCT sym, ex"),
        16: of_quotes(f"sym, 1e4::DOUBLE * avg({double(words.spread)} / ({words.mid})) AS relative",
                      "bid > 0 AND ask > bid") + " GROUP BY 1",
        17: of_quotes(f"sym, time - time % {HALF_HOUR_NS} AS bar, avg({words.spread}::DOUBLE)"
                      f" AS mean, max({words.spread}) AS widest", f"sym IN ({top}) AND bid > 0")
            + " GROUP BY 1, 2",
        18: of_quotes(f"ex, {count_if('bid = ask')} AS locked, {count_if('bid > ask')} AS crossed,"
                      " count(*) AS quotes") + " GROUP BY 1",
        19: of_quotes("sym, count(*) AS n", "bid = 0")
            + " GROUP BY 1 ORDER BY n DESC, sym LIMIT 20",
        20: of_quotes(f"{minute} AS minute, avg({double('(bsize - asize)')} / (bsize + asize))"
                      " AS imbalance", f"{IS_ONE} AND bsize > 0") + " GROUP BY 1",
        21: of_quotes("time, (bid * asize::REAL + ask * bsize::REAL)::DOUBLE / (bsize + asize)"
                      " AS micro", f"{IS_ONE} AND bsize > 0"),
        22: of_quotes(f"{second} AS second, max(bid) AS best, min(ask) AS offer", f"{IS_ONE} AND"
                      f" time BETWEEN {10 * HOUR_NS} AND {10 * HOUR_NS + HALF_HOUR_NS}")
            + " GROUP BY 1",
        23: f"SELECT q.sym, {double('quotes')} / trades AS ratio FROM"
            f" ({of_quotes('sym, count(*) AS quotes')} GROUP BY sym) AS q JOIN"
            f" ({of_trades('sym, count(*) AS trades')} GROUP BY sym) AS t ON q.sym = t.sym",
        24: as_of("t.sym, t.time, t.price, t.size, q.bid, q.ask"),
        25: as_of(f"t.sym AS s, avg(2 * abs(t.price - {words.mid})) AS effective", "bid > 0")
            + " GROUP BY 1",
        27: as_of("t.sym, t.time, t.price, t.size, t.ex, q.bid, q.ask", "bid > 0")
            + " WHERE t.price < q.bid OR t.price > q.ask OR q.ask IS NULL",
        28: as_of(f"t.sym AS s, avg(t.time - {words.coalesce}(q.time, t.time)) AS age",
                  quotes="time") + " GROUP BY 1",
        29: of_trades(f"time, price, avg(price::DOUBLE) OVER {rolling} AS mean,"
                      f" {words.deviation} OVER {rolling} AS deviation", IS_ONE),
        30: of_trades(f"time, (sum(size) OVER {so_far})::BIGINT AS volume,"
                      f" ({value} OVER {so_far})::REAL::DOUBLE / sum(size) OVER {so_far} AS vwap",
                      IS_ONE),
        36: of_quotes("sym, ex, time, bid, bsize")
            + " QUALIFY bid = max(bid) OVER (PARTITION BY sym, ex)",
        37: of_trades(f"{hour} AS hh, {words.median} AS middle, stddev_pop(size) AS deviation,"
                      " max(size) AS largest") + " GROUP BY 1",
        38: of_trades(f"sym, {words.correlation} AS c, count(*) AS n")
            + " GROUP BY 1 HAVING count(*) > 1000",
        39: of_trades(f"ex, avg(time - ptime) AS delay, {count_if('ptime > time')} AS ahead",
                      words.has_ptime) + " GROUP BY 1",
        40: of_trades("sym, time, ex, seq", words.no_ptime)
            + f" ORDER BY time DESC, {words.row}",
    }
