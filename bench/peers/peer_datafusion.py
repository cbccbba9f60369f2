"""DataFusion: Arrow record batches over the mapped column files."""

import os

import desk_datafusion
import desk_questions
import numpy as np
import pyarrow as pa
from arrow_batch import SqlPeer
from desk_datafusion import ROW
from questions import Question, columns_of, is_desk

BATCH_ROWS = 65536
DESK_LOADED = (
    "; the day's rows of each table are a MemTable too, over the same memory, and sym also has its"
    " code as a whole number"
)


class Peer(SqlPeer):
    engine, forms, row = "datafusion", desk_datafusion.FORMS, ROW
    codes = "dictionary"
    loaded = (
        f"MemTable of record batches of {BATCH_ROWS} rows: 8-byte columns are the mapped files"
        " (zero-copy), symbols dictionaries with one-byte keys, date32, and a row number UInt32;"
        " target_partitions and TOKIO_WORKER_THREADS; result: Arrow record batches"
    )

    def __init__(self, raw, threads, asked):
        os.environ["TOKIO_WORKER_THREADS"] = str(threads)
        import datafusion  # reads the variable

        self.take_tables(raw)
        self.version, self.threads = datafusion.__version__, threads
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
            arrays = self.numbered(table, part, at, dictionary)
            if has_day:
                arrays["sym_code"] = pa.array(table.codes("sym", part))
            self.parts.append(pa.RecordBatch.from_pydict(arrays))
            self.starts.append(at)
            at += count
        if has_day:
            days = [part for part, date in zip(self.parts, table.dates)
                    if date == desk_questions.Q_DAY]
            self.register(name, days or [self.parts[0].slice(0, 0)])
            name += "s"
        self.register(name, self.parts)

    def register(self, name, parts):
        pieces = [part.slice(i, BATCH_ROWS) for part in parts
                  for i in range(0, part.num_rows, BATCH_ROWS)]
        # In turn, so that a few dates are work for all threads as well.
        partitions = [pieces[i::self.threads] for i in range(min(self.threads, len(pieces)))]
        self.context.register_record_batches(name, partitions)

    def rows_form(self, names, last):
        return f"{last}; then pyarrow's take of these rows"

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

    def result_batches(self, result):
        return result

    def unread(self, question):
        """The table has its count of rows, from which the planner answers a count of all."""
        plan = str(self.context.sql(self.form(question)).execution_plan())
        if "DataSourceExec" not in plan and "MemoryExec" not in plan:
            return "stored statistics: the plan scans no table"
        return None
