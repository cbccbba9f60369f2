"""hdbench's own result of an aggregate or a query of desk.q, and a peer's held against it.

The result is the whole answer of `hdbench query`, with the checksum that the run's cells must have.
"""

import csv
import io
import subprocess

import numpy as np
from desk_questions import Question as DeskQuestion
from questions import kinds_of
from reference import Difference, checksum

TOLERANCE = 1e-9  # of floats, relative: peers do not add exactly
DTYPES = {"float": "<f8", "real": "<f4", "short": "<i2", "boolean": "<u1", "long": "<i8",
          "timestamp": "<i8", "timespan": "<i8", "date": "<i4", "int": "<i4", "symbol": "<i8",
          "minute": "<i4", "second": "<i4", "char": "<u1"}  # fmt: skip
FLOATS = ("float", "real")
EPOCH = np.datetime64("2000-01-01")


def spans(texts):
    """0D09:30:00.273751449 as nanoseconds."""
    days, clocks = zip(*(text.split("D") for text in texts)) if texts else ((), ())
    clock = np.array(["1970-01-01T" + text for text in clocks], "datetime64[ns]").astype("<i8")
    return np.array(days, "<i8") * 86_400_000_000_000 + clock


def clocks(texts):
    """09:30 or 09:30:59 as so many minutes or seconds."""
    values = np.zeros(len(texts), "<i4")
    for fields in zip(*(text.split(":") for text in texts)):
        values = values * 60 + np.array(fields, "<i4")
    return values


def values_of(raw, kind, texts):
    """A CSV column as the numbers that column files hold; a null float is not a number."""
    if kind == "symbol":
        codes = {text: code for code, text in enumerate(raw.symbols)}
        return np.array([codes[text] for text in texts], "<i8")
    if kind == "char":
        return np.array([ord(text or " ") for text in texts], "<u1")
    if kind == "date":
        return (np.array(texts, "datetime64[D]") - EPOCH).astype("<i4")
    if kind == "timestamp":
        moments = np.array([text.replace("D", "T") for text in texts], "datetime64[ns]")
        return (moments - EPOCH).astype("<i8")
    if kind in FLOATS:
        return np.array([text or "nan" for text in texts], "O").astype(DTYPES[kind])
    if kind not in DTYPES or "" in texts:
        raise ValueError(f"a null or a {kind} in hdbench's result: the peers are not asked that")
    if kind == "timespan":
        return spans(texts)
    if kind in ("minute", "second"):
        return clocks(texts)
    return np.array(texts, "O").astype(DTYPES[kind])


class OwnResult:
    """in_order: the rows' order belongs to the result. of_one: columns of shares of one, which are
    compared as these."""

    def __init__(self, raw, question, program, database):
        done = subprocess.run(
            [program, "query", database, question.text, "--format", "csv"],
            stdin=subprocess.DEVNULL, capture_output=True, check=False, text=True)
        if done.returncode:
            raise ValueError(f"hdbench query: {done.stderr.strip()}")
        is_desk = isinstance(question, DeskQuestion)
        self.keyed = question.keyed if is_desk else len(question.by)
        self.in_order = is_desk and question.in_order
        self.of_one = question.of_one if is_desk else ()
        self.file_codes = raw.file_codes
        self.kinds = kinds_of(raw, question)
        lines = csv.reader(io.StringIO(done.stdout))
        names = next(lines, [])
        if names != [name for name, _ in self.kinds]:
            raise ValueError(f"hdbench's columns are {names}, expected {self.kinds}")
        texts = list(zip(*lines)) or [()] * len(names)
        self.columns = [values_of(raw, kind, list(column))
                        for (_, kind), column in zip(self.kinds, texts)]
        self.rows = len(self.columns[0])

    def checksum(self):
        """Of the result with the symbols' codes of the files."""
        return checksum(self.rows, self.keyed, (
            (name, kind, [self.file_codes(values) if kind == "symbol" else values])
            for (name, kind), values in zip(self.kinds, self.columns)))

    def check(self, found):
        """Raises Difference unless the columns are this result's; rows may come in any order where
        the query gives none."""
        rows = len(found[0])
        if rows != self.rows:
            raise Difference(f"{rows} rows, expected {self.rows}")
        order, own_order = (self.order_of(columns) for columns in (found, self.columns))
        for (name, kind), left, right in zip(self.kinds, found, self.columns):
            left, right = left[order], right[own_order]
            same = left == right
            if kind in FLOATS:
                same |= np.isnan(left) & np.isnan(right)
                least = 1.0 if name in self.of_one else 0.0
                room = TOLERANCE * np.maximum(np.maximum(np.abs(left), np.abs(right)), least)
                with np.errstate(invalid="ignore"):
                    same |= np.abs(left - right) <= room
            if not same.all():
                i = int(np.flatnonzero(~same)[0])
                raise Difference(
                    f"column {name}: {int((~same).sum())} of {rows} rows differ, the first"
                    f" {left[i]!r}, expected {right[i]!r}")

    def order_of(self, columns):
        """Rows of two results stand beside each other: sorted by the keys, which are distinct, or
        by all columns, those first that must be the same to the bit."""
        if self.in_order:
            return slice(None)
        if self.keyed:
            return np.lexsort(columns[:self.keyed][::-1])
        exact = [column for (_, kind), column in zip(self.kinds, columns) if kind != "float"]
        rest = [column for (_, kind), column in zip(self.kinds, columns) if kind == "float"]
        return np.lexsort((exact + rest)[::-1]) if self.rows else slice(None)
