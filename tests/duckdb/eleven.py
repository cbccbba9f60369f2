"""The paper's eleven queries, as printed and as counted, over a small generated database.

Every row of every result is compared with DuckDB's, under both layouts, with and without the parted
attribute, on two media, and with the threads and modes spread over these cells.
"""

import itertools
import pathlib
import sys
import tempfile

from compare import Session, day, generate, last_rows, rows_where

SCALE = "0.001"
DAY = f"date = {day('2020.01.07')}"
FIRST, JANUARY, LAST = day("2019.11.01"), day("2020.01.03"), day("2020.01.31")
ONE = "col3 = 'val1'"
TWO = "col3 IN ('val1', 'val2')"
THREE = "col3 IN ('val1', 'val2', 'val3')"


def eleven(january, quarter):
    """SQL by number; the two conditions say what the queries over a range of dates mean."""
    in_january = f"date BETWEEN {JANUARY} AND {LAST}"
    in_quarter = f"date BETWEEN {FIRST} AND {LAST}"
    return {
        1: last_rows("quote", f"{DAY} AND {ONE}", "date, col1"),
        2: last_rows("quote", f"{january} AND {ONE}", "date, col1"),
        3: last_rows("quote", f"{quarter} AND {ONE}", "date, col1"),
        4: rows_where("quote", f"{DAY} AND {THREE}"),
        5: last_rows("quote", f"{DAY} AND {THREE}", "date, col1, col2"),
        6: last_rows("quote", f"{january} AND {THREE}", "date, col1, col2"),
        7: last_rows("quote", f"{quarter} AND {THREE}", "date, col1, col2"),
        8: last_rows("quote", TWO, "col1"),
        9: last_rows("quote", f"{quarter} AND {TWO}", "date, col1"),
        10: rows_where("quote", f"{in_january} AND {THREE}"),
        11: rows_where("quote", f"{in_quarter} AND {THREE}"),
    }


FILES = {
    "paper.q": eleven(f"date BETWEEN {JANUARY} AND {LAST}", f"date BETWEEN {FIRST} AND {LAST}"),
    "paper-counted.q": eleven(f"date IN ({JANUARY}, {LAST})", f"date IN ({FIRST}, {LAST})"),
}
# Groups do not depend on the scale: the published counts, and what the printed text gives
# (20 trading days in January, 62 in all).
GROUPS = {
    "paper.q": {1: 2, 2: 40, 3: 124, 5: 4, 6: 80, 7: 248, 8: 3, 9: 186},
    "paper-counted.q": {1: 2, 2: 4, 3: 4, 5: 4, 6: 8, 7: 8, 8: 3, 9: 6},
}
SPREAD = [("4.0", "2"), ("3.6", "2"), ("4.0", "1"), ("3.6", "1")]


def cells():
    axes = itertools.product(("partitioned", "flat"), ("none", "parted"), ("nvme", "dram"))
    for i, (layout, attribute, medium) in enumerate(axes):
        mode, threads = SPREAD[(i + i // 4) % len(SPREAD)]
        yield ["--layout", layout, "--attr", attribute, "--medium", medium, "--mode", mode,
               "-s", threads]
    for layout, medium in (("partitioned", "nvme"), ("flat", "dram")):
        yield ["--layout", layout, "--attr", "parted", "--medium", medium, "--codes", "narrow",
               "-s", "2"]


def main():
    binary, source = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    with tempfile.TemporaryDirectory(prefix="hdbench-eleven-") as folder:
        database = pathlib.Path(folder, "db")
        generate(binary, database, "paper", SCALE, "--parted", "col3")
        session = Session(binary, database, folder, quote=None)
        for (name, queries), axes in itertools.product(FILES.items(), cells()):
            for number, sql in queries.items():
                arguments = ["--file", str(source / "queries" / name), "--id", str(number)]
                title = f"{name} query {number}"
                rows = session.check(title, arguments, axes, sql)
                groups = GROUPS[name].get(number, rows)
                if rows is not None and rows != groups:
                    session.fail(title, f"{rows} groups, expected {groups}")
        return session.finish()


if __name__ == "__main__":
    sys.exit(main())
