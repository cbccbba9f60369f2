"""Damaged databases, wrong flags and wrong query text: the status, and a message that names it.

Also: whatever is asked, nothing is written into a database's directory or left beside it.

    bad_input.py HDBENCH
"""

import pathlib
import resource
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import unittest

import program

DAY = "2020.01.07"
ALL = f"select from quote where date={DAY}, col3 in `val1`val2`val3"
# A flat table has no use for the index of a column on disk, so only the first two read it.
AS_ON_DISK = ([], ["--medium", "dram"])
SETTINGS = (*AS_ON_DISK, ["--layout", "flat", "-s", "2"])
PAGE = 4096


def patched(path, offset, data):
    """Overwrites bytes of a file; a negative offset counts from the end."""
    bytes_now = bytearray(path.read_bytes())
    at = offset if offset >= 0 else len(bytes_now) + offset
    bytes_now[at:at + len(data)] = data
    path.write_bytes(bytes_now)


class Scene(unittest.TestCase):
    """A database of two days, generated once; each test damages a copy of its own."""

    binary = None
    whole = None

    def setUp(self):
        self.place = tempfile.TemporaryDirectory(prefix="hdbench-bad-")
        self.addCleanup(self.place.cleanup)
        self.database = pathlib.Path(self.place.name, "db")
        shutil.copytree(self.whole, self.database)
        self.quote = self.database / DAY / "quote"

    def refused(self, status, named, *arguments):
        """One line of message that names the thing; nothing on standard output; no crash."""
        done = program.run(self.binary, *arguments)
        told = f"{arguments}: status {done.status}: {done.messages}"
        self.assertEqual(done.status, status, told)
        self.assertIn(named, done.messages, told)
        self.assertEqual(done.out, b"", told)
        return done

    def damaged(self, named, query=ALL, settings=SETTINGS):
        """Refused as bad data, in one line, wherever the bytes would live."""
        for axes in settings:
            done = self.refused(3, named, "query", self.database, query, *axes)
            self.assertEqual(len(done.lines), 1, done.messages)


class DamagedColumns(Scene):
    def test_a_whole_database_answers(self):
        for axes in SETTINGS:
            done = program.run(self.binary, "query", self.database, ALL, *axes,
                               "--format", "csv")
            self.assertEqual((done.status, done.messages), (0, ""))

    def test_a_column_cut_within_an_element(self):
        path = self.quote / "bid"
        path.write_bytes(path.read_bytes()[:-3])
        self.damaged(f"{DAY}/quote/bid")

    def test_a_column_one_row_short(self):
        path = self.quote / "bid"
        path.write_bytes(path.read_bytes()[:-8])
        self.damaged("quote/bid")

    def test_a_column_of_no_bytes(self):
        (self.quote / "ask").write_bytes(b"")
        self.damaged(f"{DAY}/quote/ask")

    def test_a_column_cut_within_its_header(self):
        for name in ("ask", "col1"):
            path = self.quote / name
            whole = path.read_bytes()
            path.write_bytes(whole[:9])
            self.damaged(f"{DAY}/quote/{name}")
            path.write_bytes(whole)

    def test_a_count_that_does_not_fit_a_parted_column(self):
        path = self.quote / "col3"
        whole = path.read_bytes()
        (count,) = struct.unpack_from("<q", whole, PAGE - 8)
        for wrong in (count + 1, count - 1, 2**61, -1):
            patched(path, PAGE - 8, struct.pack("<q", wrong))
            self.damaged("quote/col3")

    def test_an_index_that_is_cut(self):
        path = self.quote / "col3"
        path.write_bytes(path.read_bytes()[:-16])
        self.damaged(f"{DAY}/quote/col3", settings=AS_ON_DISK)

    def test_offsets_of_an_index_that_fall(self):
        patched(self.quote / "col3", -16, struct.pack("<q", -5))
        self.damaged(f"{DAY}/quote/col3", settings=AS_ON_DISK)

    def test_a_code_outside_the_domain(self):
        for wrong in (10**6, 2**40, -7):
            patched(self.quote / "col1", PAGE, struct.pack("<q", wrong))
            self.damaged("quote/col1", f"select by col1 from quote where date={DAY}")

    def test_a_code_outside_the_domain_is_refused_when_codes_are_narrowed(self):
        # Its low byte is a good code: it must not be taken for that one.
        patched(self.quote / "col1", PAGE + 8, struct.pack("<q", 2**40))
        query = f"select count i by col1 from quote where date={DAY}"
        named = f"quote/col1: byte {PAGE + 8} (row 1): index {2**40}, but domain sym has"
        self.damaged(named, query, [[*axes, "--codes", "narrow"] for axes in SETTINGS])

    def test_a_broken_index_is_refused_when_codes_are_narrowed(self):
        patched(self.quote / "col3", -16, struct.pack("<q", -5))
        self.damaged(f"{DAY}/quote/col3",
                     settings=[[*axes, "--codes", "narrow"] for axes in AS_ON_DISK])

    def test_a_missing_column(self):
        (self.quote / "bsize").unlink()
        self.damaged(f"{DAY}/quote/bsize")

    def test_a_column_of_another_format(self):
        patched(self.quote / "bid", 0, b"PAR1")
        self.damaged(f"{DAY}/quote/bid")

    def test_a_column_of_another_type_than_on_other_days(self):
        patched(self.quote / "bid", 2, b"\x07")
        self.damaged(f"{DAY}/quote/bid", "select max bid by date from quote")

    def test_an_encrypted_column(self):
        patched(self.quote / "bid", 0, b"kxzippEd")
        done = self.refused(3, f"{DAY}/quote/bid", "query", self.database, ALL)
        self.assertIn("encrypted", done.messages)

    def test_a_compressed_column_with_a_senseless_trailer(self):
        for filling in (b"\0", b"\xff", b"\x7f"):
            (self.quote / "bid").write_bytes(b"kxzipped" + filling * 100)
            self.damaged(f"{DAY}/quote/bid")


class DamagedDatabases(Scene):
    def test_an_empty_directory(self):
        empty = pathlib.Path(self.place.name, "empty")
        empty.mkdir()
        self.refused(3, str(empty), "query", empty, ALL)

    def test_a_directory_that_is_not_there(self):
        absent = pathlib.Path(self.place.name, "absent")
        self.refused(3, str(absent), "query", absent, ALL)

    def test_a_file_for_a_directory(self):
        self.refused(3, "sym", "query", self.database / "sym", ALL)

    def test_a_missing_domain(self):
        (self.database / "sym").unlink()
        self.refused(3, "sym", "query", self.database, ALL)

    def test_a_domain_that_is_not_a_list_of_symbols(self):
        (self.database / "sym").write_bytes(b"not a list")
        self.refused(3, "sym", "query", self.database, ALL)

    def test_a_senseless_list_of_columns(self):
        for day in (DAY, "2020.01.08"):
            (self.database / day / "quote" / ".d").write_bytes(b"\xff\x01")
        self.refused(3, "quote/.d", "query", self.database, ALL)

    def test_segments_that_are_not_there(self):
        (self.database / "par.txt").write_text("/no/such/segment\n", encoding="utf-8")
        self.refused(3, "/no/such/segment", "query", self.database, ALL)

    def test_verify_names_what_is_wrong_too(self):
        (self.quote / "bsize").unlink()
        done = program.run(self.binary, "verify", self.database)
        self.assertEqual(done.status, 3, done.messages)
        self.assertIn(f"{DAY}/quote/bsize", done.out.decode() + done.messages)


class WrongQueries(Scene):
    def wrong(self, query, place, named=None):
        """Refused as usage, with a caret right under the first byte of `place`."""
        done = self.refused(2, named or place, "query", self.database, query)
        carets = [i for i, line in enumerate(done.lines) if line.strip() == "^"]
        self.assertEqual(len(carets), 1, done.messages)
        under = done.lines[carets[0]].index("^")
        self.assertTrue(done.lines[carets[0] - 1][under:].startswith(place), done.messages)

    def test_an_unknown_table(self):
        self.wrong("select from nosuch where date=2020.01.07", "nosuch")

    def test_queries_within_queries(self):
        self.wrong("select from select from nosuch", "nosuch")
        self.wrong("select nope from (select bid from quote)", "nope")
        self.wrong("aj[`col3`nope;quote;quote]", "`nope")
        self.wrong("select sums col3 from quote", "sums")
        self.wrong("select from quote where bid=max fby col3", "max")

    def test_parameters(self):
        query = ["query", self.database, "select count i from quote where bsize>least"]
        self.refused(2, "quote has no column 'least'", *query)
        self.refused(2, "--param: least: expected NAME=FILE or NAME=VALUE", *query, "--param",
                     "least")
        self.refused(2, "--param: least=/nowhere: no such file", *query, "--param",
                     "least=/nowhere")
        done = program.run(self.binary, *query, "--param", "least=0", "--format", "csv")
        self.assertEqual((done.status, done.out.splitlines()[0]), (0, b"x"), done.messages)

    def test_an_unknown_column(self):
        self.wrong("select from quote where date=2020.01.07, nosuch=3", "nosuch")
        self.wrong("select max nosuch by col1 from quote", "nosuch")

    def test_a_word_that_is_no_query(self):
        self.wrong("delete from quote", "delete")

    def test_a_literal_of_a_type_that_does_not_fit(self):
        self.wrong("select from quote where bid=`val1", "`val1", named="type")

    def test_a_query_that_ends_early(self):
        done = self.refused(2, "", "query", self.database, "select from quote where")
        self.assertIn("^", done.messages)

    def test_an_empty_query(self):
        self.refused(2, "", "query", self.database, "")


class WrongFlags(Scene):
    def wrong(self, named, *arguments):
        self.refused(2, named, *arguments)

    def test_flags_and_values_that_are_unknown(self):
        ask = ("query", self.database, ALL)
        self.wrong("--nosuch", *ask, "--nosuch")
        self.wrong("nosuch", *ask, "--medium", "nosuch")
        self.wrong("diagonal", *ask, "--layout", "diagonal")
        self.wrong("sorted", *ask, "--attr", "sorted")
        self.wrong("5.0", *ask, "--mode", "5.0")
        self.wrong("lukewarm", *ask, "--cache", "lukewarm")
        self.wrong("known are stored, narrow", *ask, "--codes", "wide")
        self.wrong("xml", *ask, "--format", "xml")
        self.wrong("shrug", *ask, "--on-limit", "shrug")
        self.wrong("many", *ask, "-s", "many")

    def test_words_that_are_misspelt(self):
        self.wrong("unknown command 'reprot': known are gen, import, query,", "reprot")
        self.wrong("did you mean 'report'?", "reprot")
        self.wrong("'--meduim' was not expected (see hdbench query --help); did you mean "
                   "'--medium'?", "query", self.database, ALL, "--meduim", "dram")
        self.wrong("did you mean '--precision'?", "run", self.database, "--precison", "5")

    def test_sizes_of_databases(self):
        self.wrong("--size and --scale say the same", "gen", "nowhere", "--size", "1GB", "--scale",
                   "1")
        self.wrong("--size: a size is a number with", "gen", "nowhere", "--size", "much")
        self.wrong("--size: 10KB is too small", "gen", "nowhere", "--size", "10KB")
        made = pathlib.Path(self.place.name, "sized")
        done = program.run(self.binary, "gen", made, "--size", "20MB")
        self.assertEqual(done.status, 0, done.messages)
        size = sum(path.stat().st_size for path in made.rglob("quote/*"))
        again = program.run(self.binary, "gen", made, "--scale", "auto", "--resume")
        self.assertEqual(again.status, 0, "the scale of the database that is there")
        self.assertIn(b"written 0.0 MB", again.out)
        self.assertGreater(size, 18e6)
        self.assertLess(size, 21e6)

    def test_limits_that_are_no_limits(self):
        for limit in ("-5", "abc", "1.5", "99999999999999999999"):
            self.wrong("-w", "query", self.database, ALL, "-w", limit)

    def test_numbers_that_are_none(self):
        self.wrong("--reps: '-1' is no number from 0 up", "run", self.database, "--reps", "-1")
        for size in ("64kB", "1KiB"):
            self.wrong(f"--ceiling-size: '{size}' is not a size", "run", self.database,
                       "--ceiling-size", size)
        self.wrong("--scale: 'abc' is no number", "gen", "nowhere", "--scale", "abc")
        self.wrong("nor auto", "gen", "nowhere", "--scale", "automatic")
        self.wrong("--scale auto: for the profile paper", "gen", "nowhere", "--profile", "taq",
                   "--scale", "auto")
        self.wrong("--seed: '-3' is no number", "gen", "nowhere", "--seed", "-3")
        self.wrong("--size: '-1' is no number", "profile", "/tmp", "--size", "-1")

    def test_places_in_the_database(self):
        day = next(path for path in sorted(self.database.iterdir()) if path.is_dir())
        before = self.database.stat().st_mtime_ns
        for flag in ("--pmem-dir", "--scratch-dir"):
            for place in (self.database, day):
                named = f"{flag}: {place} is part of a database"
                self.wrong(named, "query", self.database, ALL, flag, place)
                self.wrong(named, "run", self.database, flag, place)
        for place in (self.database, day, day / "quote"):
            for command in ("profile", "io"):
                self.wrong(f"{place} is part of a database", command, place)
        self.assertEqual(self.database.stat().st_mtime_ns, before)

    def test_paths_that_are_empty(self):
        for flag in ("--pmem-dir", "--scratch-dir", "--out"):
            self.wrong(f"{flag}: expected a path, found nothing", "run", self.database, flag, "")

    def test_words_too_many(self):
        self.wrong("query: 'first' was not expected", "query", self.database, ALL, "first", "last")

    def test_a_query_file_is_checked_as_a_whole(self):
        queries = pathlib.Path(self.place.name, "many.q")
        queries.write_text(f"{ALL}\nselect avgs bid from quote\n"
                           "select max bdi by col1 from quote\nselect from quotes\n",
                           encoding="utf-8")
        done = program.run(self.binary, "query", self.database, "--check", queries)
        self.assertEqual(done.status, 2, done.messages)
        told = done.out.decode()
        for words in (":2: query 2: ", "instead: a moving average", ":3: query 3: ",
                      "instead: bid", ":4: query 4: no table 'quotes'", "instead: quote"):
            self.assertIn(words, told)
        self.assertEqual(told.count("  instead: "), 3, told)
        self.assertIn("3 errors in 4 queries", done.messages)
        done = program.run(self.binary, "query", "--check", queries)
        self.assertEqual((done.status, done.out.decode().count("  instead: ")), (2, 1))
        queries.write_text(f"{ALL}\n", encoding="utf-8")
        done = program.run(self.binary, "query", self.database, "--check", queries)
        self.assertEqual((done.status, done.out.decode()), (0, f"{queries}: 1 query, no error\n"))
        self.wrong("--check: nothing is run", "query", self.database, ALL, "--check", queries)

    def test_query_files(self):
        self.wrong("nosuch.q", "query", self.database, "--file", "/nosuch.q")
        queries = pathlib.Path(self.place.name, "two.q")
        queries.write_text(f"/ 1\n{ALL}\n", encoding="utf-8")
        self.wrong("7", "query", self.database, "--file", queries, "--id", "7")
        queries.write_text("/ 4\nselect nosuch from quote\n", encoding="utf-8")
        self.wrong("two.q: query 4: ", "query", self.database, "--file", queries)

    def test_commands(self):
        self.wrong("", "nosuch")
        self.wrong("", "query")
        self.wrong("", "gen")

    def test_gen(self):
        new = pathlib.Path(self.place.name, "new")
        self.wrong("nosuch", "gen", new, "--profile", "nosuch")
        self.wrong("-1", "gen", new, "--scale=-1")
        self.wrong("nosuch", "gen", new, "--parted", "nosuch", "--scale", "0.0001")
        self.wrong("--columns", "gen", new, "--profile", "taq", "--columns", "9")
        self.wrong("parted cond", "gen", new, "--profile", "taq", "--parted", "cond")
        self.assertFalse(new.exists())

    def test_a_table_is_printed_whatever_becomes_of_the_file(self):
        queries = pathlib.Path(self.place.name, "one.q")
        queries.write_text(f"/ 1\n{ALL}\n", encoding="utf-8")

        def no_large_files():
            resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)

        out = pathlib.Path(self.place.name, "results.json")
        done = subprocess.run([self.binary, "run", self.database, "--queries", queries, "--medium",
                               "dram", "--layout", "partitioned", "--reps", "1", "--out", out],
                              capture_output=True, text=True, check=False,
                              preexec_fn=no_large_files)
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("results.json: cannot be written: File too large", done.stderr)
        self.assertIn("query", done.stdout)
        self.assertFalse(out.exists())


def main():
    Scene.binary = pathlib.Path(sys.argv.pop(1)).resolve()
    with tempfile.TemporaryDirectory(prefix="hdbench-bad-") as folder:
        Scene.whole = pathlib.Path(folder, "whole")
        program.generate(Scene.binary, Scene.whole, "0.0002")
        for path in Scene.whole.iterdir():
            if path.is_dir() and path.name not in (DAY, "2020.01.08"):
                shutil.rmtree(path)
        unittest.main()


if __name__ == "__main__":
    main()
