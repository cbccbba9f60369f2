"""Files as kdb+ writes them, for tests: vectors, enumerations, symbol lists, saved objects."""

import struct
import zlib

# By q's letter: the type's number and how struct packs it.
PLAIN = {"b": (1, "?"), "x": (4, "B"), "h": (5, "h"), "i": (6, "i"), "j": (7, "q"), "e": (8, "f"),
         "f": (9, "d"), "c": (10, "c"), "p": (12, "q"), "m": (13, "i"), "d": (14, "i"),
         "n": (16, "q"), "t": (19, "i")}
PAGE = 4096
NULL_LONG = -1 << 63


def elements(letter, values):
    return struct.pack(f"<{len(values)}{PLAIN[letter][1]}", *values)


def vector(letter, values):
    """A column's file."""
    return struct.pack("<BBBB4xq", 0xFE, 0x20, PLAIN[letter][0], 0, len(values)) \
        + elements(letter, values)


def enumeration(domain, codes):
    """A column's file of indices into `domain`, as kdb+ 3.6 and later write it."""
    page = bytearray(PAGE)
    page[:2] = b"\xfd\x20"
    page[16:16 + len(domain)] = domain.encode()
    page[4080:4083] = b"\xfd\x00\x14"
    page[4088:] = struct.pack("<q", len(codes))
    return bytes(page) + elements("j", codes)


def old_enumeration(domain, codes):
    """The same as kdb+ 3.0 to 3.5 write it."""
    return b"\xfe" + domain.encode().ljust(7, b"\0") + bytes(8) + struct.pack("<q", len(codes)) \
        + struct.pack(f"<{len(codes)}i", *codes)


SHORT = 1 << 56


def short_cell(kind, count, data):
    return struct.pack("<BB", 0x7F + kind, count) + data


def long_cell(kind, count, data):
    return struct.pack("<BBBBiq", 0xFB, 0, kind, 0, 1, count) + data


def list_cell(*places):
    return long_cell(0, len(places), struct.pack(f"<{len(places)}Q",
                                                 *(SHORT | place for place in places)))


def anymap(name, cells, places, symbols=None):
    """The files of a nested column: the bytes of its cells, and where each row's begins."""
    files = {}
    for mark, kind, data in (("", b"\xfd\1\x4d\0", struct.pack(
            f"<{len(places)}Q", *(SHORT | place for place in places))),
                             ("#", b"\xfd\0\4\0", cells)):
        files[name + mark] = (b"\xfd\x20".ljust(4080, b"\0") + kind).ljust(PAGE, b"\0") + data
    if symbols is not None:
        files[name + "##"] = b"\xff\1" + head(11, len(symbols)) + texts(symbols)
    return files


def texts(symbols):
    return b"".join(symbol.encode() + b"\0" for symbol in symbols)


def head(kind, count):
    return struct.pack("<BBi", kind & 0xFF, 0, count)


# Objects as q serialises them.
def plain(letter, values):
    return head(PLAIN[letter][0], len(values)) + elements(letter, values)


def symbols(values):
    return head(11, len(values)) + texts(values)


def string(text):
    return head(10, len(text)) + text.encode()


def several(*objects):
    return head(0, len(objects)) + b"".join(objects)


def dictionary(keys, values):
    return b"\x63" + keys + values


def table(**columns):
    return b"\x62\0" + dictionary(symbols(list(columns)), several(*columns.values()))


def keyed(keys, values):
    return dictionary(keys, values)


def save(path, item):
    """One file that holds a whole object."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"\xff\x01" + item)


def zipped(plain, block=PAGE):
    """A file compressed by gzip (docs/hdb-format.md, "Compressed files")."""
    blocks = [zlib.compress(plain[at:at + block], 1) for at in range(0, len(plain), block)]
    at = 8 + sum(map(len, blocks))
    table = b"".join(struct.pack("<II", len(one), 2) for one in blocks)
    trailer = struct.pack("<iBBHqqq", 3, 2, 1, 0, len(plain), at, block)
    return b"kxzipped" + b"".join(blocks) + trailer + table + struct.pack("<q", len(blocks))


def splay(path, **files):
    """A directory of columns; the values are the columns' files, those of nested ones too."""
    save(path / ".d", symbols([name for name in files if not name.endswith("#")]))
    for name, data in files.items():
        (path / name).write_bytes(data)
