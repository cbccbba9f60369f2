"""Every row of a database that `import taq` made, against DuckDB reading the same files.

    taq_import.py HDBENCH

The column files are read by kdb_reader, which shares nothing with hdbench; so a wrong order, type,
null or symbol is found, whatever hdbench itself makes of the files.
"""

import pathlib
import subprocess
import sys
import tempfile

from compare import Oracle

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import taq_files  # pylint: disable=wrong-import-position

ROWS = 4000
# By column: the name in the file, and what its text becomes.
TEXT, LETTER = "trim({})", "CASE trim({0}) WHEN '' THEN ' ' ELSE trim({0}) END"
REAL, INT, SHORT = "TRY_CAST({} AS FLOAT)", "TRY_CAST({} AS INTEGER)", "TRY_CAST({} AS SMALLINT)"
LONG = "TRY_CAST({} AS BIGINT)"
TIME = ("TRY_CAST({0}[1:2] AS BIGINT) * 3600000000000 + TRY_CAST({0}[3:4] AS BIGINT) * 60000000000"
        " + TRY_CAST(rpad({0}[5:], 11, '0') AS BIGINT)")
TABLES = {
    "trade": {
        "sym": ("Symbol", TEXT), "time": ("Time", TIME), "ex": ("Exchange", LETTER),
        "cond": ("Sale Condition", TEXT), "size": ("Trade Volume", INT),
        "price": ("Trade Price", REAL), "stop": ("Trade Stop Stock Indicator", LETTER),
        "corr": ("Trade Correction Indicator", SHORT), "seq": ("Sequence Number", LONG),
        "source": ("Source of Trade", LETTER), "trf": ("Trade Reporting Facility", LETTER),
        "ptime": ("Participant Timestamp", TIME)},
    "quote": {
        "sym": ("Symbol", TEXT), "time": ("Time", TIME), "ex": ("Exchange", LETTER),
        "bid": ("Bid_Price", REAL), "bsize": ("Bid_Size", INT), "ask": ("Offer_Price", REAL),
        "asize": ("Offer_Size", INT), "cond": ("Quote_Condition", LETTER),
        "seq": ("Sequence_Number", LONG), "source": ("Source_Of_Quote", LETTER),
        "ssr": ("Short_Sale_Restriction_Indicator", LETTER),
        "ptime": ("Participant_Timestamp", TIME)},
}  # fmt: skip


def read_files(oracle, table, files):
    """A table `file_TABLE` of the files' lines, numbered in the order in which they were given."""
    parts = []
    for number, (date, path) in enumerate(files):
        names = path.read_text().split("\n", 1)[0].split("|")
        columns = ", ".join(f"'{name}': 'VARCHAR'" for name in names)
        fields = ", ".join(f'{how.format(f"{chr(34)}{name}{chr(34)}")} AS {column}'
                           for column, (name, how) in TABLES[table].items())
        parts.append(f"SELECT '{date}' AS date, {fields}, {number} AS file, row_number() OVER () AS"
                     f" line FROM read_csv('{path}', header = true, delim = '|', quote = '',"
                     f" auto_detect = false, nullstr = 'no null', columns = {{{columns}}})"
                     " WHERE NOT starts_with(\"Time\", 'END')")
    oracle.connection.execute("SET preserve_insertion_order = true")
    oracle.connection.execute(
        f"CREATE TABLE file_{table} AS SELECT *, row_number() OVER (ORDER BY date, sym COLLATE C,"
        f" time NULLS FIRST, file, line) - 1 AS rn FROM ({' UNION ALL '.join(parts)})")


def differing(oracle, table):
    """How many rows are not the same in the same place."""
    columns = list(TABLES[table])
    same = " AND ".join(f"d.{column} IS NOT DISTINCT FROM f.{column}" for column in columns)
    sql = (f"SELECT count(*) FROM {table} d FULL JOIN file_{table} f USING (rn)"
           f" WHERE d.rn IS NULL OR f.rn IS NULL OR NOT ({same})")
    return oracle.connection.execute(sql).fetchone()[0]


def main():
    binary = pathlib.Path(sys.argv[1])
    with tempfile.TemporaryDirectory(prefix="hdbench-taq-") as place:
        folder = pathlib.Path(place)
        files = {"trade": [], "quote": []}
        for seed, (table, date, symbols) in enumerate([
                ("trade", "20191007", None), ("quote", "20191007", ["A", "AAPL", "BRK A"]),
                ("quote", "20191007", ["BRK A", "C", "A"]), ("trade", "20191008", None)]):
            path = taq_files.write(folder, table, date, ROWS, seed, symbols, f"{seed}_{date}")
            files[table].append((date, path))
        database = folder / "db"
        paths = [str(path) for some in files.values() for _, path in some]
        subprocess.run([str(binary), "import", "taq", *paths, str(database)], check=True,
                       stdout=subprocess.DEVNULL)
        wrong = 0
        for table, some in files.items():
            oracle = Oracle()
            oracle.load(database, table)
            read_files(oracle, table, some)
            rows = oracle.connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
            found = differing(oracle, table) + abs(rows - ROWS * len(some))
            print(f"{table}: {rows} rows, {found} differ")
            wrong += found
        return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
