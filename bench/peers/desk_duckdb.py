"""The queries of queries/desk.q in DuckDB's SQL.

rowid is the table's order, and a window OVER () takes the rows in it as they come, one thread and
no sort: a symbol's rows are together.
"""

import desk_sql
from desk_questions import DAY

TODAY = f"date = DATE '{DAY}'"
MID = "0.5::DOUBLE * (bid + ask)"
BEFORE = "lag(sym) OVER () AS sym_before"
of_trades, of_quotes = desk_sql.of_day("trade", TODAY), desk_sql.of_day("quote", TODAY)


def as_of(shown, condition="", quotes="bid, ask"):
    """Each trade with the last quote of its symbol so far: the key holds the row's number, as ASOF
    takes any of the quotes of one time."""
    key = "(time::HUGEINT << 32) + {} AS key"
    trades, own = of_trades(f"*, {key.format(2**32 - 1)}"), f"sym, {key.format('rowid')}, {quotes}"
    return (f"SELECT {shown} FROM ({trades}) t ASOF LEFT JOIN ({of_quotes(own, condition)}) q"
            " ON t.sym = q.sym AND t.key >= q.key")


FORMS = desk_sql.forms(
    of_trades, of_quotes, as_of, all_trades="trade", date="DATE '{}'", row="rowid",
    first="arg_min(price, rowid)", last="arg_max(price, rowid)",
    so_far="(ROWS UNBOUNDED PRECEDING)", units="({} // {})::INTEGER", double="{}::DOUBLE",
    total="sum({})::BIGINT", value="size * price", spread="(ask - bid)", mid=MID,
    coalesce="coalesce", count_if="count_if({})", top="{}", deviation="stddev_pop(price)",
    median="median(size)", correlation="corr(price, size)", has_ptime="ptime IS NOT NULL",
    no_ptime="ptime IS NULL",
) | {
    15: of_quotes("ex, count(DISTINCT sym) AS symbols") + " GROUP BY ex",
    26: as_of(f"t.sym, {desk_sql.BARS} AS bar,"
              f" sum(t.size * coalesce(sign(t.price - {MID}), -1))::BIGINT AS flow",
              "bid > 0") + " GROUP BY 1, 2",
    31: "SELECT sym, time, price, sign(price - CASE WHEN sym_before = sym THEN before ELSE 0 END)"
        "::INTEGER AS tick, max(price) OVER (PARTITION BY sym ORDER BY row) AS high FROM ("
        + of_trades(f"sym, time, price, rowid AS row, lag(price) OVER () AS before, {BEFORE}")
        + ")",
    32: "SELECT sym, stddev_samp(ln(ratio)) AS volatility FROM (SELECT sym, CASE WHEN"
        " sym_before = sym THEN price::DOUBLE / before END AS ratio FROM ("
        + of_trades(f"sym, price, lag(price) OVER () AS before, {BEFORE}", "corr = 0")
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
}
