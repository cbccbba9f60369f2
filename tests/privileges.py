"""What hdbench keeps of root's power, from outside: docs/security.md's table. Needs root.

    privileges.py HDBENCH
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

import program
import taq_files

SKIPPED = 77
PATIENCE_SECONDS = 20
OTHER = 65534
ALL_SETS = ("CapInh", "CapPrm", "CapEff", "CapAmb")
DAC_OVERRIDE, DAC_READ_SEARCH, FOWNER, SYS_PTRACE, SYS_ADMIN = (1 << bit for bit in (1, 2, 3, 19,
                                                                                     21))


def status_of(process):
    """{"CapEff": ..., ...} of a process, or of its threads in turn, as numbers."""
    words = {}
    for line in pathlib.Path(f"/proc/{process}/status").read_text().splitlines():
        name, _, value = line.partition(":")
        if name.startswith("Cap"):
            words[name] = int(value, 16)
        if name in ("NoNewPrivs", "Name"):
            words[name] = value.strip()
    return words


def children_of(process):
    found = []
    for task in pathlib.Path(f"/proc/{process}/task").iterdir():
        found += [int(word) for word in (task / "children").read_text().split()]
    return found


class Privileges(unittest.TestCase):
    binary = None

    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="hdbtest-privileges-"))
        os.chmod(cls.folder, 0o755)
        cls.database = cls.folder / "db"
        program.generate(cls.binary, cls.database, "0.0002")
        cls.results = cls.folder / "results.json"
        cls.trades = taq_files.write(cls.folder, "trade", "20200107", 100)
        cls.queries = cls.folder / "one.q"
        cls.queries.write_text("select max bid by col1 from quote\n")
        done = program.run(cls.binary, "run", cls.database, *cls.short(), "--out", cls.results)
        if done.status != 0:
            raise RuntimeError(done.messages)

    @classmethod
    def short(cls):
        return ["--queries", cls.queries, "--reps", "1", "--threads", "1", "--mode", "3.6",
                "--attr", "none", "--layout", "partitioned", *program.SMALL_CEILINGS]

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder, ignore_errors=True)

    def at_its_end(self, *arguments):
        """The outcome, and the sets that it had when it ended: nobody has waited for it yet."""
        with open(self.folder / "said", "wb") as said, subprocess.Popen(
            [self.binary, *map(str, arguments)], stdin=subprocess.DEVNULL, stdout=said,
            stderr=said) as process:
            os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
            sets = status_of(process.pid)
        return process.returncode, (self.folder / "said").read_text(errors="replace"), sets

    def check_sets(self, sets, kept, may_execute=0):
        """may_execute: what only a program that root executes could get, but for NoNewPrivs."""
        for name in ("CapPrm", "CapEff"):
            self.assertEqual(sets[name], kept, sets)
        self.assertEqual(sets["CapBnd"] & ~kept & ~may_execute, 0, sets)
        self.assertEqual((sets["CapInh"], sets["CapAmb"], sets["NoNewPrivs"]), (0, 0, "1"), sets)

    def check_keeps(self, kept, *arguments):
        status, said, sets = self.at_its_end(*arguments)
        self.assertEqual(status, 0, (arguments, said))
        self.check_sets(sets, kept)

    def test_no_command_keeps_a_capability_that_its_paths_do_not_need(self):
        query = "select max bid by col1 from quote"
        out = self.folder / "out.html"
        for words in (["query", self.database, query],
                      ["query", self.database, query, "--cache", "cold"],
                      ["query", self.database, query, "--medium", "cxl", *program.SMALL_CEILINGS],
                      ["run", self.database, *self.short(), "--out", self.folder / "again.json"],
                      ["limit", self.database, "--queries", self.queries],
                      ["compare", self.results, self.results],
                      ["report", self.results, "-o", out, "--force"],
                      ["verify", self.database], ["describe", self.database], ["topo"], ["flags"],
                      ["profile", "--template", "cxl"],
                      ["gen", self.folder / "made", "--scale", "0.0002"],
                      ["import", "taq", self.trades, self.folder / "taq"],
                      ["io", self.folder, "--quick", "--tests", "hcount"]):
            with self.subTest(words[0]):
                self.check_keeps(0, *words)

    def test_a_query_that_waits_and_all_its_threads_have_none(self):
        with subprocess.Popen(
            [self.binary, "query", self.database, "select from quote", "--format", "csv",
             "--threads", "2"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
            self.assertTrue(process.stdout.read(1))
            for task in pathlib.Path(f"/proc/{process.pid}/task").iterdir():
                self.check_sets(status_of(f"{process.pid}/task/{task.name}"), 0)
            process.kill()

    def test_a_database_of_another_user_is_read_by_the_right_to_read(self):
        database = self.folder / "others"
        shutil.copytree(self.database, database)
        for path in [database, *database.rglob("*")]:
            os.chown(path, OTHER, OTHER)
        query = "select max bid by col1 from quote"
        self.check_keeps(0, "verify", database)
        self.check_keeps(FOWNER, "query", database, query, "--cache", "cold")
        os.chmod(database, 0o700)
        self.check_keeps(DAC_READ_SEARCH, "verify", database)
        self.check_keeps(DAC_READ_SEARCH | FOWNER, "query", database, query, "--cache", "cold")
        shutil.rmtree(database)

    def test_a_report_is_written_into_a_directory_of_another_user(self):
        home = self.folder / "home"
        home.mkdir()
        os.chown(home, OTHER, OTHER)
        out = home / "report.html"
        self.check_keeps(DAC_OVERRIDE, "report", self.results, "-o", out)
        self.assertTrue(out.stat().st_size > 0)

    def test_helpers_have_what_their_tasks_take(self):
        expected = {"hdbench-caches": 0, "hdbench-holders": SYS_PTRACE}
        with subprocess.Popen(
            [self.binary, "query", self.database, "select from quote", "--format", "csv",
             "--cache", "cold", "--drop-caches"], stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL) as process:
            self.assertTrue(process.stdout.read(1))
            helpers = children_of(process.pid)
            found = {}
            for helper in helpers:
                sets = status_of(helper)
                found[sets["Name"]] = sets["CapEff"]
                self.check_sets(sets, expected.get(sets["Name"], 0))
            self.assertEqual(found, expected)
            process.kill()
        end = time.monotonic() + PATIENCE_SECONDS
        while any(pathlib.Path(f"/proc/{one}").exists() for one in helpers):
            self.assertLess(time.monotonic(), end, "a helper outlives its program")
            time.sleep(0.02)

    def test_a_comparison_measures_without_what_it_mounts_with(self):
        if len(kernel_filesystems()) < 2 or not pathlib.Path("/dev/loop-control").exists():
            self.skipTest("no loop devices, or fewer than two filesystems")
        with subprocess.Popen(
            [self.binary, "io", "--compare", "fs:" + ",".join(kernel_filesystems()[:2]),
             str(self.folder), "--quick"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
            text=True) as process:
            end = time.monotonic() + PATIENCE_SECONDS
            seen = {}
            while process.poll() is None and time.monotonic() < end:
                try:
                    mine = status_of(process.pid)
                    others = [status_of(one) for one in children_of(process.pid)]
                except OSError:
                    continue
                seen = {one["Name"]: one for one in others}
                # Beside the two, the processes that measure, and their guard.
                if "hdbench-mounts" in seen and len(others) > 3:
                    break
                time.sleep(0.002)
            self.assertIn("hdbench-mounts", seen, process.poll())
            self.check_sets(mine, 0, SYS_ADMIN)
            for one in others:
                kept = SYS_ADMIN if one["Name"] in ("hdbench-mounts", "hdbench-guard") else 0
                self.assertEqual(one["CapEff"] & ~kept, 0, one)
            self.assertEqual(seen["hdbench-mounts"]["CapEff"], SYS_ADMIN)
            process.terminate()
            process.communicate(timeout=PATIENCE_SECONDS)
        self.assertEqual(process.returncode, 130)


def kernel_filesystems():
    known = [line.split()[-1]
             for line in pathlib.Path("/proc/filesystems").read_text().splitlines()]
    path = os.environ.get("PATH", "") + ":/usr/sbin:/sbin"
    return [name for name in ("ext4", "xfs", "btrfs")
            if name in known and shutil.which(f"mkfs.{name}", path=path)]


if __name__ == "__main__":
    Privileges.binary = str(pathlib.Path(sys.argv.pop(1)).resolve())
    if os.geteuid() != 0 or status_of("self")["CapEff"] & SYS_ADMIN == 0:
        print("privileges: skipped: not root")
        sys.exit(SKIPPED)
    unittest.main()
