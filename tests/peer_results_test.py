"""hdbench's result and a peer's: what is the same, and what is not. For the peers' Python."""

import pathlib
import sys
import types
import unittest

import numpy as np

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "bench" / "peers"))
import arrow_batch  # noqa: E402
import own_result  # noqa: E402
import raw_table  # noqa: E402
from reference import Difference  # noqa: E402

RAW = types.SimpleNamespace(symbols=["b", "a"])


def result(keyed=1, in_order=False, of_one=()):
    one = object.__new__(own_result.OwnResult)
    one.keyed, one.rows, one.in_order, one.of_one = keyed, 2, in_order, of_one
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

    def test_rows_that_the_query_orders_must_come_in_this_order(self):
        turned = [np.array([1, 0]), np.array([6, 5]), np.array([-2.0, 0.5])]
        result(keyed=0).check(turned)
        with self.assertRaisesRegex(Difference, "column col1: 2 of 2"):
            result(in_order=True).check(turned)

    def test_a_null_is_equal_to_a_null_alone(self):
        found, wanted = [np.array([0, 1]), np.array([5, 6]), np.array([0.5, np.nan])], result()
        wanted.columns[2][1] = np.nan
        wanted.check(found)
        self.refused(found, "column bid: 1 of 2")

    def test_a_share_of_one_may_differ_by_the_tolerance_of_one(self):
        near = [np.array([0, 1]), np.array([5, 6]), np.array([0.5 + 0.9e-9, -2.0])]
        self.refused(near, "column bid: 1 of 2")
        result(of_one=("bid",)).check(near)

    def test_groups_and_rows_must_be_the_same(self):
        self.refused([np.array([0]), np.array([5]), np.array([0.5])], "1 rows, expected 2")
        self.refused([np.array([0, 2]), np.array([5, 6]), np.array([0.5, -2.0])], "column col1")


class Values(unittest.TestCase):
    def test_each_type_is_the_number_that_the_files_hold(self):
        for kind, text, number in (("symbol", "a", 1), ("date", "2000-01-03", 2),
                                   ("long", "-7", -7), ("float", "0.1", 0.1),
                                   ("timespan", "1D00:00:00.000000001", 86400 * 10**9 + 1),
                                   ("timestamp", "2000-01-01D00:00:00.000000005", 5),
                                   ("minute", "09:31", 571), ("second", "10:00:01", 36001),
                                   ("char", "D", 68), ("char", "", 32), ("int", "-3", -3)):
            self.assertEqual(own_result.values_of(RAW, kind, [text])[0], number, kind)

    def test_an_empty_result_has_empty_columns_and_a_null_whole_number_is_refused(self):
        for kind in ("timespan", "minute", "char", "float"):
            self.assertEqual(len(own_result.values_of(RAW, kind, [])), 0)
        self.assertTrue(np.isnan(own_result.values_of(RAW, "float", [""])[0]))
        with self.assertRaises(ValueError):
            own_result.values_of(RAW, "long", [""])


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

    def test_nulls_are_marked_where_the_engines_are_given_their_own(self):
        raw = object.__new__(raw_table.RawTable)
        least = np.iinfo("<i8").min
        raw.kinds = {"x": "long", "f": "real", "c": "char"}
        raw.views = {"x": [np.array([1, least])], "f": [np.array([np.nan, 2], "<f4")],
                     "c": [np.array([0, 1], "<u1")]}
        self.assertIsNone(raw.nulls("x", 0))
        raw.has_nulls = True
        self.assertEqual(raw.nulls("x", 0).tolist(), [False, True])
        self.assertEqual(raw.nulls("f", 0).tolist(), [True, False])
        self.assertIsNone(raw.nulls("c", 0))
        array = arrow_batch.with_nulls(raw.views["x"][0], raw.nulls("x", 0))
        self.assertEqual(array.to_pylist(), [1, None])


if __name__ == "__main__":
    unittest.main()
