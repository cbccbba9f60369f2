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

import program

AXES = ["--medium", "dram", "--layout", "partitioned", "--attr", "parted",
        "--mode", "4.0", "-s", "2", "--reps", "2", *program.SMALL_CEILINGS]


STRIP = "These figures are not fit to decide on"


class Report(program.Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.database, cls.results = cls.folder / "db", cls.folder / "results.json"
        program.generate(cls.binary, cls.database, "0.0005")
        program.succeed(cls.binary, "run", cls.database, *AXES, "--out", cls.results)

    def changed(self, change):
        """A copy of the results that `change` has been at, until the test ends."""
        document = json.loads(self.results.read_text())
        change(document)
        copy = self.folder / "changed.json"
        copy.write_text(json.dumps(document))
        self.addCleanup(copy.unlink)
        return copy

    def text(self, results, form):
        return self.fine("report", results, "--format", form).out.decode()

    def test_wrong_usage_and_wrong_files_are_one_clear_line(self):
        for name, text in (("text", "medians"), ("other", '{"context": {}, "benchmarks": []}')):
            (self.folder / name).write_text(text)
        empty = self.changed(lambda document: document["benchmarks"].clear())
        for arguments, status, words in (
            ([], 2, "give a results.json"),
            (["no such.json"], 2, "there is no such file"),
            ([self.folder / "text"], 3, "not JSON"),
            ([self.folder / "other"], 3, "no results of hdbench"),
            ([empty], 3, "no cells: nothing to report"),
            ([self.results, "--format", "pdf"], 2, "unknown value 'pdf'"),
            ([self.results, "-o", self.database / "report.html"], 2, "lies in the database"),
            ([self.results, "-o", self.results], 2, "one of the results"),
            ([self.results, "-o", self.folder / "none" / "r.html"], 2, "no directory"),
        ):
            self.refused(status, words, "report", *arguments)

    def forecast(self, name):
        return pathlib.Path(__file__).parent / "fuzz" / "corpus" / "forecasts" / name

    def test_wrong_advice_predictions_and_profiles_are_one_clear_line(self):
        advice = self.forecast("advice").read_text()
        prediction = self.forecast("prediction").read_text()
        profile = self.forecast("profile").read_text()
        given = self.folder / "given"
        for text, words in (
            (advice.replace("advice-1", "advice-7"), "'format' is \"hdbench-advice-7\", expected"),
            (advice.replace('"tier": 1', '"tier": 2'), "columns[0]: 'tier' is 2, expected less"),
            (advice.replace('"price": 31.0', '"price": "x"'), "'price' is \"x\", expected a"),
            (prediction.replace('"low_ms": 9.0', '"low_ms": null'),
             "queries[0]: on[0]: 'low_ms' is null, expected a number"),
            (prediction.replace('"host"', '"hist"'), "'host' is missing, expected"),
            (profile.replace("300", "-3"), "latency.read_random.ns: -3"),
            (advice[:-9], "not JSON"),
        ):
            given.write_text(text)
            self.refused(3, words, "report", given)
            self.refused(3, "given: ", "report", given, "-o", self.folder / "g.html")
        self.refused(2, "apart from advice", "report", self.forecast("advice"), self.results)
        self.refused(2, "of one prediction", "report", self.forecast("advice"), "--format", "csv")
        given.write_text(profile)
        self.refused(2, "one of the results", "report", given, "-o", given)
        self.refused(2, "is what -o names", "profile", "dram", "-o", self.folder / "p.json",
                     "--page", self.folder / "p.json")

    def test_advice_predictions_and_profiles_have_a_page_and_texts(self):
        for name, words in (("advice", "67 % of the bytes in NVMe"), ("prediction", "the slowest"),
                            ("profile", "Bandwidth by threads")):
            for form in ("terminal", "markdown"):
                self.assertIn(words, self.text(self.forecast(name), form))
            page = self.text(self.forecast(name), "html")
            self.assertLess(len(page), 3_000_000)
            self.assertIn("default-src 'none'", page)
            for raw in ("<name>", "<card>", "<five>"):
                self.assertNotIn(raw, page)
        lines = self.text(self.forecast("prediction"), "csv").split("\r\n")
        self.assertTrue(lines[0].startswith("query,medium,ms,from,to,work"))
        self.assertEqual((len(lines), lines[-1]), (4, ""))

    def test_the_page_is_one_file_that_asks_for_nothing_and_nothing_else_is_written(self):
        before = program.contents(self.folder)
        told = self.text(self.results, "html")
        self.assertEqual(program.contents(self.folder), before)
        out = self.folder / "report.html"
        self.fine("report", self.results, "-o", out)
        text = out.read_text()
        self.assertLess(out.stat().st_size, 3_000_000)
        self.assertEqual(told, text)
        for word in ("src=", "@import", "url(", "<iframe", "<link rel=\"stylesheet"):
            self.assertNotIn(word, text.split("<script>")[0])
        self.assertIn("default-src 'none'", text)

    def test_the_csv_has_every_cell_with_its_figures(self):
        text = self.text(self.results, "csv")
        lines = list(csv.DictReader(io.StringIO(text, newline="")))
        cells = program.cells(self.results)
        self.assertEqual(len(lines), len(cells))
        for line, cell in zip(lines, cells):
            self.assertAlmostEqual(float(line["median_ms"]), cell["real_time"])
            for name in ("query", "query_text", "rows_out", "checksum"):
                self.assertEqual(line[name], str(cell[name]))

    def test_the_terminals_and_markdowns_reports_have_every_query(self):
        terminal, markdown = (self.text(self.results, form) for form in ("terminal", "markdown"))
        for query in range(1, 12):
            self.assertIn(f"Q{query:02}", terminal)
            self.assertIn(f"Q{query:02}", markdown)
        for part in ("What does each tier cost me?", "## Ceilings", "saturate", "hdbench run",
                     "Which columns do the queries read"):
            self.assertIn(part, markdown)
        lines = terminal.splitlines()
        self.assertLessEqual(len(lines), 45, terminal)
        self.assertLessEqual(max(map(len, lines)), 100, terminal)

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

        doubted = self.changed(change)
        terminal, markdown, page = (self.text(doubted, form)
                                    for form in ("terminal", "markdown", "html"))
        self.assertTrue(terminal.startswith(f"!! {STRIP}"), terminal)
        self.assertLess(markdown.index(STRIP), markdown.index("## Answers"))
        self.assertLess(page.index(STRIP), page.index("<h2"))

    def test_the_columns_that_queries_read_have_their_memory(self):
        context = json.loads(self.results.read_text())["context"]
        columns = {one["column"]: one for one in context["datasets"][0]["columns"]}
        self.assertGreater(columns["bid"]["needed_bytes"], 0)
        self.assertLessEqual(columns["bid"]["needed_bytes"], columns["bid"]["bytes"])

    def test_files_whose_results_differ_are_reported_with_status_4(self):
        def change(document):
            document["benchmarks"][0]["checksum"] = "0" * 16

        other, out = self.changed(change), self.folder / "differs.html"
        outcome = self.ended(4, "report", self.results, other, "-o", out)
        self.assertEqual(len(outcome.lines), 2)
        self.assertIn("in more than one file: the last file's", outcome.lines[0])
        self.assertIn("results differ between files: Q01", outcome.lines[1])
        self.assertIn("Results differ between files", out.read_text())

    def test_a_query_that_is_markup_stays_text(self):
        def change(document):
            for cell in document["benchmarks"]:
                cell["query_text"] += "</script><script>alert(1)</script>"

        text = self.text(self.changed(change), "html")
        self.assertNotIn("alert(1)</script>", text)
        self.assertIn("&lt;script&gt;alert(1)", text)


if __name__ == "__main__":
    program.main()
