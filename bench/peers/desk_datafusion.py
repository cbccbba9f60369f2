"""The queries of queries/desk.q in DataFusion's SQL.

`trade` and `quote` are the day's tables, `trades` all days'. row_number is the table's order. There
is no as-of join: trades and quotes stand in one list, sorted by symbol and time in one whole
number, and a running maximum finds the number of the last quote. A row's neighbour is found by its
number.
"""

import desk_sql
from desk_questions import ONE

ROW = "row_number"
KEY = f"(sym_code::BIGINT * {2**47} + time) * 2"  # a day's nanoseconds are less
MID = "0.5 * (bid + ask)::DOUBLE"
# What is taken from prices before their deviation, whose running sums lose digits.
MIDDLE = f"SELECT avg(price::DOUBLE) FROM trade WHERE sym = '{ONE}'"
EACH = f"(PARTITION BY sym_code ORDER BY {ROW})"
of_trades, of_quotes = desk_sql.of_day("trade"), desk_sql.of_day("quote")


def as_of(shown, condition="true", quotes="bid, ask"):
    """Each trade with the last quote so far, if that is of its symbol; of one time the quotes come
    first."""
    in_turn = (f"SELECT {KEY} AS key, {ROW}, {ROW} AS quote_row, false AS is_trade FROM quote WHERE"
               f" {condition} UNION ALL SELECT {KEY} + 1, {ROW}, NULL, true FROM trade")
    last = (f"SELECT {ROW}, is_trade, max(quote_row) OVER (ORDER BY key ROWS UNBOUNDED PRECEDING)"
            f" AS quote_row FROM ({in_turn})")
    return (f"SELECT {shown} FROM trade t JOIN (SELECT * FROM ({last}) WHERE is_trade) l"
            f" ON t.{ROW} = l.{ROW} LEFT JOIN (SELECT {ROW}, sym_code, {quotes} FROM quote WHERE"
            f" {condition}) q ON l.quote_row = q.{ROW} AND t.sym_code = q.sym_code")


FORMS = desk_sql.forms(
    of_trades, of_quotes, as_of, all_trades="trades", date="DATE '{}'", row=ROW,
    first=f"first_value(price ORDER BY {ROW})", last=f"last_value(price ORDER BY {ROW})",
    so_far=f"(ORDER BY {ROW} ROWS UNBOUNDED PRECEDING)", units="({} / {})::INT",
    double="{}::DOUBLE", total="sum({})", value="size::REAL * price", spread="(ask - bid)",
    mid=MID, coalesce="coalesce", count_if="count(*) FILTER (WHERE {})",
    top="SELECT sym FROM ({})", deviation=f"stddev_pop(price::DOUBLE - ({MIDDLE}))",
    median="median(size::DOUBLE)", correlation="corr(price::DOUBLE, size::DOUBLE)",
    has_ptime="ptime IS NOT NULL", no_ptime="ptime IS NULL",
) | {
    15: of_quotes("ex, count(DISTINCT sym_code) AS symbols") + " GROUP BY ex",
    26: as_of(f"t.sym, {desk_sql.BARS} AS bar,"
              f" sum(t.size * coalesce(signum(t.price - {MID}), -1)::BIGINT) AS flow",
              "bid > 0") + " GROUP BY 1, 2",
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
}
