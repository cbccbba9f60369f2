"""hdbench's own result of an aggregate query, and a peer's held against it.

The result is the whole answer of `hdbench query`, with the checksum that the run's cells must have.
"""

import csv
import io
import subprocess

import numpy as np
from aggregates import kinds_of
from reference import Difference, checksum

TOLERANCE = 1e-9  # of floats, relative: peers do not add exactly
DTYPES = {"float": "<f8", "real": "<f4", "short": "<i2", "boolean": "<u1", "long": "<i8",
          "timestamp": "<i8", "timespan": "<i8", "date": "<i4", "int": "<i4", "symbol": "<i8"}
EPOCH = np.datetime64("2000-01-01")


def spans(texts):
    """0D09:30:00.273751449 as nanoseconds."""
    days, clocks = zip(*(text.split("D") for text in texts)) if texts else ((), ())
    clock = np.array(["1970-01-01T" + text for text in clocks], "datetime64[ns]").astype("<i8")
    return np.array(days, "<i8") * 86_400_000_000_000 + clock


def values_of(raw, kind, texts):
    """A CSV column as the numbers that column files hold."""
    if kind == "symbol":
        codes = {text: code for code, text in enumerate(raw.symbols)}
        return np.array([codes[text] for text in texts], "<i8")
    if kind == "date":
        return (np.array(texts, "datetime64[D]") - EPOCH).astype("<i4")
    if kind == "timestamp":
        moments = np.array([text.replace("D", "T") for text in texts], "datetime64[ns]")
        return (moments - EPOCH).astype("<i8")
    if kind == "timespan":
        return spans(texts)
    if kind not in DTYPES or "" in texts:
        raise ValueError(f"a null or a {kind} in hdbench's result: the peers are not asked that")
    return np.array(texts, "O").astype(DTYPES[kind])


class OwnResult:
    def __init__(self, raw, question, program, database):
        done = subprocess.run(
            [program, "query", database, question.text, "--format", "csv"],
            stdin=subprocess.DEVNULL, capture_output=True, check=False, text=True)
        if done.returncode:
            raise ValueError(f"hdbench query: {done.stderr.strip()}")
        self.keyed = len(question.by)
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
        return checksum(self.rows, self.keyed, (
            (name, kind, [values]) for (name, kind), values in zip(self.kinds, self.columns)))

    def check(self, found):
        """Raises Difference unless the columns are this result's, in any order of rows."""
        rows = len(found[0])
        if rows != self.rows:
            raise Difference(f"{rows} rows, expected {self.rows}")
        order, own_order = (by_keys(columns, self.keyed) for columns in (found, self.columns))
        for (name, kind), left, right in zip(self.kinds, found, self.columns):
            left, right = left[order], right[own_order]
            same = left == right
            if kind in ("float", "real"):
                room = TOLERANCE * np.maximum(np.abs(left), np.abs(right))
                with np.errstate(invalid="ignore"):
                    same |= np.abs(left - right) <= room
            if not same.all():
                i = int(np.flatnonzero(~same)[0])
                raise Difference(
                    f"column {name}: {int((~same).sum())} of {rows} rows differ, the first"
                    f" {left[i]!r}, expected {right[i]!r}")


def by_keys(columns, keyed):
    """Keys are distinct: sorted by them, rows of two results stand beside each other."""
    return np.lexsort(columns[:keyed][::-1]) if keyed else slice(None)
