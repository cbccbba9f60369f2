"""The queries of queries/desk.q in DataFusion's SQL.

`trade` and `quote` are the day's tables, `trades` all days'. Sums of q's reals are reals, so they
are rounded to REAL once; row_number is the table's order. There is no as-of join: trades and quotes
stand in one list, sorted by symbol and time in one whole number, and a running maximum finds the
number of the last quote. A row's neighbour is found by its number.
"""

from desk_questions import CLOSE_NS, FIRST, HOUR_NS, LAST, MINUTE_NS, ONE, OPEN_NS, SECOND_NS

ROW = "row_number"
MONTH = f"date BETWEEN DATE '{FIRST}' AND DATE '{LAST}'"
BARS = f"time - time % {5 * MINUTE_NS}"
HALF_HOURS = f"time - time % {30 * MINUTE_NS}"
MINUTE, SECOND, HOUR = (f"(time / {ns})::INT" for ns in (MINUTE_NS, SECOND_NS, HOUR_NS))
BAR = (f"first_value(price ORDER BY {ROW}) AS open, max(price) AS high, min(price) AS low,"
       f" last_value(price ORDER BY {ROW}) AS close")
VOLUME = "sum(size) AS volume"
VALUE = "size::REAL * price"
KEY = f"(sym_code::BIGINT * {2**47} + time) * 2"  # a day's nanoseconds are less
MID = "0.5 * (bid + ask)::DOUBLE"
IN_SESSION = f"time BETWEEN {OPEN_NS} AND {CLOSE_NS}"


def of_trades(shown, condition=""):
    return f"SELECT {shown} FROM trade" + (f" WHERE {condition}" if condition else "")


def of_quotes(shown, condition=""):
    return f"SELECT {shown} FROM quote" + (f" WHERE {condition}" if condition else "")


def as_of(shown, columns, condition="true"):
    """Each trade with the last quote so far, if that is of its symbol; of one time the quotes come
    first."""
    in_turn = (f"SELECT {KEY} AS key, {ROW}, {ROW} AS quote_row, false AS is_trade FROM quote WHERE"
               f" {condition} UNION ALL SELECT {KEY} + 1, {ROW}, NULL, true FROM trade")
    last = (f"SELECT {ROW}, is_trade, max(quote_row) OVER (ORDER BY key ROWS UNBOUNDED PRECEDING)"
            f" AS quote_row FROM ({in_turn})")
    return (f"SELECT {shown} FROM trade t JOIN (SELECT * FROM ({last}) WHERE is_trade) l"
            f" ON t.{ROW} = l.{ROW} LEFT JOIN (SELECT {ROW}, sym_code, {columns} FROM quote WHERE"
            f" {condition}) q ON l.quote_row = q.{ROW} AND t.sym_code = q.sym_code")


TOP = of_trades("sym") + " GROUP BY sym ORDER BY sum(size) DESC, sym LIMIT 10"
ROLLING = f"(ORDER BY {ROW} ROWS BETWEEN 49 PRECEDING AND CURRENT ROW)"
# What is taken from prices before their deviation, whose running sums lose digits.
MIDDLE = f"SELECT avg(price::DOUBLE) FROM trade WHERE sym = '{ONE}'"
SO_FAR = f"(ORDER BY {ROW} ROWS UNBOUNDED PRECEDING)"
EACH = f"(PARTITION BY sym_code ORDER BY {ROW})"
FORMS = {
    1: of_trades("sym, sum(size::DOUBLE * price) / sum(size) AS vwap") + " GROUP BY sym",
    2: of_trades(f"sym, sum(({VALUE})::DOUBLE)::REAL::DOUBLE / sum(size) AS vwap",
                 f"{IN_SESSION} AND corr = 0") + " GROUP BY sym",
    3: of_trades(f"{MINUTE} AS minute, {BAR}, sum(size) AS size", f"sym = '{ONE}'")
       + " GROUP BY 1",
    4: of_trades(f"sym, {BARS} AS bar, {BAR}, {VOLUME}") + " GROUP BY 1, 2",
    5: f"SELECT date, sym, {BAR}, {VOLUME}, count(*) AS trades FROM trades WHERE {MONTH}"
       " GROUP BY date, sym",
    6: of_trades(f"sym, {VOLUME}") + " GROUP BY sym ORDER BY volume DESC, sym LIMIT 10",
    7: of_trades(f"sym, time, ex, {VALUE} AS value") + f" ORDER BY value DESC, {ROW} LIMIT 50",
    8: of_trades("sym, time, size, price", f"size >= 10000 AND NOT {IN_SESSION}"),
    9: of_trades(f"ex, {VOLUME}, count(*) AS trades") + " GROUP BY ex",
    10: of_trades(f"trf, {HOUR} AS hh, {VOLUME}", "ex = ascii('D')") + " GROUP BY 1, 2",
    11: f"SELECT date, 1e-6 * sum(({VALUE})::DOUBLE)::REAL AS turnover FROM trades WHERE {MONTH}"
        " GROUP BY date",
    12: of_trades(f"{HOUR} AS hh, avg((size < 100)::INT) AS oddlots") + " GROUP BY 1",
    13: of_trades(f"cond, count(*) AS trades, {VOLUME}") + " GROUP BY cond",
    14: of_trades("DISTINCT sym, ex"),
    15: of_quotes("ex, count(DISTINCT sym_code) AS symbols") + " GROUP BY ex",
    16: of_quotes(f"sym, 1e4 * avg((ask - bid)::DOUBLE / ({MID})) AS spread",
                  "bid > 0 AND ask > bid") + " GROUP BY sym",
    17: of_quotes(f"sym, {HALF_HOURS} AS bar, avg((ask - bid)::DOUBLE) AS spread,"
                  " max(ask - bid) AS widest", f"sym IN (SELECT sym FROM ({TOP})) AND bid > 0")
        + " GROUP BY 1, 2",
    18: of_quotes("ex, count(*) FILTER (WHERE bid = ask) AS locked,"
                  " count(*) FILTER (WHERE bid > ask) AS crossed, count(*) AS quotes")
        + " GROUP BY ex",
    19: of_quotes("sym, count(*) AS n", "bid = 0")
        + " GROUP BY sym ORDER BY n DESC, sym LIMIT 20",
    20: of_quotes(f"{MINUTE} AS minute, avg((bsize - asize)::DOUBLE / (bsize + asize)) AS"
                  " imbalance", f"sym = '{ONE}' AND bsize > 0") + " GROUP BY 1",
    21: of_quotes("time, (bid * asize::REAL + ask * bsize::REAL)::DOUBLE / (bsize + asize)"
                  " AS micro", f"sym = '{ONE}' AND bsize > 0"),
    22: of_quotes(f"{SECOND} AS second, max(bid) AS bid, min(ask) AS ask", f"sym = '{ONE}'"
                  f" AND time BETWEEN {10 * HOUR_NS} AND {10 * HOUR_NS + 30 * MINUTE_NS}")
        + " GROUP BY 1",
    23: f"SELECT q.sym, quotes::DOUBLE / trades AS ratio FROM"
        f" ({of_quotes('sym, count(*) AS quotes')} GROUP BY sym) q JOIN"
        f" ({of_trades('sym, count(*) AS trades')} GROUP BY sym) t ON q.sym = t.sym",
    24: as_of("t.sym, t.time, t.price, t.size, q.bid, q.ask", "bid, ask"),
    25: as_of(f"t.sym, avg(2 * abs(t.price - {MID})) AS effective", "bid, ask", "bid > 0")
        + " GROUP BY t.sym",
    26: as_of(f"t.sym, t.time - t.time % {5 * MINUTE_NS} AS bar,"
              f" sum(t.size * coalesce(signum(t.price - {MID}), -1)::BIGINT) AS flow",
              "bid, ask", "bid > 0") + " GROUP BY 1, 2",
    27: as_of("t.sym, t.time, t.price, t.size, t.ex, q.bid, q.ask", "bid, ask", "bid > 0")
        + " WHERE t.price < q.bid OR t.price > q.ask OR q.ask IS NULL",
    28: as_of("t.sym, avg(t.time - coalesce(q.time, t.time)) AS age", "time") + " GROUP BY t.sym",
    29: of_trades(f"time, price, avg(price::DOUBLE) OVER {ROLLING} AS mean,"
                  f" stddev_pop(price::DOUBLE - ({MIDDLE})) OVER {ROLLING} AS deviation",
                  f"sym = '{ONE}'"),
    30: of_trades(f"time, sum(size) OVER {SO_FAR} AS volume,"
                  f" (sum(({VALUE})::DOUBLE) OVER {SO_FAR})::REAL::DOUBLE / sum(size) OVER {SO_FAR}"
                  " AS vwap", f"sym = '{ONE}'"),
    31: of_trades("sym, time, price, signum(price - coalesce(lag(price) OVER"
                  f" {EACH}, 0))::INT AS tick, max(price) OVER {EACH} AS high"),
    32: "SELECT sym, stddev_samp(ln(ratio)) AS volatility FROM ("
        + of_trades(f"sym, price::DOUBLE / lag(price) OVER {EACH} AS ratio", "corr = 0")
        + ") GROUP BY sym",
    33: f"SELECT a.sym, avg(b.time - a.time) AS life FROM quote a LEFT JOIN quote b ON a.{ROW} + 1"
        f" = b.{ROW} AND a.sym_code = b.sym_code GROUP BY a.sym",
    34: "SELECT a.sym, count(*) FILTER (WHERE b.sym_code IS NULL OR a.bid IS DISTINCT FROM b.bid)"
        f" AS changes, count(*) AS quotes FROM quote a LEFT JOIN quote b ON a.{ROW} = b.{ROW} + 1"
        " AND a.sym_code = b.sym_code GROUP BY a.sym",
    35: "SELECT t.sym, t.time, t.size, t.price FROM trade t JOIN ("
        + of_trades("sym_code, max(size) AS size")
        + " GROUP BY sym_code) m ON t.sym_code = m.sym_code AND t.size = m.size",
    36: "SELECT q.sym, q.ex, q.time, q.bid, q.bsize FROM quote q JOIN ("
        + of_quotes("sym_code, ex, max(bid) AS bid")
        + " GROUP BY sym_code, ex) m ON q.sym_code = m.sym_code AND q.ex = m.ex AND q.bid = m.bid",
    37: of_trades(f"{HOUR} AS hh, median(size::DOUBLE) AS size, stddev_pop(size) AS size1,"
                  " max(size) AS size2") + " GROUP BY 1",
    38: of_trades("sym, corr(price::DOUBLE, size::DOUBLE) AS c, count(*) AS n")
        + " GROUP BY sym HAVING count(*) > 1000",
    39: of_trades("ex, avg(time - ptime) AS delay, count(*) FILTER (WHERE ptime > time) AS ahead",
                  "ptime IS NOT NULL") + " GROUP BY ex",
    40: of_trades("sym, time, ex, seq", "ptime IS NULL") + f" ORDER BY time DESC, {ROW}",
}
LEFT_OUT = {}
