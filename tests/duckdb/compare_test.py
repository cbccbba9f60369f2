"""The comparison itself: what it must let pass, and what it must refuse."""

import pathlib
import tempfile
import unittest

import numpy as np
from compare import Difference, Oracle, compare

ROWS = "SELECT * EXCLUDE (rn) FROM t ORDER BY rn"
RIGHT = (
    "date,sym,at,span,clock,price,size,flag,c\n"
    "2020-01-07,b,2015-01-07D00:00:04.438224001,0D09:30:00.000000001,09:30:00.001,0.1,7,1,x\n"
    '2020-01-08,a,,1D00:00:00.000000000,,,,0,","\n'
    "2020-01-08,,2000-01-01D00:00:00.000000000,0D00:00:00.000000000,00:00:00.000,0w,0W,0, \n"
)


def table():
    moment, day, null = 473904004438224001, 86400 * 10**9, np.iinfo("<i8").min
    return {
        "date": ("date", np.array([7311, 7312, 7312], "<i4")),
        "sym": ("symbol", np.array(["b", "a", ""], object)),
        "at": ("timestamp", np.array([moment, null, 0], "<i8")),
        "span": ("timespan", np.array([34200 * 10**9 + 1, day, 0], "<i8")),
        "clock": ("time", np.array([34200001, np.iinfo("<i4").min, 0], "<i4")),
        "price": ("float", np.array([0.1, np.nan, np.inf])),
        "size": ("long", np.array([7, null, 2**63 - 1], "<i8")),
        "flag": ("boolean", np.array([1, 0, 0], "u1")),
        "c": ("char", np.frombuffer(b"x, ", "u1")),
    }


class Comparison(unittest.TestCase):
    def setUp(self):
        self.oracle = Oracle()
        self.oracle.add("t", table())

    def compare(self, text, sql=ROWS, approximate=()):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "result.csv")
            path.write_text(text, encoding="utf-8")
            return compare(self.oracle, path, sql, approximate)

    def refused(self, text, reason, sql=ROWS, approximate=()):
        with self.assertRaisesRegex(Difference, reason):
            self.compare(text, sql, approximate)

    def test_every_type_and_null_as_q_prints_it_passes(self):
        self.assertEqual(self.compare(RIGHT), 3)

    def test_an_empty_result_passes_with_its_header_only(self):
        nothing = "SELECT sym, size FROM t WHERE false"
        self.assertEqual(self.compare("sym,size\n", nothing), 0)
        self.refused("size,sym\n", "columns", nothing)

    def test_a_nanosecond_a_null_and_text_for_a_number_are_seen(self):
        for old, new, reason in (
            ("438224001", "438224002", "column at: 1 of 3"),
            ("09:30:00.001", "", "column clock"),
            ("0D09:30:00.000000001", "", "column span"),
            ("0w", "", "column price"),
            (",,,,0", ",,,0,0", "column size: 1 of 3 rows differ; row 1"),
            ("0.1,", "abc,", "unreadable CSV"),
        ):
            self.refused(RIGHT.replace(old, new), reason)

    def test_floats_are_exact_unless_a_tolerance_is_asked_for(self):
        nearly = RIGHT.replace("0.1,", "0.10000000000000002,")
        self.refused(nearly, "column price")
        self.assertEqual(self.compare(nearly, approximate=("price",)), 3)
        self.refused(RIGHT.replace("0.1,", "0.1000000001,"), "price", approximate=("price",))

    def test_rows_missing_or_in_another_order_are_seen(self):
        head, first, second, third = RIGHT.splitlines(keepends=True)
        self.refused(head + first + second, "2 rows, expected 3")
        self.refused(head + second + first + third, "column date")


if __name__ == "__main__":
    unittest.main()
