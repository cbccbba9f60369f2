"""DuckDB: a native table with ENUM symbols and DATE, in memory."""

import desk_duckdb
import desk_questions
import duckdb
import numpy as np
import pyarrow as pa
from arrow_batch import SqlPeer, arrow_part
from questions import CONDITION

SQL_TYPES = {
    "symbol": "symbols", "float": "DOUBLE", "real": "FLOAT", "datetime": "DOUBLE",
    "short": "SMALLINT", "boolean": "UTINYINT", "byte": "UTINYINT", "char": "UTINYINT",
    **dict.fromkeys(("long", "timestamp", "timespan"), "BIGINT"),
    **dict.fromkeys(("int", "month", "date", "minute", "second", "time"), "INTEGER"),
}  # fmt: skip
ROW_GROUP = 122880
DECIDED_SHARE = 0.5
RELATIONS = {"<": np.less, ">": np.greater, "=": np.equal, "<=": np.less_equal,
             ">=": np.greater_equal, "<>": np.not_equal}


class Peer(SqlPeer):
    engine, forms, row = "duckdb", desk_duckdb.FORMS, "rowid"
    version = duckdb.__version__
    codes = "enum"
    loaded = (
        "native table in memory, uncompressed (DATE, ENUM symbols, BIGINT, DOUBLE); SET threads,"
        " preserve_insertion_order = false, perfect_ht_threshold = 16; result: a native"
        " materialised relation"
    )

    def __init__(self, raw, threads, asked):
        self.raw = raw
        self.connection = duckdb.connect()
        run = self.connection.execute
        run(f"SET threads = {threads}")
        run("SET perfect_ht_threshold = 16")
        run(f"CREATE TYPE symbols AS ENUM ({', '.join(map(self.literal, raw.symbols))})")
        for name, table in raw.tables.items():
            self.load(name, table)
        run("SET preserve_insertion_order = false")

    def load(self, name, table):
        run = self.connection.execute
        fields = [f'"{field}" {SQL_TYPES[table.kinds[field]]}' for field in table.fields]
        run(f"CREATE TABLE {name} (date DATE, {', '.join(fields)})")
        dictionary = pa.array(table.symbols)
        for part in range(len(table.dates)):
            self.connection.register("chunk", pa.table(arrow_part(table, part, dictionary)))
            run(f"INSERT INTO {name} SELECT * FROM chunk")  # rowid: the table's order
            self.connection.unregister("chunk")

    def among(self, values):
        """IN over an ENUM compares slowly in this version, its codes do not."""
        codes = ", ".join(f"enum_code({self.literal(value)}::symbols)" for value in values)
        return f"enum_code({CONDITION}) IN ({codes})"

    def rows_form(self, names, last):
        """The last rows' numbers are found first, which touches only the columns that are asked
        for."""
        return f"SELECT {names} FROM {self.table} WHERE {self.row} IN ({last})"

    def run(self, question):
        return self.connection.sql(self.form(question)).materialize()

    def rows(self, result):
        return result.shape[0]

    def result_batches(self, result):
        return result.to_arrow_reader(1 << 20)

    def unread(self, question):
        """From what the query is answered where its columns are not read, or only in part: row
        groups have their least and greatest values, which decide conditions and give results."""
        explain = f"EXPLAIN (FORMAT json) {self.form(question)}"
        if "SEQ_SCAN" not in self.connection.execute(explain).fetchall()[0][1]:
            return "stored statistics: the plan scans no table"
        if isinstance(question, desk_questions.Question):
            return None
        share = max((self.decided_share(one) for one in question.where if one.column != "date"),
                    default=0)
        if share >= DECIDED_SHARE:
            return (f"stored least and greatest values, which decide the condition for"
                    f" {share:.0%} of the row groups")
        return None

    def decided_share(self, condition):
        """Of the row groups, those whose rows all pass or all fail; dates are everybody's index."""
        passes = RELATIONS[condition.relation]
        rows = np.concatenate([passes(view, float(condition.value))
                               for view in self.raw.views[condition.column]])
        starts = np.arange(0, len(rows), ROW_GROUP)
        passed = np.add.reduceat(rows, starts, dtype=np.int64)
        counts = np.diff(np.append(starts, len(rows)))
        return float(np.mean((passed == 0) | (passed == counts)))
