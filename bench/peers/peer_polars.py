"""Polars: a frame whose wide columns are the mapped column files themselves."""

import bisect
import datetime
import os

import aggregates
import desk_polars
import desk_questions
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
        if is_desk(asked):
            self.loaded += "; trade and quote: the day's rows, trades: the month's, which" \
                " search_sorted finds by date"
        self.frames = {name: self.loaded_table(table) for name, table in raw.tables.items()}
        self.frame = self.frames.get(TABLE)
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
        from arrow_batch import with_nulls

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

    def condition(self, question):
        """The expression, and its text."""
        col = self.polars.col
        texts, both = [], None
        if question.first is not None:
            ends = [datetime.date.fromisoformat(day) for day in (question.first, question.last)]
            if ends[0] == ends[1]:
                both, text = col("date") == ends[0], f'(col("date") == date({question.first}))'
            else:
                both = col("date").is_between(*ends)
                text = f'col("date").is_between(date({question.first}), date({question.last}))'
            texts.append(text)
        if len(question.values) == 1:
            value, text = col(CONDITION) == question.values[0], f'"{question.values[0]}"'
            texts.append(f'(col("{CONDITION}") == {text})')
        else:
            value = col(CONDITION).is_in(list(question.values))
            texts.append(f'col("{CONDITION}").is_in({list(question.values)})')
        return (value if both is None else both & value), " & ".join(texts)

    def form(self, question):
        if isinstance(question, desk_questions.Question):
            return desk_polars.text(question) + self.way.get(question, "")
        if isinstance(question, aggregates.Aggregation):
            return "df.lazy()" + aggregates.polars_texts(self.raw, question)
        text = self.condition(question)[1]
        end = f'.select({columns_of(self.raw, question)})' if question.by else ""
        if not question.by:
            return f'df.lazy().filter({text}).collect(engine="streaming"){self.way[question]}'
        return (f'df[df.lazy().with_row_index("row").filter({text}).group_by({list(question.by)})'
                f'.agg(col("row").last()).collect(engine="streaming")["row"]]{end}')

    def found(self, question):
        """The result, which may lie in the mapped files."""
        if isinstance(question, desk_questions.Question):
            return desk_polars.result(self.polars, self.frames, question)
        return self.frame.lazy().filter(self.condition(question)[0]).collect(engine="streaming")

    def run(self, question):
        if isinstance(question, desk_questions.Question):
            found = self.found(question)
            return self.ways[self.way[question]](found) if question in self.way else found
        if isinstance(question, aggregates.Aggregation):
            return aggregates.polars_result(self.polars, self.frame, self.raw, question)
        condition, col = self.condition(question)[0], self.polars.col
        lazy = self.frame.lazy()
        if not question.by:
            return self.ways[self.way[question]](self.found(question))
        last = lazy.with_row_index("row").filter(condition).group_by(*question.by)
        rows = last.agg(col("row").last()).collect(engine="streaming")["row"]
        return self.frame[rows].select(columns_of(self.raw, question))

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
        from arrow_batch import batch_numbers

        for start in range(0, result.height, 1 << 20):
            yield batch_numbers(self.raw, result.slice(start, 1 << 20).to_arrow())

    def columns(self, result, question):
        from arrow_batch import aggregate_columns

        return aggregate_columns(self.raw, question, [result.to_arrow()])

    def unread(self, question):
        """Only date is marked sorted, and no aggregate of it is asked; nothing else is stored."""
        return None
