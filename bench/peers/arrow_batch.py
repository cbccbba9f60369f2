"""Between the column files and Arrow: a partition as Arrow arrays, and Arrow results as the numbers
that the files hold."""

import numpy as np
import pyarrow as pa
from questions import kinds_of
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
    return {name: column_numbers(raw, name, kind_of(raw, name), batch.column(i))
            for i, name in enumerate(batch.schema.names)}


def kind_of(raw, name):
    return "date" if name == "date" else raw.kinds[name]


def aggregate_columns(raw, question, batches):
    """Record batches or tables of an aggregate's result: an array a column, by position."""
    batches = list(batches)
    kinds = kinds_of(raw, question)
    if not batches:
        return [np.zeros(0) for _ in kinds]
    return [np.concatenate([column_numbers(raw, name, kind, batch.column(i)) for batch in batches])
            for i, (name, kind) in enumerate(kinds)]
