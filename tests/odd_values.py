"""Values that kdb+ leaves in databases: null enumeration indices, mapped vectors of old versions,
dictionaries in cells, atoms for columns, infinities, and sums that 32 bits do not hold.

    odd_values.py HDBENCH
"""

import json
import pathlib
import struct
import sys
import tempfile
import unittest

import kdb_files
import program

NULL = -2**63
LENIENT = ["--lenient"]
SETTINGS = ([], ["--layout", "flat"], ["--codes", "narrow"],
            ["--layout", "flat", "--codes", "narrow"],
            ["--attr", "none", "--mode", "3.6", "-s", "2"])


def symbol_list(*names):
    return b"\xff\x01" + kdb_files.symbols(names)


def vector(kind, form, *values):
    return struct.pack(f"<BBbBiq{len(values)}{form}", 0xfe, 0x20, kind, 0, 0, len(values), *values)


def longs(*values):
    return vector(7, "q", *values)


def wide_codes(*codes):
    return kdb_files.enumeration("sym", codes)


def old_codes(*codes):
    narrow = [-2**31 if code == NULL else code for code in codes]
    return kdb_files.old_enumeration("sym", narrow)


class OddValues(unittest.TestCase):
    binary = None

    def setUp(self):
        place = tempfile.TemporaryDirectory(prefix="hdbench-odd-")
        self.addCleanup(place.cleanup)
        self.root = pathlib.Path(place.name, "db")

    def write(self, columns, symbols=("a", "b"), day="2020.01.07"):
        table = self.root / day / "t"
        table.mkdir(parents=True)
        (self.root / "sym").write_bytes(symbol_list(*symbols))
        names = [name for name in columns if not name.endswith("#")]
        (table / ".d").write_bytes(symbol_list(*names))
        for name, data in columns.items():
            (table / name).write_bytes(data)
        return table

    def query(self, text, *flags, form="csv"):
        return program.run(self.binary, "query", self.root, text, "--format", form, *flags)

    def answers(self, text, expected, *flags, form="csv"):
        done = self.query(text, *flags, form=form)
        self.assertEqual((done.status, done.out.decode()), (0, expected), done.messages)
        return done

    def test_null_indices_are_the_empty_symbol(self):
        for codes in (wide_codes, old_codes):
            with self.subTest(codes.__name__):
                self.setUp()
                self.write({"sym": codes(0, NULL, 1, NULL), "x": longs(1, 2, 3, 4)})
                self.write({"sym": codes(1, 0), "x": longs(10, 20)}, day="2020.01.08")
                verified = program.run(self.binary, "verify", self.root)
                self.assertEqual(verified.status, 0, verified.messages)
                for flags in SETTINGS:
                    self.answers("select sum x by sym from t", "sym,x\n,6\na,21\nb,13\n", *flags)
                    self.answers("select x from t where sym=`", "x\n2\n4\n", *flags)
                    self.answers("select x from t where sym in ``a", "x\n1\n2\n4\n20\n", *flags)
                    self.answers("select last x by sym from t", "sym,x\n,4\na,20\nb,10\n", *flags)
                    self.answers("select sym from t where x<3", "sym\na\n\"\"\n", *flags)

    def test_an_index_beyond_the_domain_is_refused_or_read_leniently(self):
        table = self.write({"sym": wide_codes(0, 2, NULL), "x": longs(1, 2, 3)})
        place = f"{table}/sym: byte 4104 (row 1): index 2, but domain sym has 2 symbols"
        for flags in SETTINGS:
            done = self.query("select sum x by sym from t", *flags)
            self.assertEqual((done.status, done.out, done.lines[0]), (3, b"", "hdbench: " + place))
            done = self.answers("select sum x by sym from t", "sym,x\n,5\na,1\n", *flags, *LENIENT)
            self.assertIn("--lenient: 1 symbol beyond the domain read as the empty one, in 1 file; "
                          "first: " + place, done.lines)
        queries = self.root.parent / "q.q"
        queries.write_text("select sum x by sym from t\n")
        for command in (["limit", "--queries", queries],
                        ["run", "--queries", queries, "--medium", "nvme", "--reps", "1", "--cache",
                         "warm", "-s", "1", "--mode", "4.0", *program.SMALL_CEILINGS]):
            done = program.run(self.binary, command[0], self.root, *command[1:], *LENIENT)
            self.assertEqual(done.status, 0, done.messages)
            self.assertIn("--lenient: 1 symbol beyond the domain", done.messages)

    def test_an_answer_does_not_hang_on_earlier_queries(self):
        self.write({"sym": wide_codes(0, 7), "x": longs(1, 2)})
        self.write({"sym": wide_codes(NULL, 1), "x": longs(3, 4)}, day="2020.01.08")
        queries = self.root.parent / "q.q"
        queries.write_text("select sum x by sym from t where date=2020.01.08\n"
                           "select sym from t where date=2020.01.07,x=1\n")
        done = program.run(self.binary, "query", self.root, "--file", queries, "--format", "csv")
        self.assertEqual((done.status, done.out), (0, b"sym,x\n,3\nb,4\nsym\na\n"), done.messages)
        done = self.query("select sym from t")
        self.assertEqual(done.status, 3)
        self.assertIn("byte 4104 (row 1): index 7, but domain sym has 2 symbols", done.messages)

    def test_mapped_vectors_of_old_versions_are_lists(self):
        self.write({"sym": wide_codes(0, 1, 0), "x": longs(1, 2, 3), "s": vector(87, "q", 2, 2, 5),
                    "s#": b"abcde", "f": vector(86, "q", 2, 2, 3),
                    "f#": struct.pack("<3d", 1.5, 2.5, 3.5)})
        for flags in SETTINGS:
            self.answers("select sum x by sym from t", "sym,x\na,4\nb,2\n", *flags)
            self.answers("select s, f from t", "s,f\nab,1.5 2.5\n,\ncde,3.5\n", *flags)
            self.answers('select x from t where s like "[ac][^x]*"', "x\n1\n3\n", *flags)
        (self.root / "2020.01.07/t/s#").write_bytes(b"abcd")
        done = self.query("select s from t")
        self.assertEqual(done.status, 3)
        self.assertIn("t/s: byte 32 (row 2): items 2 to 5, but", done.messages)
        self.answers("select sum x from t", "x\n6\n")

    def test_a_dictionary_in_a_cell_is_shown(self):
        cells = bytes.fromhex(
            "fb006300 01000000 0200000000000000 2000000000000001 2a00000000000001"
            "8601 0100000000000000 8601 0300000000000000 89026162")
        self.write({"x": longs(1, 2), **kdb_files.anymap("c", cells, [0, 0x34])})
        for flags in SETTINGS:
            self.answers("select x, c from t", "x,c\n1,(dict)\n2,ab\n", *flags)
        verified = program.run(self.binary, "verify", self.root)
        self.assertEqual(verified.status, 0)
        self.assertIn("byte 4096 (row 0): a cell of type 99 is not looked into: (dict)",
                      verified.out.decode() + verified.messages)

    def lists(self, day, texts, code=1):
        """Rows: symbols of 0 and `code`, a symbol, a list of it and longs, longs, no floats."""
        cells = [kdb_files.short_cell(11, 2, struct.pack("<2I", 0, code)), b"\x74\0\0\0\0",
                 kdb_files.short_cell(7, 2, struct.pack("<2q", 1, NULL)),
                 kdb_files.short_cell(9, 0, b""), kdb_files.short_cell(10, 2, b"ab")]
        places = [sum(map(len, cells[:i])) for i in range(len(cells) + 1)]
        cells.append(kdb_files.list_cell(places[1], places[2], places[0]))
        self.write({"x": longs(*range(5)), **kdb_files.anymap(
            "c", b"".join(cells), [places[0], places[1], places[5], places[2], places[3]], texts)},
                   day=day)

    def test_lists_in_cells_are_shown_as_q_does(self):
        self.lists("2020.01.07", ["u", "v"])
        self.lists("2020.01.08", ["v", "w"])
        for flags in SETTINGS:
            self.answers("select c from t where x<3", "c\nu v\nu\n(`u;1 0N;`u`v)\nv w\nv\n"
                         "(`v;1 0N;`v`w)\n", *flags)
        self.answers("select c from t where date=2020.01.07", "c\n--------------\n`u`v\n`u\n"
                     "(`u;1 0N;`u`v)\n1 0N\n`float$()\n", form="table")
        done = self.query("select c from t where date=2020.01.08", form="json")
        self.assertEqual(json.loads(done.out)["data"],
                         [[["v", "w"], "v", "(`v;1 0N;`v`w)", [1, None], []]])

    def test_saved_tables_show_their_lists_too(self):
        kdb_files.save(self.root / "ref", kdb_files.table(c=kdb_files.several(
            kdb_files.symbols(["p", "q"]), b"\xf5p\0", kdb_files.plain("d", [7311]))))
        self.answers("select from ref", "c\n-----------\n`p`q\n`p\n,2020.01.07\n", form="table")

    def test_a_symbol_beyond_the_list_of_a_nested_column_is_an_error(self):
        self.lists("2020.01.07", ["u", "v"], code=9)
        place = f"{self.root}/2020.01.07/t/c#: byte 4102 (row 0): index 9, but "
        verified = program.run(self.binary, "verify", self.root)
        self.assertEqual(verified.status, 3)
        self.assertIn(place + f"{self.root}/2020.01.07/t/c## has 2 symbols (and 1 more)",
                      verified.out.decode())
        done = self.query("select c from t")
        self.assertEqual(done.status, 3)
        self.assertIn(place, done.messages)

    def test_what_is_no_list_is_called_what_it_is(self):
        for data, what in ((b"\xff\x01\xf9" + struct.pack("<q", 5), "a long atom"),
                           (b"\xff\x01\xf5abc\0\0", "a symbol atom"),
                           (b"\xff\x01\x63\0\x0b\0\0\0\0\0", "a dictionary"),
                           (b"\xff\x01\x62\0\x63\x0b\0\0\0\0", "a table"),
                           (b"\xff\x01\x64\0\x0a\0\0\0\0\0", "a lambda")):
            with self.subTest(what):
                self.setUp()
                table = self.write({"x": data, "y": longs(1)})
                done = program.run(self.binary, "verify", self.root)
                self.assertEqual(done.status, 3)
                self.assertIn(f"{table}/x: byte 2: {what}, not a list",
                              done.messages + done.out.decode())

    def test_values_are_as_the_reference_defines_them(self):
        inf = float("inf")
        self.write({"sym": wide_codes(0, 0, 0, 1, 1), "j": longs(NULL, 1, 2, NULL, NULL),
                    "i": vector(6, "i", 2**31 - 1, 1, 0, 3, -4),
                    "c": vector(10, "c", b"a", b"b", b"c", b"a", b"b"),
                    "f": vector(9, "d", 1, inf, 2, 1, 3),
                    "t": vector(19, "i", 2**31 - 1, 1, 0, 5, 6)})
        for flags in SETTINGS:
            self.answers("select med j, sum i, s: sum c, dev f by sym from t",
                         "sym,j,i,s,f\na,1,2147483648,294,\nb,,-1,195,1\n", *flags)
            done = self.query("select sum t by sym from t", *flags)
            self.assertIn("t: 1 of its sums wrapped at 32 bits, as q's do", done.lines)
        self.assertEqual(json.loads(self.query("select sum i from t", form="json").out)["types"],
                         ["long"])

    def test_infinities_and_wide_symbols_are_printed_as_q_does(self):
        self.write({"sym": wide_codes(0, 1), "p": vector(12, "q", 2**63 - 1, -2**63 + 1),
                    "h": vector(5, "h", 2**15 - 1, -2**15 + 1)}, symbols=("caf\u00e9", "\u65e5"))
        self.answers("select sym, p, h from t",
                     "sym  p   h\n------------\ncaf\u00e9 0W  0W\n\u65e5   -0W -0W\n", form="table")
        self.answers("select p, h from t", "p,h\n0W,0W\n-0W,-0W\n")
        self.answers("select max p, min h from t where sym=`none", "p,h\n-0W,0W\n", form="csv")

    def test_an_untyped_empty_list_has_the_type_of_the_others(self):
        self.write({"x": longs(1, 2), "y": longs(3, 4)})
        self.write({"x": longs(), "y": b"\xff\x01\0\0\0\0\0\0"}, day="2020.01.08")
        for flags in SETTINGS:
            self.answers("select sum y from t", "y\n7\n", *flags)
        self.assertEqual(program.run(self.binary, "verify", self.root).status, 0)


if __name__ == "__main__":
    OddValues.binary = sys.argv.pop(1)
    unittest.main()
