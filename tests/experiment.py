"""Experiments from outside: a file's matrix, a killed run that goes on, two results compared.

    experiment.py HDBENCH
"""

import json
import pathlib
import re
import signal
import subprocess

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


class Experiment(program.Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.file = cls.folder / "tiny.toml"
        cls.file.write_text(TINY, encoding="utf-8")
        cls.whole = cls.folder / "whole.json"
        cls.done = program.succeed(cls.binary, *cls.arguments("--out", cls.whole))
        cls.names = [cell["name"] for cell in program.cells(cls.whole)]

    @classmethod
    def arguments(cls, *more):
        return ["run", "--experiment", cls.file, "--data-dir", cls.folder / "data",
                *program.SMALL_CEILINGS, *more]

    def tiny(self, status, *more):
        return self.ended(status, *self.arguments(*more))

    def resumed(self, out, *more):
        """All cells are there, and those that were measured before have their times."""
        kept = self.times(out) if out.exists() else {}
        done = self.tiny(0, "--out", out, "--resume", *more)
        after = self.times(out)
        self.assertEqual(sorted(after), sorted(self.names))
        self.assertTrue(self.context(out)["complete"])
        return done, kept, after

    def begun(self, is_far_enough, *more):
        """A running program that has come so far, and is not finished."""
        running = self.start(*self.arguments(*more))
        self.assertTrue(program.wait_until(
            lambda: is_far_enough() or running.poll() is not None, LATE_SECONDS))
        self.assertIsNone(running.poll())
        return running

    def placed(self, out, *more):
        """One that has kept its first placement."""
        return self.begun(lambda: out.exists() and out.stat().st_size, "--out", out, *more)

    def first_rounds(self, out, rounds, *more):
        """One whose first placement has so many rounds in the journal, and the journal."""
        journal = pathlib.Path(f"{out}.partial")
        running = self.begun(
            lambda: journal.exists() and journal.read_bytes().count(b"\n") >= rounds,
            "--out", out, *more)
        return running, journal

    def stopped(self, running, how):
        """The last line that it says."""
        running.send_signal(how)
        told = running.communicate(timeout=LATE_SECONDS)[1]
        self.assertEqual(running.returncode, -how if how == signal.SIGKILL else 130, told)
        return (told.splitlines() or [""])[-1]

    @staticmethod
    def context(path):
        return json.loads(path.read_text(encoding="utf-8"))["context"]

    @staticmethod
    def times(path):
        return {cell["name"]: cell["times_ms"] for cell in program.cells(path)}

    def test_every_cell_of_both_databases_is_run(self):
        cells, context = program.cells(self.whole), self.context(self.whole)
        # Eleven queries: nvme partitioned, dram partitioned and flat, without and with p; then the
        # larger set.
        self.assertEqual(len(cells), 11 * (3 * 2 + 1))
        self.assertEqual([one["name"] for one in context["datasets"]], ["paper", "paper-3y"])
        self.assertTrue(context["complete"])
        self.assertIn("--experiment", context["command"])
        self.assertIn(b"counts: 22 of 22 as expected", self.done.out)
        for cell in cells:
            self.assertEqual(len(cell["times_ms"]), 2, cell["name"])
            self.assertEqual(len(cell["interval_ms"]), 2, cell["name"])

    def test_cells_are_listed_and_filtered_as_google_benchmark_does(self):
        listed = self.tiny(0, "--benchmark_list_tests")
        self.assertEqual(listed.out.decode().splitlines(), self.names)
        some = self.folder / "some.json"
        done = self.tiny(0, "--benchmark_filter=Q0[12]/.*flat.*data:paper$",
                         f"--benchmark_out={some}", "--benchmark_repetitions=1",
                         "--benchmark_format=json", "--benchmark_context=room=cold")
        told = json.loads(done.out)
        self.assertEqual(told["context"]["benchmark_context"], {"room": "cold"})
        self.assertEqual(len(told["benchmarks"]), 4)
        self.assertEqual(told["benchmarks"], program.cells(some))
        self.assertIn("--reps", self.tiny(2, "--benchmark_min_time=1").messages)

    def test_a_killed_run_keeps_what_it_finished_and_goes_on(self):
        out = self.folder / "killed.json"
        self.stopped(self.placed(out, "--reps", "6"), signal.SIGKILL)
        self.assertFalse(self.context(out)["complete"])
        done, kept, after = self.resumed(out, "--reps", "6")
        self.assertTrue(kept)
        self.assertEqual(after, after | kept)
        self.assertIn("resume: nvme partitioned is there", done.messages)
        self.assertEqual(self.context(out)["sittings"], 2)

    def test_visits_load_each_placement_anew_and_are_gone_on_from_one_by_one(self):
        out, words = self.folder / "visits.json", ["--reps", "4", "--visits", "2"]
        self.stopped(self.placed(out, *words), signal.SIGKILL)
        self.assertIn(1, [one["visits"] for one in self.context(out)["placement_ceilings"]])
        first = {cell["name"]: cell["times_ms"][:2] for cell in program.cells(out)
                 if cell["visits"] == [2]}
        self.assertTrue(first)
        other = self.tiny(2, *words[:2], "--out", out, "--resume")
        self.assertIn("another number of visits: '2', and here it is '1'", other.lines[-1])
        done, _, after = self.resumed(out, *words)
        self.assertIn("of its 2 visits", done.messages)
        for cell in program.cells(out):
            self.assertEqual(cell["visits"], [2, 2], cell["name"])
        self.assertEqual({name: after[name][:2] for name in first}, first)

    def test_ctrl_c_says_what_there_is_and_how_to_go_on(self):
        out = self.folder / "interrupted.json"
        self.assertRegex(self.stopped(self.placed(out, "--reps", "40"), signal.SIGINT), KEPT)
        self.assertFalse(self.context(out)["complete"])

    def test_signals_in_the_first_placement_keep_its_cells(self):
        words = ["--reps", "12"]
        for how in (signal.SIGINT, signal.SIGTERM):
            out = self.folder / f"first-{how}.json"
            running, journal = self.first_rounds(out, 1, *words)
            told = self.stopped(running, how)
            self.assertRegex(told, KEPT)
            self.assertIn("0 of 4 media and layouts", told)
            self.assertFalse(journal.exists())
            self.assertFalse(self.context(out)["complete"])
            self.assertEqual(len(program.cells(out)), 22)
        done = self.resumed(out, *words)[0]
        self.assertIn("resume: nvme partitioned was cut short", done.messages)
        self.assertEqual(self.context(out)["sittings"], 2)

    def test_a_kill_in_the_first_placement_loses_no_finished_cell(self):
        out, other = self.folder / "first.json", self.folder / "elsewhere.json"
        words = ["--reps", "2", "--reps-most", "14", "--precision", "0.001"]
        running, journal = self.first_rounds(out, 3, *words)
        self.stopped(running, signal.SIGKILL)
        self.assertFalse(out.exists())
        lines = journal.read_bytes().split(b"\n")[:-1]
        kept = {cell["name"]: cell["times_ms"] for line in lines
                for cell in json.loads(line)["benchmarks"]}
        other.with_name("elsewhere.json.partial").write_bytes(
            re.sub(rb'"commit":"[^"]*"', b'"commit":"0000000"', journal.read_bytes()))
        done = self.tiny(2, *words, "--out", other, "--resume")
        self.assertIn("another commit: '0000000'", done.lines[-1])
        with open(journal, "ab") as torn:
            torn.write(lines[0][:1000])
        done, _, after = self.resumed(out, *words)
        self.assertIn("resume: nvme partitioned is there", done.messages)
        self.assertEqual(done.messages.count("done: "), 3)
        self.assertFalse(journal.exists())
        self.assertEqual(after, after | kept)

    def small_database(self):
        return next((self.folder / "data").glob("paper-0*-col3"))

    def test_a_query_of_another_text_is_told_and_its_cells_alone_are_run_anew(self):
        queries, out = self.folder / "two.q", self.folder / "two.json"
        words = ["run", self.small_database(), "--queries", queries, "--medium", "dram",
                 "--layout", "flat", "--mode", "4.0", "-s", "1", "--attr", "none", "--reps", "1",
                 "--out", out, *program.SMALL_CEILINGS]
        queries.write_text("select max bid from quote\nselect max ask from quote\n")
        self.fine(*words)
        before = program.cells(out)
        queries.write_text("select max bid from quote\nselect min ask from quote\n")
        done = self.fine(*words, "--resume")
        told = [line for line in done.lines if line.startswith("resume: Q02")]
        self.assertEqual(told, [f"resume: Q02 of {out} is 'select max ask from quote', and here it "
                                "is 'select min ask from quote': its cells are run anew"])
        self.assertIn("done: 1/1 dram flat, 1 cells", done.messages)
        after = {cell["name"]: cell for cell in program.cells(out)}
        self.assertEqual(len(after), 2)
        self.assertEqual(after[before[0]["name"]]["times_ms"], before[0]["times_ms"])
        self.assertIn("min ask", after[before[1]["name"]]["query_text"])

    def test_ctrl_c_before_anything_was_measured_keeps_nothing(self):
        out = self.folder / "nothing.json"
        running = self.start(*self.arguments("--reps", "200", "--out", out),
                             stdout=subprocess.PIPE)
        running.stderr.readline()  # its databases are there
        running.send_signal(signal.SIGINT)
        shown, told = running.communicate(timeout=LATE_SECONDS)
        self.assertEqual(running.returncode, 130, told)
        self.assertNotIn("Results kept", shown)
        self.assertIn("interrupted: no cell was measured: nothing is kept", told.splitlines()[-1])
        self.assertFalse(out.exists())

    def test_what_is_left_out_is_told_once_and_beforehand(self):
        done = self.fine("run", self.small_database(), "--medium", "dram,numa:77", "--layout",
                         "flat", "--reps", "1", "--benchmark_filter=Q01", *program.SMALL_CEILINGS)
        told = [line for line in done.lines if line.startswith("not run: ")]
        self.assertEqual(len(told), 1, done.messages)
        self.assertIn("77", told[0])

    def test_a_run_of_another_command_is_not_gone_on_with_and_not_lost(self):
        other = self.folder / "other.json"
        other.write_bytes(self.whole.read_bytes())
        for words, why in (
            (["--reps", "7"], "another least number of repetitions"),
            (["--precision", "3", "--reps-most", "9"], "another repetition rule"),
            (["--benchmark_filter=Q01"], "which this command does not run and would lose"),
        ):
            self.assertIn(why, self.tiny(2, "--out", other, "--resume", *words).lines[-1])
            self.assertEqual(other.read_bytes(), self.whole.read_bytes())

    def test_a_budget_leaves_out_repetitions_but_no_cell(self):
        out = self.folder / "short.json"
        done = self.tiny(0, "--reps", "50", "--budget", "0.06s", "--out", out)
        times = self.times(out)
        self.assertEqual(sorted(times), sorted(self.names))
        self.assertLess(len(next(iter(times.values()))), 50)
        self.assertIn("above the budget of 1 s: repetitions will be left out", done.messages)

    def test_flags_and_files_that_do_not_go_together_are_one_line(self):
        broken = self.folder / "broken.toml"
        broken.write_text("[[matrix]]\nmedia = 'dram'\n", encoding="utf-8")
        for arguments in (["--experiment", broken], ["--experiment", "nosuch"],
                          ["--experiment", "quick", "--attr", "none"], ["--scale", "1"],
                          ["--resume"], ["--experiment", "quick", "--budget", "soon"]):
            self.refused(2, "", "run", *arguments)

    def test_a_result_is_not_different_from_itself(self):
        done = self.fine("compare", self.whole, self.whole)
        for words in (b"geometric mean 1.000", b"\n0 faster, 0 slower, ",
                      b"noise, A against A (halves of its only file): "):
            self.assertIn(words, done.out)

    def test_a_side_may_have_several_files(self):
        for separator in ("--", "--against"):
            told = json.loads(self.fine("compare", self.whole, self.whole, separator, self.whole,
                                        "--format", "json").out)
            self.assertEqual([one["side"] for one in told["files"]], ["A1", "A2", "B"])
            self.assertEqual(told["noise_a"]["of"], "files")
            self.assertEqual(told["noise_a"]["most_percent"], 0)
        for files in ((self.whole,), (self.whole,) * 3):
            self.assertIn("A1 A2 -- B1 B2", self.ended(2, "compare", *files).messages)

    def compared(self, status, change, *flags):
        """The whole results against such whose cells `change` has been at."""
        results = json.loads(self.whole.read_text(encoding="utf-8"))
        for cell in results["benchmarks"]:
            change(cell)
        path = self.folder / "doctored.json"
        path.write_text(json.dumps(results), encoding="utf-8")
        return self.ended(status, "compare", self.whole, path, *flags)

    def test_a_regression_is_status_1_and_another_result_status_4(self):
        times = [100 + i / 10 for i in range(9)]
        self.compared(1, lambda cell: cell.update(times_ms=times, visits=[9]))
        done = self.compared(4, lambda cell: cell.update(checksum="0" * 16))
        self.assertIn(b"ANOTHER RESULT", done.out)

    def test_a_query_of_another_text_is_not_judged(self):
        def edited(cell):
            cell.update(query_text=cell["query_text"] + " where i<9", checksum="0" * 16)

        def first_edited(cell):
            if cell["query"] == 1:
                edited(cell)

        done, all_done = self.compared(0, first_edited), self.compared(3, edited)
        self.assertNotIn(b"ANOTHER RESULT", done.out)
        self.assertIn("have no cell to judge", all_done.messages)
        for one in (done, all_done):
            self.assertIn(b"not the same query: Q01 (", one.out)
        self.compared(5, first_edited, "--strict")


if __name__ == "__main__":
    program.main()
