"""The peers over a small database: every result compared, every cell in results.json.

    peers.py HDBENCH ROOT

Needs the Python environment that bench/peers/run makes.
"""

import importlib
import json
import os
import pathlib
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest

import program

SCALE = "0.0005"
DESK_SCALE = "0.002"
ENGINES = ("duckdb", "polars", "chdb", "datafusion")
VECTOR_BYTES = 16  # before the values of a column file
MINUTE_NS = 60 * 10**9
AXES = ["--medium", "dram", "--layout", "flat", "--attr", "none", "--mode", "4.0",
        *program.SMALL_CEILINGS, "--reps", "2"]
BOTH_LAYOUTS = [{"flat": "flat,partitioned", "none": "none,parted"}.get(flag, flag)
                for flag in AXES]


def children(root):
    """Processes that run this checkout's workers."""
    script = str(root / "bench" / "peers" / "worker.py").encode()
    found = []
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if script in (process / "cmdline").read_bytes().split(b"\0"):
                found.append(process.name)
        except OSError:
            continue  # it has ended meanwhile
    return found


def cut_times(database):
    """Minutes in the place of times: quotes that stand at one time are many then."""
    for path in database.glob("*/*/time"):
        data = bytearray(path.read_bytes())
        for at in range(VECTOR_BYTES, len(data), 8):
            (nanoseconds,) = struct.unpack_from("<q", data, at)
            struct.pack_into("<q", data, at, nanoseconds - nanoseconds % MINUTE_NS)
        path.write_bytes(data)


class Peers(unittest.TestCase):
    binary = None
    root = None

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="hdbench-peers-")
        cls.database = pathlib.Path(cls.folder.name, "db")
        program.generate(cls.binary, cls.database, SCALE)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def run_peers(self, *arguments, database=None, axes=None):
        out = pathlib.Path(self.folder.name, "results.json")
        outcome = program.run(self.binary, "run", database or self.database, *(axes or AXES),
                              "--out", out, *arguments)
        cells = json.loads(out.read_text())["benchmarks"] if out.exists() else []
        return outcome, cells

    def test_every_peer_gives_hdbenchs_results_on_one_and_on_two_threads(self):
        outcome, cells = self.run_peers("--peers", ",".join(ENGINES), "-s", "1,2")
        self.assertEqual(outcome.status, 0, outcome.messages)
        checksums = {cell["query"]: cell["checksum"] for cell in cells
                     if cell["engine"] == "hdbench"}
        for engine in ENGINES:
            for threads in (1, 2):
                mine = [cell for cell in cells
                        if cell["engine"] == engine and cell["threads"] == threads]
                self.assertEqual([cell["query"] for cell in mine], list(range(1, 12)))
                for cell in mine:
                    self.assertIsNone(cell["error"])
                    self.assertEqual(cell["checksum"], checksums[cell["query"]])
                    self.assertEqual(len(cell["times_ms"]), 2)
                    self.assertTrue(cell["form"] and cell["loaded"] and cell["engine_version"])
                    self.assertGreater(cell["startup_ms"], 0)
        self.assertIn(b"peers, 2 threads", outcome.out)
        self.assertEqual(children(self.root), [])

    def test_every_peer_answers_the_aggregates_and_says_what_it_did_not_read(self):
        outcome, cells = self.run_peers("--peers", ",".join(ENGINES), "-s", "2",
                                        "--queries", "aggregates.q")
        self.assertEqual(outcome.status, 0, outcome.messages)
        checksums = {cell["query"]: cell["checksum"] for cell in cells
                     if cell["engine"] == "hdbench"}
        self.assertEqual(len(checksums), 16)
        for cell in cells:
            if cell["engine"] == "hdbench":
                continue
            self.assertIsNone(cell["error"])
            self.assertEqual(cell["checksum"], checksums[cell["query"]])
            self.assertEqual(len(cell["times_ms"]), 2)
        self.assertEqual(len(cells), 16 * (len(ENGINES) + 1))
        # Prices move slowly: where many row groups lie on one side of a price, DuckDB's least and
        # greatest values decide; here one or two row groups hold the whole table.
        whole = [cell["query"] for cell in cells if cell.get("unread") is not None]
        self.assertEqual(whole, [])

    def test_every_peer_answers_the_desk_s_queries_or_says_why_not(self):
        with tempfile.TemporaryDirectory(prefix="hdbench-peers-") as folder:
            database = pathlib.Path(folder, "db")
            done = program.run(self.binary, "gen", database, "--profile", "taq", "--scale",
                               DESK_SCALE)
            self.assertEqual(done.status, 0, done.messages)
            cut_times(database)
            outcome, cells = self.run_peers(
                "--peers", ",".join(ENGINES), "-s", "2", "--queries", "desk.q",
                database=database, axes=BOTH_LAYOUTS)
        self.assertEqual(outcome.status, 0, outcome.messages)
        checksums = {cell["query"]: cell["checksum"] for cell in cells
                     if cell["engine"] == "hdbench"}
        self.assertEqual(len(checksums), 40)
        for engine in ENGINES:
            mine = {cell["query"]: cell for cell in cells if cell["engine"] == engine}
            self.assertEqual(len(mine), 40, engine)
            for number, cell in mine.items():
                if cell["error"] is None:
                    self.assertEqual(cell["checksum"], checksums[number])
                    self.assertEqual(len(cell["times_ms"]), 2)
                    self.assertTrue(cell["form"])
                    self.assertGreater(cell["startup_ms"], 0)
                else:
                    left_out = importlib.import_module(f"desk_{engine}").LEFT_OUT
                    self.assertEqual(cell["error"], left_out.get(number))
                self.assertIsNone(cell.get("unread"))

    def test_a_difference_from_hdbenchs_result_is_seen(self):
        done = subprocess.run(
            [self.root / "build/peers-venv/bin/python", "-B",
             self.root / "tests/peers_test.py"], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_an_interrupt_and_a_kill_leave_no_files_and_no_worker(self):
        for number in (signal.SIGINT, signal.SIGKILL):
            with tempfile.TemporaryDirectory(prefix="hdbench-peers-") as folder:
                run = subprocess.Popen(
                    [self.binary, "run", self.database, *AXES[:-1], "1000", "--peers", "chdb"],
                    env=os.environ | {"TMPDIR": folder},
                    stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                made = pathlib.Path(folder)
                self.wait_until(lambda: any(made.glob("hdbench-peer-*/hdbench-chdb-*/*")))
                run.send_signal(number)
                run.wait(60)
                self.wait_until(lambda: not children(self.root))
                self.wait_until(lambda made=made: not list(made.iterdir()))

    def wait_until(self, holds):
        end = time.monotonic() + 60
        while not holds():
            self.assertLess(time.monotonic(), end)
            time.sleep(0.1)

    def test_a_python_without_the_packages_is_left_out_and_the_rest_is_run(self):
        outcome, cells = self.run_peers("--peers", "duckdb", "--peers-python", "/usr/bin/python3",
                                        "-s", "1")
        self.assertEqual(outcome.status, 0, outcome.messages)
        self.assertIn(b"Not run: duckdb: ", outcome.out)
        self.assertEqual(len([cell for cell in cells if cell["engine"] == "hdbench"]), 11)
        self.assertTrue(all(cell["error"] for cell in cells if cell["engine"] == "duckdb"))

    def test_other_queries_and_other_media_are_refused_in_one_line(self):
        queries = pathlib.Path(self.folder.name, "mine.q")
        queries.write_text("select from quote where date=2020.01.07\n")
        for arguments, words in (
            (["--peers", "duckdb", "--queries", queries], "know only the queries of paper.q"),
            (["--peers", "oracle"], "unknown engine 'oracle'"),
            (["--peers", "duckdb", "--medium", "nvme"], "--medium dram --layout flat"),
        ):
            flags = [flag for flag in AXES if "--medium" not in arguments
                     or flag not in ("--medium", "dram")]
            outcome = program.run(self.binary, "run", self.database, *flags, *arguments)
            self.assertEqual(outcome.status, 2)
            self.assertEqual(len(outcome.lines), 1)
            self.assertIn(words, outcome.lines[0])


def main():
    os.environ["HDBENCH_PEERS_WARM_SECONDS"] = "0"
    program.TIMEOUT_SECONDS = 600  # many workers load on what may be few processors
    Peers.binary, Peers.root = sys.argv[1], pathlib.Path(sys.argv[2])
    sys.path.append(str(Peers.root / "bench" / "peers"))
    if not os.access(Peers.root / "build/peers-venv/bin/python", os.X_OK):
        print("skipped: no build/peers-venv with the peers; bench/peers/run DB makes it")
        return 77
    outcome = unittest.main(argv=sys.argv[:1], exit=False)
    return 0 if outcome.result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
