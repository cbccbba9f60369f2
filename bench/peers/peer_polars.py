"""Polars: a frame whose wide columns are the mapped column files themselves."""

import datetime
import os

from questions import CONDITION, columns_of


class Peer:
    codes = "enum"
    keeps_order = True
    loaded = (
        "DataFrame, a chunk a partition: 8-byte columns are the mapped files (zero-copy), symbols"
        " Enum, date Date marked sorted; POLARS_MAX_THREADS; result: a DataFrame"
    )

    def __init__(self, raw, threads):
        os.environ["POLARS_MAX_THREADS"] = str(threads)
        import polars  # reads the variable

        self.polars, self.raw, self.version = polars, raw, polars.__version__
        parts = range(len(raw.dates))
        kind = polars.Enum(raw.symbols)
        series = [[polars.Series("date", raw.dates_of(p)).cast(polars.Date) for p in parts]]
        for field in raw.fields:
            if raw.kinds[field] == "symbol":
                series.append([polars.Series(field, raw.codes(field, p)).cat.to(kind)
                               for p in parts])
            else:
                series.append([polars.Series(field, raw.views[field][p]) for p in parts])
        chunked = [polars.concat(pieces, rechunk=False) for pieces in series]
        self.frame = polars.DataFrame(chunked).with_columns(polars.col("date").set_sorted())

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
        text = self.condition(question)[1]
        end = f'.select({columns_of(self.raw, question)})' if question.by else ""
        if not question.by:
            return f'df.lazy().filter({text}).collect(engine="streaming")'
        return (f'df[df.lazy().with_row_index("row").filter({text}).group_by({list(question.by)})'
                f'.agg(col("row").last()).collect(engine="streaming")["row"]]{end}')

    def run(self, question):
        condition, col = self.condition(question)[0], self.polars.col
        lazy = self.frame.lazy()
        if not question.by:
            return lazy.filter(condition).collect(engine="streaming")
        last = lazy.with_row_index("row").filter(condition).group_by(*question.by)
        rows = last.agg(col("row").last()).collect(engine="streaming")["row"]
        return self.frame[rows].select(columns_of(self.raw, question))

    def rows(self, result):
        return result.height

    def batches(self, result, question):
        from arrow_batch import batch_numbers

        for start in range(0, result.height, 1 << 20):
            yield batch_numbers(self.raw, result.slice(start, 1 << 20).to_arrow())
