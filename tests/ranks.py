"""Queries by several ranks of an MPI job: the same bytes as one process gives.

    ranks.py HDBENCH ROOT
"""

import os
import pathlib
import shutil
import sys

import program

ROOT = pathlib.Path(sys.argv[2])
# As a test runs, root among them, on few CPUs.
ENVIRONMENT = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


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

    def test_other_commands_are_refused(self):
        done = self.by_ranks(2, "run", self.database, "--medium", "dram")
        self.assertNotEqual(done.status, 0)
        self.assertIn("mpirun: several ranks do not run run, only query", done.messages)


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
