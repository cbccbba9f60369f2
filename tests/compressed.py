"""Compressed databases: written by gen, read as stored and unpacked before, by every query of the
project's lists.

    compressed.py HDBENCH
"""

import json
import pathlib
import shutil

import program

QUERIES = pathlib.Path(__file__).resolve().parent.parent / "queries"
ALGORITHMS = ("gzip:1:12", "snappy", "lz4:1:17", "zstd:1:20")
FEW = ["select from quote where date=2020.01.07, time>0D15:59:30"]


class Compressed(program.Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.databases = {}
        for word in ("none",) + ALGORITHMS:
            path = cls.folder / word.partition(":")[0]
            program.succeed(cls.binary, "gen", path, "--scale", "0.002", "--parted", "col3",
                            "--compress", word)
            cls.databases[word] = path

    def query(self, word, *arguments):
        return self.fine("query", self.databases[word], *arguments)

    def test_every_query_gives_the_same_as_stored_and_unpacked(self):
        for word, queries in (("gzip:1:12", "paper.q"), ("lz4:1:17", "aggregates.q")):
            out = self.folder / f"{queries}.json"
            self.fine("run", self.databases[word], "--queries", QUERIES / queries, "--medium",
                      "nvme,dram", "--compressed", "asis,unpacked", "--attr", "none,parted",
                      "--mode", "3.6,4.0", "--layout", "partitioned", "--cache", "warm", "--reps",
                      "1", "-s", "1,2", "--out", out, *program.SMALL_CEILINGS)
            for cell in program.cells(out):
                is_before = cell.get("compressed") == "unpacked"
                self.assertEqual(cell.get("bytes_unpacked", 0) == 0, is_before, cell["name"])
                self.assertEqual("/compressed:unpacked" in cell["name"], is_before)

    def test_results_are_those_of_the_plain_database(self):
        plain = self.query("none", *FEW, "--format", "csv").out
        for word in ALGORITHMS:
            with self.subTest(word):
                self.assertEqual(self.query(word, *FEW, "--format", "csv").out, plain)
                self.assertIn(": 0 errors", self.fine("verify", self.databases[word]).messages)

    def test_few_rows_unpack_few_blocks(self):
        def figures(text):
            return json.loads(self.query("gzip:1:12", text, "--rows-only", "--format",
                                         "json").out)

        told = figures("select from quote where date=2020.01.07, i<100")
        plain = figures("select from quote where date=2020.01.07")
        self.assertLess(0, told["bytes_unpacked"])
        self.assertLess(told["bytes_unpacked"], 0.3 * plain["bytes_unpacked"])

    def test_what_is_unpacked_counts_against_w(self):
        text = "select max bid, max ask, max bsize from quote"
        self.query("lz4:1:17", text, "-w", "64")
        stopped = self.fine("query", self.databases["lz4:1:17"], text, "-w", "1")
        self.assertIn("-w abort", stopped.messages)
        self.query("lz4:1:17", text, "-w", "1", "--compressed", "unpacked")

    def test_a_broken_block_is_named_and_other_columns_are_read(self):
        path = self.folder / "broken"
        shutil.copytree(self.databases["gzip:1:12"], path)
        column = path / "2020.01.07" / "quote" / "bid"
        data = bytearray(column.read_bytes())
        data[12:40] = bytes(28)
        column.write_bytes(data)
        self.refused(3, "bid: byte 8 (kxzipped): block 0 of", "query", path,
                     "select max bid from quote where date=2020.01.07")
        self.fine("query", path, "select max ask from quote where date=2020.01.07")

    def test_wrong_words(self):
        for said, words in (("unknown algorithm 'lzma'", ["--compress", "lzma"]),
                            ("gzip's level '12' is not a number from 0 to 9",
                             ["--compress", "gzip:12"]),
                            ("the block's power of two '3'", ["--compress", "zstd:1:3"])):
            self.refused(2, said, "gen", self.folder / "no", *words)
            self.assertFalse((self.folder / "no").exists())
        self.refused(2, "--compressed: unknown value 'later': known are asis, unpacked", "query",
                     self.databases["snappy"], *FEW, "--compressed", "later")

    def test_gen_resumes_a_compressed_database_and_not_another(self):
        path = self.databases["snappy"]
        self.fine("gen", path, "--scale", "0.002", "--parted", "col3", "--compress", "snappy",
                  "--resume")
        for other in (["--compress", "lz4"], []):
            self.refused(2, "made with --compress snappy:0:17, not", "gen", path, "--scale",
                         "0.002", "--parted", "col3", "--resume", *other)


if __name__ == "__main__":
    program.main()
