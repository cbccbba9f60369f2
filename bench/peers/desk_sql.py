"""The queries of queries/desk.q as the engines with SQL say them alike: FORMS of desk_ENGINE.py are
these in the engine's own words, and its own where it says a query in another way.

Sums of q's reals are reals, so they are rounded to REAL once. A result's columns are known by their
places: names are such that none hides a column of the table.
"""

from desk_questions import CLOSE_NS, FIRST, HOUR_NS, LAST, MINUTE_NS, ONE, OPEN_NS, SECOND_NS

HALF_HOUR_NS = 30 * MINUTE_NS
IN_SESSION = f"time BETWEEN {OPEN_NS} AND {CLOSE_NS}"
IS_ONE = f"sym = '{ONE}'"
BARS = f"time - time % {5 * MINUTE_NS}"


def of_day(source, today=""):
    """What selects a day's rows: today is the condition where the source holds others too."""
    def selected(shown, condition=""):
        tests = " AND ".join(test for test in (today, condition) if test)
        return f"SELECT {shown} FROM {source}" + (f" WHERE {tests}" if tests else "")

    return selected


def forms(of_trades, of_quotes, as_of, *, all_trades, date, row, first, last, so_far, units, double,
          total, value, spread, mid, coalesce, count_if, top, deviation, median, correlation,
          has_ptime, no_ptime):
    """The queries by number. of_trades and of_quotes(shown, condition) select of the day,
    as_of(shown, condition, quotes) trades t of the day with the last quotes q so far. What engines
    say in different ways, {} being an expression: a literal of a date; the row's number, the first
    and last price by it, and the window of the rows so far; the time in whole units of the second
    {}; a double before it is divided; a sum of whole numbers; value, spread and mid in reals; the
    symbols of the most volume from a query of them; the deviation of the last prices."""
    minute, second, hour = (units.format("time", ns) for ns in (MINUTE_NS, SECOND_NS, HOUR_NS))
    prices = f"{first} AS open, max(price) AS high, min(price) AS low, {last} AS close"
    volume, turnover = f"{total.format('size')} AS volume", f"sum(({value})::DOUBLE)"
    month = f"date BETWEEN {date.format(FIRST)} AND {date.format(LAST)}"
    rolling = f"(ORDER BY {row} ROWS BETWEEN 49 PRECEDING AND CURRENT ROW)"
    double, count_if = double.format, count_if.format
    top = top.format(of_trades("sym") + " GROUP BY sym ORDER BY sum(size) DESC, sym LIMIT 10")
    return {
        1: of_trades(f"sym, sum({double('size')} * price) / sum(size) AS vwap") + " GROUP BY 1",
        2: of_trades(f"sym, {turnover}::REAL::DOUBLE / sum(size) AS vwap",
                     f"{IN_SESSION} AND corr = 0") + " GROUP BY 1",
        3: of_trades(f"{minute} AS minute, {prices}, {volume}", IS_ONE) + " GROUP BY 1",
        4: of_trades(f"sym, {BARS} AS bar, {prices}, {volume}") + " GROUP BY 1, 2",
        5: f"SELECT date, sym, {prices}, {volume}, count(*) AS trades FROM {all_trades}"
           f" WHERE {month} GROUP BY 1, 2",
        6: of_trades(f"sym, {volume}") + " GROUP BY 1 ORDER BY volume DESC, sym LIMIT 10",
        7: of_trades(f"sym, time, ex, {value} AS value")
           + f" ORDER BY value DESC, {row} LIMIT 50",
        8: of_trades("sym, time, size, price", f"size >= 10000 AND NOT {IN_SESSION}"),
        9: of_trades(f"ex, {volume}, count(*) AS trades") + " GROUP BY 1",
        10: of_trades(f"trf, {hour} AS hh, {volume}", "ex = ascii('D')") + " GROUP BY 1, 2",
        11: f"SELECT date, 1e-6::DOUBLE * {turnover}::REAL::DOUBLE AS turnover FROM"
            f" {all_trades} WHERE {month} GROUP BY 1",
        12: of_trades(f"{hour} AS hh, avg((size < 100)::INTEGER) AS oddlots") + " GROUP BY 1",
        13: of_trades(f"cond, count(*) AS trades, {volume}") + " GROUP BY 1",
        14: of_trades("DISTINCT sym, ex"),
        16: of_quotes(f"sym, 1e4::DOUBLE * avg({double(spread)} / ({mid})) AS relative",
                      "bid > 0 AND ask > bid") + " GROUP BY 1",
        17: of_quotes(f"sym, time - time % {HALF_HOUR_NS} AS bar, avg({spread}::DOUBLE)"
                      f" AS mean, max({spread}) AS widest", f"sym IN ({top}) AND bid > 0")
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
        25: as_of(f"t.sym AS s, avg(2 * abs(t.price - {mid})) AS effective", "bid > 0")
            + " GROUP BY 1",
        27: as_of("t.sym, t.time, t.price, t.size, t.ex, q.bid, q.ask", "bid > 0")
            + " WHERE t.price < q.bid OR t.price > q.ask OR q.ask IS NULL",
        28: as_of(f"t.sym AS s, avg(t.time - {coalesce}(q.time, t.time)) AS age",
                  quotes="time") + " GROUP BY 1",
        29: of_trades(f"time, price, avg(price::DOUBLE) OVER {rolling} AS mean,"
                      f" {deviation} OVER {rolling} AS deviation", IS_ONE),
        30: of_trades(f"time, (sum(size) OVER {so_far})::BIGINT AS volume,"
                      f" ({turnover} OVER {so_far})::REAL::DOUBLE / sum(size) OVER {so_far}"
                      " AS vwap", IS_ONE),
        36: of_quotes("sym, ex, time, bid, bsize")
            + " QUALIFY bid = max(bid) OVER (PARTITION BY sym, ex)",
        37: of_trades(f"{hour} AS hh, {median} AS middle, stddev_pop(size) AS deviation,"
                      " max(size) AS largest") + " GROUP BY 1",
        38: of_trades(f"sym, {correlation} AS c, count(*) AS n")
            + " GROUP BY 1 HAVING count(*) > 1000",
        39: of_trades(f"ex, avg(time - ptime) AS delay, {count_if('ptime > time')} AS ahead",
                      has_ptime) + " GROUP BY 1",
        40: of_trades("sym, time, ex, seq", no_ptime)
            + f" ORDER BY time DESC, {row}",
    }
