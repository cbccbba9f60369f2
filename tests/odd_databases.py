"""Databases that have something odd: what a query does not touch decides nothing, and nothing that
it would have read is left out.

    odd_databases.py HDBENCH
"""

import json
import random

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
LAYOUTS = ([], ["--layout", "flat"], ["--mode", "3.6"])
WARM = ["--medium", "nvme,dram", "--attr", "none", "--mode", "4.0", "-s", "1", "--cache", "warm",
        "--reps", "1", *program.SMALL_CEILINGS]


def nonsense(path):
    path.write_bytes(b"what is this")


def unknown_type(path):
    path.write_bytes(b"\xfe\x20\x70\0" + path.read_bytes()[4:])


def without(count_bytes):
    return lambda path: path.write_bytes(path.read_bytes()[:-count_bytes])


def loop(path):
    path.symlink_to(path.name)


def dangling(path):
    path.symlink_to("/absent/cold")


def instead(make):
    def damage(path):
        path.unlink()
        make(path)
    return damage


BREAKS = (lambda path: path.unlink(), lambda path: path.write_bytes(b""), nonsense, unknown_type,
          without(3), without(8), instead(lambda path: path.mkdir()), instead(loop),
          lambda path: path.write_bytes(kdb_files.enumeration("absent", [0, 1, 0, 1])),
          instead(dangling))


def day(number, **more):
    """Four rows of a day's table."""
    return {"sym": kdb_files.enumeration("sym", [0, 1, number % 2, 1]),
            "x": kdb_files.vector("j", [number, number + 1, 5, 9]),
            "y": kdb_files.vector("f", [1.5, number / 2, 4, 2.5]),
            "g": kdb_files.vector("i", [7, 8, 9, number]), **more}


class Scene(program.DatabaseCase):
    def setUp(self):
        super().setUp()
        self.splay_days()
        kdb_files.save(self.database / "sym", kdb_files.symbols(["a", "b"]))

    def splay_days(self, **more):
        for number, name in enumerate(DAYS):
            kdb_files.splay(self.database / name / "t", **day(number, **more))

    def damage(self, damage, column, days=DAYS):
        for name in days:
            damage(self.database / name / "t" / column)

    def same(self, query, expected, settings):
        for axes in settings:
            self.assertEqual(self.csv(query, *axes), expected, axes)


class BrokenColumn(Scene):
    """One column at random is broken in one day or in all."""

    SEEDS = range(24)

    def answers(self, column, *axes):
        """Of the queries that leave the column alone."""
        file = self.folder / "queries.q"
        file.write_text("".join(f"{text}\n" for text, touched in QUERIES
                                if touched is not None and column not in touched.split()))
        return self.csv("--file", file, *axes)

    def test_queries_that_leave_it_alone_answer_as_before(self):
        for seed in self.SEEDS:
            choice = random.Random(seed)
            column = choice.choice(COLUMNS)
            days = choice.choice([[name] for name in DAYS] + [DAYS])
            axes = choice.choice([[], ["--layout", "flat"], ["--mode", "3.6", "-s", "2"],
                                  ["--medium", "dram", "--codes", "narrow"]])
            with self.subTest(seed=seed, column=column, days=days, axes=axes):
                self.setUp()
                before = self.answers(column, *axes)
                self.damage(BREAKS[seed % len(BREAKS)], column, days)
                self.assertEqual(self.answers(column, *axes), before)
                self.query_refused(f"/t/{column}", f"select {column} from t", *axes)
                self.query_refused(f"/t/{column}", "select from t", *axes)
                self.verified(3, f"/t/{column}")

    def explained(self, status, query, *flags):
        done = self.ended(status, "query", self.database, query, "--explain", *flags)
        return done.out.decode(), done.messages

    def test_explain_names_what_cannot_be_read_and_shows_the_plan(self):
        self.damage(unknown_type, "g")
        no_g = f"unreadable  g: {self.database}/2020.01.09/t/g: byte 2: type 112"
        self.assertIn(no_g, self.explained(0, "select sum x from t")[0])
        for status, query in ((0, "select sum x from t"), (3, "select count g from t")):
            told, _ = self.explained(status, query, "--codes", "narrow", "--format", "json")
            self.assertEqual(len(json.loads(told)["unreadable"]), 1)
        self.damage(without(3), "y", DAYS[:1])
        told, messages = self.explained(
            3, "select sum x, max y by sym from t where date<2020.01.09, g<3")
        for line in ("partitions  2 of 3, 8 rows", "condition 2  scan   g<3", "column  x", no_g,
                     f"unreadable  y: {self.database}/2020.01.07/t/y: "):
            self.assertIn(line, told)
        self.assertIn("/t/y: ", messages)
        (self.database / DAYS[1]).rename(self.folder / "kept")
        dangling(self.database / DAYS[1])
        told, _ = self.explained(3, "select max x from t")
        self.assertIn(f"unreadable  {self.database}/2020.01.08: a link to", told)
        self.assertIn("column  x              64 bytes", told)

    def queries_of_which_some_run(self):
        """Broken is y of the oldest day, and the type of all g."""
        self.damage(unknown_type, "g")
        self.damage(without(3), "y", DAYS[:1])
        queries = self.folder / "some.q"
        queries.write_text("select sum x by sym from t\nselect sum y from t\n"
                           "select count i from t where g<3\nselect sum z from t\n"
                           "select from absent\nselect max y from t where date=2020.01.08\n")
        return queries, [f"{queries}: query 2: {self.database}/2020.01.07/t/y: ",
                         f"{queries}: query 3: {self.database}/2020.01.09/t/g: byte 2: type 112",
                         f"{queries}: query 4: t has no column 'z'",
                         f"{queries}: query 5: {self.database}: no table 'absent'"]

    def test_a_run_leaves_out_the_queries_that_cannot_be_run(self):
        queries, left_out = self.queries_of_which_some_run()
        run = ["run", self.database, "--queries", queries, *WARM]
        out = self.folder / "results.json"
        done = self.fine(*run, "--out", out)
        # A flat table has no y, as one of its days has none.
        self.assertEqual({(cell["query"], cell["medium"], cell["layout"])
                          for cell in program.cells(out)},
                         {(1, "nvme", "partitioned"), (1, "dram", "partitioned"),
                          (1, "dram", "flat"), (6, "nvme", "partitioned"),
                          (6, "dram", "partitioned")})
        noted = json.loads(out.read_text())["context"]["left_out"]
        for begins in (f"dram flat: {queries}: query 6: ", *left_out):
            self.assertTrue(any(line.startswith(begins) for line in noted), begins)
        told = [line for line in done.lines if line.startswith("not run: ")]
        self.assertEqual(len(told), len(left_out), done.messages)
        for begins in left_out:
            self.assertIn("not run: " + begins, done.messages)
        self.assertIn("Not run: ", done.out.decode())
        self.fine(*run, "--out", out, "--resume")
        queries.write_text("select sum g from t\n")
        self.assertIn("/t/g: byte 2: type 112", self.ended(3, *run).messages)

    def test_limit_and_a_check_of_the_file_tell_them_as_well(self):
        queries, left_out = self.queries_of_which_some_run()
        limit = ["limit", self.database, "--queries", queries, "-s", "1", "--format", "json"]
        for axis, kept, not_run in (
                (["--medium", "dram"], [1, 6], left_out),
                (["--layout", "flat"], [1], [f"nvme flat: {queries}: query 6: "])):
            done = self.fine(*limit, *axis)
            self.assertEqual([one["query"] for one in json.loads(done.out)["limits"]], kept)
            for begins in not_run:
                self.assertIn("not run: " + begins, done.messages)
        done = self.ended(2, "query", self.database, "--check", queries)
        self.assertIn("4 errors in 6 queries", done.messages)
        for line, begins in enumerate(left_out[:2], 2):
            self.assertIn(f"{queries}:{line}: query {line}: {begins.split(': ', 2)[2]}",
                          done.out.decode())
        self.assertIn("\nselect sum y from t\n  instead: a query without it: ", done.out.decode())

    def test_a_sym_that_is_missing_or_broken_leaves_the_other_columns(self):
        sym = self.database / "sym"
        for damage, named in (
                (nonsense, "/sym"), (BREAKS[0], "/sym"),
                (lambda path: path.mkdir(), "db/sym is a directory, without the .d of a table")):
            damage(sym)
            self.assertEqual(self.csv("select sum x from t"), "x\n51\n")
            self.query_refused(named, "select count i by sym from t")


class MissingColumn(Scene):
    def setUp(self):
        super().setUp()
        later = {"later": kdb_files.vector("j", [1, 2, 3, 4])}
        kdb_files.splay(self.database / DAYS[-1] / "t", **day(2, **later))

    def test_it_is_refused_or_null_where_an_older_day_lacks_it(self):
        named = f"{DAYS[0]}/t/.d: names no column later, which newer partitions have"
        self.query_refused(named, "select sum later from t")
        self.assertEqual(self.csv("select sum later from t where date=2020.01.09"), "later\n10\n")
        self.verified(3, named)
        null = [[*axes, "--missing", "null"] for axes in (*LAYOUTS, ["--medium", "dram"])]
        self.same("select sum later, count i by date from t",
                  "date,later,x\n2020-01-07,0,4\n2020-01-08,0,4\n2020-01-09,10,4\n", null)
        self.same("select later from t where date<2020.01.09, x>4", "later\n" + 4 * '""\n', null)

    def test_a_run_leaves_out_nothing_for_it(self):
        queries = self.folder / "one.q"
        queries.write_text("select sum x by sym from t\n")
        done = self.fine("run", self.database, "--queries", queries, *WARM,
                         "--benchmark_format=json")
        self.assertEqual({cell["layout"] for cell in json.loads(done.out)["benchmarks"]},
                         {"partitioned", "flat"})


class SharedPartition(Scene):
    """Three directories of par.txt, two of which have the same days."""

    SETTINGS = ([], ["--layout", "flat"], ["--mode", "3.6", "-s", "2"],
                ["--layout", "flat", "--codes", "narrow"], ["--attr", "none"])

    def setUp(self):
        super().setUp()
        for name, segment in zip(DAYS, ("second", "second", "first")):
            (self.folder / segment).mkdir(exist_ok=True)
            (self.database / name).rename(self.folder / segment / name)
        kdb_files.splay(self.folder / "first" / DAYS[1] / "t", **day(20))
        kdb_files.splay(self.folder / "third" / DAYS[1] / "other", **day(1))

    def par(self, *names, before=""):
        text = "".join(f"{before}{self.folder / name}\n" for name in names)
        (self.database / "par.txt").write_text(text)

    def test_a_table_is_the_union_in_the_order_of_par_txt(self):
        self.par("first", "second", "third")
        for query, expected in (
                ("select count i by date from t",
                 "date,x\n2020-01-07,4\n2020-01-08,8\n2020-01-09,4\n"),
                ("select first x, last g from t where date=2020.01.08", "x,g\n20,1\n"),
                ("select x from t where date=2020.01.08, g<9", "x\n20\n21\n1\n2\n9\n"),
                ("select by date from t", "date,sym,x,y,g\n2020-01-07,b,9,2.5,0\n"
                 "2020-01-08,b,9,2.5,1\n2020-01-09,b,9,2.5,2\n"),
                ("select sum x by date, sym from t where date>2020.01.07",
                 "date,sym,x\n2020-01-08,a,26\n2020-01-08,b,46\n2020-01-09,a,7\n"
                 "2020-01-09,b,12\n")):
            self.same(query, expected, self.SETTINGS)
        self.par("third", "second", "first", before=":")
        self.same("select first x, last g from t where date=2020.01.08", "x,g\n1,20\n",
                  self.SETTINGS)
        self.assertEqual(self.verified(0).messages.split(",")[0], "checked 2 tables")

    def test_directories_that_are_named_twice_or_not_there_are_refused(self):
        for names, named in ((("first", "second", "first"), "par.txt: line 3: the directory"),
                             (("first", "absent"), "par.txt: line 2: no directory")):
            self.par(*names)
            self.query_refused(named, "select count i from t")
            self.verified(3, named)


class OddDirectories(Scene):
    def test_a_day_that_cannot_be_read_is_never_left_out(self):
        kept = self.folder / "kept"
        for name in ("2020.01.08", "2020.01.09", "2020.01.07/t", "2020.01.09/t"):
            for make in (dangling, loop, nonsense):
                with self.subTest(name=name, make=make):
                    path = self.database / name
                    path.rename(kept)
                    make(path)
                    for axes in LAYOUTS:
                        self.query_refused(str(path), "select count i by date from t", *axes)
                    other = DAYS[0] if name[:10] != DAYS[0] else DAYS[1]
                    self.assertEqual(self.csv(f"select count i from t where date={other}"),
                                     "x\n4\n")
                    self.verified(3, str(path))
                    path.unlink()
                    kept.rename(path)

    def test_a_link_to_nothing_is_a_note_or_an_error_of_the_table_that_it_would_hide(self):
        kdb_files.splay(self.database / DAYS[0] / "other", **day(1))
        for name, readable, rows, status in (("splayed", "t", 12, 0), ("t", "other", 4, 3)):
            named = f"/{name}: a link to /absent/cold, which is not there"
            dangling(self.database / name)
            done = self.ended(3, "query", self.database, f"select from {name}")
            self.assertIn(named, done.messages)
            self.assertEqual(self.csv(f"select count i from {readable}"), f"x\n{rows}\n")
            self.verified(status, named, "note: ")

    def test_names_and_symbols_beyond_ascii(self):
        kdb_files.save(self.database / "sym", kdb_files.symbols(["größe", "日本"]))
        self.splay_days(prix_élevé=kdb_files.vector("j", [1, 2, 3, 4]))
        self.assertEqual(self.csv("select sum prix_élevé by sym from t where sym=`日本"),
                         "sym,prix_élevé\n日本,21\n")
        done = self.ended(2, "query", self.database, "select größe from t")
        self.assertIn("t has no column 'größe'", done.messages)

    def test_what_changes_no_answer_is_noted(self):
        before = self.csv("select from t")
        self.splay_days(date=kdb_files.vector("d", [7, 7, 7, 7]))
        kdb_files.save(self.database / DAYS[0] / "t" / ".d",
                       kdb_files.symbols(["g", "y", "x", "sym", "date"]))
        kdb_files.splay(self.database / "2020.02.30" / "t", **day(1))
        kdb_files.splay(self.database / DAYS[1] / "other", **day(1))
        (self.database / "2020.01.10").mkdir()
        kdb_files.splay(self.database / "loose", **day(1))
        (self.database / "loose" / ".d").unlink()
        no_date = "2020.02.30: not a date of the calendar"
        hidden = "note: t: the stored column date is not read"
        done = self.fine("query", self.database, "select from t", "--format", "csv")
        self.assertEqual(done.out.decode(), before)
        self.assertIn(no_date, done.messages)
        self.assertIn(hidden, done.messages)
        self.verified(0, "note: ", no_date, hidden, "only the order differs",
                      "2020.01.10: no table in this partition",
                      f"{DAYS[0]}: no table other, which counts as empty there",
                      "loose: column files without a .d, so no table")


if __name__ == "__main__":
    program.main()
