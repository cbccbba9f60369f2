"""The peers over a small database: every result compared, every cell in results.json.

    peers.py HDBENCH ROOT

Needs the Python environment that bench/peers/run makes.
"""

import itertools
import os
import pathlib
import signal
import struct
import subprocess
import sys
import tempfile

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


class Peers(program.Case):
    root = None

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.database = cls.folder / "db"
        program.generate(cls.binary, cls.database, SCALE)

    def run_peers(self, *arguments, database=None, axes=None):
        out = self.folder / "results.json"
        done = self.fine("run", database or self.database, *(axes or AXES), "--out", out,
                         *arguments)
        return done, program.cells(out)

    def all_peers(self, count, threads, *arguments, **options):
        """The cells of every peer for each query and thread count, with hdbench's results."""
        done, cells = self.run_peers("--peers", ",".join(ENGINES), *arguments, **options)
        checksums = {cell["query"]: cell["checksum"] for cell in cells
                     if cell["engine"] == "hdbench"}
        mine = [cell for cell in cells if cell["engine"] != "hdbench"]
        self.assertCountEqual([(cell["engine"], cell["threads"], cell["query"]) for cell in mine],
                              itertools.product(ENGINES, threads, range(1, count + 1)))
        for cell in mine:
            with self.subTest(cell=cell["name"]):
                self.assertIsNone(cell["error"])
                self.assertEqual(cell["checksum"], checksums[cell["query"]])
                self.assertEqual(len(cell["times_ms"]), 2)
                self.assertTrue(cell["form"] and cell["loaded"] and cell["engine_version"])
                self.assertGreater(cell["startup_ms"], 0)
                self.assertIsNone(cell.get("unread"))
        return done

    def test_every_peer_gives_hdbenchs_results_on_one_and_on_two_threads(self):
        done = self.all_peers(11, (1, 2), "-s", "1,2")
        self.assertIn(b"peers, 2 threads", done.out)
        self.assertEqual(children(self.root), [])

    def test_every_peer_answers_the_aggregates_and_says_what_it_did_not_read(self):
        # Prices move slowly: where many row groups lie on one side of a price, DuckDB's least and
        # greatest values decide; here one or two row groups hold the whole table.
        self.all_peers(16, (2,), "-s", "2", "--queries", "aggregates.q")

    def test_every_peer_answers_the_desk_s_queries(self):
        database = self.folder / "desk"
        program.succeed(self.binary, "gen", database, "--profile", "taq", "--scale", DESK_SCALE)
        cut_times(database)
        self.all_peers(40, (2,), "-s", "2", "--queries", "desk.q", database=database,
                       axes=BOTH_LAYOUTS)

    def test_a_difference_from_hdbenchs_result_is_seen(self):
        done = subprocess.run(
            [self.root / "build/peers-venv/bin/python", "-B",
             self.root / "tests/peers_test.py"], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_an_interrupt_and_a_kill_leave_no_files_and_no_worker(self):
        for number in (signal.SIGINT, signal.SIGKILL):
            with tempfile.TemporaryDirectory(prefix="hdbench-peers-") as folder:
                run = self.start("run", self.database, *AXES[:-1], "1000", "--peers", "chdb",
                                 env=os.environ | {"TMPDIR": folder}, stderr=subprocess.DEVNULL)
                made = pathlib.Path(folder)
                self.comes(lambda made=made: any(made.glob("hdbench-peer-*/hdbench-chdb-*/*")))
                run.send_signal(number)
                run.wait(60)
                self.comes(lambda: not children(self.root))
                self.comes(lambda made=made: not list(made.iterdir()))

    def comes(self, holds):
        self.assertTrue(program.wait_until(holds, 60))

    def test_a_python_without_the_packages_is_left_out_and_the_rest_is_run(self):
        done, cells = self.run_peers("--peers", "duckdb", "--peers-python", "/usr/bin/python3",
                                     "-s", "1")
        self.assertIn(b"Not run: duckdb: ", done.out)
        self.assertEqual(len([cell for cell in cells if cell["engine"] == "hdbench"]), 11)
        self.assertTrue(all(cell["error"] for cell in cells if cell["engine"] == "duckdb"))

    def test_other_queries_and_other_media_are_refused_in_one_line(self):
        queries = self.folder / "mine.q"
        queries.write_text("select from quote where date=2020.01.07\n")
        for arguments, words in (
            (["--peers", "duckdb", "--queries", queries], "know only the queries of paper.q"),
            (["--peers", "oracle"], "unknown engine 'oracle'"),
            (["--peers", "duckdb", "--medium", "nvme"], "--medium dram --layout flat"),
        ):
            flags = AXES[2:] if "--medium" in arguments else AXES
            self.refused(2, words, "run", self.database, *flags, *arguments)


def main():
    os.environ["HDBENCH_PEERS_WARM_SECONDS"] = "0"
    program.TIMEOUT_SECONDS = 600  # many workers load on what may be few processors
    Peers.root = pathlib.Path(sys.argv.pop(2))
    has_peers = os.access(Peers.root / "build/peers-venv/bin/python", os.X_OK)
    program.main("" if has_peers else "no build/peers-venv; bench/peers/run DB makes it")


if __name__ == "__main__":
    main()
