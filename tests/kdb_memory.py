"""hdbench limit --as kdb and --what-if, query --explain --memory: what kdb+ would hold.

    kdb_memory.py HDBENCH
"""

import json
import pathlib

import program

QUERIES = pathlib.Path(__file__).resolve().parent.parent / "queries"
SCHEMA = "time:n,sym:s,price:f,size:j"


class WhatIf(program.Case):
    def what_if(self, text, *more):
        return self.fine("limit", "--what-if", text, "--table", SCHEMA, *more).out.decode()

    def test_a_published_figure(self):
        told = self.what_if("select from trade where sym=`x", "--rows", "1e6", "--matches", "0",
                            "--kdb-version", "3.6")
        self.assertIn("kdb+ 3.6, -s 0, -g 0 (a model): used 1.001 MiB (1,049,104 B)", told)
        self.assertIn("mask of sym=`x", told)
        self.assertIn("completes with -w 64 and not with less", told)
        peaks = json.loads(self.what_if("select from trade where sym=`x", "--rows", "1e6",
                                        "--matches", "0", "--mode", "3.6", "--format", "json"))
        self.assertEqual(peaks, {"least_w_mib": 64, "peak_used_bytes": 1049104,
                                 "peak_heap_bytes": 64 << 20})
        self.assertIn("kdb+ 3.6", self.what_if("select from trade", "--rows", "5", "--mode", "3.6"))

    def test_partitions_threads_and_collection(self):
        few = ["select max price by sym from trade where size>100", "--table",
               "date:d," + SCHEMA, "--partitions", "4", "--rows", "4e8", "--distinct", "5000"]
        one = self.fine("limit", "--what-if", *few, "--gc", "1").out.decode()
        four = self.fine("limit", "--what-if", *few, "-s", "4").out.decode()
        self.assertIn("kdb+ 4.0, -s 4, -g 0", four)
        self.assertIn("on a thread: ", four)
        self.assertIn("-g 1", one)

        def least(text):
            return int(text.split("completes with -w ")[1].split()[0])

        self.assertGreater(least(four), 3 * least(one))

    def test_wrong_flags(self):
        for said, words in (
                ("only with --what-if", ["x", "--rows", "5"]),
                ("only with --as kdb", ["x", "--processes", "2"]),
                ("not with --what-if", ["--what-if", "select from t", "--table", "x:j", "--rows",
                                        "5", "--processes", "2"]),
                ("needs --table", ["--what-if", "select from t", "--rows", "5"]),
                ("no type has the letter 'q'", ["--what-if", "select from t", "--table", "x:q",
                                                "--rows", "5"]),
                ("'-5', expected a number", ["--what-if", "select from t", "--table", "x:j",
                                             "--rows", "-5"]),
                ("more rows than --rows", ["--what-if", "select from t", "--table", "x:j",
                                           "--rows", "5", "--matches", "6"]),
                ("expected the partition field", ["--what-if", "select from t", "--table", "x:f",
                                                  "--rows", "5", "--partitions", "2"]),
                ("--kdb-version: unknown version '5'", ["--what-if", "select from t", "--table",
                                                        "x:j", "--rows", "5", "--kdb-version",
                                                        "5"]),
                ("DB is missing", [])):
            self.refused(2, said, "limit", *words)
        done = self.ended(2, "limit", "--what-if", "select y from t", "--table", "x:j", "--rows",
                          "5")
        self.assertEqual(done.lines[1:], ["select y from t", "       ^"])


class Limits(program.DatabaseCase):
    def limits(self, *more):
        done = self.fine("limit", self.database, "--as", "kdb", "--format", "json", *more)
        return json.loads(done.out)

    def test_the_eleven(self):
        program.generate(self.binary, self.database, 0.0005)
        told = self.limits("-s", "2")
        self.assertEqual(told["kdb"], "kdb+ 4.0, -s 2, -g 0")
        self.assertEqual(len(told["limits"]), 11)
        for limit in told["limits"]:
            # Three heaps of a slab each.
            self.assertGreaterEqual(limit["kdb"]["least_w_mib"], 192)
        text = self.fine("limit", self.database, "--as", "kdb", "--processes",
                         "8").out.decode()
        self.assertIn("A server of 8 processes of kdb+ 4.0", text)
        shown = self.fine("query", self.database, "--explain", "--memory",
                          "select from quote where date=2020.01.07, col3=`val1").out.decode()
        self.assertIn("held when most was:", shown)

    def test_all_that_a_desk_asks(self):
        self.fine("gen", self.database, "--profile", "taq", "--scale", "0.0005")
        told = self.limits("--queries", QUERIES / "desk.q", "-s", "1")
        self.assertEqual(len(told["limits"]), 40)
        for limit in told["limits"]:
            self.assertGreaterEqual(limit["kdb"]["least_w_mib"], 64)
            self.assertLessEqual(limit["kdb"]["peak_used_bytes"], limit["kdb"]["peak_heap_bytes"])


if __name__ == "__main__":
    program.main()
