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
import tempfile
import time
import unittest

import program

FIGURES = ["name", "real_time", "time_unit", "unit", "samples", "median", "processes",
           "block_bytes", "engine", "cache", "bytes", "operations", "iops", "latency_ns",
           "resident_before", "major_faults", "device_bytes", "checksum", "checked", "ceiling",
           "above_ceiling", "published", "error"]
SOME = "random-read/block:(64|4)KiB|hcount|/set/vector:tiny"
LONG = ["--quick", "--processes", "2", "--reps", "1000", "--tests", "sequential-write|random-read"]
# What is named, and the flags.
BAD_FLAGS = [
    ("--processes: 0, expected 1 to 64", "--processes", "0"),
    ("--processes: 'many'", "--processes", "many"),
    ("--reps: 0", "--reps", "0"),
    ("--budget", "--budget", "-1"),
    ("--pass-seconds", "--pass-seconds", "0"),
    ("no test's name matches 'nothing'", "--tests", "nothing"),
    ("--format: unknown value 'xml'", "--format", "xml"),
    ("no directory /nowhere", "--out", "/nowhere/r.json"),
]


def tmpfs(place, mib):
    return program.mounted(place, "-t", "tmpfs", "-o", f"size={mib}m", "none")


class Io(program.Case):
    def setUp(self):
        self.root = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
        self.target = self.root / "target"
        self.target.mkdir()

    def saved(self, *arguments):
        out = self.root / "results.json"
        done = self.fine("io", *arguments, "--out", out)
        self.assertEqual(done.messages, "")
        return json.loads(out.read_text()), done.out.decode()

    def begin(self, target):
        """A run that has made its files."""
        begun = self.start("io", target, *LONG, start_new_session=True)
        self.assertTrue(program.wait_until(
            lambda: begun.poll() is not None or list(target.glob("hdbench-io-*/*"))))
        self.assertIsNone(begun.poll(), "it has ended")
        time.sleep(0.3)
        return begun

    def check_end(self, begun, status, target):
        """Neither a file nor a process of it is left, at once or a little later."""
        def is_gone():
            try:
                os.killpg(begun.pid, 0)
            except ProcessLookupError:
                return not list(target.iterdir())
            return False
        said = begun.communicate(timeout=30)[1]
        self.assertEqual(begun.returncode, status, said)
        self.assertTrue(program.wait_until(is_gone), f"left: {list(target.rglob('*'))}")
        return program.without_preflight(said)

    def test_bad_flags(self):
        for named, *arguments in BAD_FLAGS:
            self.refused(2, named, "io", self.target, "--quick", *arguments)
        self.assertEqual(list(self.target.iterdir()), [])

    def test_paths_that_cannot_be_measured(self):
        file = self.root / "file"
        file.write_text("")
        self.refused(3, f"{self.root}/absent: No such file or directory", "io",
                     self.root / "absent", "--quick")
        self.refused(3, f"{file}: is not a directory", "io", file, "--quick")
        self.refused(3, "bytes wanted", "io", self.target, "--size", str(1 << 30))
        if os.geteuid() != 0:
            self.target.chmod(0o555)
            self.refused(3, "Permission denied", "io", self.target, "--quick")

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

    @unittest.skipIf(program.why_not_mount(), program.why_not_mount())
    def test_every_test_on_tmpfs(self):
        with tmpfs(self.root / "tmpfs", 256) as mounted:
            told, text = self.saved(mounted, "--quick", "--processes", "2")
            self.assertEqual(list(mounted.iterdir()), [])
            listed = self.fine("io", mounted, "--quick", "--processes", "2", "--list")
            subprocess.run(["mount", "-o", "remount,ro", mounted], check=True)
            self.refused(3, f"{mounted}: cannot make a directory in it: Read-only file system",
                         "io", mounted, "--quick")
        names = [one["name"] for one in told["benchmarks"]]
        self.assertTrue(names)
        for name in set(listed.out.decode().split()) - set(names):
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

    def test_csv_and_what_compare_and_report_say_of_a_file(self):
        out = self.root / "r.json"
        done = self.fine("io", self.target, "--quick", "--reps", "3", "--processes", "1",
                         "--tests", "hcount|reread", "--format", "csv", "--out", out)
        rows = list(csv.DictReader(text_io.StringIO(done.out.decode())))
        self.assertEqual([row["unit"] for row in rows], ["MB/s", "ms"])
        # On a machine that is busy one of the tests may have no result: then `all` names the other.
        self.assertRegex(self.fine("compare", out, out).out, rb"all: io, (.*, )?processes:1")
        self.assertIn(b"hcount", self.fine("report", out, "--format", "terminal").out)

    def test_signals_leave_nothing(self):
        for number, status in [(signal.SIGTERM, 130), (signal.SIGINT, 130), (signal.SIGKILL, -9)]:
            begun = self.begin(self.target)
            begun.send_signal(number)
            self.check_end(begun, status, self.target)

    def test_a_path_that_vanishes_or_is_renamed(self):
        begun = self.begin(self.target)
        for made in self.target.glob("hdbench-io-*"):
            shutil.rmtree(made, ignore_errors=True)
            shutil.rmtree(made, ignore_errors=True)
        self.assertIn("No such file or directory", self.check_end(begun, 3, self.target))
        begun = self.begin(self.target)
        moved = self.target.rename(self.root / "moved")
        self.assertIn("No such file or directory", self.check_end(begun, 3, moved))

    @unittest.skipIf(program.why_not_mount(), program.why_not_mount())
    def test_a_disk_that_fills(self):
        with tmpfs(self.root / "tmpfs", 100) as mounted:
            begun = self.begin(mounted)
            filler = mounted / "theirs"
            # Again and again: what hdbench gives back between two of its files it would get again.
            with open(filler, "wb", buffering=0) as file:
                while begun.poll() is None:
                    with contextlib.suppress(OSError):
                        file.write(bytes(1 << 20))
                        continue
                    time.sleep(0.001)
            filler.unlink()
            message = self.check_end(begun, 3, mounted)
            self.assertEqual(len(message.splitlines()), 1, message)
            self.assertIn(str(mounted), message)
            self.assertRegex(message, "No space left on device|the device failed or is full")


if __name__ == "__main__":
    program.main()
