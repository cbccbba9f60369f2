"""Between the column files and Arrow: a partition as Arrow arrays, and Arrow results as the numbers
that the files hold; and what the engines with SQL do alike."""

import aggregates
import desk_questions
import numpy as np
import pyarrow as pa
from questions import CONDITION, TABLE, columns_of, kinds_of
from raw_table import DAYS_TO_2000


def arrow_part(raw, part, symbol_dictionary):
    """{column: Arrow array}; 8-byte columns are views of the mapped file, symbols dictionaries."""
    arrays = {"date": pa.array(raw.dates_of(part)).view(pa.date32())}
    for field in raw.fields:
        if raw.kinds[field] == "symbol":
            codes = pa.array(raw.codes(field, part))
            arrays[field] = pa.DictionaryArray.from_arrays(codes, symbol_dictionary)
        else:
            arrays[field] = with_nulls(raw.views[field][part], raw.nulls(field, part))
    return arrays


def with_nulls(values, nulls):
    """The array over the same memory."""
    array = pa.array(values)
    if nulls is None:
        return array
    valid = pa.py_buffer(np.packbits(~nulls, bitorder="little"))
    return pa.Array.from_buffers(array.type, len(values), [valid, array.buffers()[1]])


def column_numbers(raw, name, kind, array):
    """An Arrow array as days since 2000.01.01, codes of the symbol list, or its own numbers."""
    if isinstance(array, pa.ChunkedArray):
        pieces = [column_numbers(raw, name, kind, chunk) for chunk in array.chunks]
        return np.concatenate(pieces) if pieces else np.zeros(0, np.int64)
    if array.null_count and kind in ("float", "real"):
        array = array.fill_null(float("nan"))
    if array.null_count:
        raise ValueError(f"column {name}: {array.null_count} nulls, where kdb+ has none")
    if kind == "date":
        return array.cast(pa.date32()).view(pa.int32()).to_numpy() - np.int32(DAYS_TO_2000)
    if kind != "symbol" or pa.types.is_integer(array.type):
        return array.to_numpy(zero_copy_only=False)
    if not pa.types.is_dictionary(array.type):
        array = array.dictionary_encode()
    index = {text: code for code, text in enumerate(raw.symbols)}
    codes = np.array([index[text] for text in array.dictionary.to_pylist()], np.int64)
    return codes[array.indices.to_numpy(zero_copy_only=False)]


def batch_numbers(raw, batch):
    """A record batch or table: {column: array}."""
    return {name: column_numbers(raw, name, raw.kind(name), batch.column(i))
            for i, name in enumerate(batch.schema.names)}


def aggregate_columns(raw, question, batches):
    """Record batches or tables of an aggregate's result: an array a column, by position."""
    batches = list(batches)
    kinds = kinds_of(raw, question)
    if not batches:
        return [np.zeros(0) for _ in kinds]
    return [np.concatenate([column_numbers(raw, name, kind, batch.column(i)) for batch in batches])
            for i, (name, kind) in enumerate(kinds)]


class SqlPeer:
    """engine: its name. forms: of queries/desk.q. row: the rows' numbers. A result is compared by
    result_batches(): Arrow batches or tables of it."""

    engine, forms, row, table = "", {}, "", TABLE
    keeps_order = False

    def literal(self, text):
        return "'" + text.replace("'", "''") + "'"

    def date(self, day):
        return f"DATE '{day}'"

    def among(self, values):
        return f"{CONDITION} IN ({', '.join(map(self.literal, values))})"

    def take_tables(self, raw):
        if any(self.row in table.fields for table in raw.tables.values()):
            raise ValueError(f"the table has a column {self.row} of its own")
        self.raw = raw

    def numbered(self, table, part, at, symbol_dictionary):
        """arrow_part() with the rows' numbers, from `at` on."""
        arrays = arrow_part(table, part, symbol_dictionary)
        return arrays | {self.row: pa.array(np.arange(at, at + table.lengths[part], dtype="u4"))}

    def form(self, question):
        if isinstance(question, desk_questions.Question):
            return self.forms[question.number]
        if isinstance(question, aggregates.Aggregation):
            return aggregates.sql(self.engine, self.raw, question, self.date, self.table, self.row)
        names, where = ", ".join(columns_of(self.raw, question)), self.condition(question)
        if not question.by:
            return f"SELECT {names} FROM {self.table} WHERE {where}"
        return self.rows_form(names, f"SELECT max({self.row}) FROM {self.table} WHERE {where}"
                                     f" GROUP BY {', '.join(question.by)}")

    def condition(self, question):
        tests = []
        if question.first is not None and question.first == question.last:
            tests.append(f"date = {self.date(question.first)}")
        elif question.first is not None:
            ends = f"{self.date(question.first)} AND {self.date(question.last)}"
            tests.append(f"date BETWEEN {ends}")
        one = len(question.values) == 1
        tests.append(f"{CONDITION} = {self.literal(question.values[0])}" if one
                     else self.among(question.values))
        return " AND ".join(tests)

    def batches(self, result, question):
        for batch in self.result_batches(result):
            yield batch_numbers(self.raw, batch)

    def columns(self, result, question):
        return aggregate_columns(self.raw, question, self.result_batches(result))
