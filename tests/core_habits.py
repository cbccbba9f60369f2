"""The eleven under each habit of a core run on a small database; what is no habit is refused.

    core_habits.py HDBENCH CORE_HABITS
"""

import pathlib
import sys
import tempfile
import unittest

import program

HABIT = "4096/1024,0/2048,512,1,4,1,0"


class CoreHabits(unittest.TestCase):
    hdbench = None
    binary = None

    def test_each_query_has_a_line_and_each_habit_a_column(self):
        with tempfile.TemporaryDirectory(prefix="hdbench-habits-") as folder:
            database = pathlib.Path(folder, "db")
            program.generate(self.hdbench, database, "0.0002")
            for extra in (["--query", "4,7"], ["--attr", "parted", "--codes", "narrow"]):
                done = program.run(self.binary, database, "-s", "2", "--reps", "1",
                                   "--habit", HABIT, *extra)
                self.assertEqual(done.status, 0, done.messages)
                lines = done.out.decode().splitlines()
                habits = [line for line in lines if line.startswith("[")]
                self.assertTrue(habits[-1].endswith(HABIT), habits)
                queries = [line.split() for line in lines[len(habits) + 2:]]
                wanted = [4, 7] if "--query" in extra else range(1, 12)
                self.assertEqual([int(words[0]) for words in queries], list(wanted))
                # A query, its time, and of each habit but the first a ratio with its quartiles.
                for words in queries:
                    self.assertEqual(len(words), 2 + 2 * (len(habits) - 1), words)

    def test_no_database_no_habit_and_no_repetitions(self):
        self.assertEqual(program.run(self.binary).status, 2)
        self.assertEqual(program.run(self.binary, "/nowhere", "--reps", "0").status, 2)
        self.assertEqual(program.run(self.binary, "/nowhere").status, 3)
        for habit in ("fast", "1/2,3/4,5,1,4,1", HABIT + ",9", HABIT + "x"):
            done = program.run(self.binary, "/nowhere", "--habit", habit)
            self.assertEqual(done.status, 2, habit)
            self.assertIn(f"'{habit}'", done.messages)


def main():
    CoreHabits.binary = pathlib.Path(sys.argv.pop(2)).resolve()
    CoreHabits.hdbench = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main()


if __name__ == "__main__":
    main()
