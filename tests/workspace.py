"""What -w does to the paper's queries: the two that copy rows reach it, the others do not notice.

    workspace.py HDBENCH QUERIES
"""

import json
import pathlib
import sys
import tempfile
import unittest

import program

# At this scale query 4's result is about half a MiB, query 10's about 10 MiB, query 11's about 27.
SCALE = "0.002"
LIMIT_MIB = 4
LARGE = {10, 11}
WARM = ["--medium", "dram", "--layout", "partitioned", "--attr", "parted", "--mode", "4.0",
        "-s", "2", "--cache", "warm", "--reps", "1", *program.SMALL_CEILINGS]


class Workspace(unittest.TestCase):
    binary = None
    queries = None

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="hdbench-workspace-")
        cls.database = pathlib.Path(cls.folder.name, "db")
        program.generate(cls.binary, cls.database, SCALE)
        cls.free = cls.cells("-w", "0")

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    @classmethod
    def cells(cls, *arguments):
        """One process runs all eleven; gives {query number: its cell of results.json}."""
        out = pathlib.Path(cls.folder.name, "results.json")
        done = program.run(cls.binary, "run", cls.database, "--queries", cls.queries, *WARM,
                           *arguments, "--out", out)
        if done.status != 0:
            raise AssertionError(f"{arguments}: status {done.status}: {done.messages}")
        cells = json.loads(out.read_text(encoding="utf-8"))["benchmarks"]
        return {int(cell["name"].split("/")[0][1:]): cell for cell in cells}

    def large_query(self, *arguments):
        return program.run(self.binary, "query", self.database, "--file", self.queries, "--id",
                           "10", "--medium", "dram", "-s", "2", "--format", "csv", *arguments)

    def test_without_a_limit_all_eleven_complete(self):
        self.assertEqual(sorted(self.free), list(range(1, 12)))
        for number, cell in self.free.items():
            self.assertIsNotNone(cell["rows_out"], number)
            self.assertFalse(cell.get("error"), number)

    def test_the_large_results_are_0N_and_the_others_are_untouched(self):
        limited = self.cells("-w", str(LIMIT_MIB))
        for number, cell in limited.items():
            self.assertEqual(cell["limit_mib"], LIMIT_MIB)
            if number in LARGE:
                self.assertIsNone(cell["rows_out"], number)
                self.assertIn("-w abort", cell["error"])
            else:
                self.assertEqual(cell["checksum"], self.free[number]["checksum"], number)
            self.assertLessEqual(cell["peak_workspace_bytes"], LIMIT_MIB << 20, number)

    def test_spilling_completes_with_the_same_results(self):
        spilled = self.cells("-w", str(LIMIT_MIB), "--on-limit", "spill")
        for number, cell in spilled.items():
            self.assertEqual(cell["checksum"], self.free[number]["checksum"], number)
            self.assertEqual(cell["rows_out"], self.free[number]["rows_out"], number)

    def test_a_spilled_query_prints_the_same_bytes(self):
        spilled = self.large_query("-w", LIMIT_MIB, "--on-limit", "spill")
        self.assertEqual(spilled.status, 0, spilled.messages)
        self.assertEqual(spilled.out, self.large_query().out)

    def test_every_medium_takes_what_goes_beyond_the_limit(self):
        """The same rows, whether results lie on that medium or what is beyond -w does."""
        expected = self.large_query().out
        for word in ("dram", "tmpfs", "numa:0", "cxl:cxl-asic-ddr5", "cxl", "memory-mode",
                     "app-direct:optane-100-6dimm"):
            for flags in (["--result-medium", word],
                          ["-w", LIMIT_MIB, "--on-limit", f"spill={word}"]):
                with self.subTest(word=word, flags=flags):
                    done = self.large_query(*flags, "--emulation", "model",
                                            *program.SMALL_CEILINGS)
                    self.assertEqual(done.status, 0, done.messages)
                    self.assertEqual(done.out, expected)

    def test_a_cell_says_where_it_spilled_to(self):
        names = set()
        for word, profile in (("file", None), ("cxl:cxl-fpga", "cxl-fpga"), ("dram", None)):
            cells = self.cells("-w", str(LIMIT_MIB), "--on-limit", f"spill={word}",
                               "--emulation", "model")
            for number, cell in cells.items():
                self.assertEqual(cell["checksum"], self.free[number]["checksum"], number)
                self.assertEqual(cell["spill"], word)
                self.assertEqual(cell.get("spill_profile"), profile)
                self.assertEqual(cell["emulated"], profile is not None)
                self.assertIn(f"/spill:{word}", cell["name"])
                self.assertEqual("spill_placement_proof" in cell, word != "file")
                if number == max(LARGE):
                    self.assertGreater(cell["spilled_bytes"], LIMIT_MIB << 20)
                    names.add(cell["name"])
            self.assertNotIn("spill", self.free[max(LARGE)])
        self.assertEqual(len(names), 3)

    def test_exit_ends_the_process_as_kdb_does(self):
        done = self.large_query("-w", LIMIT_MIB, "--on-limit", "exit")
        self.assertEqual(done.status, 1, done.messages)
        self.assertIn("-w abort", done.messages)
        self.assertLessEqual(len(done.out.splitlines()), 1, "no rows, 0N at most")


if __name__ == "__main__":
    Workspace.binary, Workspace.queries = (pathlib.Path(sys.argv.pop(1)).resolve() for _ in "ab")
    unittest.main()
