"""Partitioned tables as their column files hold them: numpy views of the mapped files, and nothing
of hdbench's own reader."""

import bisect
import copy
import pathlib
import sys

import desk_questions
import numpy as np
import questions

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "tests" / "duckdb"))
import kdb_reader  # noqa: E402

DAYS_TO_2000 = 10957  # from 1970.01.01, where everybody else begins to count


def of_questions(database, asked):
    """The tables that are asked."""
    if questions.is_desk(asked):
        return RawTables(database, desk_questions.TABLES)
    return RawTable(database, questions.TABLE)


def one_row(raw):
    """A table like this one whose only row answers every query: of their day, with the value that
    all of them ask for."""
    if isinstance(raw, RawTables):
        return raw.one_row()
    small = copy.copy(raw)
    small.dates = [questions.DAY.replace("-", ".")]
    small.days = np.array([kdb_reader.partition_days(small.dates[0])], "<i4")
    small.views = {field: [np.zeros(1, views[0].dtype)] for field, views in raw.views.items()}
    if questions.ONE[0] in raw.symbols:
        small.views[questions.CONDITION][0][0] = raw.symbols.index(questions.ONE[0])
    small.lengths, small.rows = [1], 1
    small.tables = dict.fromkeys(raw.tables, small)
    return small


class RawTable:
    """fields: names in table order, without date. views[field]: an array a partition, symbols as
    their codes. kinds[field]: q's type name, or symbol. has_nulls: q's nulls are given to the
    engines as theirs."""

    has_nulls = False

    def __init__(self, root, name):
        root = pathlib.Path(root)
        self.tables = {name: self}
        self.dates = [d for d in kdb_reader.partitions(root) if (root / d / name).is_dir()]
        if not self.dates:
            raise kdb_reader.FormatError(f"{root}: no date partitions with a table {name}")
        self.days = np.array([kdb_reader.partition_days(date) for date in self.dates], "<i4")
        self.fields = kdb_reader.read_symbols(root / self.dates[0] / name / ".d")
        self.kinds, self.views = {}, {field: [] for field in self.fields}
        domains = set()
        for date in self.dates:
            for field in self.fields:
                path = root / date / name / field
                column = kdb_reader.read_column(path)
                if column.kind in kdb_reader.NESTED:
                    raise kdb_reader.FormatError(f"{path}: nested columns are not given to peers")
                domains.update({column.domain} - {None})
                kind = column.kind if column.domain is None else "symbol"
                if self.kinds.setdefault(field, kind) != kind:
                    raise kdb_reader.FormatError(f"{path}: {kind}, before {self.kinds[field]}")
                self.views[field].append(column.values)
        if len(domains) != 1:
            raise kdb_reader.FormatError(f"{root}: {len(domains)} symbol domains, expected one")
        self.domain = root / domains.pop()
        self.symbols = kdb_reader.read_symbols(self.domain)
        self.lengths = [len(view) for view in self.views[self.fields[0]]]
        for field, views in self.views.items():
            if [len(view) for view in views] != self.lengths:
                raise kdb_reader.FormatError(f"{root}: {name}/{field}: columns of unequal length")
        self.rows = sum(self.lengths)
        self.map_nulls()

    def map_nulls(self):
        """Null indices become the empty symbol's, after the others where the domain lacks it."""
        for field, views in self.views.items():
            if self.kinds[field] != "symbol":
                continue
            for part, codes in enumerate(views):
                nulls = codes == np.iinfo(codes.dtype).min
                if not nulls.any():
                    continue
                if "" not in self.symbols:
                    self.symbols.append("")
                views[part] = np.where(nulls, self.symbols.index(""), codes).astype(codes.dtype)

    def kind(self, name):
        return "date" if name == "date" else self.kinds[name]

    def file_codes(self, codes):
        """As the column files have them."""
        return codes

    def code_type(self):
        """The narrowest unsigned type that holds a symbol's code."""
        return np.min_scalar_type(max(len(self.symbols) - 1, 0))

    def codes(self, field, part):
        return self.views[field][part].astype(self.code_type())

    def dates_of(self, part):
        """The partition's date column, in days since 1970.01.01."""
        return np.full(self.lengths[part], self.days[part] + DAYS_TO_2000, "<i4")

    def nulls(self, field, part):
        """Which values are null, or None where none is."""
        values = self.views[field][part]
        if not self.has_nulls or self.kinds[field] == "symbol" or values.dtype.kind == "u":
            return None
        is_null = np.isnan(values) if values.dtype.kind == "f" else (
            values == np.iinfo(values.dtype).min)
        return is_null if is_null.any() else None


class RawTables:
    """Several tables of one symbol domain, whose symbols are in the order of their text, so that a
    partition that is sorted by a symbol is sorted by its codes."""

    def __init__(self, root, names):
        self.tables = {name: RawTable(root, name) for name in names}
        tables = list(self.tables.values())
        if len({table.domain for table in tables}) != 1:
            raise kdb_reader.FormatError(f"{root}: several symbol domains, expected one")
        longest = max((table.symbols for table in tables), key=len)
        self.symbols = sorted(longest)
        places = {text: code for code, text in enumerate(longest)}
        self.of_files = np.array([places[text] for text in self.symbols], np.int64)
        ranks = np.empty(len(longest), tables[0].code_type())
        ranks[self.of_files] = np.arange(len(longest))
        for table in tables:
            table.symbols, table.has_nulls = self.symbols, True
            for field in table.fields:
                if table.kinds[field] == "symbol":
                    table.views[field] = [ranks[codes] for codes in table.views[field]]
        self.rows = sum(table.rows for table in tables)

    def file_codes(self, codes):
        return self.of_files[codes]

    def one_row(self):
        """Tables of a row each, of the day and symbol that most queries ask for, where there is
        one."""
        small = copy.copy(self)
        small.tables = {name: self.row_of(table) for name, table in self.tables.items()}
        return small

    def row_of(self, table):
        part = bisect.bisect_left(table.dates, desk_questions.Q_DAY)
        part = min(part, len(table.dates) - 1)
        wanted = bisect.bisect_left(self.symbols, desk_questions.ONE)
        row = int(np.argmax(table.views["sym"][part] == wanted)) if table.lengths[part] else 0
        small = copy.copy(table)
        small.dates, small.days = [table.dates[part]], table.days[part:part + 1]
        small.views = {field: [views[part][row:row + 1]] for field, views in table.views.items()}
        small.lengths = [len(small.views["sym"][0])]
        small.rows = small.lengths[0]
        return small
