"""Holds the independent reader against the samples' expected.tsv: kind, rows, CRC, first, last."""

import csv
import pathlib
import sys
import zlib

import kdb_reader


def shown(column, index, symbols):
    value = column.values[index]
    if column.domain is not None:
        return symbols[value] if value < len(symbols) else str(value)
    return str(float(value)) if column.values.dtype.kind == "f" else str(value)


def check_row(samples, row):
    """Gives what is wrong with one line of expected.tsv, or nothing."""
    path = samples / row["file"]
    if row["kind"] == "MISSING":
        return ["is there, but should not be"] if path.exists() else []
    column = kdb_reader.read_column(path)
    if column.kind in kdb_reader.NESTED:
        return [] if column.kind == row["kind"] else [f"kind {column.kind}"]
    crc = f"{zlib.crc32(column.values.tobytes()):08x}"
    found = [column.kind, column.attribute, str(len(column.values)), crc]
    wanted = [row["kind"], row["attr"], row["rows"], row["crc32_of_values"]]
    if len(column.values) and column.domain is not None:
        symbols = kdb_reader.read_symbols(domain_file(path, column.domain))
        if max(column.values) < len(symbols):
            found += [shown(column, 0, symbols), shown(column, -1, symbols)]
            wanted += [row["first"], row["last"]]
    elif len(column.values) and row["first"]:
        found += [shown(column, 0, None), shown(column, -1, None)]
        wanted += [row["first"], row["last"]]
    return [] if found == wanted else [f"found {found}, expected {wanted}"]


def domain_file(path, domain):
    for folder in path.parents:
        if (folder / domain).is_file() and folder != path.parent:
            return folder / domain
    return path.parent / domain


def main():
    samples = pathlib.Path(sys.argv[1])
    if not (samples / "expected.tsv").is_file():
        print(f"skipped: no samples at {samples}")
        return 77
    bad = 0
    with open(samples / "expected.tsv", newline="", encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines, delimiter="\t", restval=""))
    for row in rows:
        for complaint in check_row(samples, row):
            print(f"{row['file']}: {complaint}")
            bad += 1
    print(f"{len(rows)} columns read, {bad} differ")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
