"""hdbench io from outside: what it prints and writes, what it refuses, and that it leaves nothing.

    io.py HDBENCH
"""

import contextlib
import csv
import io as text_io
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import program

NOBODY = 65534
FIGURES = ["name", "real_time", "time_unit", "unit", "samples", "median", "processes",
           "block_bytes", "engine", "cache", "bytes", "operations", "iops", "latency_ns",
           "resident_before", "major_faults", "device_bytes", "checksum", "checked", "ceiling",
           "above_ceiling", "published", "error"]
SOME = "random-read/block:(64|4)KiB|hcount|/set/vector:tiny"
LONG = ["--quick", "--processes", "2", "--reps", "1000", "--tests", "sequential-write|random-read"]


class Io(unittest.TestCase):
    binary = None

    def setUp(self):
        self.place = tempfile.TemporaryDirectory(prefix="hdbench-io-test-")
        self.addCleanup(self.place.cleanup)
        self.root = pathlib.Path(self.place.name)
        self.target = self.root / "target"
        self.target.mkdir()

    def run_io(self, *arguments):
        return program.run(self.binary, "io", *arguments)

    def refused(self, status, words, *arguments):
        done = self.run_io(*arguments)
        self.assertEqual(done.status, status, f"{arguments}: {done.messages}")
        self.assertEqual(len(done.lines), 1, done.messages)
        self.assertIn(words, done.messages)
        self.assertEqual(done.out, b"")

    def saved(self, *arguments):
        out = self.root / "results.json"
        done = self.run_io(*arguments, "--out", out)
        self.assertEqual(done.status, 0, done.messages)
        self.assertEqual(done.messages, "")
        return json.loads(out.read_text()), done.out.decode()

    def start(self, target, *arguments):
        """A run that has made its files."""
        begun = subprocess.Popen([self.binary, "io", target, *map(str, arguments)],
                                 stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                                 start_new_session=True)
        self.addCleanup(begun.stderr.close)
        for _ in range(1000):
            if list(pathlib.Path(target).glob("hdbench-io-*/*")):
                time.sleep(0.3)
                return begun
            self.assertIsNone(begun.poll(), "it has ended")
            time.sleep(0.01)
        self.fail("it made no file")

    def check_gone(self, begun, target):
        """Neither a file nor a process of it is left, at once or a little later."""
        for _ in range(500):
            try:
                os.killpg(begun.pid, 0)
            except ProcessLookupError:
                if not list(target.iterdir()):
                    return
            time.sleep(0.01)
        self.fail(f"left: {list(target.rglob('*'))}")

    @contextlib.contextmanager
    def tmpfs(self, mib):
        mounted = self.root / "tmpfs"
        mounted.mkdir()
        if os.geteuid() != 0 or subprocess.run(
                ["mount", "-t", "tmpfs", "-o", f"size={mib}m", "none", mounted],
                capture_output=True, check=False).returncode != 0:
            self.skipTest("a tmpfs of its own size needs root and the right to mount")
        try:
            yield mounted
        finally:
            subprocess.run(["umount", "-l", mounted], check=True)

    def test_bad_flags(self):
        self.refused(2, "give a directory", "--quick")
        for words, arguments in [
                ("--processes: 0, expected 1 to 64", ["--processes", "0"]),
                ("--processes: 65, expected 1 to 64", ["--processes", "1,65"]),
                ("--processes: 'many'", ["--processes", "many"]),
                ("--reps: 0", ["--reps", "0"]),
                ("--size: 1 MiB, expected 16 or more", ["--size", "1"]),
                ("--budget", ["--budget", "-1"]),
                ("--pass-seconds", ["--pass-seconds", "0"]),
                ("--tests: '(' is no regular expression", ["--tests", "("]),
                ("no test's name matches 'nothing'", ["--tests", "nothing"]),
                ("--format: unknown value 'xml'", ["--format", "xml"]),
                ("no directory /nowhere", ["--out", "/nowhere/r.json"])]:
            self.refused(2, words, self.target, "--quick", *arguments)
        self.assertEqual(list(self.target.iterdir()), [])

    def test_paths_that_cannot_be_measured(self):
        file = self.root / "file"
        file.write_text("")
        self.refused(3, f"{self.root}/absent: No such file or directory", self.root / "absent",
                     "--quick")
        self.refused(3, f"{file}: is not a directory", file, "--quick")
        self.refused(3, "bytes wanted", self.target, "--size", str(1 << 30))

    def test_a_database_is_never_written_into(self):
        database = self.root / "db"
        program.generate(self.binary, database, 0.0002)
        before = program.contents(database)
        self.refused(2, "is part of a database", database, "--quick")
        self.assertEqual(program.contents(database), before)

    def test_a_path_that_cannot_be_written(self):
        if os.geteuid() != 0:
            self.target.chmod(0o555)
            self.refused(3, "Permission denied", self.target, "--quick")
            return
        with self.tmpfs(128) as mounted:
            subprocess.run(["mount", "-o", "remount,ro", mounted], check=True)
            self.refused(3, f"{mounted}: cannot make a directory in it: Read-only file system",
                         mounted, "--quick")

    def test_some_tests_on_a_disk(self):
        told, text = self.saved(self.target, "--quick", "--processes", "1,2", "--tests", SOME)
        self.assertEqual(list(self.target.iterdir()), [])
        self.assertEqual(told["context"]["tool"], "io")
        self.assertEqual(told["context"]["vectors"]["huge"], 2 << 20)
        names = [one["name"] for one in told["benchmarks"]]
        self.assertEqual(len(names), len(set(names)))
        for processes in (1, 2):
            self.assertIn(f"io/hcount/engine:calls/processes:{processes}", names)
        for one in told["benchmarks"]:
            self.assertTrue(set(FIGURES) <= set(one), one["name"])
            self.assertTrue(one["checked"] or one["error"], one["name"])
            self.assertIn(one["name"].split("/")[1], text)
            if one["cache"] == "cold" and not one["error"]:
                self.assertLessEqual(one["resident_before"], one["resident_of_bytes"] // 1000)
                self.assertGreaterEqual(one["device_bytes"], 0.9 * one["bytes"])
            if one["cache"] == "warm" and not one["error"]:
                self.assertGreaterEqual(one["resident_before"],
                                        one["resident_of_bytes"] * 999 // 1000)
            if one["above_ceiling"]:
                self.assertEqual(one["real_time"], 0)
                self.assertTrue(one["error_occurred"])
                self.assertIn(f"0N {one['name']}", text)

    def test_every_test_on_tmpfs(self):
        with self.tmpfs(256) as mounted:
            told, text = self.saved(mounted, "--quick", "--processes", "2")
            self.assertEqual(list(mounted.iterdir()), [])
        listed = self.run_io(mounted, "--quick", "--processes", "2", "--list").out.decode().split()
        names = [one["name"] for one in told["benchmarks"]]
        left_out = [name for name in listed if name not in names]
        self.assertTrue(names)
        for name in left_out:
            self.assertTrue("cache:cold" in name or "engine:direct" in name, name)
        self.assertIn("is on tmpfs, which is memory: it cannot be cold", text)
        self.assertTrue(all(one["checked"] for one in told["benchmarks"]))

    def test_several_paths_share_the_processes(self):
        other = self.root / "other"
        other.mkdir()
        told, _ = self.saved(self.target, other, "--quick", "--processes", "2", "--tests",
                             "streaming-read|enum-extend")
        self.assertEqual([one["path"] for one in told["context"]["targets"]],
                         [str(self.target), str(other)])
        self.assertEqual(list(self.target.iterdir()) + list(other.iterdir()), [])

    def test_csv(self):
        done = self.run_io(self.target, "--quick", "--processes", "1", "--tests", "hcount|reread",
                           "--format", "csv")
        rows = list(csv.DictReader(text_io.StringIO(done.out.decode())))
        self.assertEqual([row["unit"] for row in rows], ["MB/s", "ms"])

    def test_compare_and_report_know_such_a_file(self):
        self.saved(self.target, "--quick", "--reps", "3", "--processes", "1", "--tests", "hcount")
        file = self.root / "results.json"
        done = program.run(self.binary, "compare", file, file)
        self.assertEqual(done.status, 0, done.messages)
        self.assertIn("all: io, hcount", done.out.decode())
        done = program.run(self.binary, "report", file, "--format", "terminal")
        self.assertEqual(done.status, 0, done.messages)
        self.assertIn("hcount", done.out.decode())

    def test_signals_leave_nothing(self):
        for number, status in [(signal.SIGTERM, 130), (signal.SIGINT, 130), (signal.SIGKILL, -9)]:
            begun = self.start(self.target, *LONG)
            begun.send_signal(number)
            self.assertEqual(begun.wait(timeout=30), status)
            self.check_gone(begun, self.target)

    def test_a_path_that_vanishes(self):
        begun = self.start(self.target, *LONG)
        for made in self.target.glob("hdbench-io-*"):
            shutil.rmtree(made, ignore_errors=True)
            shutil.rmtree(made, ignore_errors=True)
        self.assertEqual(begun.wait(timeout=30), 3)
        self.assertIn("No such file or directory", begun.stderr.read())
        self.check_gone(begun, self.target)

    def test_a_path_that_is_renamed(self):
        moved = self.root / "moved"
        begun = self.start(self.target, *LONG)
        self.target.rename(moved)
        self.assertEqual(begun.wait(timeout=30), 3)
        self.assertIn("No such file or directory", begun.stderr.read())
        self.check_gone(begun, moved)

    def test_a_disk_that_fills(self):
        with self.tmpfs(100) as mounted:
            begun = self.start(mounted, *LONG)
            filler = mounted / "theirs"
            # Again and again: what hdbench gives back between two of its files it would get again.
            with open(filler, "wb", buffering=0) as file:
                while begun.poll() is None:
                    with contextlib.suppress(OSError):
                        file.write(bytes(1 << 20))
                        continue
                    time.sleep(0.001)
            self.assertEqual(begun.wait(), 3)
            message = program.without_preflight(begun.stderr.read())
            self.assertEqual(len(message.splitlines()), 1, message)
            self.assertIn(str(mounted), message)
            self.assertRegex(message, "No space left on device|the device failed or is full")
            filler.unlink()
            self.check_gone(begun, mounted)


def main():
    Io.binary = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main()


if __name__ == "__main__":
    main()
