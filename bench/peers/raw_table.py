"""A partitioned table as its column files hold it: numpy views of the mapped files, and nothing of
hdbench's own reader."""

import copy
import pathlib
import sys

import numpy as np
import questions

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "tests" / "duckdb"))
import kdb_reader  # noqa: E402

DAYS_TO_2000 = 10957  # from 1970.01.01, where everybody else begins to count


def one_row(raw):
    """A table like this one whose only row answers every query: of their day, with the value that
    all of them ask for."""
    small = copy.copy(raw)
    small.dates = [questions.DAY.replace("-", ".")]
    small.days = np.array([kdb_reader.partition_days(small.dates[0])], "<i4")
    small.views = {field: [np.zeros(1, views[0].dtype)] for field, views in raw.views.items()}
    if questions.ONE[0] in raw.symbols:
        small.views[questions.CONDITION][0][0] = raw.symbols.index(questions.ONE[0])
    small.lengths, small.rows = [1], 1
    return small


class RawTable:
    """fields: names in table order, without date. views[field]: an array a partition, symbols as
    their codes. kinds[field]: q's type name, or symbol."""

    def __init__(self, root, name):
        root = pathlib.Path(root)
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
        self.symbols = kdb_reader.read_symbols(root / domains.pop())
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

    def code_type(self):
        """The narrowest unsigned type that holds a symbol's code."""
        return np.min_scalar_type(max(len(self.symbols) - 1, 0))

    def codes(self, field, part):
        return self.views[field][part].astype(self.code_type())

    def dates_of(self, part):
        """The partition's date column, in days since 1970.01.01."""
        return np.full(self.lengths[part], self.days[part] + DAYS_TO_2000, "<i4")
