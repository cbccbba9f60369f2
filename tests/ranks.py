"""Several ranks of an MPI job: queries and runs give one process's bytes, storage tests totals.

    ranks.py HDBENCH ROOT
"""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time
import unittest

import program

ROOT = pathlib.Path(sys.argv[2])
ENVIRONMENT = program.MPI_ENVIRONMENT


class Ranks(program.Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.database = cls.folder / "db"
        program.succeed(cls.binary, "gen", cls.database, "--scale", "0.0005", "--parted", "col3")

    def by_ranks(self, count, *arguments):
        return program.run("mpirun", "--oversubscribe", "-n", count, self.binary, *arguments,
                           env=ENVIRONMENT)

    def query_by_ranks(self, count, *arguments):
        return self.by_ranks(count, "query", self.database, *arguments)

    def script_of_ranks(self, words):
        """Runs the program that it gets with these words, in which each rank has its number."""
        script = self.folder / "own.sh"
        script.write_text(f"#!/bin/sh\nprogram=$1; shift\nexec $program {words} \"$@\"\n")
        script.chmod(0o755)
        return script

    def test_every_query_gives_the_bytes_of_one_process_on_every_medium(self):
        for medium, queries, count in (("nvme", "paper.q", 2), ("nvme", "paper.q", 4),
                                       ("nvme", "aggregates.q", 3), ("dram", "paper.q", 2),
                                       ("dram", "aggregates.q", 2),
                                       ("app-direct", "aggregates.q", 2)):
            arguments = ["--file", ROOT / "queries" / queries, "--format", "csv", "--medium",
                         medium, "--cache", "warm"]
            alone = self.fine("query", self.database, *arguments)
            with self.subTest(f"{medium}, {queries}, {count} ranks"):
                done = self.query_by_ranks(count, *arguments)
                self.assertEqual(done.status, 0, done.messages)
                self.assertEqual(done.out, alone.out)

    def test_joins_windows_and_subqueries_do_so_too(self):
        for text in (
                "select from aj[`col3`time;select from quote where date=2020.01.06;select from "
                "quote where date=2020.01.07]",
                "select distinct col1,col2 from quote",
                "10#`bid xdesc select from quote",
                "select from quote where bid=(max;bid) fby col3, date=2020.01.07"):
            alone = program.run(self.binary, "query", self.database, text, "--format", "csv")
            with self.subTest(text):
                done = self.query_by_ranks(3, text, "--format", "csv")
                self.assertEqual(done.out, alone.out)

    def test_an_error_is_told_and_ends_all_ranks(self):
        for says, fails, *arguments in (
                ("no column 'bidd'", True, "select bidd from quote"),
                ("-w abort", False, "select from quote", "-w", "1"),
                ("take partitioned", True, "select from quote", "--layout", "flat")):
            with self.subTest(says):
                done = self.query_by_ranks(2, *arguments)
                self.assertEqual(done.status != 0, fails)
                self.assertIn(says, done.messages)

    def test_other_commands_and_what_one_process_alone_does_are_refused(self):
        for says, *arguments in (
                ("several ranks do not run describe, only query, run and io", "describe", "DB"),
                ("--users 1: each of 2 ranks", "run", "DB", "--users", "1"),
                ("--shards: users are answered by ranks", "run", "DB", "--users", "2", "--shards",
                 "/dev/null"),
                ("--share: unknown value 'half'", "run", "DB", "--share", "half"),
                ("--shards: ", "query", "DB", "select from quote", "--shards", "/dev/null"),
                ("--explain --memory: in one process alone", "query", "DB",
                 "select max bid from quote", "--explain", "--memory"),
                ("not there: several ranks make no database", "run", "--experiment", "quick",
                 "--data-dir", self.folder / "none", "--scale", "0.0001")):
            with self.subTest(says):
                arguments = [self.database if one == "DB" else one for one in arguments]
                done = self.by_ranks(2, *arguments)
                self.assertNotEqual(done.status, 0)
                self.assertEqual(done.messages.count("hdbench: "), 1, done.messages)
                self.assertIn(says, done.messages)

    def test_what_only_another_rank_is_given_wrong_is_told_by_its_name(self):
        folder = self.folder / "io"
        folder.mkdir()
        for says, first, other in (
                ("rank 1 on .*'--bogus' was not expected", ["io", folder],
                 ["io", folder, "--bogus"]),
                ("rank 1 on .*is part of a database", ["io", folder], ["io", self.database]),
                ("rank 1 on .*: its queries .* are not rank 0's",
                 ["query", self.database, "select max bid from quote"],
                 ["query", self.database, "select min bid from quote"])):
            with self.subTest(says):
                done = program.run("mpirun", "--oversubscribe", "-n", 1, self.binary, *first, ":",
                                   "-n", 1, self.binary, *other, env=ENVIRONMENT)
                self.assertNotEqual(done.status, 0)
                self.assertRegex(done.messages, says)
                self.assertEqual(done.out, b"")

    def run_by_ranks(self, count, out, *more):
        return self.by_ranks(count, "run", self.database, "--cache", "cold,warm", "-s", "1",
                             "--mode", "4.0", "--reps", "2", "--ceiling-size", "1MiB", "--out", out,
                             *more)

    def test_a_run_has_one_process_s_results_and_each_rank_s_machine(self):
        alone, out = self.folder / "alone.json", self.folder / "ranks.json"
        media = "nvme,dram,app-direct:optane-100-1dimm"
        arguments = ["--medium", media, "--layout", "partitioned", "--force"]
        self.fine("run", self.database, "--cache", "cold,warm", "-s", "1", "--mode", "4.0",
                  "--reps", "2", "--ceiling-size", "1MiB", "--out", alone, *arguments)
        done = self.run_by_ranks(2, out, *arguments)
        self.assertEqual(done.status, 0, done.messages)
        whole = json.loads(out.read_text())
        of_one = {cell["name"]: cell for cell in json.loads(alone.read_text())["benchmarks"]}
        self.assertEqual(len(whole["benchmarks"]), len(of_one))
        for cell in whole["benchmarks"]:
            other = of_one[cell["name"].replace("/ranks:2", "")]
            for same in ("checksum", "rows_out", "rows_in"):
                self.assertEqual(cell[same], other[same], cell["name"])
            # Rows are cut into pieces at other places, whose lines count twice.
            self.assertAlmostEqual(cell["bytes_read"] / other["bytes_read"], 1, 1, cell["name"])
            self.assertEqual(sum(cell["bytes_read_by_column"].values()), cell["bytes_read"])
            self.assertEqual([len(rank["map_ms"]) for rank in cell["rank_times"]], [2, 2])
        ranks = whole["context"]["ranks"]
        self.assertEqual([rank["partitions"] for rank in ranks], [31, 31])
        for rank in ranks:
            self.assertEqual(len(rank["media"]), 3)
            self.assertEqual(rank["ceilings"]["by_threads"][0]["threads"], 1)
        self.assertEqual(len(ranks[1]["link"]), 5)
        self.assertIn(b"Where the time went", done.out)
        page = self.folder / "ranks.html"
        self.fine("report", out, alone, "-o", page)
        self.assertIn("ms by ranks", page.read_text())
        # Nothing is left to do, and nothing is lost.
        again = self.run_by_ranks(2, out, *arguments[:-1], "--resume")
        self.assertEqual(again.status, 0, again.messages)
        self.assertEqual(len(json.loads(out.read_text())["benchmarks"]), len(of_one))

    def test_each_rank_s_database_may_hold_its_own_days(self):
        days = sorted(one.name for one in self.database.iterdir() if one.name[:2] == "20")
        roots = [self.folder / "shard0", self.folder / "shard1"]
        for at, root in enumerate(roots):
            root.mkdir()
            (root / "sym").symlink_to(self.database / "sym")
            for day in days[at::2]:
                (root / day).symlink_to(self.database / day)
        shards = self.folder / "shards"
        shards.write_text("# days\n" + "".join(
            f"{at} {' '.join(days[at::2])}\n" for at in (0, 1)))
        script = self.script_of_ranks(f"query {self.folder}/shard$OMPI_COMM_WORLD_RANK")

        def query(text, *more):
            return program.run("mpirun", "--oversubscribe", "-n", 2, script, self.binary, text,
                               "--format", "csv", *more, env=ENVIRONMENT)
        for text in ("select by col1 from quote", "select from quote where bid>100,col3=`val2"):
            done = query(text, "--shards", shards)
            self.assertEqual(done.status, 0, done.messages)
            self.assertEqual(done.out,
                             self.fine("query", self.database, text, "--format", "csv").out)
        self.assertIn("which others have: expected one database, or --shards FILE",
                      query("select from quote").messages)
        shards.write_text(f"0 {days[0]}..{days[-1]}\n")
        self.assertIn(f"lacks partition {days[1]}, which {shards} gives it",
                      query("select from quote", "--shards", shards).messages)
        shards.write_text(f"0 {days[0]}\n1 {days[0]}..{days[-1]}\n")
        self.assertIn(f"line 2: partition {days[0]} is rank 0's by line 1",
                      query("select from quote", "--shards", shards).messages)

    @unittest.skipUnless(os.geteuid() == 0, "mounting needs root")
    def test_a_full_disk_of_one_rank_is_named(self):
        script = self.script_of_ranks(f"query {self.database} --rows-only -w 2 --on-limit spill "
                                      f"--scratch-dir {self.folder}/disk$OMPI_COMM_WORLD_RANK")
        (self.folder / "disk0").mkdir()

        def query(mib):
            with program.mounted(self.folder / "disk1", "-t", "tmpfs", "-o", f"size={mib}m",
                                 "none") as disk:
                done = program.run("mpirun", "--oversubscribe", "-n", 2, script, self.binary,
                                   "select from quote", env=ENVIRONMENT)
                self.assertEqual([*disk.iterdir(), *(self.folder / "disk0").iterdir()], [])
            return done
        self.assertRegex(query(1).messages,
                         rf"rank 1 on \S+: no space for the result: {self.folder}/disk1: ")
        alone = self.fine("query", self.database, "select from quote", "--rows-only")
        self.assertEqual(query(100).out, alone.out)

    def test_however_they_are_shared_the_result_is_one(self):
        text = "select avg bid,max ask by col2 from quote where col3 in `val1`val3"
        alone = self.fine("query", self.database, text, "--format", "csv")
        for share in ("contiguous", "round-robin", "bytes"):
            done = self.query_by_ranks(3, text, "--format", "csv", "--share", share)
            self.assertEqual((done.status, done.out), (0, alone.out), done.messages)

    def test_a_rank_that_dies_or_stops_ends_the_job_and_names_it(self):
        one = self.folder / "one.q"
        one.write_text("select max bid by col1 from quote\n")
        words = ["run", self.database, "--queries", one, "--medium", "dram", "-s", "1", "--reps",
                 "30", "--ceiling-size", "1MiB", "--resume", "--rank-timeout"]
        # Rank 0, which measures alone at first, may take twice a timeout: on a busy machine it does
        # so where the timeout is short, and the job ends before a rank is stopped here.
        for number, timeout, says in ((signal.SIGKILL, 60, "rank 1"),
                                      (signal.SIGSTOP, 8, "rank 1 on")):
            with self.subTest(number):
                out = self.folder / f"{number.name}.json"
                job = subprocess.Popen(
                    ["mpirun", "--oversubscribe", "-n", "3", self.binary, *words, str(timeout),
                     "--out", out],
                    env=ENVIRONMENT, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
                kept = out.with_name(out.name + ".partial")
                self.assertTrue(program.wait_until(
                    lambda: job.poll() is not None
                    or (kept.exists() and kept.stat().st_size > 1000), program.TIMEOUT_SECONDS))
                self.assertIsNone(job.poll(), "the job ended before a rank was stopped")
                ranks = program.ranks_of(job.pid)
                os.kill(ranks[1], number)
                began = time.monotonic()
                said = job.communicate(timeout=program.TIMEOUT_SECONDS)[0]
                self.assertLess(time.monotonic() - began, 30)
                self.assertNotEqual(job.returncode, 0)
                self.assertIn(says, said)
                for rank in ranks.values():
                    self.assertTrue(program.wait_until(lambda pid=rank: has_ended(pid)), said)
                done = self.by_ranks(3, *words, "60", "--out", out)
                self.assertEqual(done.status, 0, done.messages)
                self.assertIn("resume:", done.messages)

    def test_users_are_spread_over_ranks_that_have_all_partitions(self):
        out = self.folder / "users.json"
        mix = self.folder / "mix"
        mix.write_text("3 Q05\n1 Q02\n")
        arguments = ["--medium", "nvme,dram", "--layout", "partitioned", "--attr", "parted",
                     "--users", "2,5", "--arrivals", "40", "--processes", "1", "--seconds", "0.4",
                     "--mix", mix, "--force"]
        done = self.run_by_ranks(2, out, *arguments)
        self.assertEqual(done.status, 0, done.messages)
        whole = json.loads(out.read_text())
        cells = whole["context"]["users"]
        self.assertEqual(len(cells), 9)
        for cell in cells:
            with self.subTest(cell["name"]):
                self.assertIsNone(cell["error"])
                self.assertIn("/ranks:2", cell["name"])
                if cell["users"]:
                    self.assertAlmostEqual(cell["in_system"], cell["users"], delta=0.1)
                self.assertEqual(set(cell["answers_by_query"]), {"Q02", "Q05"})
                self.assertEqual(cell["died"], 0)
        # What rank 0 runs alone is one process's.
        self.assertFalse(any("/ranks:" in cell["name"] for cell in whole["benchmarks"]))
        self.assertEqual([rank["partitions"] for rank in whole["context"]["ranks"]], [62, 62])
        self.assertIn(b"2 ranks, each 1 process", done.out)
        again = self.run_by_ranks(2, out, *arguments[:-1], "--resume")
        self.assertEqual(again.status, 0, again.messages)
        self.assertEqual(json.loads(out.read_text())["context"]["users"], cells)
        goal = self.fine("report", out, "--goal", "p50<60s at 2 users")
        self.assertIn(b"2 cores", goal.out)

    def test_a_rank_s_pool_process_that_is_killed_is_told_with_the_rank(self):
        out = self.folder / "killed.json"
        job = subprocess.Popen(
            ["mpirun", "--oversubscribe", "-n", "2", self.binary, "run", self.database, "--medium",
             "dram", "--layout", "partitioned", "--attr", "parted", "--mode", "4.0", "-s", "1",
             "--reps", "1", "--ceiling-size", "1MiB", "--users", "6", "--processes", "3",
             "--seconds", "3", "--out", out, "--force"],
            env=ENVIRONMENT, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        workers = []

        def has_pool():
            ranks = program.ranks_of(job.pid)
            workers[:] = program.children_of(ranks[1]) if 1 in ranks else []
            return len(workers) >= 3 or job.poll() is not None

        self.assertTrue(program.wait_until(has_pool, program.TIMEOUT_SECONDS))
        os.kill(max(workers), signal.SIGKILL)
        said = job.communicate(timeout=program.TIMEOUT_SECONDS)[0]
        self.assertEqual(job.returncode, 0, said)
        cell = json.loads(out.read_text())["context"]["users"][0]
        if cell["error"]:  # it was killed before it took a query
            self.assertRegex(cell["error"], "rank 1 on .*could not begin")
            return
        self.assertEqual(cell["died"], 1)
        self.assertRegex(said, r"rank 1 on \S+: users:6/processes:3/.*was ended by signal 9")

    def test_storage_is_measured_by_all_ranks_at_once(self):
        target = self.folder / "target"
        target.mkdir()
        out = self.folder / "io.json"
        tests = "hcount|/random-read/block:64KiB/engine:pread|max/vector:small/type:int"
        done = self.by_ranks(2, "io", target, "--quick", "--processes", "2", "--tests", tests,
                             "--out", out)
        self.assertEqual(done.status, 0, done.messages)
        self.assertEqual(list(target.iterdir()), [])
        self.assertEqual(done.messages, "")
        self.assertEqual(done.out.count(b"2 processes on each of 2 ranks"), 1, done.out)
        saved = json.loads(out.read_text())
        ranks = saved["context"]["ranks"]
        self.assertEqual([rank["name"].split(" on ")[0] for rank in ranks], ["rank 0", "rank 1"])
        self.assertEqual([rank["targets"][0]["path"] for rank in ranks], [str(target)] * 2)
        self.assertTrue(saved["context"]["command"].startswith("mpirun -n 2 hdbench io "))
        self.assertIn("io/hcount/engine:calls/processes:2/ranks:2",
                      [cell["name"] for cell in saved["benchmarks"]])
        for cell in saved["benchmarks"]:
            if "error_message" not in cell:
                self.assertEqual(len(cell["rank_medians"]), 2, cell)
                self.assertTrue(all(median > 0 for median in cell["rank_medians"]), cell)
                self.assertTrue(cell["checked"], cell)
        csv = self.by_ranks(2, "io", target, "--quick", "--processes", "1", "--tests", "hcount",
                            "--format", "csv").out.decode().splitlines()
        self.assertTrue(csv[0].endswith(",slowest_rank,slowest_rank_median,rank_spread"), csv)
        self.assertEqual({len(line.split(",")) for line in csv}, {22})

    def test_storage_errors_are_one_line_and_name_the_rank_that_has_them(self):
        quick = ["--quick", "--processes", "1", "--tests"]
        elsewhere = ["io", "/nowhere", *quick, "hcount"]
        others = ["io", self.folder, *quick, "append"]
        for says, second in ((r"hdbench: rank 1 on .*: /nowhere: No such file", elsewhere),
                             (r"hdbench: rank 1 on .*: it runs .* rank 0 ", others)):
            done = self.by_ranks(1, "io", self.folder, *quick, "hcount", ":", "-n", "1",
                                 self.binary, *second)
            self.assertNotEqual(done.status, 0)
            self.assertRegex(done.messages, says)
            self.assertEqual(done.messages.count("hdbench: "), 1, done.messages)
        for flags in (["--volume", "gp3"], ["--compare", "fs:xfs,ext4"]):
            done = self.by_ranks(2, "io", self.folder, *flags)
            self.assertEqual(done.status, 2)
            said = "hdbench: --compare, --volume: for one process"
            self.assertEqual(done.messages.count(said), 1, done.messages)

    def test_a_rank_that_is_interrupted_ends_all_and_leaves_nothing(self):
        target = self.folder / "interrupted"
        target.mkdir()
        begun = subprocess.Popen(
            ["mpirun", "--oversubscribe", "-n", "2", self.binary, "io", target, "--quick",
             "--processes", "1", "--reps", "1000", "--tests", "sequential-write"],
            env=ENVIRONMENT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        self.assertTrue(program.wait_until(
            lambda: begun.poll() is not None or len(list(target.glob("hdbench-io-*"))) == 2))
        begun.send_signal(signal.SIGTERM)
        said = begun.communicate(timeout=60)[1]
        self.assertNotEqual(begun.returncode, 0)
        self.assertNotIn(b"terminate called", said)
        self.assertTrue(program.wait_until(lambda: not list(target.iterdir())), said)


def has_ended(pid):
    """Whoever waits for it may not have done so yet: then it has no words any more."""
    words = pathlib.Path(f"/proc/{pid}/cmdline")
    return not words.exists() or not words.read_bytes()


def why_not():
    if shutil.which("mpirun") is None:
        return "no mpirun here (openmpi-bin)"
    tried = program.run("mpirun", "--oversubscribe", "-n", "2", sys.argv[1], "describe",
                        env=ENVIRONMENT)
    return "hdbench was built without MPI" if "without MPI" in tried.messages else ""


if __name__ == "__main__":
    missing = why_not()
    sys.argv.pop(2)
    program.main(missing)
