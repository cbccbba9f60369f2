"""scripts/false_alarms.py with a program that does nothing: what it runs, compares and counts."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parent.parent / "scripts" / "false_alarms.py"
# Writes down how it is called; of a comparison's cells one is VERDICT and SAME are the same.
FAKE = """#!/bin/sh
echo "$@" >> LOG
[ "$1" = compare ] || exit 0
printf '{"cells": [{"verdict": "VERDICT", "name": "a", "ratio": 1.5, "interval": [1.4, 1.6]}'
for i in $(seq SAME); do printf ', {"verdict": "same"}'; done
echo ']}'
"""


class FalseAlarms(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="hdbench-false-alarms-test-")
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)

    def counted(self, verdict, *arguments, same=99):
        fake = self.root / "fake"
        text = FAKE.replace("LOG", str(self.root / "log")).replace("VERDICT", verdict)
        fake.write_text(text.replace("SAME", str(same)), encoding="utf-8")
        fake.chmod(0o755)
        return subprocess.run([sys.executable, "-B", str(SCRIPT), str(fake), "--neighbour", "0.01",
                               *arguments], capture_output=True, text=True, check=False)

    def test_one_of_a_hundred_may_be_called_different(self):
        for verdict in ("faster", "inconclusive"):
            done = self.counted(verdict, "--pairs", "2")
            self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("0 of 200 cells of equal runs called different (0.00%); 198 the same, 2 in",
                      done.stdout)

    def test_more_is_status_1(self):
        done = self.counted("slower", "--pairs", "1", same=98)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("slower: a: 1.500", done.stdout)

    def test_a_pair_is_of_runs_that_follow_each_other(self):
        self.counted("same", "--pairs", "2", "--files", "2")
        calls = (self.root / "log").read_text(encoding="utf-8").splitlines()
        self.assertEqual([call.split()[0] for call in calls],
                         ["gen", *["run"] * 4, "compare", *["run"] * 4, "compare"])
        names = [pathlib.Path(word).name for word in calls[5].split()[1:6]]
        self.assertEqual(names, ["0-0.json", "0-1.json", "--", "0-2.json", "0-3.json"])


if __name__ == "__main__":
    unittest.main()
