"""The queries of queries/desk.q in ClickHouse's SQL.

The day's rows are tables of their own, peer.trades is all days. Float32 columns add up to Float64
there, so what q does in reals is rounded to Float32 once. A null time is the least whole number.
"""

from desk_questions import CLOSE_NS, DAY, FIRST, HOUR_NS, LAST, MINUTE_NS, ONE, OPEN_NS, SECOND_NS

TODAY = DAY.replace("-", "")
MONTH = f"date BETWEEN '{FIRST}' AND '{LAST}'"
NULL = -(2**63)
ROW = "row_number"
BARS = f"time - time % {5 * MINUTE_NS}"
HALF_HOURS = f"time - time % {30 * MINUTE_NS}"
MINUTE, SECOND, HOUR = (f"toInt32(intDiv(time, {ns}))" for ns in (MINUTE_NS, SECOND_NS, HOUR_NS))
BAR = (f"argMin(price, {ROW}) AS open, max(price) AS high, min(price) AS low,"
       f" argMax(price, {ROW}) AS close")
VOLUME = "sum(size) AS volume"
VALUE = "toFloat32(size * price)"
SPREAD = "toFloat32(ask - bid)"
MID = "(0.5 * toFloat32(bid + ask))"
IN_SESSION = f"time BETWEEN {OPEN_NS} AND {CLOSE_NS}"


def of_trades(shown, condition=""):
    return f"SELECT {shown} FROM peer.trade_{TODAY}" + (f" WHERE {condition}" if condition else "")


def of_quotes(shown, condition=""):
    return f"SELECT {shown} FROM peer.quote_{TODAY}" + (f" WHERE {condition}" if condition else "")


def as_of(shown, condition="", quotes="bid, ask"):
    """Each trade with the last quote of its symbol so far: the key holds the row's number, as ASOF
    takes any of the quotes of one time."""
    key = f"toInt128(time) * {2**32} + {{}} AS key"
    trades, quotes = of_trades(f"*, {key.format(2**32 - 1)}"), f"sym, {key.format(ROW)}, {quotes}"
    return (f"SELECT {shown} FROM ({trades}) AS t ASOF LEFT JOIN ({of_quotes(quotes, condition)})"
            " AS q ON t.sym = q.sym AND t.key >= q.key")


TOP = of_trades("sym") + " GROUP BY sym ORDER BY sum(size) DESC, sym LIMIT 10"
ROLLING = f"(ORDER BY {ROW} ROWS BETWEEN 49 PRECEDING AND CURRENT ROW)"
SO_FAR = f"(ORDER BY {ROW} ROWS UNBOUNDED PRECEDING)"
EACH = f"(PARTITION BY sym ORDER BY {ROW})"
FORMS = {
    1: of_trades("sym, sum(size * price) / sum(size) AS vwap") + " GROUP BY sym",
    2: of_trades(f"sym, toFloat64(toFloat32(sum({VALUE}::Float64))) / sum(size) AS vwap",
                 f"{IN_SESSION} AND corr = 0") + " GROUP BY sym",
    3: of_trades(f"{MINUTE} AS minute, {BAR}, sum(size) AS shares", f"sym = '{ONE}'")
       + " GROUP BY minute",
    4: of_trades(f"sym, {BARS} AS bar, {BAR}, {VOLUME}") + " GROUP BY sym, bar",
    5: f"SELECT date, sym, {BAR}, {VOLUME}, count() AS trades FROM peer.trades WHERE {MONTH}"
       " GROUP BY date, sym",
    6: of_trades(f"sym, {VOLUME}") + " GROUP BY sym ORDER BY volume DESC, sym LIMIT 10",
    7: of_trades(f"sym, time, ex, {VALUE} AS value") + f" ORDER BY value DESC, {ROW} LIMIT 50",
    8: of_trades("sym, time, size, price", f"size >= 10000 AND NOT {IN_SESSION}"),
    9: of_trades(f"ex, {VOLUME}, count() AS trades") + " GROUP BY ex",
    10: of_trades(f"trf, {HOUR} AS hh, {VOLUME}", "ex = ascii('D')") + " GROUP BY trf, hh",
    11: f"SELECT date, 1e-6 * toFloat64(toFloat32(sum({VALUE}::Float64))) AS turnover FROM"
        f" peer.trades WHERE {MONTH} GROUP BY date",
    12: of_trades(f"{HOUR} AS hh, avg(size < 100) AS oddlots") + " GROUP BY hh",
    13: of_trades(f"cond, count() AS trades, {VOLUME}") + " GROUP BY cond",
    14: of_trades("DISTINCT sym, ex"),
    15: "SELECT ex, count() AS symbols FROM ("
        + of_quotes("sym, arrayJoin(groupUniqArray(ex)) AS ex") + " GROUP BY sym) GROUP BY ex",
    16: of_quotes(f"sym, 1e4 * avg({SPREAD} / {MID}) AS spread", "bid > 0 AND ask > bid")
        + " GROUP BY sym",
    17: of_quotes(f"sym, {HALF_HOURS} AS bar, avg({SPREAD}::Float64) AS spread,"
                  f" max({SPREAD}) AS widest", f"sym IN ({TOP}) AND bid > 0")
        + " GROUP BY sym, bar",
    18: of_quotes("ex, countIf(bid = ask) AS locked, countIf(bid > ask) AS crossed,"
                  " count() AS quotes") + " GROUP BY ex",
    19: of_quotes("sym, count() AS n", "bid = 0")
        + " GROUP BY sym ORDER BY n DESC, sym LIMIT 20",
    20: of_quotes(f"{MINUTE} AS minute, avg((bsize - asize) / (bsize + asize)) AS imbalance",
                  f"sym = '{ONE}' AND bsize > 0") + " GROUP BY minute",
    21: of_quotes("time, toFloat32(toFloat32(bid * asize) + toFloat32(ask * bsize))"
                  " / (bsize + asize) AS micro", f"sym = '{ONE}' AND bsize > 0"),
    22: of_quotes(f"{SECOND} AS second, max(bid) AS best, min(ask) AS offer", f"sym = '{ONE}'"
                  f" AND time BETWEEN {10 * HOUR_NS} AND {10 * HOUR_NS + 30 * MINUTE_NS}")
        + " GROUP BY second",
    23: f"SELECT sym, quotes / trades AS ratio FROM ({of_quotes('sym, count() AS quotes')}"
        f" GROUP BY sym) AS q JOIN ({of_trades('sym, count() AS trades')} GROUP BY sym) AS t"
        " USING (sym)",
    24: as_of("t.sym, t.time, t.price, t.size, q.bid, q.ask"),
    25: as_of(f"t.sym AS s, avg(2 * abs(t.price - {MID})) AS effective", "bid > 0")
        + " GROUP BY s",
    26: as_of(f"t.sym AS s, t.time - t.time % {5 * MINUTE_NS} AS bar,"
              f" sum(t.size * ifNull(sign(t.price - {MID}), -1)) AS flow", "bid > 0")
        + " GROUP BY s, bar",
    27: as_of("t.sym, t.time, t.price, t.size, t.ex, q.bid, q.ask", "bid > 0")
        + " WHERE t.price < q.bid OR t.price > q.ask OR isNull(q.ask)",
    28: as_of("t.sym AS s, avg(t.time - ifNull(q.time, t.time)) AS age", quotes="time")
        + " GROUP BY s",
    29: of_trades(f"time, price, avg(price::Float64) OVER {ROLLING} AS mean,"
                  f" stddevPopStable(price::Float64) OVER {ROLLING} AS deviation",
                  f"sym = '{ONE}'"),
    30: of_trades(f"time, sum(size) OVER {SO_FAR} AS volume,"
                  f" toFloat64(toFloat32(sum({VALUE}::Float64) OVER {SO_FAR}))"
                  f" / sum(size) OVER {SO_FAR} AS vwap", f"sym = '{ONE}'"),
    31: of_trades(f"sym, time, price, toInt32(sign(price - lagInFrame(price, 1, 0) OVER {EACH}))"
                  f" AS tick, max(price) OVER {EACH} AS high"),
    32: "SELECT sym, if(count(before) > 1, stddevSampStable(log(price / before)), NULL)"
        " AS volatility FROM ("
        + of_trades(f"sym, price, lagInFrame(toNullable(price)) OVER {EACH} AS before",
                    "corr = 0")
        + ") GROUP BY sym",
    33: of_quotes("sym, if(count() > 1, arraySum(arrayDifference(arraySort(groupArray(time))))"
                  " / (count() - 1), NULL) AS life") + " GROUP BY sym",
    34: of_quotes("sym, length(arrayCompact(arraySort((x, y) -> y, groupArray(bid),"
                  f" groupArray({ROW})))) AS changes, count() AS quotes") + " GROUP BY sym",
    35: of_trades("sym, time, size, price") + " QUALIFY size = max(size) OVER (PARTITION BY sym)",
    36: of_quotes("sym, ex, time, bid, bsize")
        + " QUALIFY bid = max(bid) OVER (PARTITION BY sym, ex)",
    37: of_trades(f"{HOUR} AS hh, quantileExactInclusive(0.5)(size) AS middle,"
                  " stddevPop(size) AS deviation, max(size) AS largest") + " GROUP BY hh",
    38: of_trades("sym, corrStable(price, size) AS c, count() AS n")
        + " GROUP BY sym HAVING n > 1000",
    39: of_trades("ex, avg(time - ptime) AS delay, countIf(ptime > time) AS ahead",
                  f"ptime != {NULL}") + " GROUP BY ex",
    40: of_trades("sym, time, ex, seq", f"ptime = {NULL}") + f" ORDER BY time DESC, {ROW}",
}  # fmt: skip
LEFT_OUT = {}
SETTINGS = {number: ("join_use_nulls = 1",) for number in (24, 25, 26, 27, 28)}
