"""`hdbench import taq` from outside: what it makes, what it says of bad files, what it leaves.

    import_taq.py HDBENCH
"""

import gzip
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import program
import taq_files

SECONDS = program.TIMEOUT_SECONDS / 2


class ImportTaq(unittest.TestCase):
    binary = None

    def setUp(self):
        self.place = tempfile.TemporaryDirectory(prefix="hdbench-import-", dir=shared_memory())
        self.addCleanup(self.place.cleanup)
        self.folder = pathlib.Path(self.place.name)
        self.database = self.folder / "db"

    def taken(self, *words):
        done = program.run(self.binary, "import", "taq", *words, self.database)
        self.assertEqual(done.status, 0, done.messages)
        return done

    def refused(self, status, words, *arguments):
        """One line with these words, and nothing is left."""
        before = sorted(path.name for path in self.folder.iterdir())
        done = program.run(self.binary, "import", *arguments)
        self.assertEqual(done.status, status, done.messages)
        self.assertEqual(len(done.lines), 1, done.messages)
        self.assertIn(words, done.messages)
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), before)

    def exec(self, query):
        done = program.run(self.binary, "query", self.database, query, "--format", "csv")
        self.assertEqual(done.status, 0, done.messages)
        return done.out.decode().split("\n")[1:-1]

    def test_a_database_that_verify_and_the_queries_of_a_desk_take(self):
        files = [taq_files.write(self.folder, kind, date, 500)
                 for kind in ("trade", "quote") for date in ("20200107", "20200108")]
        done = self.taken(*files)
        self.assertIn("2 partitions, trade 1,000 rows, quote 1,000 rows", done.out.decode())
        self.assertEqual(done.messages, "")
        done = program.run(self.binary, "verify", self.database)
        self.assertEqual(done.status, 0, done.messages)
        self.assertIn("0 errors, 0 notes, 0 unreadable", done.messages)
        self.assertEqual(self.exec("select count i by date from trade"),
                         ["2020-01-07,500", "2020-01-08,500"])
        self.assertEqual(self.exec('select n:count i by sym from quote where sym=`$"BRK A"'),
                         ["BRK A,126"])
        done = program.run(self.binary, "run", self.database, "--queries", "desk.q", "--medium",
                           "dram", "--reps", "1", "-s", "1", "--benchmark_filter=Q0[1-6]/",
                           *program.SMALL_CEILINGS)
        self.assertEqual(done.status, 0, done.messages)

    def test_compressed_files_and_flags_anywhere(self):
        plain = taq_files.write(self.folder, "trade", "20200107", 300)
        packed = taq_files.write(self.folder, "trade", "20200107", 300, name="t.gz",
                                 is_packed=True)
        self.taken(plain)
        first = program.contents(self.database)
        shutil.rmtree(self.database)
        self.taken("--date", "2020.01.07", packed)
        self.assertEqual(hashes(program.contents(self.database)), hashes(first))
        shutil.rmtree(self.database)
        done = program.run(self.binary, "import", "taq", packed, self.database,
                           "--date=2020.01.07")
        self.assertEqual(done.status, 0, done.messages)
        self.assertEqual(hashes(program.contents(self.database)), hashes(first))
        shutil.rmtree(self.database)
        done = subprocess.run([self.binary, "import", "--date", "2020.01.07", "taq", "--",
                               "-t.gz", "db"], cwd=self.folder, capture_output=True, check=False)
        self.assertEqual(done.returncode, 3, done.stderr)
        packed.rename(self.folder / "-t.gz")
        subprocess.run(done.args, cwd=self.folder, stdout=subprocess.DEVNULL, check=True)
        self.assertEqual(hashes(program.contents(self.database)), hashes(first))

    def test_bad_lines_are_told_and_left_out(self):
        texts = taq_files.lines("trade", "20200107", 20)
        for number in range(2, 10):
            texts[number] = texts[number].replace("|", "", 1)
        path = self.folder / "t_20200107"
        path.write_text("\n".join(texts[:-1]) + "\n")
        done = self.taken(path)
        self.assertIn("trade 12 rows", done.out.decode())
        self.assertEqual(done.lines[0], f"warning: {path}:3: 14 fields, the header has 15")
        self.assertEqual(done.lines[5:], [
            f"warning: {path}: ... and 3 more",
            f"warning: {path}: 8 of 20 lines left out: 8 with another number of fields than the "
            "header",
            f"warning: {path}: no END line: the file may be cut"])

    def test_rows_stay_whose_lesser_fields_do_not_fit(self):
        texts = taq_files.lines("trade", "20200107", 3)
        fields = [line.split("|") for line in texts]
        for row, (size, price, correction, sequence) in enumerate([
                ("100.0", "523456.78", "00", "9876543210"), ("1.5", "2", "C", "2"),
                ("7", "187.43", "12", "3")]):
            fields[row + 1][4:6], fields[row + 1][7:9] = [size, price], [correction, sequence]
        path = self.folder / "t_20200107"
        path.write_text("\n".join("|".join(line) for line in fields) + "\n")
        nulls = [f"warning: {path}: 1 of 3 values of {name} do not fit: null; the first is {first}"
                 " in line 3" for name, first in (("Trade Volume", "'1.5'"),
                                                  ("Trade Correction Indicator", "'C'"))]
        rows = "select seq,size,corr,price from trade"
        done = self.taken(path)
        self.assertEqual([line for line in done.lines if "lose digits" not in line], nulls)
        self.assertIn("1 of 3 values of Trade Price lose digits as reals (--price-type float keeps"
                      " them); the first is '523456.78' in line 2", done.messages)
        self.assertEqual(self.exec(rows), ["9876543210,100,0,523456.78", "2,,,2", "3,7,12,187.43"])
        shutil.rmtree(self.database)
        done = self.taken(path, "--price-type=float")
        self.assertEqual(done.lines, nulls)
        self.assertEqual(self.exec(rows)[0], "9876543210,100,0,523456.78")
        self.assertEqual(self.exec("select from trade where price=523456.78"),
                         self.exec("select from trade where seq>3"))

    def test_what_is_no_such_file_is_one_line(self):
        good = taq_files.write(self.folder, "trade", "20200107", 10)
        db = self.database
        self.refused(2, "DB is required", "taq", good)
        self.refused(2, "FORMAT: unknown value 'csv'", "csv", good, db)
        self.refused(2, "given twice", "taq", good, good, db)
        self.refused(2, "'--dat' was not expected", "taq", good, db, "--dat", "2020.01.07")
        self.refused(2, "--date: '2020' is no date", "taq", good, db, "--date", "2020")
        self.refused(2, "expected a path", "taq", "", db)
        self.refused(3, "cannot open", "taq", self.folder / "none", db)
        self.refused(3, "not a regular file", "taq", self.folder, db)
        self.refused(3, "not a regular file", "taq", "/dev/null", db)
        os.mkfifo(self.folder / "pipe")
        self.refused(3, "not a regular file", "taq", self.folder / "pipe", db)
        other = self.folder / "other_20200107"
        other.write_bytes(b"")
        self.refused(3, "empty, expected a header", "taq", good, other, db)
        other.write_bytes(os.urandom(1000))
        self.refused(3, "header: no column", "taq", good, other, db)
        other.write_text("|".join(taq_files.TRADE).replace("Symbol|", "") + "\n")
        self.refused(3, "header: no column 'Symbol'", "taq", good, other, db)
        other.write_text("|".join([*taq_files.QUOTE, "Best_Bid_Price"]) + "\n")
        self.refused(3, "an NBBO file, not trades or quotes", "taq", good, other, db)
        other.write_text("Record Count: 000000002 Date: 12182013\n")
        self.refused(3, "fixed width (before 2016): not supported", "taq", good, other, db)
        other.write_bytes(b"PK\3\4 and more")
        self.refused(3, "a zip archive: unzip it", "taq", good, other, db)
        self.refused(2, "--price-type: unknown value 'double': known are real, float", "taq", good,
                     db, "--price-type", "double")
        other.write_text("|".join(taq_files.TRADE) + "\nx\n")
        self.refused(3, "more than half", "taq", good, other, db)
        packed = gzip.compress("\n".join(taq_files.lines("trade", "20200107", 5000)).encode())
        other.write_bytes(packed[:len(packed) // 2])
        self.refused(3, "ends within what gzip compressed", "taq", good, other, db)

    def test_the_day_must_be_known(self):
        path = taq_files.write(self.folder, "quote", "20200107", 10, name="quotes_20200108")
        self.refused(2, "of 2020.01.08 by its name, of 2020.01.07 by its END line", "taq", path,
                     self.database)
        path = taq_files.write(self.folder, "quote", "no date", 10, name="quotes")
        self.refused(2, "say it by --date", "taq", path, self.database)

    def test_a_database_that_is_there_stays(self):
        path = taq_files.write(self.folder, "quote", "20200107", 10)
        self.taken(path)
        before = program.contents(self.database)
        self.refused(2, "exists: take another path", "taq", path, self.database)
        self.refused(2, "is part of a database", "taq", path, self.database / "new")
        self.assertEqual(program.contents(self.database), before)

    def start(self, path, **more):
        return subprocess.Popen([str(self.binary), "import", "taq", str(path), str(self.database)],
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more)

    def test_an_interrupt_leaves_nothing(self):
        path = taq_files.write(self.folder, "quote", "20200107", 150000)
        with self.start(path) as process:
            while process.poll() is None and not (self.folder / "db.partial").exists():
                time.sleep(0.001)
            process.send_signal(signal.SIGINT)
            said = process.communicate(timeout=SECONDS)[1].decode()
        self.assertEqual(process.returncode, 130, said)
        self.assertEqual(len(said.splitlines()), 1, said)
        self.assertEqual([entry.name for entry in self.folder.iterdir()], [path.name])

    def test_space_that_is_not_there_is_one_line(self):
        def few_bytes():
            resource.setrlimit(resource.RLIMIT_FSIZE, (16384, 16384))

        path = taq_files.write(self.folder, "quote", "20200107", 5000)
        with self.start(path, preexec_fn=few_bytes) as process:
            said = process.communicate(timeout=SECONDS)[1].decode()
        self.assertEqual(process.returncode, 3, said)
        self.assertEqual(len(said.splitlines()), 1, said)
        self.assertEqual([entry.name for entry in self.folder.iterdir()], [path.name])


def shared_memory():
    """Every file of a database is flushed: in memory that costs nothing."""
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


def hashes(contents):
    return {name: hashed for name, (_, _, hashed) in contents.items()}


if __name__ == "__main__":
    ImportTaq.binary = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main()
