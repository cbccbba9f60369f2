"""The sixteen queries of queries/aggregates.q over a small generated database, without and with
nulls, against DuckDB's answers.

Every row is compared, sums and what follows from them within compare.TOLERANCE, under the cells of
the eleven; results must be the same bytes under all of them. The SQL is written here by hand and
shares nothing with the peers'.
"""

import pathlib
import sys
import tempfile

import numpy as np
from compare import Session, day, generate, put_nulls, quoted
from eleven import SCALE, cells
from kdb_reader import read_column, read_symbols
from sample_queries import nth

NULLS = {"quote": {"time": -(2**63), "bid": np.nan, "ask": np.nan, "bsize": -(2**63),
                   "asize": -(2**63)}}  # fmt: skip
NULL_SHARE = 0.07
# On this date the rarest group has no bid at all: its first and last are null, max and min
# infinities, as q's.
BARE_DATE, BARE_GROUP = "2019.11.04", "grp4"


def one(shown, condition="true"):
    return f"SELECT {shown} FROM quote WHERE {condition}"


def grouped(keys, shown, condition="true"):
    order = ", ".join(f"{quoted(key.strip())} NULLS FIRST" for key in keys.split(","))
    return (f"SELECT {keys}, {shown} FROM quote WHERE {condition} GROUP BY {keys}"
            f" ORDER BY {order}")


# Pairs with a null count neither in the products nor in the weights.
WAVG = "fsum(bsize::DOUBLE * bid) / fsum(bsize::DOUBLE) FILTER (bid IS NOT NULL) AS bid"
# Nulls are less than every value and count; the mean of the middle two leaves a null out.
BIDS = "list_sort(list(bid), 'ASC', 'NULLS FIRST')"
MED = f"list_avg([{BIDS}[(count(*) + 1) // 2], {BIDS}[count(*) // 2 + 1]]) AS bid"
HIGHEST, LOWEST = "coalesce(max({0}), '-inf'::DOUBLE)", "coalesce(min({0}), 'inf'::DOUBLE)"

# By number: SQL, and the columns that are compared within the tolerance.
SIXTEEN = {
    1: (one("count(*) AS n", "bid > 95"),),
    2: (one("count(*) AS n", "bsize > 500"),),
    3: (one("fsum(bid) AS bid"), "bid"),
    4: (one("sum(bsize)::BIGINT AS bsize, favg(asize) AS asize"), "asize"),
    5: (one("min(bid) AS bid, max(ask) AS ask"),),
    6: (one("stddev_pop(bid) AS bid"), "bid"),
    7: (one(WAVG), "bid"),
    8: (grouped("col1", "favg(bid) AS bid"), "bid"),
    9: (grouped("col1", "sum(bsize)::BIGINT AS bsize, count(*) AS n"),),
    10: (grouped("col1", WAVG), "bid"),
    11: (grouped("date, col1", "count(*) AS n"),),
    12: (grouped("date, col1",
                 f"{nth('first', 'bid')} AS open, {HIGHEST.format('bid')} AS high,"
                 f" {LOWEST.format('bid')} AS low, {nth('last', 'bid')} AS close"),),
    13: (grouped("col1", MED), "bid"),
    14: (grouped("time", "count(*) AS n", f"date = {day('2020.01.07')}"),),
    15: (one("fsum(bid) AS bid", "asize > 1800"), "bid"),
    16: (one("favg(bid) AS bid, sum(bsize)::BIGINT AS bsize", "asize > 600"), "bid"),
}
GROUPS = {1: 1, 2: 1, 3: 1, 4: 1, 5: 1, 6: 1, 7: 1, 8: 4, 9: 4, 10: 4, 11: 248, 12: 248, 13: 4,
          15: 1, 16: 1}  # fmt: skip


def bare(folder, field):
    """The rows of the group that has no bid on its date."""
    if field != "bid" or folder.parent.name != BARE_DATE:
        return []
    domain = read_symbols(folder.parents[1] / "sym")
    return read_column(folder / "col1").values == domain.index(BARE_GROUP)


def ask(binary, database, file, folder):
    session = Session(binary, database, folder, quote=None)
    for axes in cells():
        for number, (sql, *approximate) in SIXTEEN.items():
            title = f"aggregates.q query {number}"
            rows = session.check(title, ["--file", str(file), "--id", str(number)], axes, sql,
                                 approximate)
            wanted = GROUPS.get(number, rows)
            if rows is not None and rows != wanted:
                session.fail(title, f"{rows} rows, expected {wanted}")
    return session.finish()


def main():
    binary, source = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    file = source / "queries" / "aggregates.q"
    queries = [line for line in file.read_text().splitlines() if line and line[0] != "/"]
    if len(queries) != len(SIXTEEN):
        raise SystemExit(f"{file}: {len(queries)} queries, but SQL for {len(SIXTEEN)}")
    with tempfile.TemporaryDirectory(prefix="hdbench-aggregates-") as folder:
        database = pathlib.Path(folder, "db")
        generate(binary, database, "paper", SCALE, "--parted", "col3")
        failed = ask(binary, database, file, folder)
        put_nulls(database, NULLS, NULL_SHARE, 36, bare)
        return ask(binary, database, file, folder) or failed


if __name__ == "__main__":
    sys.exit(main())
