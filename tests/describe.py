"""hdbench describe and verify --format json: both hold to their schemas, and say what is odd, wrong
or not readable.

    describe.py HDBENCH
"""

import json
import shutil

import json_schema
import kdb_files
import program

DAY = "2020.01.07"


class Describe(program.DatabaseCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.whole = cls.folder / "whole"
        program.generate(cls.binary, cls.whole, 0.0002)
        cls.validators = {command: json_schema.validator(command)
                          for command in ("describe", "verify")}

    def done(self, command, *arguments, status=0):
        return self.ended(status, command, self.database, *arguments)

    def as_json(self, command, *arguments, status=0):
        told = json.loads(self.done(command, "--format", "json", *arguments, status=status).out)
        self.assertEqual(json_schema.complaints(self.validators[command], told), [])
        return told

    def set_type(self, number):
        """The type of bid, in every partition, with the header of kdb+ 3."""
        for file in self.database.glob("20*/quote/bid"):
            data = bytearray(file.read_bytes())
            data[2] = number
            file.write_bytes(data)

    def test_a_whole_database(self):
        told = self.as_json("describe")
        self.assertEqual((told["partition_field"], told["partitions"]), ("date", 62))
        self.assertEqual((told["first"], told["last"]), ("2019.11.01", "2020.01.31"))
        table, = told["tables"]
        columns = {column["name"]: column for column in table["columns"]}
        self.assertNotIn("date", columns)
        self.assertEqual((columns["col3"]["type"], columns["col3"]["attribute"]), ("symbol", "p"))
        on_disk = sum(file.stat().st_size for file in self.database.glob("20*/quote/*")
                      if file.name != ".d")
        self.assertEqual(table["stored_bytes"], on_disk)
        self.assertEqual(table["rows"], int(self.csv("select count i from quote").split()[-1]))
        checked = self.as_json("verify")
        self.assertEqual(checked["counts"], {"errors": 0, "notes": 0, "unreadable": 0})
        self.assertEqual(checked["checked"]["rows"], table["rows"])
        self.assertIn("0 errors, 0 notes, 0 unreadable here", self.done("verify").messages)

    def test_a_screen(self):
        text = self.done("describe").out.decode()
        self.assertLess(len(text.splitlines()), 25)
        self.assertLessEqual(max(len(line) for line in text.splitlines()[1:]), 80)
        whole = self.done("describe", "--table", "quote").out.decode()
        for column in self.as_json("describe")["tables"][0]["columns"]:
            self.assertIn(f" {column['name']} ", whole)
        refused = self.done("describe", "--table", "trade", status=2)
        self.assertIn("quote", refused.messages)
        self.assertIn("known are table, json",
                      self.done("describe", "--format", "csv", status=2).messages)

    def test_a_column_of_an_unsupported_type_is_no_error(self):
        for number in (88, 97):
            self.set_type(number)
            told = self.as_json("verify")
            self.assertEqual(told["counts"], {"errors": 0, "notes": 0, "unreadable": 1})
            self.assertIn(f"type {number}", told["unreadable"][0])
            self.assertIn("(and 61 more)", told["unreadable"][0])
            self.assertIn("unreadable here: ", self.done("verify").out.decode())
            columns = self.as_json("describe")["tables"][0]["columns"]
            bid, = [column for column in columns if column["name"] == "bid"]
            self.assertIn(f"type {number}", bid["unreadable"])
            self.assertIn("cannot be read\n", self.done("describe").out.decode())

    def test_verify_goes_on_to_the_end(self):
        newest = max(self.database.glob("20*")) / "quote"
        self.set_type(88)
        (newest / "ask").unlink()
        with (newest / "bsize").open("ab") as file:
            file.write(b"\1" * 7)
        kdb_files.splay(self.database / "notes",
                        **kdb_files.anymap("c", kdb_files.list_cell(0), [0, 0]))
        # Another order of an older partition.
        older = self.database / DAY / "quote" / ".d"
        head, names = older.read_bytes()[:8], older.read_bytes()[8:-1].split(b"\0")
        older.write_bytes(head + b"\0".join(names[::-1]) + b"\0")
        told = self.as_json("verify", status=3)
        self.assertEqual(told["counts"], {"errors": 3, "notes": 1, "unreadable": 1})
        for begins in (f"{newest}/ask: ", f"{newest}/bsize: ", f"{self.database}/notes/c#: "
                       "byte 4096 (row 0): a list that holds itself (and 1 more)"):
            self.assertTrue(any(line.startswith(begins) for line in told["errors"]), begins)
        self.assertIn(str(older), told["notes"][0])
        self.verified(3, "note: ")

    def test_a_database_without_any_list_of_columns(self):
        for file in self.database.glob("20*/quote/.d"):
            file.unlink()
        named = "62 partitions by date, but none of their tables has a .d"
        self.verified(3, named, ": 1 error, 0 notes, 0 unreadable here")
        self.refused(3, named, "describe", self.database)

    def test_what_cannot_be_opened_ends_with_the_counts_too(self):
        shutil.rmtree(self.database)
        self.assertIn("0 rows, 0.0 MB: 1 error, 0 notes, 0 unreadable here",
                      self.done("verify", status=3).messages)
        told = self.as_json("verify", status=3)
        self.assertEqual(told["counts"], {"errors": 1, "notes": 0, "unreadable": 0})
        self.assertIn("no such directory", told["errors"][0])

    def test_keys_links_and_lists_are_told(self):
        kdb_files.save(self.database / "inst", kdb_files.keyed(
            kdb_files.table(code=kdb_files.symbols(["X"])),
            kdb_files.table(name=kdb_files.several(kdb_files.string("Ex")))))
        kdb_files.splay(self.database / "ref", fk=kdb_files.enumeration("inst", [0]),
                        **kdb_files.anymap("f", kdb_files.short_cell(9, 0, b""), [0]))
        tables = {table["name"]: {column["name"]: column for column in table["columns"]}
                  for table in self.as_json("describe")["tables"]}
        self.assertTrue(tables["inst"]["code"]["key"])
        self.assertIsNone(tables["inst"]["name"]["stored_bytes"])
        self.assertEqual(tables["inst"]["name"]["type"], "string")
        self.assertEqual(tables["ref"]["f"]["type"], "float list")
        self.assertEqual(tables["ref"]["fk"]["link"], "inst")
        self.assertIn(b"symbol -> inst", self.done("describe", "--table", "ref").out)


if __name__ == "__main__":
    program.main()
