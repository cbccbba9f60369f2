"""What counts as a figure in a comment, and what does not."""

import unittest

from comment_figures import comments, complaints, figures, is_judged


def kinds(comment):
    return [kind for kind, _ in figures(comment)]


class Comments(unittest.TestCase):
    def test_a_source_without_comments_has_none(self):
        self.assertEqual(comments(""), [])
        self.assertEqual(comments("int x = 1;\n"), [])

    def test_lines_below_each_other_are_one_and_begin_at_the_first(self):
        self.assertEqual(comments("\n// 1.5\n// times as\nint x;\n"), [(2, "1.5 times as")])

    def test_comments_behind_code_are_read_each_by_itself(self):
        self.assertEqual(comments("int a;  // one\nint b;  // two\n"), [(1, "one"), (2, "two")])

    def test_a_block_comment_is_read(self):
        self.assertEqual(comments("/* one\n   two */ int x;"), [(1, "one two")])

    def test_slashes_within_literals_begin_none(self):
        self.assertEqual(comments('auto s = "http://x";  // url'), [(1, "url")])
        self.assertEqual(comments("auto s = R\"(// no)\";"), [])
        self.assertEqual(comments("auto n = 1'000'000;  // n"), [(1, "n")])
        self.assertEqual(comments("char c = '\"';  // quote"), [(1, "quote")])


class Figures(unittest.TestCase):
    def test_rates(self):
        for text in ("gives 3.1 to 3.3 GB/s", "170 MB/s", "2 GiB per second", "1.2 ns a row"):
            self.assertIn("a rate", kinds(text), text)

    def test_ratios(self):
        for text in ("1.8 to 2.0 times as fast", "3 times slower", "is 2.5x here", "0.91 to 0.97"):
            self.assertIn("a ratio", kinds(text), text)

    def test_percentages_times_and_cpus(self):
        self.assertEqual(kinds("costs 3 % more"), ["a percentage"])
        self.assertEqual(kinds("costs some per cent"), ["a percentage"])
        self.assertEqual(kinds("took 94 ms"), ["a measured time"])
        self.assertEqual(kinds("on Zen 3 and Granite Rapids"), ["a CPU's name"] * 2)

    def test_units_constants_and_versions_are_none(self):
        for text in (
            "GB/s are 10^9 bytes a second",
            "GB/s are 1e9 bytes a second",
            "lines of 64 bytes, pages of 4096",
            "kdb+ 3.6 and 4.0",
            "2020.01.03 to 2020.01.31",
            "0x9E3779B1 and 0x",
            "looked at every 100 ms",
            "how many times as fast as the reference",
            "per cent of the ceiling",
            "the zenith",
        ):
            self.assertEqual(kinds(text), [], text)

    def test_examples_in_quotes_and_backticks_are_none(self):
        self.assertEqual(kinds('"Intel(R) Xeon(R), 131.1 MB/s"'), [])
        self.assertEqual(kinds("`7 %`"), [])


class Complaints(unittest.TestCase):
    def test_a_figure_is_named_with_file_and_line(self):
        found = list(complaints("a/x.h", "\n// reads 3 GB/s\n", [], set()))
        self.assertEqual(found, ["a/x.h:2: a rate in a comment: 3 GB/s"])

    def test_code_and_strings_are_not_judged(self):
        self.assertEqual(list(complaints("a/x.cc", 'print("3 GB/s");\n', [], set())), [])

    def test_an_allowed_phrase_passes_alone_and_in_its_own_file_only(self):
        entry = ("x.h", "at most 5 %", "the threshold")
        used = set()
        self.assertEqual(list(complaints("a/x.h", "// at most 5 % here\n", [entry], used)), [])
        self.assertEqual(used, {entry})
        two = "// at most 5 %, seen 6 %\n"
        self.assertEqual(len(list(complaints("a/x.h", two, [entry], set()))), 1)
        self.assertEqual(len(list(complaints("a/y.h", "// at most 5 %\n", [entry], set()))), 1)

    def test_tests_and_other_files_are_not_judged(self):
        self.assertTrue(is_judged("a/x.h"))
        self.assertTrue(is_judged("a/x.cc"))
        self.assertFalse(is_judged("a/x_test.cc"))
        self.assertFalse(is_judged("a/x.py"))


if __name__ == "__main__":
    unittest.main()
