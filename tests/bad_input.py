"""Damaged databases, wrong flags and wrong query text: the status, and a message that names it.

    bad_input.py HDBENCH
"""

import struct

import program

DAY = "2019.11.01"
OTHER_DAY = "2019.11.04"
ALL = f"select from quote where date={DAY}, col3 in `val1`val2`val3"
# A flat table has no use for the index of a column on disk, so only the first two read it.
AS_ON_DISK = ([], ["--medium", "dram"])
SETTINGS = (*AS_ON_DISK, ["--layout", "flat", "-s", "2"])
NARROW = [[*axes, "--codes", "narrow"] for axes in SETTINGS]
PAGE = 4096


def cut(end):
    return lambda whole: whole[:end]


def patched(offset, data):
    """Overwrites bytes; a negative offset counts from the end."""
    return lambda whole: whole[:offset] + data + whole[offset % len(whole) + len(data):]


def long_at(offset, value):
    return patched(offset, struct.pack("<q", value))


def counted(step):
    """The count of rows in the header, and so many more."""
    return lambda whole: long_at(PAGE - 8, struct.unpack_from("<q", whole, PAGE - 8)[0]
                                 + step)(whole)


def replaced(data):
    return lambda _: data


BY_CODE = f"select by col1 from quote where date={DAY}"
COUNT_BY_CODE = f"select count i by col1 from quote where date={DAY}"
# A column, what becomes of its bytes, more that is reported; the query and settings that read them.
DAMAGED_COLUMNS = (
    ("bid", cut(-3), ""),
    ("bid", cut(-8), ""),
    ("bid", patched(0, b"PAR1"), ""),
    ("bid", patched(0, b"kxzippEd"), ": encrypted"),
    # A compressed column with a senseless trailer.
    *(("bid", replaced(b"kxzipped" + filling * 100), "") for filling in (b"\0", b"\xff", b"\x7f")),
    # A type that the column has on no other day.
    ("bid", patched(2, b"\x07"), "", "select max bid by date from quote"),
    ("bsize", None, ""),
    ("ask", replaced(b""), ""),
    ("ask", cut(9), ""),
    ("col1", cut(9), ""),
    # A count that does not fit a parted column.
    ("col3", counted(1), ""),
    ("col3", counted(-1), ""),
    ("col3", long_at(PAGE - 8, 2**61), ""),
    ("col3", long_at(PAGE - 8, -1), ""),
    # An index that is cut, and one whose offsets fall.
    ("col3", cut(-16), "", ALL, AS_ON_DISK),
    ("col3", long_at(-16, -5), "", ALL, AS_ON_DISK),
    ("col3", long_at(-16, -5), "", ALL, NARROW[:2]),
    *(("col1", long_at(PAGE, code), "", BY_CODE) for code in (10**6, 2**40, -7)),
    # Its low byte is a good code: it must not be taken for that one.
    ("col1", long_at(PAGE + 8, 2**40), f": byte {PAGE + 8} (row 1): index {2**40}, but domain sym "
     "has", COUNT_BY_CODE, NARROW),
)
# A query, the text from where the caret stands on, and what else is reported.
WRONG_QUERIES = (
    ("select from nosuch where date=2020.01.07", "nosuch"),
    ("select from select from nosuch", "nosuch"),
    ("select nope from (select bid from quote)", "nope"),
    ("aj[`col3`nope;quote;quote]", "`nope"),
    ("select sums col3 from quote", "sums"),
    ("select from quote where bid=max fby col3", "max"),
    ("select from quote where date=2020.01.07, nosuch=3", "nosuch"),
    ("select max nosuch by col1 from quote", "nosuch"),
    ("insert from quote", "insert"),
    ("select from quote where bid=`val1", "`val1", "type"),
    ("select from quote where", "", ""),
)
# What is told of flags behind a query, behind a run of the database, and of other commands.
WRONG_FLAGS = {
    "query": (
        ("--nosuch", "--nosuch"),
        ("nosuch", "--medium", "nosuch"),
        ("diagonal", "--layout", "diagonal"),
        ("sorted", "--attr", "sorted"),
        ("5.0", "--mode", "5.0"),
        ("lukewarm", "--cache", "lukewarm"),
        ("known are stored, narrow", "--codes", "wide"),
        ("xml", "--format", "xml"),
        ("--missing: unknown value 'x': known are error, null", "--missing", "x"),
        ("shrug", "--on-limit", "shrug"),
        ("--on-limit spill: unknown medium 'floppy'", "--on-limit", "spill=floppy"),
        ("a disk holds no results", "--on-limit", "spill=nvme"),
        ("--on-limit spill: ", "--on-limit", "spill="),
        ("--on-limit spill: ", "--on-limit", "spill=cxl:nosuch"),
        ("a disk holds no results", "--result-medium", "nvme"),
        ("many", "-s", "many"),
        ("--tiering: unknown value 'on': known are off, numa-balancing", "--tiering", "on"),
        ("'--meduim' was not expected (see hdbench query --help); did you mean '--medium'?",
         "--meduim", "dram"),
        *(("-w", "-w", limit) for limit in ("-5", "abc", "1.5", "99999999999999999999")),
        ("--check: nothing is run", "--check", "/nosuch.q"),
    ),
    "run": (
        ("did you mean '--precision'?", "--precison", "5"),
        ("--reps: '-1' is no number from 0 up", "--reps", "-1"),
        ("--ceiling-size: '64kB' is not a size", "--ceiling-size", "64kB"),
        ("--ceiling-size: '1KiB' is not a size", "--ceiling-size", "1KiB"),
        *((f"{flag}: expected a path, found nothing", flag, "")
          for flag in ("--pmem-dir", "--scratch-dir", "--out")),
    ),
    "gen": (
        ("--size and --scale say the same", "--size", "1GB", "--scale", "1"),
        ("--size: a size is a number with", "--size", "much"),
        ("--size: 10KB is too small", "--size", "10KB"),
        ("--scale: 'abc' is no number", "--scale", "abc"),
        ("nor auto", "--scale", "automatic"),
        ("--scale auto: for the profile paper", "--profile", "taq", "--scale", "auto"),
        ("--seed: '-3' is no number", "--seed", "-3"),
        ("nosuch", "--profile", "nosuch"),
        ("-1", "--scale=-1"),
        ("nosuch", "--parted", "nosuch", "--scale", "0.0001"),
        ("--columns", "--profile", "taq", "--columns", "9"),
        ("parted cond", "--profile", "taq", "--parted", "cond"),
    ),
    "": (
        ("--size: '-1' is no number", "profile", "/tmp", "--size", "-1"),
        ("unknown command 'reprot': known are gen, import, query,", "reprot"),
        ("did you mean 'report'?", "reprot"),
        ("", "query"),
        ("", "gen"),
    ),
}


class BadInput(program.DatabaseCase):
    """A database of two days, generated once; each test damages a copy of its own."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.whole = cls.folder / "whole"
        program.generate_days(cls.binary, cls.whole, "0.0002", 2)

    def setUp(self):
        super().setUp()
        self.queries = self.folder / "some.q"

    def told(self, status, named, *arguments):
        """Refused, in one line or in several."""
        done = self.ended(status, *arguments)
        self.assertIn(named, done.messages, arguments)
        self.assertEqual(done.out, b"", arguments)
        return done

    def test_damaged_columns(self):
        for axes in SETTINGS:
            self.assertEqual(self.fine("query", self.database, ALL, *axes, "--format",
                                       "csv").messages, "")
        for column, damage, more, *reading in DAMAGED_COLUMNS:
            query, settings = [*reading, *(ALL, SETTINGS)[len(reading):]]
            path = self.database / DAY / "quote" / column
            whole = path.read_bytes()
            path.unlink()
            if damage:
                path.write_bytes(damage(whole))
            for axes in settings:
                with self.subTest(column=column, query=query, axes=axes):
                    self.query_refused(f"{DAY}/quote/{column}{more}", query, *axes)
            path.write_bytes(whole)

    def test_damaged_databases(self):
        (self.folder / "empty").mkdir()
        for place in (self.folder / "empty", self.folder / "absent", self.database / "sym"):
            self.refused(3, str(place), "query", place, ALL)
        (self.database / "sym").write_bytes(b"not a list")
        self.query_refused("sym", ALL)
        for day in (DAY, OTHER_DAY):
            (self.database / day / "quote" / ".d").write_bytes(b"\xff\x01")
        self.query_refused("quote/.d", ALL)

    def test_wrong_queries_have_a_caret_below_the_wrong_word(self):
        for query, place, *named in WRONG_QUERIES:
            with self.subTest(query):
                done = self.told(2, [*named, place][0], "query", self.database, query)
                carets = [i for i, line in enumerate(done.lines) if line.strip() == "^"]
                self.assertEqual(len(carets), 1, done.messages)
                under = done.lines[carets[0]].index("^")
                self.assertTrue(done.lines[carets[0] - 1][under:].startswith(place), done.messages)
        self.told(2, "", "query", self.database, "")

    def test_parameters(self):
        query = ["query", self.database, "select count i from quote where bsize>least"]
        self.told(2, "quote has no column 'least'", *query)
        self.told(2, "--param: least: expected NAME=FILE or NAME=VALUE", *query, "--param",
                  "least")
        self.told(2, "--param: least=/nowhere: no such file", *query, "--param", "least=/nowhere")
        self.assertTrue(self.csv(query[-1], "--param", "least=0").startswith("x\n"))

    def test_wrong_flags(self):
        before = {"query": ["query", self.database, ALL], "run": ["run", self.database],
                  "gen": ["gen", self.folder / "new"], "": []}
        for command, cases in WRONG_FLAGS.items():
            for named, *arguments in cases:
                with self.subTest(command=command, arguments=arguments):
                    self.told(2, named, *before[command], *arguments)
        self.assertFalse((self.folder / "new").exists())
        self.told(2, "query: 'first' was not expected", "query", self.database, ALL, "first",
                  "last")

    def test_sizes_of_databases(self):
        made = self.folder / "sized"
        self.fine("gen", made, "--size", "20MB")
        size = sum(path.stat().st_size for path in made.rglob("quote/*"))
        # The scale of the database that is there.
        again = self.fine("gen", made, "--scale", "auto", "--resume")
        self.assertIn(b"written 0.0 MB", again.out)
        self.assertGreater(size, 18e6)
        self.assertLess(size, 21e6)

    def test_a_query_file_is_checked_as_a_whole(self):
        self.queries.write_text(f"{ALL}\nselect avgs bid from quote\n"
                                "select max bdi by col1 from quote\nselect from quotes\n")
        done = self.ended(2, "query", self.database, "--check", self.queries)
        told = done.out.decode()
        for words in (":2: query 2: ", "instead: (sums x)%1+til count x", ":3: query 3: ",
                      "instead: bid", ":4: query 4: no table 'quotes'", "instead: quote"):
            self.assertIn(words, told)
        self.assertEqual(told.count("  instead: "), 3, told)
        self.assertIn("3 errors in 4 queries", done.messages)
        done = self.ended(2, "query", "--check", self.queries)
        self.assertEqual(done.out.decode().count("  instead: "), 1)
        # What runs is run, the rest is named.
        done = self.fine("query", self.database, "--file", self.queries, "--rows-only")
        self.assertEqual(done.messages.count("not run: "), 3, done.messages)
        self.assertEqual(len(done.out.decode().split()), 1)
        self.told(2, "not supported yet: avgs", "query", self.database, "--file", self.queries,
                  "--id", "2")
        self.queries.write_text(f"{ALL}\n")
        done = self.fine("query", self.database, "--check", self.queries)
        self.assertEqual(done.out.decode(), f"{self.queries}: 1 query, no error\n")

    def test_query_files(self):
        query = ["query", self.database, "--file"]
        self.told(2, "nosuch.q", *query, "/nosuch.q")
        self.queries.write_text(f"/ 1\n{ALL}\n")
        self.told(2, "7", *query, self.queries, "--id", "7")
        self.queries.write_text("/ 4\nselect nosuch from quote\n")
        self.told(2, "some.q: query 4: ", *query, self.queries)

    def test_a_table_is_printed_whatever_becomes_of_the_file(self):
        self.queries.write_text(f"/ 1\n{ALL}\n")
        out = self.folder / "results.json"
        done = self.ended(3, "run", self.database, "--queries", self.queries, "--medium", "dram",
                          "--layout", "partitioned", "--reps", "1", "--out", out,
                          preexec_fn=program.files_up_to(1000))
        self.assertIn("results.json: cannot be written: File too large", done.messages)
        self.assertIn(b"query", done.out)
        self.assertFalse(out.exists())


if __name__ == "__main__":
    program.main()
