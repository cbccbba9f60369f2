"""Varied queries over databases that real kdb+ wrote (q-IPC and gzip compressed), against DuckDB's.

In the first one 2015.01.08/quote lacks column files: queries that touch it must end with status 3
and name what is missing.
"""

import pathlib
import sys
import tempfile

from compare import Session, run_query
from sample_queries import BOTH_DAYS, GZIP, ONE_DAY

MISSING = {"time", "sym", "bid", "ask", "bsize", "asize"}
BROKEN = [
    "select from quote where date=2015.01.08",
    "select from quote",
    "select max bid by sym from quote",
    "select by date,sym from quote where date within 2015.01.07 2015.01.08",
]
PLAIN = [["-s", "1"]]
SPREAD = [
    ["-s", "1"],
    ["-s", "2", "--mode", "3.6", "--attr", "none"],
    ["-s", "2", "--layout", "flat", "--medium", "dram", "--attr", "parted"],
    ["-s", "1", "--layout", "flat", "--attr", "none"],
    ["-s", "2", "--medium", "dram", "--codes", "narrow"],
    ["-s", "1", "--layout", "flat", "--mode", "3.6", "--codes", "narrow"],
]


def check_broken(session, query):
    session.runs += 1
    status, messages = run_query(session.binary, session.database, [query], session.out_path)
    named = any(f"2015.01.08/quote/{column}" in messages for column in MISSING)
    if status != 3 or not named:
        session.fail(query, f"status {status} (expected 3, naming a missing file): {messages}")


def ask(session, queries, settings):
    for query, sql, *approximate in queries:
        for axes in settings:
            session.check(query, [query], axes, sql, approximate)


def check_ipc(binary, database, folder):
    session = Session(binary, database, folder, quote=["2015.01.07"], trade=None)
    ask(session, ONE_DAY, PLAIN)
    ask(session, BOTH_DAYS, SPREAD)
    for query in BROKEN:
        check_broken(session, query)
    return session.finish()


def check_gzip(binary, database, folder):
    session = Session(binary, database, folder, statsTab=None, quote=None)
    ask(session, GZIP, SPREAD)
    return session.finish()


def main():
    binary, samples = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    if not samples.is_dir():
        print(f"skipped: no sample databases at {samples}")
        return 77
    with tempfile.TemporaryDirectory(prefix="hdbench-sample-") as folder:
        failed = check_ipc(binary, samples / "v3-ipc-compressed" / "hdb", folder)
        return check_gzip(binary, samples / "v36-gzip" / "hdb", folder) or failed


if __name__ == "__main__":
    sys.exit(main())
