"""hdbench's result and a peer's: what is the same, and what is not. For the peers' Python."""

import pathlib
import sys
import types
import unittest

import numpy as np

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "bench" / "peers"))
import own_result  # noqa: E402
import raw_table  # noqa: E402
from reference import Difference  # noqa: E402

RAW = types.SimpleNamespace(symbols=["b", "a"])


def result(keyed=1):
    one = object.__new__(own_result.OwnResult)
    one.keyed, one.rows = keyed, 2
    one.kinds = [("col1", "symbol"), ("n", "long"), ("bid", "float")]
    one.columns = [np.array([0, 1]), np.array([5, 6]), np.array([0.5, -2.0])]
    return one


class Check(unittest.TestCase):
    def refused(self, found, words):
        with self.assertRaisesRegex(Difference, words):
            result().check(found)

    def test_rows_may_come_in_any_order(self):
        result().check([np.array([1, 0]), np.array([6, 5]), np.array([-2.0, 0.5])])

    def test_floats_may_differ_by_the_tolerance_and_whole_numbers_by_nothing(self):
        keys, counts = np.array([0, 1]), np.array([5, 6])
        result().check([keys, counts, np.array([0.5 * (1 + 1e-10), -2.0])])
        self.refused([keys, counts, np.array([0.5 * (1 + 1e-8), -2.0])], "column bid: 1 of 2")
        self.refused([keys, counts, np.array([0.5, np.nan])], "column bid: 1 of 2")
        self.refused([keys, np.array([5, 7]), np.array([0.5, -2.0])], "column n: 1 of 2")

    def test_groups_and_rows_must_be_the_same(self):
        self.refused([np.array([0]), np.array([5]), np.array([0.5])], "1 rows, expected 2")
        self.refused([np.array([0, 2]), np.array([5, 6]), np.array([0.5, -2.0])], "column col1")


class Values(unittest.TestCase):
    def test_each_type_is_the_number_that_the_files_hold(self):
        for kind, text, number in (("symbol", "a", 1), ("date", "2000-01-03", 2),
                                   ("long", "-7", -7), ("float", "0.1", 0.1),
                                   ("timespan", "1D00:00:00.000000001", 86400 * 10**9 + 1),
                                   ("timestamp", "2000-01-01D00:00:00.000000005", 5)):
            self.assertEqual(own_result.values_of(RAW, kind, [text])[0], number, kind)

    def test_an_empty_result_has_empty_columns_and_a_null_is_refused(self):
        self.assertEqual(len(own_result.values_of(RAW, "timespan", [])), 0)
        with self.assertRaises(ValueError):
            own_result.values_of(RAW, "float", [""])


class NullIndices(unittest.TestCase):
    def test_they_become_the_empty_symbol_s_code(self):
        for kind in ("<i4", "<i8"):
            for symbols, code in ((["b", "a"], 2), (["", "a"], 0)):
                raw = object.__new__(raw_table.RawTable)
                raw.symbols, raw.kinds = list(symbols), {"s": "symbol", "x": "long"}
                raw.views = {"s": [np.array([1, np.iinfo(kind).min], kind)],
                             "x": [np.array([1, np.iinfo(kind).min], kind)]}
                raw.map_nulls()
                self.assertEqual(raw.views["s"][0].tolist(), [1, code])
                self.assertEqual(raw.views["x"][0].tolist(), [1, np.iinfo(kind).min])
                self.assertEqual(raw.symbols[code], "")
                self.assertEqual(raw.codes("s", 0).tolist(), [1, code])


if __name__ == "__main__":
    unittest.main()
