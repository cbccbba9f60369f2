"""DataFusion: Arrow record batches over the mapped column files."""

import os

import aggregates
import desk_datafusion
import desk_questions
import numpy as np
import pyarrow as pa
from arrow_batch import aggregate_columns, arrow_part, batch_numbers
from questions import CONDITION, TABLE, Question, columns_of, is_desk, sql_condition

BATCH_ROWS = 65536
ROW = "row_number"
DAY = desk_questions.DAY.replace("-", ".")

DESK_LOADED = (
    "; the day's rows of each table are a MemTable too, over the same memory, and sym also has its"
    " code as a whole number"
)


def literal(text):
    return "'" + text.replace("'", "''") + "'"


class Peer:
    codes = "dictionary"
    keeps_order = False
    loaded = (
        f"MemTable of record batches of {BATCH_ROWS} rows: 8-byte columns are the mapped files"
        " (zero-copy), symbols dictionaries with one-byte keys, date32, and a row number UInt32;"
        " target_partitions and TOKIO_WORKER_THREADS; result: Arrow record batches"
    )

    def __init__(self, raw, threads, asked):
        os.environ["TOKIO_WORKER_THREADS"] = str(threads)
        import datafusion  # reads the variable

        if any(ROW in table.fields for table in raw.tables.values()):
            raise ValueError(f"the table has a column {ROW} of its own")
        self.raw, self.version, self.threads = raw, datafusion.__version__, threads
        if is_desk(asked):
            self.loaded += DESK_LOADED
        config = datafusion.SessionConfig().with_target_partitions(threads)
        self.context = datafusion.SessionContext(config.with_batch_size(BATCH_ROWS))
        for name, table in raw.tables.items():
            self.load(name, table, is_desk(asked))

    def load(self, name, table, has_day):
        """has_day: no index finds a day in a table of all of them, so the day is a table of its
        own, and all days are a table under the name's plural."""
        dictionary, at = pa.array(table.symbols), 0
        self.parts, self.starts = [], []
        for part, count in enumerate(table.lengths):
            arrays = arrow_part(table, part, dictionary)
            arrays[ROW] = pa.array(np.arange(at, at + count, dtype="u4"))
            if has_day:
                arrays["sym_code"] = pa.array(table.codes("sym", part))
            self.parts.append(pa.RecordBatch.from_pydict(arrays))
            self.starts.append(at)
            at += count
        if has_day:
            days = [part for part, date in zip(self.parts, table.dates) if date == DAY]
            self.register(name, days or [self.parts[0].slice(0, 0)])
            name += "s"
        self.register(name, self.parts)

    def register(self, name, parts):
        pieces = [part.slice(i, BATCH_ROWS) for part in parts
                  for i in range(0, part.num_rows, BATCH_ROWS)]
        # In turn, so that a few dates are work for all threads as well.
        partitions = [pieces[i::self.threads] for i in range(min(self.threads, len(pieces)))]
        self.context.register_record_batches(name, partitions)

    def form(self, question):
        if isinstance(question, desk_questions.Question):
            return desk_questions.form_of(desk_datafusion.FORMS, desk_datafusion.LEFT_OUT, question)
        if isinstance(question, aggregates.Aggregation):
            return aggregates.sql("datafusion", self.raw, question, lambda day: f"DATE '{day}'",
                                  TABLE, ROW)
        condition = sql_condition(
            question, lambda day: f"DATE '{day}'", lambda value: f"{CONDITION} = {literal(value)}",
            lambda values: f"{CONDITION} IN ({', '.join(map(literal, values))})")
        if not question.by:
            names = ", ".join(columns_of(self.raw, question))
            return f"SELECT {names} FROM {TABLE} WHERE {condition}"
        return (f"SELECT max({ROW}) FROM {TABLE} WHERE {condition} GROUP BY"
                f" {', '.join(question.by)}; then pyarrow's take of these rows")

    def run(self, question):
        sql = self.form(question).split("; then ")[0]
        batches = self.context.sql(sql).collect()
        if not isinstance(question, Question):
            return batches
        return self.take(batches, columns_of(self.raw, question)) if question.by else batches

    def take(self, batches, names):
        """A join by row number reads the whole table once more; Arrow finds a row by its place."""
        rows = np.sort(np.concatenate(
            [np.zeros(0, "u4"), *(batch.column(0).to_numpy() for batch in batches)]))
        home = np.searchsorted(self.starts, rows, side="right") - 1
        return [self.parts[part].select(names).take(pa.array(rows[home == part] - start))
                for part, start in enumerate(self.starts) if (home == part).any()]

    def rows(self, result):
        return sum(batch.num_rows for batch in result)

    def batches(self, result, question):
        for batch in result:
            yield batch_numbers(self.raw, batch)

    def columns(self, result, question):
        return aggregate_columns(self.raw, question, result)

    def unread(self, question):
        """The table has its count of rows, from which the planner answers a count of all."""
        plan = str(self.context.sql(self.form(question)).execution_plan())
        if "DataSourceExec" not in plan and "MemoryExec" not in plan:
            return "stored statistics: the plan scans no table"
        return None
