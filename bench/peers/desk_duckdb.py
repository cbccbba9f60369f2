"""The queries of queries/desk.q in DuckDB's SQL.

Sums of q's reals are reals, so they are rounded to FLOAT once. rowid is the table's order, and a
window OVER () takes the rows in it as they come, one thread and no sort: a symbol's rows are
together.
"""

from desk_questions import CLOSE_NS, DAY, FIRST, HOUR_NS, LAST, MINUTE_NS, ONE, OPEN_NS, SECOND_NS

TODAY = f"date = DATE '{DAY}'"
MONTH = f"date BETWEEN DATE '{FIRST}' AND DATE '{LAST}'"
BARS = f"time - time % {5 * MINUTE_NS}"
HALF_HOURS = f"time - time % {30 * MINUTE_NS}"
MINUTE, SECOND, HOUR = (f"(time // {ns})::INTEGER" for ns in (MINUTE_NS, SECOND_NS, HOUR_NS))
BAR = ("arg_min(price, rowid) AS open, max(price) AS high, min(price) AS low,"
       " arg_max(price, rowid) AS close")
VOLUME = "sum(size)::BIGINT AS volume"
MID = "0.5::DOUBLE * (bid + ask)"


def of_trades(shown, condition=""):
    return f"SELECT {shown} FROM trade WHERE {TODAY}{condition}"


def of_quotes(shown, condition=""):
    return f"SELECT {shown} FROM quote WHERE {TODAY}{condition}"


def as_of(shown, condition="", quotes="bid, ask"):
    """Each trade with the last quote of its symbol so far: the key holds the row's number, as ASOF
    takes any of the quotes of one time."""
    key = "(time::HUGEINT << 32) + {} AS key"
    return (f"SELECT {shown} FROM (SELECT *, {key.format(2**32 - 1)} FROM trade WHERE {TODAY}) t"
            f" ASOF LEFT JOIN (SELECT sym, {key.format('rowid')}, {quotes} FROM quote WHERE"
            f" {TODAY}{condition}) q ON t.sym = q.sym AND t.key >= q.key")


IN_SESSION = f"time BETWEEN {OPEN_NS} AND {CLOSE_NS}"
TOP = of_trades("sym") + " GROUP BY sym ORDER BY sum(size) DESC, sym LIMIT 10"
ROLLING = "(ORDER BY rowid ROWS BETWEEN 49 PRECEDING AND CURRENT ROW)"
SO_FAR = "(ROWS UNBOUNDED PRECEDING)"
BEFORE = "lag(sym) OVER () AS sym_before"
FORMS = {
    1: of_trades("sym, sum(size::DOUBLE * price) / sum(size) AS vwap") + " GROUP BY sym",
    2: of_trades("sym, sum(size * price)::FLOAT::DOUBLE / sum(size) AS vwap",
                 f" AND {IN_SESSION} AND corr = 0") + " GROUP BY sym",
    3: of_trades(f"{MINUTE} AS minute, {BAR}, sum(size)::BIGINT AS size", f" AND sym = '{ONE}'")
       + " GROUP BY 1",
    4: of_trades(f"sym, {BARS} AS bar, {BAR}, {VOLUME}") + " GROUP BY 1, 2",
    5: f"SELECT date, sym, {BAR}, {VOLUME}, count(*) AS trades FROM trade WHERE {MONTH}"
       " GROUP BY date, sym",
    6: of_trades(f"sym, {VOLUME}") + " GROUP BY sym ORDER BY volume DESC, sym LIMIT 10",
    7: of_trades("sym, time, ex, size * price AS value") + " ORDER BY value DESC, rowid LIMIT 50",
    8: of_trades("sym, time, size, price", f" AND size >= 10000 AND NOT {IN_SESSION}"),
    9: of_trades(f"ex, {VOLUME}, count(*) AS trades") + " GROUP BY ex",
    10: of_trades(f"trf, {HOUR} AS hh, {VOLUME}", " AND ex = ascii('D')") + " GROUP BY 1, 2",
    11: "SELECT date, 1e-6::DOUBLE * sum(size * price)::FLOAT AS turnover FROM trade WHERE"
        f" {MONTH} GROUP BY date",
    12: of_trades(f"{HOUR} AS hh, avg((size < 100)::INTEGER) AS oddlots") + " GROUP BY 1",
    13: of_trades(f"cond, count(*) AS trades, {VOLUME}") + " GROUP BY cond",
    14: of_trades("DISTINCT sym, ex"),
    15: of_quotes("ex, count(DISTINCT sym) AS symbols") + " GROUP BY ex",
    16: of_quotes(f"sym, 1e4::DOUBLE * avg((ask - bid)::DOUBLE / ({MID})) AS spread",
                  " AND bid > 0 AND ask > bid") + " GROUP BY sym",
    17: of_quotes(f"sym, {HALF_HOURS} AS bar, avg(ask - bid) AS spread,"
                  " max(ask - bid) AS widest", f" AND sym IN ({TOP}) AND bid > 0")
        + " GROUP BY 1, 2",
    18: of_quotes("ex, count_if(bid = ask) AS locked, count_if(bid > ask) AS crossed,"
                  " count(*) AS quotes") + " GROUP BY ex",
    19: of_quotes("sym, count(*) AS n", " AND bid = 0")
        + " GROUP BY sym ORDER BY n DESC, sym LIMIT 20",
    20: of_quotes(f"{MINUTE} AS minute, avg((bsize - asize)::DOUBLE / (bsize + asize)) AS"
                  " imbalance", f" AND sym = '{ONE}' AND bsize > 0") + " GROUP BY 1",
    21: of_quotes("time, (bid * asize + ask * bsize)::DOUBLE / (bsize + asize) AS micro",
                  f" AND sym = '{ONE}' AND bsize > 0"),
    22: of_quotes(f"{SECOND} AS second, max(bid) AS bid, min(ask) AS ask", f" AND sym = '{ONE}'"
                  f" AND time BETWEEN {10 * HOUR_NS} AND {10 * HOUR_NS + 30 * MINUTE_NS}")
        + " GROUP BY 1",
    23: f"SELECT sym, quotes / trades AS ratio FROM ({of_quotes('sym, count(*) AS quotes')}"
        f" GROUP BY sym) JOIN ({of_trades('sym, count(*) AS trades')} GROUP BY sym) USING (sym)",
    24: as_of("t.sym, t.time, t.price, t.size, q.bid, q.ask"),
    25: as_of(f"t.sym, avg(2 * abs(t.price - {MID})) AS effective", " AND bid > 0")
        + " GROUP BY t.sym",
    26: as_of(f"t.sym, t.time - t.time % {5 * MINUTE_NS} AS bar,"
              f" sum(t.size * coalesce(sign(t.price - {MID}), -1))::BIGINT AS flow",
              " AND bid > 0") + " GROUP BY 1, 2",
    27: as_of("t.sym, t.time, t.price, t.size, t.ex, q.bid, q.ask", " AND bid > 0")
        + " WHERE t.price < q.bid OR t.price > q.ask OR q.ask IS NULL",
    28: as_of("t.sym, avg(t.time - coalesce(q.time, t.time)) AS age", quotes="time")
        + " GROUP BY t.sym",
    29: of_trades(f"time, price, avg(price) OVER {ROLLING} AS mean,"
                  f" stddev_pop(price) OVER {ROLLING} AS deviation", f" AND sym = '{ONE}'"),
    30: of_trades(f"time, (sum(size) OVER {SO_FAR})::BIGINT AS volume,"
                  f" (sum(size * price) OVER {SO_FAR})::FLOAT::DOUBLE / sum(size) OVER {SO_FAR}"
                  " AS vwap", f" AND sym = '{ONE}'"),
    31: "SELECT sym, time, price, sign(price - CASE WHEN sym_before = sym THEN before ELSE 0 END)"
        "::INTEGER AS tick, max(price) OVER (PARTITION BY sym ORDER BY row) AS high FROM ("
        + of_trades(f"sym, time, price, rowid AS row, lag(price) OVER () AS before, {BEFORE}")
        + ")",
    32: "SELECT sym, stddev_samp(ln(ratio)) AS volatility FROM (SELECT sym, CASE WHEN"
        " sym_before = sym THEN price::DOUBLE / before END AS ratio FROM ("
        + of_trades(f"sym, price, lag(price) OVER () AS before, {BEFORE}", " AND corr = 0")
        + ")) GROUP BY sym",
    33: "SELECT sym, avg(CASE WHEN sym_after = sym THEN after - time END) AS life FROM ("
        + of_quotes("sym, time, lead(time) OVER () AS after, lead(sym) OVER () AS sym_after")
        + ") GROUP BY sym",
    34: "SELECT sym, count_if(bid IS DISTINCT FROM before OR sym IS DISTINCT FROM sym_before) AS"
        " changes, count(*) AS quotes FROM ("
        + of_quotes(f"sym, bid, lag(bid) OVER () AS before, {BEFORE}") + ") GROUP BY sym",
    35: "SELECT t.sym, t.time, t.size, t.price FROM trade t JOIN ("
        + of_trades("sym, max(size) AS size") + " GROUP BY sym) m ON t.sym = m.sym AND"
        f" t.size = m.size WHERE t.{TODAY}",
    36: of_quotes("sym, ex, time, bid, bsize")
        + " QUALIFY bid = max(bid) OVER (PARTITION BY sym, ex)",
    37: of_trades(f"{HOUR} AS hh, median(size) AS size, stddev_pop(size) AS size1,"
                  " max(size) AS size2") + " GROUP BY 1",
    38: of_trades("sym, corr(price, size) AS c, count(*) AS n")
        + " GROUP BY sym HAVING count(*) > 1000",
    39: of_trades("ex, avg(time - ptime) AS delay, count_if(ptime > time) AS ahead",
                  " AND ptime IS NOT NULL") + " GROUP BY ex",
    40: of_trades("sym, time, ex, seq", " AND ptime IS NULL") + " ORDER BY time DESC, rowid",
}
LEFT_OUT = {}
