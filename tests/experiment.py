"""Experiments from outside: a file's matrix, a killed run that goes on, two results compared.

    experiment.py HDBENCH
"""

import json
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import program

TINY = """
title = "tiny"
scale = 0.0005
repetitions = 2
repetitions_most = 2
[[database]]
name = "paper"
parted = "col3"
[[database]]
name = "paper-3y"
profile = "paper-3y"
share = 0.02
parted = "col3"
[[matrix]]
database = "paper"
medium = ["nvme", "dram"]
mode = ["4.0"]
threads = [1]
cache = ["warm"]
[[matrix]]
database = "paper-3y"
medium = ["dram"]
layout = ["flat"]
attr = ["parted"]
mode = ["4.0"]
threads = [1]
"""
LATE_SECONDS = 240
KEPT = (r"interrupted: \d+ of \d+ media and layouts were finished; \d+ cells are kept in .*json: "
        r"the same command with --resume goes on")


class Experiment(unittest.TestCase):
    binary = None

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="hdbench-experiment-")
        cls.root = pathlib.Path(cls.folder.name)
        cls.file = cls.root / "tiny.toml"
        cls.file.write_text(TINY, encoding="utf-8")
        cls.whole = cls.root / "whole.json"
        cls.done = cls.run_tiny("--out", cls.whole)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    @classmethod
    def arguments(cls, *more):
        return ["run", "--experiment", cls.file, "--data-dir", cls.root / "data",
                *program.SMALL_CEILINGS, *more]

    @classmethod
    def run_tiny(cls, *more):
        return program.run(cls.binary, *cls.arguments(*more))

    def begun(self, out, repetitions, *more):
        """A run that has kept its first placement."""
        running = subprocess.Popen([str(self.binary), *map(str, self.arguments(
            "--reps", repetitions, "--out", out, *more))], stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE)
        late = time.monotonic() + LATE_SECONDS
        while not (out.exists() and out.stat().st_size):
            if running.poll() is not None or time.monotonic() > late:
                running.kill()
                told = running.communicate()[1].decode()
                raise AssertionError(f"no placement was finished in {LATE_SECONDS} s:\n{told}")
            time.sleep(0.01)
        return running

    @staticmethod
    def read(path):
        return json.loads(path.read_text(encoding="utf-8"))

    def names(self, path):
        return [cell["name"] for cell in self.read(path)["benchmarks"]]

    def test_every_cell_of_both_databases_is_run(self):
        self.assertEqual(self.done.status, 0, self.done.messages)
        results = self.read(self.whole)
        # Eleven queries: nvme partitioned, dram partitioned and flat, without and with p; then the
        # larger set.
        self.assertEqual(len(results["benchmarks"]), 11 * (3 * 2 + 1))
        self.assertEqual([one["name"] for one in results["context"]["datasets"]],
                         ["paper", "paper-3y"])
        self.assertTrue(results["context"]["complete"])
        self.assertIn("--experiment", results["context"]["command"])
        self.assertIn(b"counts: 22 of 22 as expected", self.done.out)
        for cell in results["benchmarks"]:
            self.assertEqual(len(cell["times_ms"]), 2, cell["name"])
            self.assertEqual(len(cell["interval_ms"]), 2, cell["name"])

    def test_cells_are_listed_and_filtered_as_google_benchmark_does(self):
        listed = self.run_tiny("--benchmark_list_tests")
        self.assertEqual(listed.status, 0, listed.messages)
        self.assertEqual(listed.out.decode().splitlines(), self.names_in_order())
        some = self.root / "some.json"
        done = self.run_tiny("--benchmark_filter=Q0[12]/.*flat.*data:paper$",
                             f"--benchmark_out={some}", "--benchmark_repetitions=1",
                             "--benchmark_format=json", "--benchmark_context=room=cold")
        self.assertEqual(done.status, 0, done.messages)
        self.assertEqual(json.loads(done.out)["context"]["benchmark_context"], {"room": "cold"})
        self.assertEqual(len(self.names(some)), 4)
        self.assertEqual(json.loads(done.out)["benchmarks"], self.read(some)["benchmarks"])
        refused = self.run_tiny("--benchmark_min_time=1")
        self.assertEqual(refused.status, 2)
        self.assertIn("--reps", refused.messages)

    def names_in_order(self):
        return self.names(self.whole)

    def test_a_killed_run_keeps_what_it_finished_and_goes_on(self):
        out = self.root / "killed.json"
        running = self.begun(out, "6")
        running.send_signal(signal.SIGKILL)
        running.communicate(timeout=LATE_SECONDS)
        before = self.read(out)
        self.assertFalse(before["context"]["complete"])
        kept = {cell["name"]: cell["times_ms"] for cell in before["benchmarks"]}
        self.assertTrue(kept)
        done = self.run_tiny("--reps", "6", "--out", out, "--resume")
        self.assertEqual(done.status, 0, done.messages)
        self.assertIn("resume: nvme partitioned is there", done.messages)
        after = self.read(out)
        self.assertTrue(after["context"]["complete"])
        self.assertEqual(after["context"]["sittings"], 2)
        self.assertEqual(sorted(self.names(out)), sorted(self.names(self.whole)))
        for cell in after["benchmarks"]:
            if cell["name"] in kept:
                self.assertEqual(cell["times_ms"], kept[cell["name"]])

    def test_visits_load_each_placement_anew_and_are_gone_on_from_one_by_one(self):
        out = self.root / "visits.json"
        running = self.begun(out, "4", "--visits", "2")
        running.send_signal(signal.SIGKILL)
        running.communicate(timeout=LATE_SECONDS)
        before = self.read(out)
        self.assertIn(1, [one["visits"] for one in before["context"]["placement_ceilings"]])
        first = {cell["name"]: cell["times_ms"][:2] for cell in before["benchmarks"]
                 if cell["visits"] == [2]}
        self.assertTrue(first)
        other = self.run_tiny("--reps", "4", "--out", out, "--resume")
        self.assertEqual(other.status, 2)
        self.assertIn("another number of visits: '2', and here it is '1'", other.lines[-1])
        done = self.run_tiny("--reps", "4", "--visits", "2", "--out", out, "--resume")
        self.assertEqual(done.status, 0, done.messages)
        self.assertIn("of its 2 visits", done.messages)
        after = self.read(out)
        self.assertEqual(sorted(self.names(out)), sorted(self.names(self.whole)))
        for cell in after["benchmarks"]:
            self.assertEqual(cell["visits"], [2, 2], cell["name"])
            if cell["name"] in first:
                self.assertEqual(cell["times_ms"][:2], first[cell["name"]])

    def test_ctrl_c_says_what_there_is_and_how_to_go_on(self):
        out = self.root / "interrupted.json"
        running = self.begun(out, "40")
        running.send_signal(signal.SIGINT)
        told = running.communicate(timeout=LATE_SECONDS)[1].decode().splitlines()[-1]
        self.assertEqual(running.returncode, 130, told)
        self.assertRegex(told, KEPT)
        self.assertFalse(self.read(out)["context"]["complete"])

    def first_rounds(self, out, rounds, *more):
        """A run whose first placement has so many rounds in the journal, and is not finished."""
        running = subprocess.Popen([str(self.binary), *map(str, self.arguments(
            "--out", out, *more))], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        journal = pathlib.Path(f"{out}.partial")
        late = time.monotonic() + LATE_SECONDS
        while not journal.exists() or journal.read_bytes().count(b"\n") < rounds:
            self.assertIsNone(running.poll())
            self.assertLess(time.monotonic(), late)
            time.sleep(0.01)
        return running, journal

    def test_signals_in_the_first_placement_keep_its_cells(self):
        for how in (signal.SIGINT, signal.SIGTERM):
            out = self.root / f"first-{how}.json"
            words = ["--reps", "12"]
            running, journal = self.first_rounds(out, 1, *words)
            running.send_signal(how)
            told = running.communicate(timeout=LATE_SECONDS)[1].decode().splitlines()[-1]
            self.assertEqual(running.returncode, 130, told)
            self.assertRegex(told, KEPT)
            self.assertIn("0 of 4 media and layouts", told)
            self.assertFalse(journal.exists())
            kept = self.read(out)
            self.assertFalse(kept["context"]["complete"])
            self.assertEqual(len(kept["benchmarks"]), 22)
        done = self.run_tiny(*words, "--out", out, "--resume")
        self.assertEqual(done.status, 0, done.messages)
        self.assertIn("resume: nvme partitioned was cut short", done.messages)
        self.assertEqual(sorted(self.names(out)), sorted(self.names(self.whole)))
        self.assertEqual(self.read(out)["context"]["sittings"], 2)

    def test_a_kill_in_the_first_placement_loses_no_finished_cell(self):
        out = self.root / "first.json"
        words = ["--reps", "2", "--reps-most", "14", "--precision", "0.001"]
        running, journal = self.first_rounds(out, 3, *words)
        running.kill()
        running.communicate()
        self.assertFalse(out.exists())
        lines = journal.read_bytes().split(b"\n")[:-1]
        kept = {cell["name"]: cell["times_ms"] for line in lines
                for cell in json.loads(line)["benchmarks"]}
        other = self.root / "elsewhere.json"
        other.with_name("elsewhere.json.partial").write_bytes(
            re.sub(rb'"commit":"[^"]*"', b'"commit":"0000000"', journal.read_bytes()))
        done = self.run_tiny(*words, "--out", other, "--resume")
        self.assertEqual(done.status, 2)
        self.assertIn("another commit: '0000000'", done.lines[-1])
        with open(journal, "ab") as torn:
            torn.write(lines[0][:1000])
        done = self.run_tiny(*words, "--out", out, "--resume")
        self.assertEqual(done.status, 0, done.messages)
        self.assertIn("resume: nvme partitioned is there", done.messages)
        self.assertEqual(done.messages.count("done: "), 3)
        self.assertFalse(journal.exists())
        self.assertEqual(sorted(self.names(out)), sorted(self.names(self.whole)))
        for cell in self.read(out)["benchmarks"]:
            if cell["name"] in kept:
                self.assertEqual(cell["times_ms"], kept[cell["name"]])

    def test_a_query_of_another_text_is_told_and_its_cells_alone_are_run_anew(self):
        database = next((self.root / "data").glob("paper-0*-col3"))
        queries, out = self.root / "two.q", self.root / "two.json"
        words = ["run", database, "--queries", queries, "--medium", "dram", "--layout", "flat",
                 "--mode", "4.0", "-s", "1", "--attr", "none", "--reps", "1", "--out", out,
                 *program.SMALL_CEILINGS]
        queries.write_text("select max bid from quote\nselect max ask from quote\n")
        self.assertEqual(program.run(self.binary, *words).status, 0)
        before = self.read(out)["benchmarks"]
        queries.write_text("select max bid from quote\nselect min ask from quote\n")
        done = program.run(self.binary, *words, "--resume")
        self.assertEqual(done.status, 0, done.messages)
        told = [line for line in done.lines if line.startswith("resume: Q02")]
        self.assertEqual(told, [f"resume: Q02 of {out} is 'select max ask from quote', and here it "
                                "is 'select min ask from quote': its cells are run anew"])
        self.assertIn("done: 1/1 dram flat, 1 cells", done.messages)
        after = {cell["name"]: cell for cell in self.read(out)["benchmarks"]}
        self.assertEqual(len(after), 2)
        self.assertEqual(after[before[0]["name"]]["times_ms"], before[0]["times_ms"])
        self.assertIn("min ask", after[before[1]["name"]]["query_text"])

    def test_ctrl_c_before_anything_was_measured_keeps_nothing(self):
        out = self.root / "nothing.json"
        running = subprocess.Popen([str(self.binary), *map(str, self.arguments(
            "--reps", "200", "--out", out))], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        running.stderr.readline()  # its databases are there
        running.send_signal(signal.SIGINT)
        shown, told = running.communicate(timeout=LATE_SECONDS)
        told = told.decode().splitlines()[-1]
        self.assertEqual(running.returncode, 130, told)
        self.assertNotIn(b"Results kept", shown)
        self.assertIn("interrupted: no cell was measured: nothing is kept", told)
        self.assertFalse(out.exists())

    def test_what_is_left_out_is_told_once_and_beforehand(self):
        database = next((self.root / "data").glob("paper-0*-col3"))
        done = program.run(self.binary, "run", database, "--medium", "dram,numa:77", "--layout",
                           "flat", "--reps", "1", "--benchmark_filter=Q01", *program.SMALL_CEILINGS)
        self.assertEqual(done.status, 0, done.messages)
        told = [line for line in done.lines if line.startswith("not run: ")]
        self.assertEqual(len(told), 1, done.messages)
        self.assertIn("77", told[0])

    def test_other_repetitions_are_not_gone_on_with(self):
        other = self.root / "other_reps.json"
        other.write_bytes(self.whole.read_bytes())
        done = self.run_tiny("--out", other, "--resume", "--reps", "7")
        self.assertEqual(done.status, 2)
        self.assertIn("another least number of repetitions", done.lines[-1])
        done = self.run_tiny("--out", other, "--resume", "--precision", "3",
                             "--reps-most", "9")
        self.assertEqual(done.status, 2)
        self.assertIn("another repetition rule", done.lines[-1])

    def test_what_another_command_has_measured_is_not_lost(self):
        other = self.root / "one_thread.json"
        other.write_bytes(self.whole.read_bytes())
        done = self.run_tiny("--out", other, "--resume", "--benchmark_filter=Q01")
        self.assertEqual(done.status, 2)
        self.assertIn("which this command does not run and would lose", done.lines[-1])
        self.assertEqual(other.read_bytes(), self.whole.read_bytes())

    def test_a_budget_leaves_out_repetitions_but_no_cell(self):
        out = self.root / "short.json"
        done = self.run_tiny("--reps", "50", "--budget", "0.06s", "--out", out)
        self.assertEqual(done.status, 0, done.messages)
        self.assertEqual(sorted(self.names(out)), sorted(self.names(self.whole)))
        self.assertLess(len(self.read(out)["benchmarks"][0]["times_ms"]), 50)
        self.assertIn("above the budget of 1 s: repetitions will be left out", done.messages)

    def test_flags_and_files_that_do_not_go_together_are_one_line(self):
        broken = self.root / "broken.toml"
        broken.write_text("[[matrix]]\nmedia = 'dram'\n", encoding="utf-8")
        for arguments in (["--experiment", broken], ["--experiment", "nosuch"],
                          ["--experiment", "quick", "--attr", "none"], ["--scale", "1"],
                          ["--resume"], ["--experiment", "quick", "--budget", "soon"]):
            done = program.run(self.binary, "run", *arguments)
            self.assertEqual(done.status, 2, arguments)
            self.assertEqual(len(done.lines), 1, done.messages)

    def test_a_result_is_not_different_from_itself(self):
        done = program.run(self.binary, "compare", self.whole, self.whole)
        self.assertEqual(done.status, 0, done.messages)
        self.assertIn(b"geometric mean 1.000", done.out)
        self.assertIn(b"\n0 faster, 0 slower, ", done.out)
        self.assertIn(b"noise, A against A (halves of its only file): ", done.out)

    def test_a_side_may_have_several_files(self):
        for separator in ("--", "--against"):
            done = program.run(self.binary, "compare", self.whole, self.whole, separator,
                               self.whole, "--format", "json")
            self.assertEqual(done.status, 0, done.messages)
            told = json.loads(done.out)
            self.assertEqual([one["side"] for one in told["files"]], ["A1", "A2", "B"])
            self.assertEqual(told["noise_a"]["of"], "files")
            self.assertEqual(told["noise_a"]["most_percent"], 0)
        for files in ((self.whole,), (self.whole,) * 3):
            done = program.run(self.binary, "compare", *files)
            self.assertEqual(done.status, 2, done.messages)
            self.assertIn("A1 A2 -- B1 B2", done.messages)

    def doctored(self, change):
        results = self.read(self.whole)
        for cell in results["benchmarks"]:
            change(cell)
        path = self.root / "doctored.json"
        path.write_text(json.dumps(results), encoding="utf-8")
        return path

    def test_a_regression_is_status_1_and_another_result_status_4(self):
        def slow(cell):
            cell["times_ms"] = [100 + i / 10 for i in range(9)]
            cell["visits"] = [9]

        done = program.run(self.binary, "compare", self.whole, self.doctored(slow))
        self.assertEqual(done.status, 1, done.messages)

        def wrong(cell):
            cell["checksum"] = "0" * 16

        done = program.run(self.binary, "compare", self.whole, self.doctored(wrong))
        self.assertEqual(done.status, 4)
        self.assertIn(b"ANOTHER RESULT", done.out)

    def test_a_query_of_another_text_is_not_judged(self):
        def edited(cell):
            if all_of_them or cell["query"] == 1:
                cell.update(query_text=cell["query_text"] + " where i<9", checksum="0" * 16)

        all_of_them = False
        done = program.run(self.binary, "compare", self.whole, self.doctored(edited))
        self.assertEqual(done.status, 0, done.messages)
        self.assertIn(b"not the same query: Q01 (", done.out)
        self.assertNotIn(b"ANOTHER RESULT", done.out)
        done = program.run(self.binary, "compare", self.whole, self.doctored(edited), "--strict")
        self.assertEqual(done.status, 5, done.messages)
        all_of_them = True
        done = program.run(self.binary, "compare", self.whole, self.doctored(edited))
        self.assertEqual(done.status, 3, done.messages)
        self.assertIn("have no cell to judge", done.messages)
        self.assertIn(b"not the same query: Q01 (", done.out)


if __name__ == "__main__":
    Experiment.binary = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main()
