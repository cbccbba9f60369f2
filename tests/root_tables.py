"""Tables at the root beside partitions: saved ones, keyed ones, links and foreign keys to them.

    root_tables.py HDBENCH
"""

import pathlib
import shutil
import sys
import tempfile
import unittest

import kdb_files
import program

DAYS = ("2020.01.07", "2020.01.08")


class Scene(unittest.TestCase):
    """Two days of trade (sym, px, lk into the splayed ref, fk into the saved keyed inst)."""

    binary = None

    def setUp(self):
        self.place = tempfile.TemporaryDirectory(prefix="hdbench-root-")
        self.addCleanup(self.place.cleanup)
        self.database = pathlib.Path(self.place.name, "db")
        kdb_files.save(self.database / "sym", kdb_files.symbols(["a", "b"]))
        for day, links, keys in ((DAYS[0], [1, 0], [0, 1]),
                                 (DAYS[1], [1, kdb_files.NULL_LONG], [1, kdb_files.NULL_LONG])):
            kdb_files.splay(self.database / day / "trade",
                            sym=kdb_files.enumeration("sym", [0, 1]),
                            px=kdb_files.vector("f", [1.5, 2.5]),
                            lk=kdb_files.enumeration("ref", links),
                            fk=kdb_files.enumeration("inst", keys))
        kdb_files.splay(self.database / "ref",
                        id=kdb_files.enumeration("sym", [1, 0]),
                        lot=kdb_files.vector("i", [100, 10]))
        kdb_files.save(self.database / "inst", kdb_files.keyed(
            kdb_files.table(code=kdb_files.symbols(["X", "Y"])),
            kdb_files.table(name=kdb_files.several(kdb_files.string("Ex"),
                                                   kdb_files.string("Why")),
                            tick=kdb_files.plain("f", [0.5, 0.25]))))

    def answer(self, query, *axes):
        done = program.run(self.binary, "query", self.database, query, "--format", "csv", *axes)
        errors = [line for line in done.lines if not line.startswith(("note: ", "codes "))]
        self.assertEqual((done.status, errors), (0, []))
        return done.out.decode().splitlines()


class Saved(Scene):
    def test_a_saved_table_is_one_of_the_tables(self):
        kdb_files.save(self.database / "cal", kdb_files.table(
            day=kdb_files.plain("d", [7, 8]), open=kdb_files.plain("b", [True, False]),
            venue=kdb_files.symbols(["x", "y"])))
        self.assertEqual(self.answer("select from cal where venue=`y"),
                         ["day,open,venue", "2000-01-09,0,y"])

    def test_a_keyed_table_has_its_keys_first(self):
        self.assertEqual(self.answer("select from inst"),
                         ["code,name,tick", "X,Ex,0.5", "Y,Why,0.25"])

    def test_a_saved_table_in_every_place(self):
        for axes in (["--medium", "dram"], ["--layout", "flat"]):
            self.assertEqual(self.answer("select max tick by code from inst", *axes),
                             ["code,tick", "X,0.5", "Y,0.25"])

    def test_a_broken_one_fails_alone(self):
        kdb_files.save(self.database / "bad", kdb_files.table(
            day=kdb_files.plain("d", [7, 8]))[:-1])
        done = program.run(self.binary, "query", self.database, "select from bad")
        self.assertEqual(done.status, 3, done.messages)
        self.assertIn("db/bad: byte ", done.messages)
        self.assertEqual(self.answer("select n:count i from trade"), ["n", "4"])

    def test_a_root_table_hides_the_partitions_one(self):
        kdb_files.splay(self.database / "trade", px=kdb_files.vector("f", [9.0]))
        self.assertEqual(self.answer("select from trade"), ["px", "9"])
        done = program.run(self.binary, "query", self.database, "select from trade")
        self.assertIn("db/trade: hides the table trade of the partitions", done.messages)


class Links(Scene):
    def test_a_link_is_shown_as_indices(self):
        self.assertEqual(self.answer("select lk from trade"), ["lk", "1", "0", "1", '""'])

    def test_a_link_is_followed(self):
        self.assertEqual(self.answer("select date,px,lk.lot,lk.id from trade"),
                         ["date,px,lot,id", "2020-01-07,1.5,10,a", "2020-01-07,2.5,100,b",
                          "2020-01-08,1.5,10,a", "2020-01-08,2.5,,"])

    def test_conditions_and_groups_follow(self):
        self.assertEqual(self.answer("select sum px by lk.id from trade where lk.lot>=10"),
                         ["id,px", "a,3", "b,2.5"])

    def test_a_foreign_key_is_shown_as_its_key(self):
        self.assertEqual(self.answer("select fk,fk.name,fk.tick from trade where date=2020.01.08"),
                         ["fk,name,tick", "Y,Why,0.25", ",,"])
        self.assertEqual(self.answer("select px from trade where fk=`Y"), ["px", "2.5", "1.5"])

    def test_all_columns_are_the_tables_own(self):
        self.assertEqual(self.answer("select from trade where date=2020.01.07"),
                         ["date,sym,px,lk,fk", "2020-01-07,a,1.5,1,X", "2020-01-07,b,2.5,0,Y"])

    def test_every_medium_and_layout_gives_the_same(self):
        query = "select sum px, max lk.lot, last fk.code by fk from trade"
        expected = self.answer(query)
        self.assertEqual(expected[0], "fk,px,lot,code")
        for axes in (["--medium", "dram"], ["--layout", "flat"], ["--codes", "narrow"],
                     ["--layout", "flat", "--codes", "narrow"], ["-s", "2", "--mode", "3.6"]):
            self.assertEqual(self.answer(query, *axes), expected, axes)

    def test_followed_strings_in_every_layout(self):
        for axes in ([], ["--layout", "flat"], ["--medium", "dram"]):
            self.assertEqual(self.answer("select fk.name from trade", *axes),
                             ["name", "Ex", "Why", "Why", '""'], axes)

    def test_older_enumerations_link_too(self):
        for day in DAYS:
            (self.database / day / "trade/lk").write_bytes(kdb_files.old_enumeration(
                "ref", [0, -1 << 31]))
        self.assertEqual(self.answer("select lk,lk.lot from trade where date=2020.01.07"),
                         ["lk,lot", "0,100", ","])

    def test_a_null_symbol_in_the_target_is_the_empty_symbol(self):
        (self.database / "ref/id").write_bytes(
            kdb_files.enumeration("sym", [kdb_files.NULL_LONG, 0]))
        for axes in ([], ["--layout", "flat"], ["--codes", "narrow"]):
            self.assertEqual(
                self.answer("select count px by lk.id from trade where date=2020.01.07", *axes),
                ["id,px", ",1", "a,1"], axes)

    def test_an_index_beyond_the_table_is_an_error_of_what_follows_it(self):
        (self.database / DAYS[0] / "trade/lk").write_bytes(kdb_files.enumeration("ref", [0, 2]))
        done = program.run(self.binary, "query", self.database, "select lk.lot from trade")
        self.assertEqual(done.status, 3)
        self.assertIn(f"{DAYS[0]}/trade/lk: byte 4104 (row 1): index 2, but ref has 2 rows",
                      done.messages)
        self.assertEqual(self.answer("select lk from trade")[2], "2")
        # As kdb+ before 3.6 wrote it.
        (self.database / DAYS[0] / "trade/lk").write_bytes(kdb_files.old_enumeration("ref", [0, 2]))
        for command in (["query", self.database, "select lk.lot from trade"],
                        ["verify", self.database]):
            done = program.run(self.binary, *command)
            self.assertEqual(done.status, 3)
            self.assertIn(f"{DAYS[0]}/trade/lk: byte 28 (row 1): index 2, but ref has 2 rows",
                          done.messages + done.out.decode())

    def test_lenient_reads_symbols_of_the_target_and_no_index_beyond_it(self):
        (self.database / DAYS[0] / "trade/lk").write_bytes(kdb_files.enumeration("ref", [0, 2]))
        done = program.run(self.binary, "query", self.database, "select lk.lot from trade",
                           "--lenient")
        self.assertEqual(done.status, 3)
        self.assertIn("(row 1): index 2, but ref has 2 rows", done.messages)
        (self.database / DAYS[0] / "trade/lk").write_bytes(kdb_files.enumeration("ref", [0, 1]))
        (self.database / "ref/id").write_bytes(kdb_files.enumeration("sym", [0, 99]))
        query = ["query", self.database, "select lk.id from trade where date=2020.01.07",
                 "--format", "csv"]
        done = program.run(self.binary, *query)
        self.assertEqual(done.status, 3)
        self.assertRegex(done.messages, r"db/ref/id.*: byte 4104 \(row 1\): index 99")
        done = program.run(self.binary, *query, "--lenient")
        self.assertEqual(done.status, 0, done.messages)
        self.assertEqual(done.out.decode().splitlines()[-1], '""')
        self.assertIn("--lenient: ", done.messages)

    def test_a_target_that_is_broken_fails_what_needs_it(self):
        (self.database / "ref/lot").unlink()
        done = program.run(self.binary, "query", self.database, "select lk.lot from trade")
        self.assertEqual(done.status, 3)
        self.assertIn("db/ref/lot", done.messages)
        self.assertEqual(self.answer("select n:count i from trade"), ["n", "4"])

    def test_a_target_that_is_gone_is_named(self):
        shutil.rmtree(self.database / "ref")
        for column in ("lk", "lk.lot"):
            done = program.run(self.binary, "query", self.database, f"select {column} from trade")
            self.assertEqual(done.status, 3, done.messages)
            self.assertIn("there is no file", done.messages)

    def test_other_objects_are_told_by_verify_alone(self):
        kdb_files.save(self.database / "conf", kdb_files.plain("j", [1, 2]))
        done = program.run(self.binary, "query", self.database, "select n:count i from trade")
        self.assertNotIn("conf", done.messages)
        done = program.run(self.binary, "verify", self.database)
        self.assertIn("db/conf: ", done.out.decode())

    def test_explain_names_what_is_followed(self):
        done = program.run(self.binary, "query", self.database, "--explain",
                           "select lk.lot from trade")
        self.assertEqual(done.status, 0, done.messages)
        self.assertIn("lk.lot", done.out.decode() + done.messages)


def main():
    Scene.binary = sys.argv.pop(1)
    unittest.main()


if __name__ == "__main__":
    main()
