"""The benchmark of what being metered costs runs on a small database, and refuses what is none.

    meter_overhead.py HDBENCH METER_OVERHEAD
"""

import pathlib
import sys
import tempfile
import unittest

import program


class MeterOverhead(unittest.TestCase):
    hdbench = None
    binary = None

    def test_the_eleven_have_a_line_each(self):
        with tempfile.TemporaryDirectory(prefix="hdbench-overhead-") as folder:
            database = pathlib.Path(folder, "db")
            program.generate(self.hdbench, database, "0.0002")
            done = program.run(self.binary, database, "2", "1")
        self.assertEqual(done.status, 0, done.messages)
        lines = done.out.decode().splitlines()
        self.assertEqual([line.split()[0] for line in lines[2:]],
                         [str(query) for query in range(1, 12)])

    def test_no_database_and_no_repetitions(self):
        self.assertEqual(program.run(self.binary).status, 2)
        self.assertEqual(program.run(self.binary, "/nowhere", "1", "0").status, 2)
        self.assertEqual(program.run(self.binary, "/nowhere").status, 3)


def main():
    MeterOverhead.binary = pathlib.Path(sys.argv.pop(2)).resolve()
    MeterOverhead.hdbench = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main()


if __name__ == "__main__":
    main()
