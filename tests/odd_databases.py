"""Databases that have something odd: what a query does not touch decides nothing, and nothing that
it would have read is left out.

    odd_databases.py HDBENCH
"""

import json
import pathlib
import random
import shutil
import sys
import tempfile
import unittest

import kdb_files
import program

DAYS = ("2020.01.07", "2020.01.08", "2020.01.09")
# Each with the columns that it touches; None: all.
QUERIES = (
    ("select count i from t", ""),
    ("select count i by date from t", ""),
    ("select date from t where date=2020.01.08", ""),
    ("select sum x, max y by sym from t", "sym x y"),
    ("select sum x by date from t where y>2", "x y"),
    ("select first x, last y, med y from t where sym=`b", "sym x y"),
    ("select last y by x from t where date>2020.01.07", "x y"),
    ("exec g from t where date=2020.01.09, x within 2 9", "g x"),
    ("select g, sym from t where y<3", "g sym y"),
    ("select by sym from t", None),
    ("select from t where date=2020.01.07", None),
)
COLUMNS = ("sym", "x", "y", "g")


def unmapped(path):
    path.unlink()


def hollow(path):
    path.write_bytes(b"")


def nonsense(path):
    path.write_bytes(b"what is this")


def unknown_type(path):
    path.write_bytes(b"\xfe\x20\x70\0" + path.read_bytes()[4:])


def cut(path):
    path.write_bytes(path.read_bytes()[:-3])


def short(path):
    path.write_bytes(path.read_bytes()[:-8])


def directory(path):
    path.unlink()
    path.mkdir()


def loop(path):
    path.unlink()
    path.symlink_to(path.name)


def other_domain(path):
    path.write_bytes(kdb_files.enumeration("absent", [0, 1, 0, 1]))


BREAKS = (unmapped, hollow, nonsense, unknown_type, cut, short, directory, loop, other_domain)


def day(number, **more):
    """Four rows of a day's table."""
    return {"sym": kdb_files.enumeration("sym", [0, 1, number % 2, 1]),
            "x": kdb_files.vector("j", [number, number + 1, 5, 9]),
            "y": kdb_files.vector("f", [1.5, number / 2, 4, 2.5]),
            "g": kdb_files.vector("i", [7, 8, 9, number]), **more}


class Scene(unittest.TestCase):
    binary = None

    def setUp(self):
        place = tempfile.TemporaryDirectory(prefix="hdbench-odd-")
        self.addCleanup(place.cleanup)
        self.place = pathlib.Path(place.name)
        self.database = self.place / "db"
        for number, name in enumerate(DAYS):
            kdb_files.splay(self.database / name / "t", **day(number))
        kdb_files.save(self.database / "sym", kdb_files.symbols(["a", "b"]))

    def csv(self, *arguments):
        """What queries print; they must succeed."""
        done = program.run(self.binary, "query", self.database, *arguments, "--format", "csv")
        self.assertEqual(done.status, 0, f"{arguments}: {done.messages}")
        return done.out.decode()

    def refused(self, named, *arguments):
        done = program.run(self.binary, *arguments)
        self.assertEqual(done.status, 3, f"{arguments}: {done.messages}")
        self.assertIn(named, done.messages)
        self.assertEqual(done.out, b"")

    def verified(self, status, *said):
        done = program.run(self.binary, "verify", self.database)
        self.assertEqual(done.status, status, done.out.decode() + done.messages)
        for text in said:
            self.assertIn(text, done.out.decode())
        return done


class BrokenColumn(Scene):
    """One column at random is broken in one day or in all."""

    SEEDS = range(24)

    def answers(self, column, *axes):
        """Of the queries that leave the column alone."""
        chosen = [text for text, touched in QUERIES
                  if touched is not None and column not in touched.split()]
        file = self.place / "queries.q"
        file.write_text("\n".join(chosen) + "\n", encoding="utf-8")
        return self.csv("--file", file, *axes)

    def test_queries_that_leave_it_alone_answer_as_before(self):
        for seed in self.SEEDS:
            choice = random.Random(seed)
            column = choice.choice(COLUMNS)
            breaks = BREAKS[seed % len(BREAKS)]
            days = choice.choice([[name] for name in DAYS] + [DAYS])
            axes = choice.choice([[], ["--layout", "flat"], ["--mode", "3.6", "-s", "2"],
                                  ["--medium", "dram", "--codes", "narrow"]])
            with self.subTest(seed=seed, column=column, breaks=breaks.__name__, days=days,
                              axes=axes):
                before = self.answers(column, *axes)
                kept = self.place / "kept"
                shutil.copytree(self.database, kept)
                for name in days:
                    breaks(self.database / name / "t" / column)
                self.assertEqual(self.answers(column, *axes), before)
                self.refused(f"/t/{column}", "query", self.database, f"select {column} from t",
                             *axes)
                self.refused(f"/t/{column}", "query", self.database, "select from t", *axes)
                self.verified(3, f"/t/{column}")
                shutil.rmtree(self.database)
                kept.rename(self.database)

    def test_explain_names_what_cannot_be_read(self):
        for name in DAYS:
            unknown_type(self.database / name / "t" / "g")
        done = program.run(self.binary, "query", self.database, "select sum x from t",
                           "--explain")
        self.assertEqual(done.status, 0)
        self.assertIn(f"unreadable  g: {self.database}/2020.01.09/t/g: ", done.out.decode())
        done = program.run(self.binary, "query", self.database, "select sum x from t",
                           "--explain", "--format", "json")
        self.assertEqual(len(json.loads(done.out)["unreadable"]), 1)

    def test_explain_shows_the_plan_of_a_query_that_cannot_be_run(self):
        for name in DAYS:
            unknown_type(self.database / name / "t" / "g")
        cut(self.database / DAYS[0] / "t" / "y")
        done = program.run(self.binary, "query", self.database,
                           "select sum x, max y by sym from t where date<2020.01.09, g<3",
                           "--explain")
        self.assertEqual(done.status, 3)
        for line in ("partitions  2 of 3, 8 rows", "condition 2  scan   g<3", "column  x",
                     f"unreadable  g: {self.database}/2020.01.09/t/g: byte 2: type 112",
                     f"unreadable  y: {self.database}/2020.01.07/t/y: "):
            self.assertIn(line, done.out.decode())
        self.assertIn("/t/y: ", done.messages)
        done = program.run(self.binary, "query", self.database, "select count g from t",
                           "--explain", "--codes", "narrow", "--format", "json")
        self.assertEqual(done.status, 3)
        self.assertEqual(len(json.loads(done.out)["unreadable"]), 1)
        (self.database / DAYS[1]).rename(self.place / "kept")
        (self.database / DAYS[1]).symlink_to("/absent/day")
        done = program.run(self.binary, "query", self.database, "select max x from t", "--explain")
        self.assertEqual(done.status, 3)
        self.assertIn(f"unreadable  {self.database}/2020.01.08: a link to", done.out.decode())
        self.assertIn("column  x              64 bytes", done.out.decode())

    def queries_of_which_some_run(self):
        """Broken is y of the oldest day, and the type of all g."""
        for name in DAYS:
            unknown_type(self.database / name / "t" / "g")
        cut(self.database / DAYS[0] / "t" / "y")
        queries = self.place / "some.q"
        queries.write_text("select sum x by sym from t\nselect sum y from t\n"
                           "select count i from t where g<3\nselect sum z from t\n"
                           "select from absent\nselect max y from t where date=2020.01.08\n",
                           encoding="utf-8")
        return queries, [f"{queries}: query 2: {self.database}/2020.01.07/t/y: ",
                         f"{queries}: query 3: {self.database}/2020.01.09/t/g: byte 2: type 112",
                         f"{queries}: query 4: t has no column 'z'",
                         f"{queries}: query 5: {self.database}: no table 'absent'"]

    def test_a_run_leaves_out_the_queries_that_cannot_be_run(self):
        queries, left_out = self.queries_of_which_some_run()
        run = ["run", self.database, "--queries", queries, "--medium", "nvme,dram", "--attr",
               "none", "--mode", "4.0", "-s", "1", "--cache", "warm", "--reps", "1",
               *program.SMALL_CEILINGS]
        out = self.place / "results.json"
        done = program.run(self.binary, *run, "--out", out)
        self.assertEqual(done.status, 0, done.messages)
        results = json.loads(out.read_text(encoding="utf-8"))
        # A flat table has no y, as one of its days has none.
        self.assertEqual({(cell["query"], cell["medium"], cell["layout"])
                          for cell in results["benchmarks"]},
                         {(1, "nvme", "partitioned"), (1, "dram", "partitioned"),
                          (1, "dram", "flat"), (6, "nvme", "partitioned"),
                          (6, "dram", "partitioned")})
        self.assertTrue(any(line.startswith(f"dram flat: {queries}: query 6: ")
                            for line in results["context"]["left_out"]))
        told = [line for line in done.lines if line.startswith("not run: ")]
        self.assertEqual(len(told), len(left_out), done.messages)
        for begins in left_out:
            self.assertIn("not run: " + begins, done.messages)
            self.assertTrue(any(line.startswith(begins)
                                for line in results["context"]["left_out"]), begins)
        self.assertIn("Not run: ", done.out.decode())
        resumed = program.run(self.binary, *run, "--out", out, "--resume")
        self.assertEqual(resumed.status, 0, resumed.messages)
        queries.write_text("select sum g from t\n", encoding="utf-8")
        self.refused("/t/g: byte 2: type 112", *run)

    def test_limit_leaves_them_out_as_well(self):
        queries, left_out = self.queries_of_which_some_run()
        done = program.run(self.binary, "limit", self.database, "--queries", queries, "--medium",
                           "dram", "-s", "1", "--format", "json")
        self.assertEqual(done.status, 0, done.messages)
        self.assertEqual([one["query"] for one in json.loads(done.out)["limits"]], [1, 6])
        for begins in left_out:
            self.assertIn("not run: " + begins, done.messages)
        done = program.run(self.binary, "limit", self.database, "--queries", queries, "--layout",
                           "flat", "-s", "1", "--format", "json")
        self.assertEqual([one["query"] for one in json.loads(done.out)["limits"]], [1])
        self.assertIn(f"not run: nvme flat: {queries}: query 6: ", done.messages)

    def test_a_check_of_the_file_tells_them(self):
        queries, left_out = self.queries_of_which_some_run()
        done = program.run(self.binary, "query", self.database, "--check", queries)
        self.assertEqual(done.status, 2, done.messages)
        self.assertIn("4 errors in 6 queries", done.messages)
        for line, begins in enumerate(left_out[:2], 2):
            self.assertIn(f"{queries}:{line}: query {line}: {begins.split(': ', 2)[2]}",
                          done.out.decode())
        self.assertIn("\nselect sum y from t\n  instead: a query without it: ", done.out.decode())

    def test_a_run_leaves_out_nothing_for_it(self):
        kdb_files.splay(self.database / DAYS[-1] / "t",
                        **day(2, later=kdb_files.vector("j", [1, 2, 3, 4])))
        queries = self.place / "one.q"
        queries.write_text("select sum x by sym from t\n", encoding="utf-8")
        done = program.run(self.binary, "run", self.database, "--queries", queries, "--medium",
                           "nvme,dram", "--attr", "none", "--mode", "4.0", "-s", "1", "--cache",
                           "warm", "--reps", "1", "--benchmark_format=json",
                           *program.SMALL_CEILINGS)
        self.assertEqual(done.status, 0, done.messages)
        cells = json.loads(done.out)["benchmarks"]
        self.assertEqual({cell["layout"] for cell in cells}, {"partitioned", "flat"})

    def test_a_sym_that_is_missing_or_broken_leaves_the_other_columns(self):
        for damage in (unmapped, nonsense):
            damage(self.database / "sym")
            self.assertEqual(self.csv("select sum x from t"), "x\n51\n")
            self.refused("/sym", "query", self.database, "select count i by sym from t")


class MissingColumn(Scene):
    def setUp(self):
        super().setUp()
        later = {"later": kdb_files.vector("j", [1, 2, 3, 4])}
        kdb_files.splay(self.database / DAYS[-1] / "t", **day(2, **later))

    def test_it_is_refused_where_an_older_day_lacks_it(self):
        self.refused(f"{DAYS[0]}/t/.d: names no column later", "query", self.database,
                     "select sum later from t")
        self.assertEqual(self.csv("select sum later from t where date=2020.01.09"), "later\n10\n")
        self.verified(3, f"{DAYS[0]}/t/.d: names no column later, which newer partitions have")

    def test_missing_null_fills_it(self):
        for axes in ([], ["--layout", "flat"], ["--mode", "3.6"], ["--medium", "dram"]):
            self.assertEqual(
                self.csv("select sum later, count i by date from t", "--missing", "null", *axes),
                "date,later,x\n2020-01-07,0,4\n2020-01-08,0,4\n2020-01-09,10,4\n")
            self.assertEqual(
                self.csv("select later from t where date<2020.01.09, x>4", "--missing", "null",
                         *axes), "later\n" + 4 * '""\n')

    def test_missing_is_error_or_null(self):
        done = program.run(self.binary, "query", self.database, "select from t", "--missing", "x")
        self.assertEqual(done.status, 2)
        self.assertIn("--missing: unknown value 'x': known are error, null", done.messages)


class SharedPartition(Scene):
    """Three directories of par.txt, two of which have the same days."""

    def setUp(self):
        super().setUp()
        for name in DAYS[:2]:
            (self.place / "second" / name).mkdir(parents=True)
            (self.database / name / "t").rename(self.place / "second" / name / "t")
            (self.database / name).rmdir()
        (self.place / "first").mkdir()
        (self.database / DAYS[2]).rename(self.place / "first" / DAYS[2])
        kdb_files.splay(self.place / "first" / DAYS[1] / "t", **day(20))
        kdb_files.splay(self.place / "third" / DAYS[1] / "other", **day(1))
        self.par("first", "second", "third")

    def par(self, *names, before=""):
        text = "".join(f"{before}{self.place / name}\n" for name in names)
        (self.database / "par.txt").write_text(text, encoding="utf-8")

    def same(self, query, expected):
        for axes in ([], ["--layout", "flat"], ["--mode", "3.6", "-s", "2"],
                     ["--layout", "flat", "--codes", "narrow"], ["--attr", "none"]):
            self.assertEqual(self.csv(query, *axes), expected, axes)

    def test_a_table_is_the_union_in_the_order_of_par_txt(self):
        self.same("select count i by date from t",
                  "date,x\n2020-01-07,4\n2020-01-08,8\n2020-01-09,4\n")
        self.same("select first x, last g from t where date=2020.01.08", "x,g\n20,1\n")
        self.same("select x from t where date=2020.01.08, g<9", "x\n20\n21\n1\n2\n9\n")
        self.same("select by date from t", "date,sym,x,y,g\n2020-01-07,b,9,2.5,0\n"
                                           "2020-01-08,b,9,2.5,1\n2020-01-09,b,9,2.5,2\n")
        self.same("select sum x by date, sym from t where date>2020.01.07",
                  "date,sym,x\n2020-01-08,a,26\n2020-01-08,b,46\n2020-01-09,a,7\n"
                  "2020-01-09,b,12\n")
        self.par("third", "second", "first", before=":")
        self.same("select first x, last g from t where date=2020.01.08", "x,g\n1,20\n")
        self.assertEqual(self.verified(0).messages.split(",")[0], "checked 2 tables")

    def test_a_directory_that_is_named_twice_is_refused(self):
        self.par("first", "second", "first")
        self.refused("par.txt: line 3: the directory", "query", self.database,
                     "select count i from t")

    def test_a_segment_that_is_not_there_is_refused(self):
        self.par("first", "absent")
        self.refused("par.txt: line 2: no directory", "query", self.database,
                     "select count i from t")
        self.verified(3, "par.txt: line 2: no directory")


class OddDirectories(Scene):
    def test_a_day_that_cannot_be_read_is_never_left_out(self):
        for name in ("2020.01.08", "2020.01.09", "2020.01.07/t", "2020.01.09/t"):
            for make in (lambda path: path.symlink_to("/absent/cold"), loop_at,
                         lambda path: path.write_bytes(b"x")):
                with self.subTest(name=name):
                    path = self.database / name
                    kept = self.place / "kept"
                    path.rename(kept)
                    make(path)
                    for axes in ([], ["--layout", "flat"], ["--mode", "3.6"]):
                        self.refused(str(path), "query", self.database,
                                     "select count i by date from t", *axes)
                    other = DAYS[0] if name[:10] != DAYS[0] else DAYS[1]
                    self.assertEqual(self.csv(f"select count i from t where date={other}"),
                                     "x\n4\n")
                    self.verified(3, str(path))
                    path.unlink()
                    kept.rename(path)

    def test_a_table_that_is_a_link_to_nothing_is_told(self):
        (self.database / "splayed").symlink_to("/absent/splayed")
        self.refused("/splayed: a link to /absent/splayed, which is not there", "query",
                     self.database, "select from splayed")
        self.assertEqual(self.csv("select count i from t"), "x\n12\n")
        self.verified(0, "note: ", "/splayed: a link to /absent/splayed, which is not there")

    def test_a_link_to_nothing_that_would_hide_a_table_is_an_error_of_the_table(self):
        kdb_files.splay(self.database / DAYS[0] / "other", **day(1))
        (self.database / "t").symlink_to("/absent/t")
        self.refused("db/t: a link to /absent/t, which is not there", "query", self.database,
                     "select count i from t")
        self.assertEqual(self.csv("select count i from other"), "x\n4\n")
        self.verified(3, "db/t: a link to /absent/t, which is not there")

    def test_a_link_to_nowhere_says_where_it_leads(self):
        column = self.database / DAYS[2] / "t" / "y"
        column.unlink()
        column.symlink_to("/absent/y")
        self.refused(f"{column}: a link to /absent/y, which is not there", "query", self.database,
                     "select max y from t")
        self.verified(3, f"{column}: a link to /absent/y, which is not there")

    def test_a_sym_that_is_a_directory_is_called_so(self):
        (self.database / "sym").unlink()
        (self.database / "sym").mkdir()
        self.refused("db/sym is a directory, without the .d of a table", "query", self.database,
                     "select sym from t")

    def test_a_tables_own_directory_is_no_database(self):
        self.refused(f"this is the splayed table t: give the database that holds it, "
                     f"{self.database}, and", "query", self.database / DAYS[0] / "t",
                     "select from t")

    def test_names_and_symbols_beyond_ascii(self):
        kdb_files.save(self.database / "sym", kdb_files.symbols(["größe", "日本"]))
        for number, name in enumerate(DAYS):
            kdb_files.splay(self.database / name / "t",
                            **day(number, prix_élevé=kdb_files.vector("j", [1, 2, 3, 4])))
        self.assertEqual(self.csv("select sum prix_élevé by sym from t where sym=`日本"),
                         "sym,prix_élevé\n日本,21\n")
        done = program.run(self.binary, "query", self.database, "select größe from t")
        self.assertEqual(done.status, 2)
        self.assertIn("t has no column 'größe'", done.messages)

    def test_chars_have_the_average_of_their_bytes(self):
        for number, name in enumerate(DAYS):
            kdb_files.splay(self.database / name / "t",
                            **day(number, c=kdb_files.vector("c", [b"a", b"b", b"c", b" "])))
        for axes in ([], ["--layout", "flat"], ["--mode", "3.6"]):
            self.assertEqual(self.csv("select avg c, n:sum c from t where x<9", *axes),
                             "c,n\n98,882\n", axes)
            self.assertEqual(self.csv("select avg c by sym from t where date=2020.01.07", *axes),
                             "sym,c\na,98\nb,65\n", axes)

    def test_a_name_that_is_no_date_is_told(self):
        kdb_files.splay(self.database / "2020.02.30" / "t", **day(1))
        done = program.run(self.binary, "query", self.database, "select count i from t",
                           "--format", "csv")
        self.assertEqual(done.out, b"x\n12\n")
        self.assertIn("2020.02.30: not a date of the calendar", done.messages)
        self.verified(0, "note: ", "2020.02.30: not a date of the calendar")

    def test_a_stored_date_is_hidden(self):
        for number, name in enumerate(DAYS):
            kdb_files.splay(self.database / name / "t",
                            **day(number, date=kdb_files.vector("d", [7, 7, 7, 7])))
        done = program.run(self.binary, "query", self.database, "select count i by date from t",
                           "--format", "csv")
        self.assertEqual(done.out.decode().splitlines()[1], "2020-01-07,4")
        self.assertIn("note: t: the stored column date is not read", done.messages)
        self.verified(0, "note: t: the stored column date is not read")

    def test_another_order_of_columns_is_a_note(self):
        before = self.csv("select from t")
        kdb_files.save(self.database / DAYS[0] / "t" / ".d",
                       kdb_files.symbols(["g", "y", "x", "sym"]))
        self.assertEqual(self.csv("select from t"), before)
        self.verified(0, "only the order differs")

    def test_tables_without_a_d_are_told(self):
        for name in DAYS:
            (self.database / name / "t" / ".d").unlink()
        done = self.verified(3, "3 partitions by date, but none of their tables has a .d")
        self.assertIn(": 1 error, 0 notes, 0 unreadable here", done.messages)

    def test_data_that_no_query_finds_is_noted(self):
        kdb_files.splay(self.database / DAYS[1] / "other", **day(1))
        (self.database / "2020.01.10").mkdir()
        kdb_files.splay(self.database / "loose", **day(1))
        (self.database / "loose" / ".d").unlink()
        self.verified(0, "note: ", "2020.01.10: no table in this partition",
                      f"{DAYS[0]}: no table other, which counts as empty there",
                      "loose: column files without a .d, so no table")

    def test_a_broken_domain_is_one_line(self):
        for name in DAYS:
            kdb_files.splay(self.database / name / "t", **day(1),
                            sym2=kdb_files.enumeration("sym", [0, 0, 1, 1]))
        nonsense(self.database / "sym")
        done = self.verified(3, "(6 column files cannot be read without it)")
        self.assertIn(": 1 error, ", done.messages)


def loop_at(path):
    path.symlink_to(path.name)


if __name__ == "__main__":
    Scene.binary = sys.argv.pop(1)
    unittest.main()
