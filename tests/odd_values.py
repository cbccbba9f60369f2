"""Values that kdb+ leaves in databases: null enumeration indices, mapped vectors of old versions,
dictionaries in cells, atoms for columns, infinities, and sums that 32 bits do not hold.

    odd_values.py HDBENCH
"""

import json
import struct

import kdb_files
import program

NULL = kdb_files.NULL_LONG
SETTINGS = ([], ["--layout", "flat"], ["--codes", "narrow"],
            ["--layout", "flat", "--codes", "narrow"],
            ["--attr", "none", "--mode", "3.6", "-s", "2"])


def longs(*values):
    return kdb_files.vector("j", values)


def mapped(kind, *ends):
    """A mapped vector's file as old versions write it."""
    return struct.pack(f"<BBBxxxxxq{len(ends)}q", 0xfe, 0x20, kind, len(ends), *ends)


def wide_codes(*codes):
    return kdb_files.enumeration("sym", codes)


def old_codes(*codes):
    return kdb_files.old_enumeration("sym", [-2**31 if code == NULL else code for code in codes])


class OddValues(program.DatabaseCase):
    def write(self, symbols=("a", "b"), day="2020.01.07", **columns):
        kdb_files.save(self.database / "sym", kdb_files.symbols(symbols))
        kdb_files.splay(self.database / day / "t", **columns)
        return self.database / day / "t"

    def query(self, status, text, *flags):
        return self.ended(status, "query", self.database, text, *flags)

    def answers(self, text, expected, *flags, form="csv"):
        done = self.query(0, text, "--format", form, *flags)
        self.assertEqual(done.out.decode(), expected)
        return done

    def everywhere(self, *expected):
        """Queries and what they print, in each setting."""
        for flags in SETTINGS:
            for text, printed in expected:
                self.answers(text, printed, *flags)

    def test_null_indices_are_the_empty_symbol(self):
        for codes in (wide_codes, old_codes):
            with self.subTest(codes.__name__):
                self.setUp()
                self.write(sym=codes(0, NULL, 1, NULL), x=longs(1, 2, 3, 4))
                self.write(sym=codes(1, 0), x=longs(10, 20), day="2020.01.08")
                self.verified(0)
                self.everywhere(
                    ("select sum x by sym from t", "sym,x\n,6\na,21\nb,13\n"),
                    ("select x from t where sym=`", "x\n2\n4\n"),
                    ("select x from t where sym in ``a", "x\n1\n2\n4\n20\n"),
                    ("select last x by sym from t", "sym,x\n,4\na,20\nb,10\n"),
                    ("select sym from t where x<3", "sym\na\n\"\"\n"))

    def test_an_index_beyond_the_domain_is_refused_or_read_leniently(self):
        table = self.write(sym=wide_codes(0, 2, NULL), x=longs(1, 2, 3))
        place = f"{table}/sym: byte 4104 (row 1): index 2, but domain sym has 2 symbols"
        for flags in SETTINGS:
            done = self.query(3, "select sum x by sym from t", *flags)
            self.assertEqual((done.out, done.lines[0]), (b"", "hdbench: " + place))
            done = self.answers("select sum x by sym from t", "sym,x\n,5\na,1\n", *flags,
                                "--lenient")
            self.assertIn("--lenient: 1 symbol beyond the domain read as the empty one, in 1 file; "
                          "first: " + place, done.lines)
        queries = self.folder / "q.q"
        queries.write_text("select sum x by sym from t\n")
        for command, *more in (["limit"], ["run", "--medium", "nvme", "--reps", "1", "--cache",
                                           "warm", "-s", "1", "--mode", "4.0",
                                           *program.SMALL_CEILINGS]):
            done = self.fine(command, self.database, "--queries", queries, *more, "--lenient")
            self.assertIn("--lenient: 1 symbol beyond the domain", done.messages)

    def test_an_answer_does_not_hang_on_earlier_queries(self):
        self.write(sym=wide_codes(0, 7), x=longs(1, 2))
        self.write(sym=wide_codes(NULL, 1), x=longs(3, 4), day="2020.01.08")
        queries = self.folder / "q.q"
        queries.write_text("select sum x by sym from t where date=2020.01.08\n"
                           "select sym from t where date=2020.01.07,x=1\n")
        self.assertEqual(self.csv("--file", queries), "sym,x\n,3\nb,4\nsym\na\n")
        self.assertIn("byte 4104 (row 1): index 7, but domain sym has 2 symbols",
                      self.query(3, "select sym from t").messages)

    def test_mapped_vectors_of_old_versions_are_lists(self):
        table = self.write(sym=wide_codes(0, 1, 0), x=longs(1, 2, 3), s=mapped(87, 2, 2, 5),
                           f=mapped(86, 2, 2, 3))
        (table / "s#").write_bytes(b"abcde")
        (table / "f#").write_bytes(struct.pack("<3d", 1.5, 2.5, 3.5))
        self.everywhere(
            ("select sum x by sym from t", "sym,x\na,4\nb,2\n"),
            ("select s, f from t", "s,f\nab,1.5 2.5\n,\ncde,3.5\n"),
            ('select x from t where s like "[ac][^x]*"', "x\n1\n3\n"))
        (table / "s#").write_bytes(b"abcd")
        self.assertIn("t/s: byte 32 (row 2): items 2 to 5, but",
                      self.query(3, "select s from t").messages)
        self.answers("select sum x from t", "x\n6\n")

    def test_a_dictionary_in_a_cell_is_shown(self):
        cells = bytes.fromhex(
            "fb006300 01000000 0200000000000000 2000000000000001 2a00000000000001"
            "8601 0100000000000000 8601 0300000000000000 89026162")
        self.write(x=longs(1, 2), **kdb_files.anymap("c", cells, [0, 0x34]))
        self.everywhere(("select x, c from t", "x,c\n1,(dict)\n2,ab\n"))
        self.verified(0, "byte 4096 (row 0): a cell of type 99 is not looked into: (dict)")

    def lists(self, day, texts, code=1):
        """Rows: symbols of 0 and `code`, a symbol, a list of it and longs, longs, no floats."""
        cells = [kdb_files.short_cell(11, 2, struct.pack("<2I", 0, code)), b"\x74\0\0\0\0",
                 kdb_files.short_cell(7, 2, struct.pack("<2q", 1, NULL)),
                 kdb_files.short_cell(9, 0, b""), kdb_files.short_cell(10, 2, b"ab")]
        places = [sum(map(len, cells[:i])) for i in range(len(cells) + 1)]
        cells.append(kdb_files.list_cell(places[1], places[2], places[0]))
        rows = [places[0], places[1], places[5], places[2], places[3]]
        self.write(x=longs(*range(5)), day=day,
                   **kdb_files.anymap("c", b"".join(cells), rows, texts))

    def test_lists_in_cells_are_shown_as_q_does(self):
        self.lists("2020.01.07", ["u", "v"])
        self.lists("2020.01.08", ["v", "w"])
        self.everywhere(("select c from t where x<3", "c\nu v\nu\n(`u;1 0N;`u`v)\nv w\nv\n"
                         "(`v;1 0N;`v`w)\n"))
        self.answers("select c from t where date=2020.01.07", "c\n--------------\n`u`v\n`u\n"
                     "(`u;1 0N;`u`v)\n1 0N\n`float$()\n", form="table")
        done = self.query(0, "select c from t where date=2020.01.08", "--format", "json")
        self.assertEqual(json.loads(done.out)["data"],
                         [[["v", "w"], "v", "(`v;1 0N;`v`w)", [1, None], []]])
        # Those of saved tables too.
        kdb_files.save(self.database / "ref", kdb_files.table(c=kdb_files.several(
            kdb_files.symbols(["p", "q"]), b"\xf5p\0", kdb_files.plain("d", [7311]))))
        self.answers("select from ref", "c\n-----------\n`p`q\n`p\n,2020.01.07\n", form="table")

    def test_a_symbol_beyond_the_list_of_a_nested_column_is_an_error(self):
        self.lists("2020.01.07", ["u", "v"], code=9)
        place = f"{self.database}/2020.01.07/t/c#: byte 4102 (row 0): index 9, but "
        self.verified(3, place + f"{self.database}/2020.01.07/t/c## has 2 symbols (and 1 more)")
        self.assertIn(place, self.query(3, "select c from t").messages)

    def test_values_are_as_the_reference_defines_them(self):
        self.write(sym=wide_codes(0, 0, 0, 1, 1), j=longs(NULL, 1, 2, NULL, NULL),
                   i=kdb_files.vector("i", [2**31 - 1, 1, 0, 3, -4]),
                   c=kdb_files.vector("c", [b"a", b"b", b"c", b"a", b"b"]),
                   f=kdb_files.vector("f", [1, float("inf"), 2, 1, 3]),
                   t=kdb_files.vector("t", [2**31 - 1, 1, 0, 5, 6]))
        self.everywhere(
            ("select med j, sum i, s: sum c, avg c, dev f by sym from t",
             "sym,j,i,s,c,f\na,1,2147483648,294,98,\nb,,-1,195,97.5,1\n"),
            ("select avg c, n: sum c from t where i<9", "c,n\n98,392\n"))
        for flags in SETTINGS:
            self.assertIn("t: 1 of its sums wrapped at 32 bits, as q's do",
                          self.query(0, "select sum t by sym from t", *flags).lines)
        done = self.query(0, "select sum i from t", "--format", "json")
        self.assertEqual(json.loads(done.out)["types"], ["long"])

    def test_infinities_and_wide_symbols_are_printed_as_q_does(self):
        self.write(("caf\u00e9", "\u65e5"), sym=wide_codes(0, 1),
                   p=kdb_files.vector("p", [2**63 - 1, -2**63 + 1]),
                   h=kdb_files.vector("h", [2**15 - 1, -2**15 + 1]))
        self.answers("select sym, p, h from t",
                     "sym  p   h\n------------\ncaf\u00e9 0W  0W\n\u65e5   -0W -0W\n", form="table")
        self.answers("select p, h from t", "p,h\n0W,0W\n-0W,-0W\n")
        self.answers("select max p, min h from t where sym=`none", "p,h\n-0W,0W\n")

    def test_an_untyped_empty_list_has_the_type_of_the_others(self):
        self.write(x=longs(1, 2), y=longs(3, 4))
        self.write(x=longs(), y=b"\xff\x01\0\0\0\0\0\0", day="2020.01.08")
        self.everywhere(("select sum y from t", "y\n7\n"))
        self.verified(0)


if __name__ == "__main__":
    program.main()
