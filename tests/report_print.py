"""The report on paper: the long page is four sheets of A4 at most, --brief is one.

    report_print.py HDBENCH

Needs Debian's Chromium.
"""

import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import program

CHROMIUM = shutil.which("chromium")
AXES = ["--medium", "dram,nvme", "--layout", "partitioned,flat", "--attr", "none,parted",
        "--mode", "4.0", "-s", "1,2", "--reps", "2"]


@unittest.skipUnless(CHROMIUM, "no chromium")
class Print(unittest.TestCase):
    binary = None

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="hdbench-print-")
        cls.addClassCleanup(cls.folder.cleanup)
        cls.root = pathlib.Path(cls.folder.name)
        program.generate(cls.binary, cls.root / "db", "0.0005")
        cls.results = cls.root / "results.json"
        done = program.run(cls.binary, "run", cls.root / "db", *AXES, "--out", cls.results)
        if done.status != 0:
            raise RuntimeError(done.messages)

    def sheets(self, *arguments):
        page, paper = self.root / "page.html", self.root / "page.pdf"
        done = program.run(self.binary, "report", *arguments, "-o", page, "--force")
        self.assertEqual(done.status, 0, done.messages)
        subprocess.run([CHROMIUM, "--headless=new", "--no-sandbox", "--disable-gpu",
                        "--no-pdf-header-footer", "--virtual-time-budget=3000",
                        f"--user-data-dir={self.root / 'chromium'}",
                        f"--print-to-pdf={paper}", page.as_uri()],
                       check=True, stderr=subprocess.DEVNULL, timeout=120)
        bytes_ = paper.read_bytes()
        width, height = map(float, re.search(rb"/MediaBox \[0 0 ([0-9.]+) ([0-9.]+)\]",
                                             bytes_).groups())
        self.assertAlmostEqual(width, 595, delta=2)
        self.assertAlmostEqual(height, 842, delta=2)
        return len(re.findall(rb"/Type\s*/Page\b", bytes_))

    def test_the_long_page_is_four_sheets_at_most(self):
        self.assertLessEqual(self.sheets(self.results), 4)

    def test_the_brief_form_is_one_sheet_also_of_many_queries_and_doubts(self):
        self.assertEqual(self.sheets(self.results, "--brief"), 1)
        document = json.loads(self.results.read_text())
        more = []
        for cell in document["benchmarks"]:
            more += [cell | {"query": cell["query"] + 11 * i, "visits": [],
                             "times_ms": [1e-6, 5, 90], "cpu_times_ms": [1e-6, 5, 90]}
                     for i in range(3)]
        long = self.root / "long.json"
        long.write_text(json.dumps(document | {"benchmarks": more}))
        self.assertEqual(self.sheets(long, "--brief"), 1)


if __name__ == "__main__":
    Print.binary = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main()
