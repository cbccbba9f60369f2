"""A reader of kdb+ column files that shares nothing with hdbench's own: numpy, zlib, the format.

It reads what the samples and the generator hold: vectors (`fe 20`, `ff 20`, `ff 01`), enumerations
with four-byte (`fe` and a name) and eight-byte (`fd 20`) codes, and the compressed wrapper
`kxzipped` with stored, q-IPC and zlib blocks. Nested columns are recognised and not decoded.
"""

import mmap
import pathlib
import re
import struct
import zlib

import numpy as np

KINDS = {
    1: ("boolean", "<u1"), 4: ("byte", "<u1"), 5: ("short", "<i2"), 6: ("int", "<i4"),
    7: ("long", "<i8"), 8: ("real", "<f4"), 9: ("float", "<f8"), 10: ("char", "<u1"),
    12: ("timestamp", "<i8"), 13: ("month", "<i4"), 14: ("date", "<i4"), 15: ("datetime", "<f8"),
    16: ("timespan", "<i8"), 17: ("minute", "<i4"), 18: ("second", "<i4"), 19: ("time", "<i4"),
}  # fmt: skip
ATTRIBUTES = {0: "", 1: "s", 2: "u", 3: "p", 4: "g"}
NESTED = ("anymap", "mixed")


class FormatError(Exception):
    """A file that does not hold what its format says."""


class Column:
    """kind: q's type name, or enum4, enum8, anymap, mixed. values: an array (enums: of codes)."""

    def __init__(self, kind, attribute, values, domain=None):
        self.kind = kind
        self.attribute = attribute
        self.values = values
        self.domain = domain


def unpack_ipc(block):
    """One block of q's own compression; output positions count an eight-byte header in."""
    stored, plain = struct.unpack_from("<II", block, 4)
    if stored != len(block):
        raise FormatError(f"a q-IPC block says {stored} bytes, but has {len(block)}")
    out = bytearray(plain)
    table = [0] * 256
    at, written, hashed, bit, flags = 12, 8, 8, 256, 0
    while written < plain:
        if bit == 256:
            flags, at, bit = block[at], at + 1, 1
        copied = 0
        if flags & bit:
            source = table[block[at]]
            copied = block[at + 1]
            at += 2
            out[written] = out[source]
            out[written + 1] = out[source + 1]
            written += 2
            start = source + 2
        else:
            out[written] = block[at]
            at += 1
            written += 1
        while hashed < written - 1:
            table[out[hashed] ^ out[hashed + 1]] = hashed
            hashed += 1
        if flags & bit:
            if start + copied <= written:
                out[written:written + copied] = out[start:start + copied]
            else:
                for i in range(copied):
                    out[written + i] = out[start + i]
            written += copied
            hashed = written
        bit <<= 1
    return bytes(out[8:])


def unpack_kxzipped(data):
    (blocks,) = struct.unpack_from("<q", data, len(data) - 8)
    trailer = len(data) - 8 - 8 * blocks - 32
    plain_length, at_trailer, block_bytes = struct.unpack_from("<qqq", data, trailer + 8)
    if at_trailer != trailer:
        raise FormatError(f"the kxzipped trailer is at {trailer}, but says {at_trailer}")
    plain = bytearray()
    at = 8
    for i in range(blocks):
        length, algorithm = struct.unpack_from("<II", data, trailer + 32 + 8 * i)
        block = data[at:at + length]
        at += length
        if algorithm == 0:
            plain += block
        elif algorithm == 1:
            plain += unpack_ipc(block)
        elif algorithm == 2:
            plain += zlib.decompress(block)
        else:
            raise FormatError(f"compression {algorithm} is not read here")
        if i + 1 < blocks and len(plain) != block_bytes * (i + 1):
            raise FormatError(f"block {i} is not {block_bytes} bytes long")
    if len(plain) != plain_length:
        raise FormatError(f"{len(plain)} bytes unpacked, but the trailer says {plain_length}")
    return bytes(plain)


def read_bytes(path):
    """A file's bytes, unpacked where it is compressed; else its mapping: arrays are views of it."""
    with open(path, "rb") as file:
        if file.seek(0, 2) == 0:
            return b""
        data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    return unpack_kxzipped(data) if data[:8] == b"kxzipped" else data


def read_symbols(path):
    """A `ff 01 0b` list: names up to the end of the file, whatever the count says."""
    data = read_bytes(path)
    if data[:3] != b"\xff\x01\x0b":
        raise FormatError(f"{path}: not a symbol list")
    return [name.decode() for name in data[8:].split(b"\0")[:-1]]


def vector(data, offset, dtype, attribute, count):
    """Attributes p, u and g: an index follows, the header's count holds; else the length does."""
    width = np.dtype(dtype).itemsize
    if ATTRIBUTES[attribute] in ("p", "u", "g"):
        rows = count
    else:
        rows, rest = divmod(len(data) - offset, width)
        if rest:
            raise FormatError(f"{len(data)} bytes leave a remainder of {rest}")
    if rows < 0 or offset + rows * width > len(data):
        raise FormatError(f"{rows} rows do not fit into {len(data)} bytes")
    return np.frombuffer(data, dtype=dtype, count=rows, offset=offset)


def plain_vector(data, offset, number, attribute, count):
    if number not in KINDS:
        return Column("mixed", ATTRIBUTES[attribute], np.zeros(count, "u1"))
    kind, dtype = KINDS[number]
    return Column(kind, ATTRIBUTES[attribute], vector(data, offset, dtype, attribute, count))


def read_page_column(data):
    domain = data[16:4080].split(b"\0")[0].decode()
    number, attribute = data[4082], data[4083]
    (count,) = struct.unpack_from("<q", data, 4088)
    if number == 0x4D:
        return Column("anymap", "", vector(data, 4096, "<u8", 0, count))
    if number != 0x14:
        raise FormatError(f"page of type {number:#x}")
    codes = vector(data, 4096, "<i8", attribute, count)
    return Column("enum8", ATTRIBUTES[attribute], codes, domain)


def read_column(path):
    data = read_bytes(path)
    if data[:2] == b"\xfd\x20":
        return read_page_column(data)
    if data[:2] == b"\xfe\x20":
        return plain_vector(data, 16, data[2], data[3], struct.unpack_from("<q", data, 8)[0])
    if data[:2] == b"\xff\x20":
        number, attribute, count = struct.unpack_from("<hhi", data, 8)
        return plain_vector(data, 16, number, attribute, count)
    if data[:2] == b"\xff\x01":
        return plain_vector(data, 8, data[2], data[3], struct.unpack_from("<i", data, 4)[0])
    if data[:1] == b"\xfe":
        domain = data[1:8].split(b"\0")[0].decode()
        (count,) = struct.unpack_from("<q", data, 16)
        codes = vector(data, 24, "<i4", data[11], count)
        return Column("enum4", ATTRIBUTES[data[11]], codes, domain)
    raise FormatError(f"{path}: unknown first bytes {data[:4].hex()}")


def partitions(root):
    names = (path.name for path in pathlib.Path(root).iterdir())
    return sorted(name for name in names if re.fullmatch(r"\d{4}\.\d\d\.\d\d", name))


def partition_days(name):
    day = np.datetime64(name.replace(".", "-"))
    return int((day - np.datetime64("2000-01-01")).astype(int))


def read_table(root, name, dates=None):
    """All rows of a partitioned table: {column: (kind, array)}, `date` first.

    Symbols come as objects; nested columns are left out.
    """
    root = pathlib.Path(root)
    domains = {}
    pieces = {}
    kinds = {}
    for date in dates or partitions(root):
        folder = root / date / name
        rows = None
        for field in read_symbols(folder / ".d"):
            column = read_column(folder / field)
            values, kind = column.values, column.kind
            if kind in NESTED:
                continue
            if column.domain is not None:
                if column.domain not in domains:
                    symbols = read_symbols(root / column.domain)
                    domains[column.domain] = np.array(symbols, dtype=object)
                values, kind = domains[column.domain][values], "symbol"
            if rows is not None and len(values) != rows:
                raise FormatError(f"{folder / field}: {len(values)} rows, but others {rows}")
            rows = len(values)
            pieces.setdefault(field, []).append(values)
            kinds[field] = kind
        pieces.setdefault("date", []).append(np.full(rows, partition_days(date), "<i4"))
    kinds["date"] = "date"
    order = ["date"] + [field for field in pieces if field != "date"]
    return {field: (kinds[field], np.concatenate(pieces[field])) for field in order}
