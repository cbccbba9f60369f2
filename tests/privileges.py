"""What hdbench keeps of root's power, from outside: docs/security.md's table. Needs root.

    privileges.py HDBENCH
"""

import json
import os
import pathlib
import shutil
import subprocess
import unittest

import program
import taq_files
import traces_left

OTHER = program.NOBODY
QUERY = "select max bid by col1 from quote"
TIERING = ["/proc/sys/kernel/numa_balancing", "/sys/kernel/mm/numa/demotion_enabled"]
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


class Privileges(program.Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        os.chmod(cls.folder, 0o755)
        cls.database = cls.folder / "db"
        program.generate(cls.binary, cls.database, "0.0002")
        cls.results = cls.folder / "results.json"
        cls.queries = cls.folder / "one.q"
        cls.queries.write_text(f"{QUERY}\n")
        cls.run_of = ["run", cls.database, "--queries", cls.queries, "--reps", "1", "--threads",
                      "1", "--mode", "3.6", "--attr", "none", "--layout", "partitioned",
                      *program.SMALL_CEILINGS, "--out"]
        program.succeed(cls.binary, *cls.run_of, cls.results)

    def check_sets(self, sets, kept, may_execute=0):
        """may_execute: what only a program that root executes could get, but for NoNewPrivs."""
        for name in ("CapPrm", "CapEff"):
            self.assertEqual(sets[name], kept, sets)
        self.assertEqual(sets["CapBnd"] & ~kept & ~may_execute, 0, sets)
        self.assertEqual((sets["CapInh"], sets["CapAmb"], sets["NoNewPrivs"]), (0, 0, "1"), sets)

    def check_keeps(self, kept, *arguments, may_execute=0):
        """What it had when it ended: nobody has waited for it yet."""
        with open(self.folder / "said", "wb") as said:
            process = self.start(*arguments, stdout=said, stderr=said)
            os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
            sets = status_of(process.pid)
        text = (self.folder / "said").read_text(errors="replace")
        self.assertEqual(process.wait(), 0, (arguments, text))
        self.check_sets(sets, kept, may_execute)

    def start_and_read(self, *more):
        """A query that waits for its reader."""
        process = self.start("query", self.database, "select from quote", "--format", "csv",
                             *more, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.assertTrue(process.stdout.read(1))
        return process

    def test_no_command_keeps_a_capability_that_its_paths_do_not_need(self):
        trades = taq_files.write(self.folder, "trade", "20200107", 100)
        for words in (["query", self.database, QUERY],
                      ["query", self.database, QUERY, "--cache", "cold"],
                      ["query", self.database, QUERY, "--medium", "cxl", *program.SMALL_CEILINGS],
                      [*self.run_of, self.folder / "again.json"],
                      ["limit", self.database, "--queries", self.queries],
                      ["compare", self.results, self.results],
                      ["report", self.results, "-o", self.folder / "out.html", "--force"],
                      ["verify", self.database], ["describe", self.database], ["topo"], ["flags"],
                      ["profile", "--template", "cxl"],
                      ["gen", self.folder / "made", "--scale", "0.0002"],
                      ["import", "taq", trades, self.folder / "taq"],
                      ["io", self.folder, "--quick", "--tests", "hcount"]):
            with self.subTest(words[0]):
                self.check_keeps(0, *words)

    def test_a_query_that_waits_and_all_its_threads_have_none(self):
        process = self.start_and_read("--threads", "2")
        for task in pathlib.Path(f"/proc/{process.pid}/task").iterdir():
            self.check_sets(status_of(f"{process.pid}/task/{task.name}"), 0)

    def test_a_database_of_another_user_is_read_by_the_right_to_read(self):
        database = self.folder / "others"
        shutil.copytree(self.database, database)
        for path in [database, *database.rglob("*")]:
            os.chown(path, OTHER, OTHER)
        for right in (0, DAC_READ_SEARCH):
            self.check_keeps(right, "verify", database)
            self.check_keeps(right | FOWNER, "query", database, QUERY, "--cache", "cold")
            os.chmod(database, 0o700)

    def test_a_report_is_written_into_a_directory_of_another_user(self):
        home = self.folder / "home"
        home.mkdir()
        os.chown(home, OTHER, OTHER)
        out = home / "report.html"
        self.check_keeps(DAC_OVERRIDE, "report", self.results, "-o", out)
        self.assertTrue(out.stat().st_size > 0)

    def test_helpers_have_what_their_tasks_take(self):
        expected = {"hdbench-caches": 0, "hdbench-holders": SYS_PTRACE}
        process = self.start_and_read("--cache", "cold", "--drop-caches")
        helpers = children_of(process.pid)
        found = {}
        for sets in map(status_of, helpers):
            found[sets["Name"]] = sets["CapEff"]
            self.check_sets(sets, expected.get(sets["Name"], 0))
        self.assertEqual(found, expected)
        process.kill()
        process.wait()
        self.assertTrue(program.wait_until(lambda: not any(
            pathlib.Path(f"/proc/{one}").exists() for one in helpers)), "a helper outlives it")

    @unittest.skipUnless(all(map(os.path.exists, TIERING)), "the kernel has no tiering to set")
    def test_tiering_is_set_with_what_is_then_given_up_and_only_by_root(self):
        before = [pathlib.Path(file).read_text() for file in TIERING]
        for words in (["query", self.database, QUERY],
                      ["limit", self.database, "--queries", self.queries],
                      [*self.run_of, self.folder / "off.json"]):
            self.check_keeps(0, *words, "--tiering", "off", may_execute=SYS_ADMIN)
        state = json.loads((self.folder / "off.json").read_text())["context"]["kernel_tiering"]
        self.assertEqual((state["requested"], state["numa_balancing"], state["demotion"]),
                         ("off", 0, False))
        for path in [self.database, *self.database.rglob("*")]:
            os.chmod(path, 0o755)
        self.refused(3, "--tiering off: /proc/sys/kernel/numa_balancing: cannot be set", "query",
                     self.database, QUERY, "--tiering", "off", user=OTHER, group=OTHER,
                     extra_groups=[])
        self.assertEqual([pathlib.Path(file).read_text() for file in TIERING], before)

    @unittest.skipIf(traces_left.why_not_compare(), traces_left.why_not_compare())
    def test_a_comparison_measures_without_what_it_mounts_with(self):
        process = self.start("io", "--compare", "fs:" + ",".join(traces_left.filesystems()[:2]),
                             self.folder, "--quick")
        seen = {"others": []}

        def is_measuring():
            if process.poll() is None:
                try:
                    seen["mine"] = status_of(process.pid)
                    seen["others"] = [status_of(one) for one in children_of(process.pid)]
                except OSError:
                    return False
            # Beside the two, the processes that measure, and their guard.
            names = [one["Name"] for one in seen["others"]]
            return process.poll() is not None or "hdbench-mounts" in names and len(names) > 3
        program.wait_until(is_measuring)
        others = {one["Name"]: one for one in seen["others"]}
        self.assertIn("hdbench-mounts", others, process.poll())
        self.check_sets(seen["mine"], 0, SYS_ADMIN)
        for one in seen["others"]:
            kept = SYS_ADMIN if one["Name"] in ("hdbench-mounts", "hdbench-guard") else 0
            self.assertEqual(one["CapEff"] & ~kept, 0, one)
        self.assertEqual(others["hdbench-mounts"]["CapEff"], SYS_ADMIN)
        process.terminate()
        process.communicate(timeout=program.PATIENCE_SECONDS)
        self.assertEqual(process.returncode, 130)


if __name__ == "__main__":
    program.main("" if os.geteuid() == 0 and status_of("self")["CapEff"] & SYS_ADMIN
                 else "not root")
