"""The rules of documents.py, on made-up text."""

import pathlib
import tempfile
import unittest

from documents import broken_links, headings, is_looked_at, missing_citations


class Documents(unittest.TestCase):
    def setUp(self):
        self.place = tempfile.TemporaryDirectory(prefix="hdbench-documents-")
        self.addCleanup(self.place.cleanup)
        self.root = pathlib.Path(self.place.name)
        (self.root / "docs").mkdir()
        (self.root / "README.md").write_text("# A title, long\n", encoding="utf-8")
        (self.root / "docs" / "a.md").write_text("", encoding="utf-8")

    def missing(self, name, text):
        return list(missing_citations(self.root, name, text))

    def broken(self, name, text):
        return list(broken_links(self.root, name, text))

    def test_an_empty_file_cites_nothing(self):
        self.assertEqual(self.missing("x.h", ""), [])
        self.assertEqual(self.broken("x.md", ""), [])

    def test_a_path_is_looked_for_from_the_root_and_from_the_citing_folder(self):
        self.assertEqual(self.missing("engine/x.h", "// See docs/a.md, README.md."), [])
        self.assertEqual(self.missing("docs/b.md", "(a.md) ../README.md"), [])

    def test_a_bare_name_in_another_folder_is_missing(self):
        self.assertEqual(self.missing("engine/x.h", "\n// See a.md."),
                         ["engine/x.h:2: a.md is cited, and is no file of the repository"])

    def test_patterns_and_addresses_are_no_citations(self):
        self.assertEqual(self.missing("x.md", "every *.md, https://example.org/b.md"), [])
        self.assertEqual(self.missing("x.md", "docs/YYYY-MM-DD-subject.md"), [])

    def test_a_links_text_is_no_citation(self):
        self.assertEqual(self.missing("x.md", "[a.md](docs/a.md)"), [])
        self.assertEqual(len(self.missing("x.md", "[a.md](docs/b.md)")), 1)

    def test_links_lead_to_files_and_headings(self):
        self.assertEqual(self.broken("docs/a.md", "[r](../README.md#a-title-long) [w](https://x)"),
                         [])
        self.assertEqual(self.broken("README.md", "[b](docs/b.md)"),
                         ["README.md:1: the link docs/b.md leads nowhere"])
        self.assertEqual(self.broken("docs/a.md", "[r](../README.md#other)"),
                         ["docs/a.md:1: ../README.md#other: there is no such heading"])

    def test_anchors_are_those_of_github(self):
        self.assertEqual(list(headings("## query, run: limit `x`\n")), ["query-run-limit-x"])

    def test_tests_are_not_looked_at(self):
        self.assertTrue(is_looked_at("engine/x.cc"))
        self.assertFalse(is_looked_at("engine/x_test.cc"))
        self.assertFalse(is_looked_at("bench/report/page/page.js"))


if __name__ == "__main__":
    unittest.main()
