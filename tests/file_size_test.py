"""The limits themselves, at their edges."""

import unittest

from file_size import complaints


class FileSize(unittest.TestCase):
    def test_an_empty_file_is_fine(self):
        self.assertEqual(list(complaints("x.h", "")), [])

    def test_six_hundred_lines_pass_and_one_more_does_not(self):
        self.assertEqual(list(complaints("x.cc", "a\n" * 600)), [])
        self.assertEqual(list(complaints("x.cc", "a\n" * 601)), ["x.cc: 601 lines, at most 600"])

    def test_a_hundred_columns_pass_and_one_more_is_named_with_its_line(self):
        self.assertEqual(list(complaints("x.cc", "a" * 100)), [])
        found = list(complaints("x.cc", "\n" + "a" * 101))
        self.assertEqual(found, ["x.cc:2: 101 columns, at most 100"])


if __name__ == "__main__":
    unittest.main()
