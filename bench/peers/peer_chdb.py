"""chDB, ClickHouse in the process: scans on its Memory engine, single rows from a MergeTree; of the
desk's tables each day is one of its own."""

import json
import tempfile

import chdb
import desk_chdb
import desk_questions
import pyarrow as pa
from arrow_batch import SqlPeer, aggregate_columns, batch_numbers
from chdb import session
from desk_chdb import ROW
from questions import TABLE, columns_of, is_desk

SQL_TYPES = {
    "float": "Float64", "real": "Float32", "datetime": "Float64", "short": "Int16",
    "boolean": "UInt8", "byte": "UInt8", "char": "UInt8",
    **dict.fromkeys(("long", "timestamp", "timespan"), "Int64"),
    **dict.fromkeys(("int", "month", "date", "minute", "second", "time"), "Int32"),
}  # fmt: skip
ENUM8_MAX = 128
# So that a few of them are work for all threads.
BLOCKS = (" SETTINGS max_threads = 1, max_block_size = 65536, max_insert_block_size = 65536,"
          " min_insert_block_size_rows = 65536, min_insert_block_size_bytes = 0")


def day_name(name, date):
    return f"{name}_{date.replace('.', '')}"


class Peer(SqlPeer):
    engine, forms, row, table = "chdb", desk_chdb.FORMS, ROW, f"peer.{TABLE}"

    def __init__(self, raw, threads, asked):
        self.take_tables(raw)
        self.threads = threads
        self.folder = tempfile.TemporaryDirectory(prefix="hdbench-chdb-")
        self.session = session.Session(self.folder.name)
        server = str(self.session.query("SELECT version()")).strip().strip('"')
        self.version = f"{chdb.__version__} (ClickHouse {server})"
        self.wide = 16 if len(raw.symbols) > ENUM8_MAX else 8
        self.codes = f"enum{self.wide}"
        values = ", ".join(f"{self.literal(text)} = {i}" for i, text in enumerate(raw.symbols))
        self.symbols = f"Enum{self.wide}({values})"
        self.session.query("CREATE DATABASE peer ENGINE = Atomic")
        if is_desk(asked):
            self.load_days()
        else:
            self.load_memory()

    def literal(self, text):
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"

    date = literal

    def types_of(self, table):
        return {"date": "Date32", **{
            field: self.symbols if table.kinds[field] == "symbol"
            else SQL_TYPES[table.kinds[field]] for field in table.fields}, ROW: "UInt32"}

    def load_days(self):
        """Each day of the desk's tables, as a Memory table has no index; the plural of a name is
        all of its days. Few symbols would be best as enumerations, but a query with a column of
        thousands of them takes milliseconds to begin."""
        self.codes = "LowCardinality"
        for name, table in self.raw.tables.items():
            columns = ", ".join(
                f"{field} {'LowCardinality(String)' if kind == self.symbols else kind}"
                for field, kind in self.types_of(table).items())
            for date in (*table.dates, desk_questions.Q_DAY):
                self.session.query(f"CREATE TABLE IF NOT EXISTS peer.{day_name(name, date)}"
                                   f" ({columns}) ENGINE = Memory")
            self.session.query(f"CREATE TABLE peer.{name}s ({columns}) ENGINE ="
                               f" Merge(peer, '^{name}_')")
            self.fill(lambda date, name=name: day_name(name, date), table, BLOCKS)
        self.loaded = (
            "a Memory table a date, in blocks of 65536 rows (Date32, LowCardinality(String)"
            " symbols, Int64, Float32, and a row number UInt32), all dates as a Merge table;"
            " max_threads; result: a temporary Memory table"
        )

    def load_memory(self):
        raw, wide = self.raw, self.wide
        columns = ", ".join(f"{name} {kind}" for name, kind in self.types_of(raw).items())
        self.session.query(f"CREATE TABLE peer.{TABLE} ({columns}) ENGINE = Memory")
        # One row is found by its number in a sorted table; a Memory table is read whole for it.
        self.session.query(
            f"CREATE TABLE peer.by_row ({columns}) ENGINE = MergeTree ORDER BY {ROW}")
        self.session.query("SYSTEM STOP MERGES peer.by_row")  # nothing runs beside the others
        self.fill(lambda date: TABLE, raw)
        self.session.query(f"INSERT INTO peer.by_row SELECT * FROM peer.{TABLE}")
        self.loaded = (
            f"Memory table (Date32, Enum{wide} symbols, Int64, Float64) with a row number UInt32,"
            " and, for the last rows of by-queries, a MergeTree copy sorted by it: compressed files"
            " in a temporary directory, read through the page cache; max_threads; result: a"
            " temporary Memory table"
        )

    def fill(self, name_of, table, settings=""):
        shown = ", ".join(f"CAST({field} AS {kind})"
                          for field, kind in self.types_of(table).items())
        dictionary, at = pa.array(table.symbols), 0
        for part, count in enumerate(table.lengths):
            arrays = self.numbered(table, part, at, dictionary)
            for field in table.fields:
                if table.kinds[field] == "symbol":
                    codes = table.views[field][part].astype(f"i{self.wide // 8}")
                    arrays[field] = pa.array(codes)
                else:
                    arrays[field] = pa.array(table.views[field][part])  # q's own nulls
            at += count
            chunk = pa.table(arrays)  # found by its name in the query
            self.session.query(f"INSERT INTO peer.{name_of(table.dates[part])} SELECT {shown}"
                               f" FROM Python(chunk){settings}")

    def form(self, question):
        # Any other table's creation writes and syncs a file within what is timed.
        return ("CREATE TEMPORARY TABLE result ENGINE = Memory AS " + super().form(question)
                + f" SETTINGS max_threads = {self.threads}, max_insert_threads = {self.threads}"
                + self.settings(question))

    def settings(self, question):
        is_of_desk = isinstance(question, desk_questions.Question)
        return desk_chdb.SETTINGS.get(question.number, "") if is_of_desk else ""

    def rows_form(self, names, last):
        return f"SELECT {names} FROM peer.by_row WHERE {ROW} IN ({last})"

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
                f"SELECT {shown} FROM (SELECT * FROM result WHERE date = {self.literal(day)})",
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
        """Enumerations come as their codes, whatever the form calls its columns."""
        described = self.session.query("DESCRIBE TABLE result", "JSONCompact")
        shown = []
        for i, (name, kind, *_) in enumerate(json.loads(str(described))["data"]):
            is_coded = kind.startswith("Enum")
            shown.append(f"toInt16(`{name}`) AS a{i}" if is_coded else f"`{name}` AS a{i}")
        table = self.session.query(f"SELECT {', '.join(shown)} FROM result", "ArrowTable")
        return aggregate_columns(self.raw, question, [table])

    def unread(self, question):
        """A Memory table has its count of rows, and no index."""
        plan = str(self.session.query("EXPLAIN " + super().form(question)))
        return None if "ReadFromMemory" in plan else "stored statistics: the plan reads no column"
