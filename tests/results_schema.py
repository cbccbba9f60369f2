"""A fresh results.json holds to docs/results.schema.json, and the schema refuses what is wrong.

    results_schema.py HDBENCH
"""

import copy
import json
import pathlib
import shutil
import sys
import tempfile
import unittest

import json_schema
import program

ROWS = "select from quote where date within 2019.11.01 2020.01.31"
AXES = ["--medium", "nvme,dram,memory-mode:near=1GiB", "--layout", "partitioned", "--attr", "none",
        "--mode", "4.0", "-s", "1", "-w", "0,1", "--cache", "cold,warm", "--reps", "1",
        "--emulation", "model", "--place", "bid=cxl:cxl-fpga", *program.SMALL_CEILINGS]


class ResultsSchema(unittest.TestCase):
    binary = None

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="hdbench-schema-")
        cls.addClassCleanup(cls.folder.cleanup)
        root = pathlib.Path(cls.folder.name)
        program.generate(cls.binary, root / "db", 0.0005)
        queries = root / "few.q"
        queries.write_text(f"select last bid by col1 from quote\n{ROWS}\n", encoding="utf-8")
        out = root / "results.json"
        done = program.run(cls.binary, "run", root / "db", "--queries", queries, *AXES,
                           "--out", out)
        if done.status != 0:
            raise RuntimeError(f"run ended with status {done.status}: {done.messages}")
        cls.results = json.loads(out.read_text(encoding="utf-8"))
        cls.validator = json_schema.validator("results")

    def complaints(self, results):
        return json_schema.complaints(self.validator, results)

    def changed(self, **fields):
        results = copy.deepcopy(self.results)
        results["benchmarks"] = results["benchmarks"][:1]
        results["benchmarks"][0].update(fields)
        return results

    def test_a_fresh_file_is_valid(self):
        self.assertEqual(self.complaints(self.results), [])

    def test_the_file_has_cells_of_every_kind(self):
        cells = self.results["benchmarks"]
        self.assertTrue(any(cell["error"] for cell in cells))
        self.assertTrue(any(cell["checksum"] for cell in cells))
        self.assertTrue(any(cell["cache"] == "cold" for cell in cells))
        self.assertTrue(any(cell["profile"] for cell in cells))

    def test_every_field_is_in_the_description(self):
        text = (json_schema.DOCS / "results-json.md").read_text(encoding="utf-8")
        fields = set(self.results["context"]) | set(self.results["benchmarks"][0])
        self.assertEqual(sorted(name for name in fields if f"`{name}`" not in text), [])

    @unittest.skipUnless(shutil.which("mpirun"), "no mpirun here (openmpi-bin)")
    def test_a_file_of_ranks_and_users_is_valid(self):
        root = pathlib.Path(self.folder.name)
        spilled = ["-w", "1", "--on-limit", "spill=cxl:cxl-fpga"]
        for more in ([], spilled,
                     [*spilled, "--users", "2", "--seconds", "0.3", "--processes", "1"]):
            done = program.run("mpirun", "--oversubscribe", "-n", 2, self.binary, "run",
                               root / "db", "--queries", root / "few.q", "--medium", "dram",
                               "--layout", "partitioned", "--attr", "none", "--mode", "4.0", "-s",
                               "1", "--reps", "1", *program.SMALL_CEILINGS, "--out",
                               root / "ranks.json", "--force", *more, env=program.MPI_ENVIRONMENT)
            self.assertEqual(done.status, 0, done.messages)
            results = json.loads((root / "ranks.json").read_text(encoding="utf-8"))
            self.assertEqual(len(results["context"]["ranks"]), 2)
            self.assertEqual(self.complaints(results), [])

    def test_what_is_wrong_is_refused(self):
        for fields in ({"extra": 1}, {"threads": 0}, {"layout": "round"}, {"checksum": "xyz"},
                       {"real_time": None}, {"error": "stopped"}, {"times_ms": ["1"]},
                       {"engine": "duckdb"}):
            self.assertNotEqual(self.complaints(self.changed(**fields)), [], fields)
        without = self.changed()
        del without["benchmarks"][0]["medium"]
        self.assertNotEqual(self.complaints(without), [])
        self.assertNotEqual(self.complaints({"context": {}, "benchmarks": []}), [])


if __name__ == "__main__":
    ResultsSchema.binary = pathlib.Path(sys.argv.pop(1))
    unittest.main()
