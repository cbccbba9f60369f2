"""Tables at the root beside partitions: saved ones, keyed ones, links and foreign keys to them.

    root_tables.py HDBENCH
"""

import shutil

import kdb_files
import program

DAYS = ("2020.01.07", "2020.01.08")
NULL = kdb_files.NULL_LONG
# A query and its lines, in each of the settings.
DRAM, FLAT, NARROW = ["--medium", "dram"], ["--layout", "flat"], ["--codes", "narrow"]
ANSWERS = (
    ("select from inst", ["code,name,tick", "X,Ex,0.5", "Y,Why,0.25"]),
    ("select max tick by code from inst", ["code,tick", "X,0.5", "Y,0.25"], DRAM, FLAT),
    # A link is shown as indices, and followed.
    ("select lk from trade", ["lk", "1", "0", "1", '""']),
    ("select date,px,lk.lot,lk.id from trade",
     ["date,px,lot,id", "2020-01-07,1.5,10,a", "2020-01-07,2.5,100,b", "2020-01-08,1.5,10,a",
      "2020-01-08,2.5,,"]),
    ("select sum px by lk.id from trade where lk.lot>=10", ["id,px", "a,3", "b,2.5"]),
    # A foreign key is shown as its key.
    ("select fk,fk.name,fk.tick from trade where date=2020.01.08",
     ["fk,name,tick", "Y,Why,0.25", ",,"]),
    ("select px from trade where fk=`Y", ["px", "2.5", "1.5"]),
    ("select from trade where date=2020.01.07",
     ["date,sym,px,lk,fk", "2020-01-07,a,1.5,1,X", "2020-01-07,b,2.5,0,Y"]),
    ("select sum px, max lk.lot, last fk.code by fk from trade",
     ["fk,px,lot,code", ",2.5,-0W,", "X,1.5,10,X", "Y,4,100,Y"], [], DRAM, FLAT, NARROW,
     [*FLAT, *NARROW], ["-s", "2", "--mode", "3.6"]),
    ("select fk.name from trade", ["name", "Ex", "Why", "Why", '""'], [], FLAT, DRAM),
)


class RootTables(program.DatabaseCase):
    """Two days of trade (sym, px, lk into the splayed ref, fk into the saved keyed inst)."""

    def setUp(self):
        super().setUp()
        kdb_files.save(self.database / "sym", kdb_files.symbols(["a", "b"]))
        for day, links, keys in ((DAYS[0], [1, 0], [0, 1]), (DAYS[1], [1, NULL], [1, NULL])):
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
        self.link = self.database / DAYS[0] / "trade/lk"

    def answers(self, query, lines, *axes):
        """Without an error."""
        done = self.fine("query", self.database, query, "--format", "csv", *axes)
        errors = [line for line in done.lines if not line.startswith(("note: ", "codes "))]
        self.assertEqual((done.out.decode().splitlines(), errors), (lines, []))
        return done

    def broken(self, named, query):
        """Refused, and nothing else is."""
        done = self.ended(3, "query", self.database, query)
        self.assertRegex(done.messages, named)
        self.answers("select n:count i from trade", ["n", "4"])

    def test_answers(self):
        for query, lines, *settings in ANSWERS:
            for axes in settings or [[]]:
                with self.subTest(query, axes=axes):
                    self.answers(query, lines, *axes)

    def test_a_saved_table_is_one_of_the_tables(self):
        kdb_files.save(self.database / "cal", kdb_files.table(
            day=kdb_files.plain("d", [7, 8]), open=kdb_files.plain("b", [True, False]),
            venue=kdb_files.symbols(["x", "y"])))
        self.answers("select from cal where venue=`y", ["day,open,venue", "2000-01-09,0,y"])
        whole = (self.database / "cal").read_bytes()
        (self.database / "cal").write_bytes(whole[:-1])
        self.broken("db/cal: byte ", "select from cal")

    def test_a_root_table_hides_the_partitions_one(self):
        kdb_files.splay(self.database / "trade", px=kdb_files.vector("f", [9.0]))
        done = self.answers("select from trade", ["px", "9"])
        self.assertIn("db/trade: hides the table trade of the partitions", done.messages)

    def test_older_enumerations_link_too(self):
        for day in DAYS:
            (self.database / day / "trade/lk").write_bytes(kdb_files.old_enumeration(
                "ref", [0, -1 << 31]))
        self.answers("select lk,lk.lot from trade where date=2020.01.07",
                     ["lk,lot", "0,100", ","])

    def test_a_null_symbol_in_the_target_is_the_empty_symbol(self):
        (self.database / "ref/id").write_bytes(kdb_files.enumeration("sym", [NULL, 0]))
        for axes in ([], FLAT, NARROW):
            self.answers("select count px by lk.id from trade where date=2020.01.07",
                         ["id,px", ",1", "a,1"], *axes)

    def test_an_index_beyond_the_table_is_an_error_of_what_follows_it(self):
        for write, byte in ((kdb_files.enumeration, 4104), (kdb_files.old_enumeration, 28)):
            self.link.write_bytes(write("ref", [0, 2]))
            named = f"{DAYS[0]}/trade/lk: byte {byte} (row 1): index 2, but ref has 2 rows"
            for flags in ([], ["--lenient"]):
                self.query_refused(named, "select lk.lot from trade", *flags)
            self.verified(3, named)
            self.answers("select lk from trade where date=2020.01.07", ["lk", "0", "2"])

    def test_lenient_reads_symbols_of_the_target(self):
        (self.database / "ref/id").write_bytes(kdb_files.enumeration("sym", [0, 99]))
        query = "select lk.id from trade where date=2020.01.07"
        self.broken(r"db/ref/id.*: byte 4104 \(row 1\): index 99", query)
        done = self.fine("query", self.database, query, "--format", "csv", "--lenient")
        self.assertEqual(done.out.decode().splitlines(), ["id", '""', "a"])
        self.assertIn("--lenient: ", done.messages)

    def test_a_target_that_is_broken_or_gone_fails_what_needs_it(self):
        (self.database / "ref/lot").unlink()
        self.broken("db/ref/lot", "select lk.lot from trade")
        shutil.rmtree(self.database / "ref")
        for column in ("lk", "lk.lot"):
            self.broken("there is no file", f"select {column} from trade")

    def test_other_objects_are_told_by_verify_alone(self):
        kdb_files.save(self.database / "conf", kdb_files.plain("j", [1, 2]))
        done = self.answers("select n:count i from trade", ["n", "4"])
        self.assertNotIn("conf", done.messages)
        self.assertIn(b"db/conf: ", program.run(self.binary, "verify", self.database).out)

    def test_explain_names_what_is_followed(self):
        done = self.fine("query", self.database, "--explain", "select lk.lot from trade")
        self.assertIn("lk.lot", done.out.decode() + done.messages)


if __name__ == "__main__":
    program.main()
