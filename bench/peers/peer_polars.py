"""Polars: a frame whose wide columns are the mapped column files themselves."""

import bisect
import os

import aggregates
import desk_polars
import desk_questions
from arrow_batch import aggregate_columns, batch_numbers, with_nulls
from questions import CONDITION, TABLE, columns_of, is_desk


class Peer:
    codes = "enum"
    keeps_order = True
    loaded = (
        "DataFrame, a chunk a partition: 8-byte columns are the mapped files (zero-copy), symbols"
        " Enum, date Date marked sorted; POLARS_MAX_THREADS; result: a DataFrame"
        " of its own memory"
    )

    def __init__(self, raw, threads, asked):
        os.environ["POLARS_MAX_THREADS"] = str(threads)
        import polars  # reads the variable

        self.polars, self.raw, self.version = polars, raw, polars.__version__
        self.is_desk = is_desk(asked)
        if self.is_desk:
            self.loaded += "; trade and quote: the day's rows, trades: the month's, which" \
                " search_sorted finds by date"
        self.frames = {name: self.loaded_table(table) for name, table in raw.tables.items()}
        self.mapped = sorted((view.ctypes.data, view.ctypes.data + view.nbytes)
                             for table in raw.tables.values() for field in table.fields
                             if table.kinds[field] != "symbol"
                             for view in table.views[field] if view.nbytes)
        # A filter that selects all rows of a piece gives slices of the mapped files, which are no
        # result in memory of its own. rechunk() copies pieces, but leaves neighbours of one file
        # where they are; joining two halves copies these too.
        self.ways = {"": lambda frame: frame, "; rechunk()": lambda frame: frame.rechunk(),
                     "; concat of both halves, rechunk=True": self.halves}
        self.way = {question: self.first_own(self.found(question)) for question in asked.values()
                    if self.is_of_rows(question)}

    def loaded_table(self, table):
        polars, parts = self.polars, range(len(table.dates))
        kind = polars.Enum(table.symbols)
        series = [[polars.Series("date", table.dates_of(p)).cast(polars.Date) for p in parts]]
        for field in table.fields:
            if table.kinds[field] == "symbol":
                series.append([polars.Series(field, table.codes(field, p)).cat.to(kind)
                               for p in parts])
            else:
                series.append([polars.Series(field, with_nulls(table.views[field][p],
                                                               table.nulls(field, p)))
                               for p in parts])
        chunked = [polars.concat(pieces, rechunk=False) for pieces in series]
        return polars.DataFrame(chunked).with_columns(polars.col("date").set_sorted())

    @staticmethod
    def is_of_rows(question):
        """Whether the result may hold pieces of the table's columns."""
        if isinstance(question, desk_questions.Question):
            return not question.keyed
        return not isinstance(question, aggregates.Aggregation) and not question.by

    def text(self, question):
        """The query as Polars says it, evaluated with self.words."""
        if isinstance(question, desk_questions.Question):
            return desk_polars.text(question)
        if isinstance(question, aggregates.Aggregation):
            return "df.lazy()" + aggregates.polars_texts(self.raw, question)
        one, values = len(question.values) == 1, list(question.values)
        test = f'(col("{CONDITION}") == {values[0]!r})' if one else (
            f'col("{CONDITION}").is_in({values})')
        if question.first is not None and question.first == question.last:
            test = f'(col("date") == date("{question.first}")) & {test}'
        elif question.first is not None:
            ends = f'date("{question.first}"), date("{question.last}")'
            test = f'col("date").is_between({ends}) & {test}'
        if not question.by:
            return f'df.lazy().filter({test}).collect(engine="streaming")'
        return (f'df[df.lazy().with_row_index("row").filter({test}).group_by({list(question.by)})'
                f'.agg(col("row").last()).collect(engine="streaming")["row"]]'
                f".select({columns_of(self.raw, question)})")

    def form(self, question):
        return self.text(question) + self.way.get(question, "")

    def found(self, question):
        """The result, which may lie in the mapped files. The text is the program's own, never a
        user's."""
        words = (desk_polars.words(self.polars, self.frames) if self.is_desk
                 else aggregates.polars_words(self.polars, self.frames[TABLE]))
        return eval(self.text(question), words)

    def run(self, question):
        return self.ways[self.way.get(question, "")](self.found(question))

    def is_mapped(self, frame):
        """Whether a piece of it lies in the column files, where all rows of a piece were selected:
        then the frame is no result in memory of its own."""
        starts = [start for start, _ in self.mapped]
        for name, kind in frame.schema.items():
            if not kind.is_numeric():
                continue  # symbols and dates are no views of the files
            for chunk in frame[name].get_chunks():
                array = chunk.to_arrow()
                address = array.buffers()[1].address + array.offset * array.type.byte_width
                i = bisect.bisect_right(starts, address) - 1
                if len(array) and i >= 0 and address < self.mapped[i][1]:
                    return True
        return False

    def first_own(self, frame):
        """The first of the ways whose result lies outside of the mapped files."""
        for way, copy in self.ways.items():
            if frame.height < 2 or not self.is_mapped(copy(frame)):
                return way
        raise RuntimeError("the result stays in the mapped files, however it is copied")

    def halves(self, frame):
        half = frame.height // 2
        return self.polars.concat([frame.head(half), frame.slice(half)], rechunk=True)

    def rows(self, result):
        return result.height

    def batches(self, result, question):
        for start in range(0, result.height, 1 << 20):
            yield batch_numbers(self.raw, result.slice(start, 1 << 20).to_arrow())

    def columns(self, result, question):
        return aggregate_columns(self.raw, question, [result.to_arrow()])

    def unread(self, question):
        """Only date is marked sorted, and no aggregate of it is asked; nothing else is stored."""
        return None
