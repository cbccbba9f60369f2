"""The queries of queries/desk.q in ClickHouse's SQL.

The day's rows are tables of their own, peer.trades is all days. Float32 columns add up to Float64
there, so what q does in reals is rounded to Float32 once. A null time is the least whole number.
"""

import desk_sql
from desk_questions import DAY

NULL = -(2**63)
ROW = "row_number"
MID = "(0.5 * toFloat32(bid + ask))"
EACH = f"(PARTITION BY sym ORDER BY {ROW})"
of_trades, of_quotes = (desk_sql.of_day(f"peer.{table}_{DAY.replace('-', '')}")
                        for table in ("trade", "quote"))


def as_of(shown, condition="", quotes="bid, ask"):
    """Each trade with the last quote of its symbol so far: the key holds the row's number, as ASOF
    takes any of the quotes of one time."""
    key = f"toInt128(time) * {2**32} + {{}} AS key"
    trades, own = of_trades(f"*, {key.format(2**32 - 1)}"), f"sym, {key.format(ROW)}, {quotes}"
    return (f"SELECT {shown} FROM ({trades}) AS t ASOF LEFT JOIN ({of_quotes(own, condition)})"
            " AS q ON t.sym = q.sym AND t.key >= q.key")


FORMS = desk_sql.forms(
    of_trades, of_quotes, as_of, all_trades="peer.trades", date="'{}'", row=ROW,
    first=f"argMin(price, {ROW})", last=f"argMax(price, {ROW})",
    so_far=f"(ORDER BY {ROW} ROWS UNBOUNDED PRECEDING)", units="toInt32(intDiv({}, {}))",
    double="{}", total="sum({})", value="toFloat32(size * price)",
    spread="toFloat32(ask - bid)", mid=MID, coalesce="ifNull", count_if="countIf({})", top="{}",
    deviation="stddevPopStable(price::DOUBLE)", median="quantileExactInclusive(0.5)(size)",
    correlation="corrStable(price, size)", has_ptime=f"ptime != {NULL}",
    no_ptime=f"ptime = {NULL}",
) | {
    12: of_trades(f"toInt32(intDiv(time, {desk_sql.HOUR_NS})) AS hh, avg(size < 100) AS oddlots")
        + " GROUP BY hh",
    15: "SELECT ex, count() AS symbols FROM ("
        + of_quotes("sym, arrayJoin(groupUniqArray(ex)) AS ex") + " GROUP BY sym) GROUP BY ex",
    21: of_quotes("time, toFloat32(toFloat32(bid * asize) + toFloat32(ask * bsize))"
                  " / (bsize + asize) AS micro", f"{desk_sql.IS_ONE} AND bsize > 0"),
    26: as_of(f"t.sym AS s, {desk_sql.BARS} AS bar,"
              f" sum(t.size * ifNull(sign(t.price - {MID}), -1)) AS flow", "bid > 0")
        + " GROUP BY s, bar",
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
}
SETTINGS = {number: ", join_use_nulls = 1" for number in (24, 25, 26, 27, 28)}
