"""`hdbench import taq` from outside: what it makes, what it says of bad files, what it leaves.

    import_taq.py HDBENCH
"""

import gzip
import os
import shutil
import signal
import tempfile

import program
import taq_files

HEADER = "|".join(taq_files.TRADE)
PACKED = gzip.compress("\n".join(taq_files.lines("trade", "20200107", 5000)).encode())
# Arguments that are refused, behind "import"; GOOD, DB and HERE are paths.
REFUSED = (
    (2, "DB is required", "taq", "GOOD"),
    (2, "FORMAT: unknown value 'csv'", "csv", "GOOD", "DB"),
    (2, "given twice", "taq", "GOOD", "GOOD", "DB"),
    (2, "'--dat' was not expected", "taq", "GOOD", "DB", "--dat", "2020.01.07"),
    (2, "--date: '2020' is no date", "taq", "GOOD", "DB", "--date", "2020"),
    (2, "--price-type: unknown value 'double': known are real, float", "taq", "GOOD", "DB",
     "--price-type", "double"),
    (2, "expected a path", "taq", "", "DB"),
    (3, "cannot open", "taq", "/absent", "DB"),
    (3, "not a regular file", "taq", "HERE", "DB"),
    (3, "not a regular file", "taq", "/dev/null", "DB"),
)
# What a file beside a good one has in it, all with status 3.
REFUSED_FILES = (
    ("empty, expected a header", b""),
    ("header: no column", os.urandom(1000)),
    ("header: no column 'Symbol'", HEADER.replace("Symbol|", "").encode()),
    ("an NBBO file, not trades or quotes", "|".join([*taq_files.QUOTE, "Best_Bid_Price"]).encode()),
    ("fixed width (before 2016): not supported", b"Record Count: 000000002 Date: 12182013\n"),
    ("a zip archive: unzip it", b"PK\3\4 and more"),
    ("more than half", f"{HEADER}\nx\n".encode()),
    ("ends within what gzip compressed", PACKED[:len(PACKED) // 2]),
)


class ImportTaq(program.DatabaseCase):
    def taken(self, *words):
        return self.fine("import", "taq", *words, self.database)

    def names(self):
        return sorted(path.name for path in self.folder.iterdir())

    def rows(self, query):
        return self.csv(query).split("\n")[1:-1]

    def test_a_database_that_verify_and_the_queries_of_a_desk_take(self):
        files = [taq_files.write(self.folder, kind, date, 500)
                 for kind in ("trade", "quote") for date in ("20200107", "20200108")]
        done = self.taken(*files)
        self.assertIn("2 partitions, trade 1,000 rows, quote 1,000 rows", done.out.decode())
        self.assertEqual(done.messages, "")
        self.verified(0, "0 errors, 0 notes, 0 unreadable")
        self.assertEqual(self.rows("select count i by date from trade"),
                         ["2020-01-07,500", "2020-01-08,500"])
        self.assertEqual(self.rows('select n:count i by sym from quote where sym=`$"BRK A"'),
                         ["BRK A,126"])
        self.fine("run", self.database, "--queries", "desk.q", "--medium", "dram", "--reps", "1",
                  "-s", "1", "--benchmark_filter=Q0[1-6]/", *program.SMALL_CEILINGS)

    def test_compressed_files_and_flags_anywhere(self):
        self.taken(taq_files.write(self.folder, "trade", "20200107", 300))
        first = program.hashes(self.database)
        packed = taq_files.write(self.folder, "trade", "20200107", 300, name="-t.gz",
                                 is_packed=True)
        for words in (["taq", "--date", "2020.01.07", packed, self.database],
                      ["taq", packed, self.database, "--date=2020.01.07"],
                      ["--date", "2020.01.07", "taq", "--", packed.name, "db"]):
            shutil.rmtree(self.database)
            self.fine("import", *words, cwd=self.folder)
            self.assertEqual(program.hashes(self.database), first)

    def test_rows_stay_whose_lesser_fields_do_not_fit(self):
        fields = [line.split("|") for line in taq_files.lines("trade", "20200107", 3)]
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
        self.assertEqual(self.rows(rows), ["9876543210,100,0,523456.78", "2,,,2", "3,7,12,187.43"])
        shutil.rmtree(self.database)
        done = self.taken(path, "--price-type=float")
        self.assertEqual(done.lines, nulls)
        self.assertEqual(self.rows(rows)[0], "9876543210,100,0,523456.78")
        self.assertEqual(self.rows("select from trade where price=523456.78"),
                         self.rows("select from trade where seq>3"))

    def test_what_is_no_such_file_is_one_line_and_leaves_nothing(self):
        paths = {"GOOD": taq_files.write(self.folder, "trade", "20200107", 10),
                 "DB": self.database, "HERE": self.folder}
        for status, words, *arguments in REFUSED:
            self.refused(status, words, "import", *(paths.get(word, word) for word in arguments))
        other = self.folder / "other_20200107"
        os.mkfifo(other)
        self.refused(3, "not a regular file", "import", "taq", other, self.database)
        other.unlink()
        for words, content in REFUSED_FILES:
            other.write_bytes(content)
            self.refused(3, words, "import", "taq", paths["GOOD"], other, self.database)
        self.assertEqual(self.names(), sorted([paths["GOOD"].name, other.name]))

    def test_an_interrupt_leaves_nothing(self):
        path = taq_files.write(self.folder, "quote", "20200107", 150000)
        process = self.start("import", "taq", path, self.database)
        program.wait_until(lambda: process.poll() is not None
                           or (self.folder / "db.partial").exists())
        process.send_signal(signal.SIGINT)
        said = process.communicate(timeout=program.TIMEOUT_SECONDS)[1]
        self.assertEqual(process.returncode, 130, said)
        self.assertEqual(len(said.splitlines()), 1, said)
        self.assertEqual(self.names(), [path.name])

    def test_space_that_is_not_there_is_one_line(self):
        path = taq_files.write(self.folder, "quote", "20200107", 5000)
        self.refused(3, "", "import", "taq", path, self.database,
                     preexec_fn=program.files_up_to(16384))
        self.assertEqual(self.names(), [path.name])


if __name__ == "__main__":
    # Every file of a database is flushed: in memory that costs nothing.
    tempfile.tempdir = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    program.main()
