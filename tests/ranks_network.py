"""Queries by ranks on several hosts (network_hosts.py): the bytes of one process, over a network.

    ranks_network.py HDBENCH ROOT
"""

import os
import pathlib
import re
import signal
import subprocess
import sys
import time
from concurrent import futures

import network_hosts
import program

QUERIES = pathlib.Path(sys.argv[2]) / "queries"
DESK = QUERIES / "desk.q"
EXAMPLE = QUERIES.parent / "examples" / "ranks"
EMULATED = ["--emulation", "model", *program.SMALL_CEILINGS]
MEDIA = (["nvme"], ["dram"], ["app-direct", *EMULATED], ["cxl:cxl-asic-ddr5", *EMULATED])
EVERY_ROW = "select from quote"
SLOW = "2mbit"
END_SECONDS = 10


class RanksNetwork(program.Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.paper = cls.folder / "paper"
        program.succeed(cls.binary, "gen", cls.paper, "--scale", "0.0002", "--parted", "col3")
        cls.taq = cls.folder / "taq"
        program.succeed(cls.binary, "gen", cls.taq, "--profile", "taq", "--scale", "0.0002")
        cls.study = cls.folder / "study.q"
        text = "".join((QUERIES / name).read_text() for name in ("paper.q", "aggregates.q"))
        cls.study.write_text(re.sub(r"(?m)^/.*\n", "", text))  # their numbers are not one file's
        cls.alone = {}

    def check_same(self, hosts, *query):
        words = ("query", *query, "--format", "csv")
        if words not in self.alone:
            self.alone[words] = self.fine(*words).out
        done = program.run(*hosts.mpirun(self.binary, *words))
        self.assertEqual(done.status, 0, done.messages)
        self.assertEqual(done.out, self.alone[words])

    def test_every_query_gives_the_bytes_of_one_process_on_every_medium(self):
        for count in (2, 4):
            with network_hosts.Hosts(count, pinned=True) as hosts:
                for database, queries in ((self.paper, self.study), (self.taq, DESK)):
                    for medium in MEDIA:
                        with self.subTest(f"{count} hosts, {queries.name}, {medium[0]}"):
                            self.check_same(hosts, database, "--file", queries, "--medium", *medium)

    def test_the_example_of_a_batch_script_runs_a_rank_on_each_host(self):
        words = (self.paper, QUERIES / "paper.q", "--id", "11", "--rows-only")
        with network_hosts.Hosts(2) as hosts:
            done = program.run(*hosts.launch(
                f"PATH={self.binary.parent}:{os.environ['PATH']}",
                f"OMPI_MCA_orte_default_hostfile={EXAMPLE / 'hostfile'}", EXAMPLE / "slurm.sh",
                *words))
            self.assertEqual(done.status, 0, done.messages)
            self.assertGreater(hosts.sent_bytes("host-b"), 500_000)
        self.assertEqual(done.out, self.fine("query", words[0], "--file", *words[1:]).out)

    def test_an_error_names_the_host(self):
        with network_hosts.Hosts(2) as hosts:
            lost = self.paper / "2020.01.31" / "quote" / "bid"
            lost.rename(self.folder / "bid")
            try:
                done = program.run(*hosts.mpirun(self.binary, "query", self.paper,
                                                 "select bid from quote"))
            finally:
                (self.folder / "bid").rename(lost)
        self.assertNotEqual(done.status, 0)
        self.assertIn("rank 1 on host-b: ", done.messages)

    def test_a_slow_link_changes_no_byte(self):
        for limits in ({"rate": "100mbit"}, {"delay": "1ms"}):
            with self.subTest(limits):
                missing = network_hosts.why_not(**limits)
                if missing:
                    self.skipTest(missing)
                with network_hosts.Hosts(2, **limits) as hosts:
                    self.check_same(hosts, self.paper, EVERY_ROW)

    def test_a_killed_rank_ends_the_job_and_is_named(self):
        missing = network_hosts.why_not(rate=SLOW)
        if missing:
            self.skipTest(missing)
        with futures.ThreadPoolExecutor() as pool:  # most of it is waiting
            list(pool.map(self.check_killed, (0, 1), ("host-a", "host-b")))

    def check_killed(self, rank, name):
        """In the middle: host-b has begun to send its rows."""
        with network_hosts.Hosts(2, rate=SLOW) as hosts:
            job = subprocess.Popen(
                [str(word) for word in hosts.mpirun(self.binary, "query", self.paper, EVERY_ROW,
                                                    "--rows-only")],
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                text=True)
            self.addCleanup(job.__exit__, None, None, None)  # its hosts have ended it
            self.assertTrue(program.wait_until(lambda: hosts.sent_bytes("host-b") > 200_000))
            ranks = [process for process, command in hosts.processes(name).items()
                     if command == self.binary.name]
            self.assertEqual(len(ranks), 1)
            begin = time.monotonic()
            os.kill(ranks[0], signal.SIGKILL)
            said = job.communicate(timeout=END_SECONDS)[0]
            self.assertNotEqual(job.returncode, 0)
            self.assertRegex(said, rf"rank {rank} .*on node {name} exited on signal 9")
            left = END_SECONDS - (time.monotonic() - begin)
            self.assertTrue(program.wait_until(
                lambda: not any(hosts.processes(host) for host in hosts.names), left))


def why_not():
    missing = network_hosts.why_not()
    if missing:
        return missing
    with network_hosts.Hosts(1) as hosts:
        tried = program.run(*hosts.mpirun(sys.argv[1], "describe"))
    return "hdbench was built without MPI" if "without MPI" in tried.messages else ""


if __name__ == "__main__":
    reason = why_not()
    sys.argv.pop(2)
    program.main(reason)
