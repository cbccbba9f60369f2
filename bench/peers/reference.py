"""The right answers, by numpy from the raw column files, and the checksum of hdbench's own."""

import struct

import numpy as np
import questions
import xxhash

TYPE_NUMBERS = {
    "boolean": 1, "guid": 2, "byte": 4, "short": 5, "int": 6, "long": 7, "real": 8, "float": 9,
    "char": 10, "timestamp": 12, "month": 13, "date": 14, "datetime": 15, "timespan": 16,
    "minute": 17, "second": 18, "time": 19, "symbol": 20,
}  # fmt: skip
EXACT_ROWS = 1_000_000  # up to here unordered results are sorted whole, above by their rows' hashes


class Difference(Exception):
    """A peer's result that is not the reference's."""


class Reference:
    """The rows that a question asks for: pieces of (partition, row numbers), in q's order."""

    def __init__(self, raw, question):
        self.raw = raw
        self.keyed = len(question.by)
        self.names = questions.columns_of(raw, question)
        wanted = [raw.symbols.index(v) for v in question.values if v in raw.symbols]
        self.pieces = []
        for part in range(len(raw.dates)):
            day = raw.dates[part].replace(".", "-")
            if question.first is not None and not question.first <= day <= question.last:
                continue
            codes = raw.views[questions.CONDITION][part]
            mask = np.zeros(len(codes), bool)
            for code in wanted:
                mask |= codes == code
            self.pieces.append((part, np.flatnonzero(mask).astype(np.uint32)))
        if question.by:
            self.pieces = self.last_of_groups([key for key in question.by if key != "date"],
                                              "date" in question.by)
        self.rows = sum(len(rows) for _, rows in self.pieces)

    def last_of_groups(self, keys, by_date):
        """Of each group the last row, sorted by date where that is a key, then by symbols' text."""
        last = {}
        for part, rows in self.pieces:
            group = np.zeros(len(rows), np.int64)
            for key in keys:
                group = group * len(self.raw.symbols) + self.raw.views[key][part][rows]
            latest = np.full(len(self.raw.symbols) ** len(keys), -1, np.int64)
            latest[group] = rows  # of equal indices numpy keeps the last
            for code in np.flatnonzero(latest >= 0):
                last[part if by_date else 0, self.texts(code, len(keys))] = (part, latest[code])
        return [(part, np.array([row])) for _, (part, row) in sorted(last.items())]

    def texts(self, group, count):
        texts = []
        for _ in range(count):
            group, code = divmod(int(group), len(self.raw.symbols))
            texts.insert(0, self.raw.symbols[code])
        return tuple(texts)

    def piece(self, name, part, rows):
        if name == "date":
            return np.full(len(rows), self.raw.days[part], "<i4")
        return self.raw.views[name][part][rows]

    def batches(self):
        """Each piece as {column: array}."""
        for part, rows in self.pieces:
            yield {name: self.piece(name, part, rows) for name in self.names}

    def checksum(self):
        return checksum(self.rows, self.keyed, (
            (name, self.raw.kind(name),
             (self.piece(name, part, rows) for part, rows in self.pieces))
            for name in self.names))


def checksum(rows, keyed, columns):
    """As checksum() of engine/column/result_table.cc: names, types and values, XXH3-64. Columns are
    (name, kind, arrays)."""
    digest = xxhash.xxh3_64()
    digest.update(struct.pack("<QQ", rows, keyed))
    for name, kind, arrays in columns:
        digest.update(struct.pack("<Q", len(name.encode())) + name.encode())
        digest.update(struct.pack("<Q", TYPE_NUMBERS[kind]))
        for values in arrays:
            wide = values.astype("<i8") if kind == "symbol" else values
            digest.update(np.ascontiguousarray(wide))
    return digest.hexdigest()


def bits(values):
    """Values as whole numbers that are equal where the bits are."""
    values = np.ascontiguousarray(values)
    if values.dtype.kind == "f":
        values = values.view(f"<i{values.dtype.itemsize}")
    return values.astype(np.int64, copy=False).view(np.uint64)


def row_hashes(batch, names):
    """64 bits a row, over all columns."""
    mixed = np.zeros(len(batch[names[0]]), np.uint64)
    for name in names:
        mixed ^= bits(batch[name])
        mixed *= np.uint64(0x9E3779B97F4A7C15)
        mixed ^= mixed >> np.uint64(29)
    return mixed


def sorted_hashes(batches, names, rows):
    """Of all rows, in room for as many as there must be: pieces joined later take it twice."""
    hashes, at = np.empty(rows, np.uint64), 0
    for batch in batches:
        piece = row_hashes(batch, names)
        if at + len(piece) <= rows:
            hashes[at:at + len(piece)] = piece
        at += len(piece)
    if at != rows:
        raise Difference(f"{at} rows, expected {rows}")
    hashes.sort()
    return hashes


def joined(batches, names):
    batches = list(batches)
    return [np.concatenate([bits(b[name]) for b in batches] or [bits(np.zeros(0))])
            for name in names]


def check_unordered(reference, batches):
    names = reference.names
    if reference.rows <= EXACT_ROWS:
        found, wanted = joined(batches, names), joined(reference.batches(), names)
        if len(found[0]) != reference.rows:
            raise Difference(f"{len(found[0])} rows, expected {reference.rows}")
        by_row, by_wanted = np.lexsort(found[::-1]), np.lexsort(wanted[::-1])
        for name, left, right in zip(names, found, wanted):
            bad = int(np.count_nonzero(left[by_row] != right[by_wanted]))
            if bad:
                raise Difference(f"column {name}: {bad} of {reference.rows} rows differ")
        return
    found = sorted_hashes(batches, names, reference.rows)
    wanted = sorted_hashes(reference.batches(), names, reference.rows)
    bad = int(np.count_nonzero(found != wanted))
    if bad:
        raise Difference(f"{bad} of {reference.rows} rows differ")


def check_ordered(reference, batches):
    """Row for row: the batches are cut anew as the reference's pieces are."""
    batches, at, batch, rows = iter(batches), 0, None, 0
    for wanted in reference.batches():
        need, start = len(wanted[reference.names[0]]), 0
        while start < need:
            if batch is None or at == len(batch[reference.names[0]]):
                batch, at = next(batches, None), 0
                if batch is None:
                    raise Difference(f"{rows} rows, expected {reference.rows}")
                continue
            count = min(need - start, len(batch[reference.names[0]]) - at)
            for name in reference.names:
                left, right = batch[name][at:at + count], wanted[name][start:start + count]
                if not np.array_equal(bits(left), bits(right)):
                    raise Difference(f"column {name}: rows from {rows} on differ")
            at, start, rows = at + count, start + count, rows + count
    more = (0 if batch is None else len(batch[reference.names[0]]) - at) + sum(
        len(b[reference.names[0]]) for b in batches)
    if more:
        raise Difference(f"{rows + more} rows, expected {reference.rows}")
