"""Google Benchmark's compare.py and pandas read results.json of every kind.

    tools.py HDBENCH

compare.py is Debian's (libbenchmark-tools) or lies in the folder that BENCHMARK_TOOLS names, and
needs scipy. What is missing is said, and its test counts as skipped.
"""

import importlib.util
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import program

TOOLS = pathlib.Path(os.environ.get("BENCHMARK_TOOLS", "/usr/share/benchmark"))
EXAMPLE = pathlib.Path(__file__).resolve().parents[1] / "examples" / "read_results.py"
ROWS = "select from quote where date within 2019.11.01 2020.01.31"
# Real, emulated, cold, stopped by -w, with columns apart, with one repetition.
AXES = ["--medium", "nvme,dram,memory-mode:near=1GiB", "--layout", "partitioned,flat", "--attr",
        "none", "--mode", "4.0", "-s", "1", "-w", "0,1", "--cache", "cold,warm", "--reps", "1",
        "--emulation", "model", "--place", "bid=cxl:cxl-fpga"]
# Several visits and repetitions.
VISITS = ["--medium", "dram", "--layout", "partitioned", "--attr", "none", "--mode", "4.0", "-s",
          "1,2", "--reps", "4", "--visits", "2"]


def missing(*modules):
    """Why a test is skipped; empty: nothing is missing."""
    absent = [name for name in modules if importlib.util.find_spec(name) is None]
    return f"no {', '.join(absent)} in {sys.executable}" if absent else ""


def no_tool():
    if not (TOOLS / "compare.py").exists():
        return f"no compare.py in {TOOLS}: apt-get install libbenchmark-tools"
    return missing("scipy", "numpy")


def called(folder, *command):
    """A Python program, with what it compiles of its modules below this folder, once for all."""
    return subprocess.run([sys.executable, *map(str, command)], capture_output=True,
                          timeout=program.TIMEOUT_SECONDS, check=False, text=True,
                          env=os.environ | {"PYTHONPYCACHEPREFIX": str(folder / "compiled")})


class Tools(unittest.TestCase):
    binary = None

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="hdbench-tools-")
        cls.addClassCleanup(cls.folder.cleanup)
        cls.root = pathlib.Path(cls.folder.name)
        program.generate(cls.binary, cls.root / "db", 0.0005)
        queries = cls.root / "few.q"
        queries.write_text(f"select last bid by col1 from quote\n{ROWS}\n", encoding="utf-8")
        over = ["run", cls.root / "db", "--queries", queries, *program.SMALL_CEILINGS]
        (cls.root / "disk").mkdir()
        cls.files = [
            cls.saved("axes", *over, *AXES),
            cls.saved("visits", *over, *VISITS),
            cls.saved("io", "io", cls.root / "disk", "--quick", "--processes", "1", "--tests",
                      "hcount|sequential-read")]
        cls.stopped = cls.files[0]

    @classmethod
    def saved(cls, name, *arguments):
        file = cls.root / f"{name}.json"
        format_flag = ["--benchmark_out_format=json"] if arguments[0] == "run" else []
        out = "--benchmark_out" if arguments[0] == "run" else "--out"
        done = program.run(cls.binary, *arguments, out, file, *format_flag)
        if done.status != 0:
            raise RuntimeError(f"{name} ended with status {done.status}: {done.messages}")
        return file

    @staticmethod
    def cells(file):
        return json.loads(file.read_text(encoding="utf-8"))["benchmarks"]

    def test_there_is_a_stopped_cell_and_it_says_so(self):
        stopped = [cell for cell in self.cells(self.stopped) if cell.get("error_occurred")]
        self.assertTrue(stopped)
        for cell in stopped:
            self.assertEqual((cell["real_time"], cell["cpu_time"]), (0, 0))
            self.assertTrue(cell["error_message"])

    def test_no_cpu_time_is_more_than_the_threads_can_spend(self):
        for file in self.files[:2]:
            for cell in self.cells(file):
                self.assertLessEqual(cell["cpu_time"], cell["threads"] * cell["real_time"])

    @unittest.skipIf(no_tool(), no_tool())
    def test_compare_py_prints_a_line_a_cell(self):
        for file in self.files:
            done = called(self.root, TOOLS / "compare.py", "--no-color", "benchmarks", file, file)
            self.assertEqual(done.returncode, 0, done.stderr)
            for cell in self.cells(file):
                self.assertIn(cell["name"], done.stdout)

    @unittest.skipIf(missing("pandas"), missing("pandas"))
    def test_pandas_finds_numbers(self):
        import pandas
        for file in self.files:
            table = pandas.DataFrame(self.cells(file))
            for name in ("real_time", "cpu_time"):
                self.assertEqual(str(table[name].dtype), "float64", name)
                self.assertFalse(table[name].isna().any(), name)
            self.assertTrue(table["name"].is_unique)
            context = json.loads(file.read_text(encoding="utf-8"))["context"]
            self.assertEqual(len(pandas.json_normalize(context)), 1)

    @unittest.skipIf(missing("pandas", "matplotlib"), missing("pandas", "matplotlib"))
    def test_the_example_draws_them(self):
        for file in self.files[:2]:
            chart = file.with_suffix(".png")
            done = called(self.root, EXAMPLE, file, chart)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertGreater(chart.stat().st_size, 1000)
            stopped = [cell for cell in self.cells(file) if cell["error"]]
            self.assertEqual(done.stderr.count("no result: "), len(stopped))


if __name__ == "__main__":
    Tools.binary = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main()
