"""`hdbench report` from outside: its formats, its errors, and what it does with several files.

    report.py HDBENCH
"""

import csv
import io
import json
import os
import pathlib
import pty
import subprocess
import sys
import tempfile
import unittest

import program

AXES = ["--medium", "dram", "--layout", "partitioned", "--attr", "parted",
        "--mode", "4.0", "-s", "2", "--reps", "2", *program.SMALL_CEILINGS]


class Report(unittest.TestCase):
    binary = None

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="hdbench-report-")
        root = pathlib.Path(cls.folder.name)
        cls.database = root / "db"
        cls.results = root / "results.json"
        program.generate(cls.binary, cls.database, "0.0005")
        done = program.run(cls.binary, "run", cls.database, *AXES, "--out", cls.results)
        if done.status != 0:
            raise RuntimeError(done.messages)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def path(self, name):
        return pathlib.Path(self.folder.name, name)

    def changed(self, name, change):
        """A copy of the results that `change` has been at."""
        document = json.loads(self.results.read_text())
        change(document)
        self.path(name).write_text(json.dumps(document))
        return self.path(name)

    def report(self, *arguments, status=0):
        outcome = program.run(self.binary, "report", *arguments)
        self.assertEqual(outcome.status, status, outcome.messages)
        return outcome

    def test_wrong_usage_and_wrong_files_are_one_clear_line(self):
        self.path("text.json").write_text("medians")
        self.path("other.json").write_text('{"context": {}, "benchmarks": []}')
        empty = self.changed("empty.json", lambda document: document["benchmarks"].clear())
        for arguments, status, words in (
            ([], 2, "give a results.json"),
            (["no such.json"], 2, "there is no such file"),
            ([self.path("text.json")], 3, "not JSON"),
            ([self.path("other.json")], 3, "no results of hdbench"),
            ([empty], 3, "no cells: nothing to report"),
            ([self.results, "--format", "pdf"], 2, "unknown value 'pdf'"),
            ([self.results, "-o", self.database / "report.html"], 2, "lies in the database"),
            ([self.results, "-o", self.results], 2, "one of the results"),
            ([self.results, "-o", self.path("none") / "r.html"], 2, "no directory"),
        ):
            outcome = self.report(*arguments, status=status)
            self.assertEqual(len(outcome.lines), 1, outcome.messages)
            self.assertIn(words, outcome.lines[0])
            self.assertEqual(outcome.out, b"")

    def test_the_database_and_the_results_are_left_as_they_were(self):
        before = program.contents(self.folder.name)
        self.report(self.results)
        self.assertEqual(program.contents(self.folder.name), before)

    def test_the_page_is_one_file_that_asks_for_nothing(self):
        out = self.path("report.html")
        self.report(self.results, "-o", out)
        text = out.read_text()
        self.assertLess(out.stat().st_size, 3_000_000)
        self.assertEqual(self.report(self.results).out.decode(), text)
        for word in ("src=", "@import", "url(", "<iframe", "<link rel=\"stylesheet"):
            self.assertNotIn(word, text.split("<script>")[0])
        self.assertIn("default-src 'none'", text)
        out.unlink()

    def test_the_csv_has_every_cell_with_its_figures(self):
        text = self.report(self.results, "--format", "csv").out.decode()
        lines = list(csv.DictReader(io.StringIO(text, newline="")))
        cells = json.loads(self.results.read_text())["benchmarks"]
        self.assertEqual(len(lines), len(cells))
        for line, cell in zip(lines, cells):
            self.assertEqual(int(line["query"]), cell["query"])
            self.assertEqual(line["query_text"], cell["query_text"])
            self.assertAlmostEqual(float(line["median_ms"]), cell["real_time"])
            self.assertEqual(int(line["rows_out"]), cell["rows_out"])
            self.assertEqual(line["checksum"], cell["checksum"])

    def test_the_terminals_and_markdowns_reports_have_every_query(self):
        for form in ("terminal", "markdown"):
            text = self.report(self.results, "--format", form).out.decode()
            for query in range(1, 12):
                self.assertIn(f"Q{query:02}", text)
        for part in ("What does each tier cost me?", "## Ceilings", "saturate", "hdbench run"):
            self.assertIn(part, text)

    def test_a_terminal_shows_one_table(self):
        text = self.report(self.results, "--format", "terminal").out.decode()
        lines = text.splitlines()
        self.assertLessEqual(len(lines), 45, text)
        self.assertLessEqual(max(map(len, lines)), 100, text)
        for query in range(1, 12):
            self.assertIn(f"Q{query:02}", text)

    def on_a_terminal(self, *arguments, **variables):
        """What `report` writes to a terminal of 24 lines of 80 columns."""
        master, slave = pty.openpty()
        with open(slave, "wb", closefd=True) as terminal:
            os.set_inheritable(slave, True)
            subprocess.run(["stty", "rows", "24", "cols", "80"], stdin=terminal, check=True)
            environment = {key: value for key, value in os.environ.items() if key != "NO_COLOR"}
            running = subprocess.Popen([self.binary, "report", *arguments], stdout=terminal,
                                       env=environment | {"TERM": "xterm"} | variables)
        text = b""
        while True:
            try:
                piece = os.read(master, 65536)
            except OSError:  # the other end is closed
                break
            if not piece:
                break
            text += piece
        os.close(master)
        self.assertEqual(running.wait(), 0)
        return text.decode().replace("\r\n", "\n")

    def test_a_terminal_gets_its_own_form_at_its_width_and_in_colours(self):
        text = self.on_a_terminal(self.results)
        self.assertNotIn("<html", text)
        self.assertIn("\x1b[1m", text)
        plain = self.on_a_terminal(self.results, NO_COLOR="1")
        self.assertNotIn("\x1b", plain)
        self.assertLessEqual(max(map(len, plain.splitlines())), 80, plain)

    def test_impossible_figures_have_a_strip_above_everything(self):
        def change(document):
            # Else all cells of so small a database are the caches', which have no ceiling.
            document["context"]["ceilings"]["last_level_cache_bytes"] = 0
            for cell in document["benchmarks"]:
                cell["times_ms"] = [time / 1e6 for time in cell["times_ms"]]

        strip = "These figures are not fit to decide on"
        doubted = self.changed("doubted.json", change)
        terminal = self.report(doubted, "--format", "terminal").out.decode()
        self.assertTrue(terminal.startswith(f"!! {strip}"), terminal)
        markdown = self.report(doubted, "--format", "markdown").out.decode()
        self.assertLess(markdown.index(strip), markdown.index("## Answers"))
        page = self.report(doubted).out.decode()
        self.assertLess(page.index(strip), page.index("<h2"))
        doubted.unlink()

    def test_the_columns_that_queries_read_have_their_memory(self):
        text = self.report(self.results, "--format", "markdown").out.decode()
        context = json.loads(self.results.read_text())["context"]
        columns = {one["column"]: one for one in context["datasets"][0]["columns"]}
        self.assertGreater(columns["bid"]["needed_bytes"], 0)
        self.assertLessEqual(columns["bid"]["needed_bytes"], columns["bid"]["bytes"])
        self.assertIn("Which columns do the queries read", text)

    def test_files_whose_results_differ_are_reported_with_status_4(self):
        def change(document):
            document["benchmarks"][0]["checksum"] = "0" * 16

        other = self.changed("other-result.json", change)
        out = self.path("differs.html")
        outcome = self.report(self.results, other, "-o", out, status=4)
        self.assertEqual(len(outcome.lines), 2)
        self.assertIn("in more than one file: the last file's", outcome.lines[0])
        self.assertIn("results differ between files: Q01", outcome.lines[1])
        self.assertIn("Results differ between files", out.read_text())
        for path in (out, other):
            path.unlink()

    def test_a_query_that_is_markup_stays_text(self):
        def change(document):
            for cell in document["benchmarks"]:
                cell["query_text"] += "</script><script>alert(1)</script>"

        hostile = self.changed("hostile.json", change)
        text = self.report(hostile).out.decode()
        self.assertNotIn("alert(1)</script>", text)
        self.assertIn("&lt;script&gt;alert(1)", text)
        hostile.unlink()


def main():
    Report.binary = sys.argv[1]
    outcome = unittest.main(argv=sys.argv[:1], exit=False)
    return 0 if outcome.result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
