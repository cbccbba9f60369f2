"""Waits of hdbench end on SIGINT and SIGTERM: for whoever reads its standard output.

    waits.py HDBENCH
"""

import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import program

PATIENCE_SECONDS = 10


def full_pipe():
    """A pipe that takes no more; both ends."""
    reads, writes = os.pipe()
    os.set_blocking(writes, False)
    try:
        while True:
            os.write(writes, b"x" * 4096)
    except BlockingIOError:
        pass
    os.set_blocking(writes, True)
    return reads, writes


def is_waiting(process):
    """Whether it sleeps, and has for a while: nothing it computes takes so long."""
    def used():
        words = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
        return words[0], words[11], words[12]
    before = used()
    time.sleep(0.4)
    return used() == before and before[0] == "S"


class Waits(unittest.TestCase):
    binary = None

    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory(prefix="hdbtest-waits-")
        cls.folder = pathlib.Path(cls.temporary.name)
        program.generate(cls.binary, cls.folder / "db", "0.0002")

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def ends_on(self, number, *arguments):
        reads, writes = full_pipe()
        with subprocess.Popen([self.binary, *map(str, arguments)], stdin=subprocess.DEVNULL,
                              stdout=writes, stderr=subprocess.DEVNULL) as process:
            os.close(writes)
            end = time.monotonic() + PATIENCE_SECONDS
            while not is_waiting(process):
                self.assertIsNone(process.poll(), arguments)
                self.assertLess(time.monotonic(), end, arguments)
            process.send_signal(number)
            try:
                self.assertEqual(process.wait(timeout=PATIENCE_SECONDS), 130, arguments)
            finally:
                process.kill()
                os.close(reads)

    def test_output_that_nobody_reads(self):
        database = self.folder / "db"
        self.ends_on(signal.SIGTERM, "query", database, "select max bid by col1 from quote")
        self.ends_on(signal.SIGINT, "query", database, "select from quote", "--format", "csv")
        self.ends_on(signal.SIGTERM, "profile", "--template", "cxl")

    def test_an_output_file_that_is_standard_output(self):
        results = self.folder / "io.json"
        done = program.run(self.binary, "io", self.folder, "--quick", "--tests", "hcount", "--out",
                           results)
        self.assertEqual(done.status, 0, done.messages)
        self.ends_on(signal.SIGTERM, "report", results, "-o", "/dev/stdout")


if __name__ == "__main__":
    Waits.binary = sys.argv.pop(1)
    unittest.main()
