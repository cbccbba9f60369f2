"""chDB, ClickHouse in the process: scans on its Memory engine, single rows from a MergeTree."""

import tempfile

import aggregates
import chdb
import numpy as np
import pyarrow as pa
from arrow_batch import aggregate_columns, arrow_part, batch_numbers
from chdb import session
from questions import CONDITION, TABLE, columns_of, sql_condition

SQL_TYPES = {
    "float": "Float64", "real": "Float32", "datetime": "Float64", "short": "Int16",
    "boolean": "UInt8", "byte": "UInt8", "char": "UInt8",
    **dict.fromkeys(("long", "timestamp", "timespan"), "Int64"),
    **dict.fromkeys(("int", "month", "date", "minute", "second", "time"), "Int32"),
}  # fmt: skip
ENUM8_MAX = 128
ROW = "row_number"


def literal(text):
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


class Peer:
    keeps_order = False

    def __init__(self, raw, threads, asked):
        if ROW in raw.fields:
            raise ValueError(f"the table has a column {ROW} of its own")
        self.raw, self.threads = raw, threads
        self.folder = tempfile.TemporaryDirectory(prefix="hdbench-chdb-")
        self.session = session.Session(self.folder.name)
        server = str(self.session.query("SELECT version()")).strip().strip('"')
        self.version = f"{chdb.__version__} (ClickHouse {server})"
        wide = 16 if len(raw.symbols) > ENUM8_MAX else 8
        self.codes = f"enum{wide}"
        values = ", ".join(f"{literal(text)} = {i}" for i, text in enumerate(raw.symbols))
        types = {"date": "Date32", **{
            field: f"Enum{wide}({values})" if raw.kinds[field] == "symbol"
            else SQL_TYPES[raw.kinds[field]] for field in raw.fields}, ROW: "UInt32"}
        columns = ", ".join(f"{name} {kind}" for name, kind in types.items())
        self.session.query("CREATE DATABASE peer ENGINE = Atomic")
        self.session.query(f"CREATE TABLE peer.{TABLE} ({columns}) ENGINE = Memory")
        # One row is found by its number in a sorted table; a Memory table is read whole for it.
        self.session.query(
            f"CREATE TABLE peer.by_row ({columns}) ENGINE = MergeTree ORDER BY {ROW}")
        self.session.query("SYSTEM STOP MERGES peer.by_row")  # nothing runs beside the others
        shown = ", ".join(f"CAST({name} AS {kind})" for name, kind in types.items())
        self.fill(shown, wide)
        self.session.query(f"INSERT INTO peer.by_row SELECT * FROM peer.{TABLE}")
        self.loaded = (
            f"Memory table (Date32, Enum{wide} symbols, Int64, Float64) with a row number UInt32,"
            " and, for the last rows of by-queries, a MergeTree copy sorted by it: compressed files"
            " in a temporary directory, read through the page cache; max_threads; result: a"
            " temporary Memory table"
        )

    def fill(self, shown, wide):
        dictionary, at = pa.array(self.raw.symbols), 0
        for part, count in enumerate(self.raw.lengths):
            arrays = arrow_part(self.raw, part, dictionary)
            for field in self.raw.fields:
                if self.raw.kinds[field] == "symbol":
                    codes = self.raw.views[field][part].astype(f"i{wide // 8}")
                    arrays[field] = pa.array(codes)
            arrays[ROW] = pa.array(np.arange(at, at + count, dtype="u4"))
            at += count
            chunk = pa.table(arrays)  # found by its name in the query
            self.session.query(f"INSERT INTO peer.{TABLE} SELECT {shown} FROM Python(chunk)")

    def form(self, question):
        # Any other table's creation writes and syncs a file within what is timed.
        return (f"CREATE TEMPORARY TABLE result ENGINE = Memory AS {self.source(question)} SETTINGS"
                f" max_threads = {self.threads}, max_insert_threads = {self.threads}")

    def source(self, question):
        if isinstance(question, aggregates.Aggregation):
            return aggregates.sql("chdb", self.raw, question, literal, f"peer.{TABLE}", ROW)
        condition = sql_condition(
            question, literal, lambda value: f"{CONDITION} = {literal(value)}",
            lambda values: f"{CONDITION} IN ({', '.join(map(literal, values))})")
        names = ", ".join(columns_of(self.raw, question))
        source = f"SELECT {names} FROM peer.{TABLE} WHERE {condition}"
        if question.by:
            last = (f"SELECT max({ROW}) FROM peer.{TABLE} WHERE {condition}"
                    f" GROUP BY {', '.join(question.by)}")
            source = f"SELECT {names} FROM peer.by_row WHERE {ROW} IN ({last})"
        return source

    def prepare(self):
        self.session.query("DROP TEMPORARY TABLE IF EXISTS result")

    def close(self):
        """Only one session can be at a time."""
        self.session.close()
        self.folder.cleanup()

    def run(self, question):
        self.session.query(self.form(question))

    def rows(self, result):
        return int(str(self.session.query("SELECT count() FROM result")))

    def batches(self, result, question):
        days = self.session.query("SELECT DISTINCT toString(date) d FROM result", "ArrowTable")
        for day in sorted(days.column("d").to_pylist()):
            day = day.decode() if isinstance(day, bytes) else day
            shown = ", ".join(
                f"toInt16({name}) AS {name}" if self.raw.kinds.get(name) == "symbol" else name
                for name in columns_of(self.raw, question))
            part = self.session.query(
                f"SELECT {shown} FROM (SELECT * FROM result WHERE date = {literal(day)})",
                "ArrowTable")
            yield self.numbers(part)

    def numbers(self, table):
        """Enumerations come as their codes, which are the symbol list's."""
        symbols = [name for name in table.schema.names if self.raw.kinds.get(name) == "symbol"]
        found = batch_numbers(self.raw, table.drop_columns(symbols))
        for name in symbols:
            found[name] = table.column(name).to_numpy()
        return found

    def columns(self, result, question):
        shown = ", ".join(f"toInt16(a{i}) AS a{i}" if kind == "symbol" else f"a{i}" for i, (_, kind)
                          in enumerate(aggregates.kinds_of(self.raw, question)))
        table = self.session.query(f"SELECT {shown} FROM result", "ArrowTable")
        return aggregate_columns(self.raw, question, [table])

    def unread(self, question):
        """A Memory table has its count of rows, and no index."""
        plan = str(self.session.query("EXPLAIN " + self.source(question)))
        return None if "ReadFromMemory" in plan else "stored statistics: the plan reads no column"
