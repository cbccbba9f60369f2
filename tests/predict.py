"""hdbench predict and advise from outside: what they print and write, and what they refuse.

    predict.py HDBENCH

Figures are not asserted, as a busy machine has others, but what holds for all of them.
"""

import json
import shutil

import program

SMALL = program.SMALL_CEILINGS
TIERS = """
[[tier]]
name = "DRAM"
medium = "dram"
price_per_gb = 30

[[tier]]
name = "CXL"
medium = "cxl:cxl-cz122"
price_per_gb = {price}
capacity = "{capacity}"
"""
NO_PREDICTIONS = [
    (2, "numa:0: expected dram, or a medium with a profile", "--on", "numa:0"),
    (2, "no device profile 'none'", "--on", "cxl:none"),
    (2, "unknown medium 'tape'", "--on", "tape"),
    (2, "--format: ", "--format", "yaml"),
    (2, "no query 99: it has 1, 2", "--id", "99"),
]


class Predict(program.Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.database = cls.folder / "db"
        program.generate(cls.binary, cls.database, "0.001")

    def predict(self, *arguments):
        done = self.fine("predict", self.database, "--reps", "3", "--format", "json", *SMALL,
                         *arguments)
        return json.loads(done.out)

    def tiers(self, price=10, capacity="1TB"):
        file = self.folder / "tiers.toml"
        file.write_text(TIERS.format(price=price, capacity=capacity), encoding="utf-8")
        return file

    def test_each_query_has_a_time_on_each_medium_and_its_parts_add_up(self):
        media = ["dram", "cxl:cxl-cz122", "nvme:nvme-p5510"]
        made = self.predict("--on", ",".join(media), "-s", "2")
        self.assertEqual(made["format"], "hdbench-prediction-1")
        self.assertEqual([query["query"] for query in made["queries"]], list(range(1, 12)))
        for query in made["queries"]:
            self.assertEqual([one["medium"] for one in query["on"]], media)
            for one in query["on"]:
                parts = sum(one[part] for part in ("work_ms", "bandwidth_ms", "latency_ms",
                                                   "waiting_ms"))
                self.assertAlmostEqual(parts / one["ms"], 1, delta=0.05)
                self.assertLessEqual(one["low_ms"], one["ms"])
                self.assertLessEqual(one["ms"], one["high_ms"])
            # Nothing is faster cold on a disk than in memory.
            self.assertGreater(query["on"][2]["ms"], query["on"][0]["ms"])
        self.assertEqual(made["extrapolated"], [])

    def test_more_rows_partitions_and_users_take_longer_and_are_said(self):
        base = self.predict("--on", "dram", "--id", "11", "-s", "1")
        for words in (["--rows", "19111302"], ["--partitions", "6200"], ["--users", "40"]):
            more = self.predict("--on", "dram", "--id", "11", "-s", "1", *words)
            self.assertGreater(more["queries"][0]["on"][0]["ms"],
                               5 * base["queries"][0]["on"][0]["ms"], words)
            self.assertTrue(more["extrapolated"], words)

    def test_an_interleave_is_searched_for_where_queries_are_run(self):
        word = "cxl:cxl-cz122+interleave=auto"
        done = self.fine("query", self.database, "select max bid by col1 from quote", "--medium",
                         word, *SMALL)
        self.assertRegex(done.messages, r"interleave=auto: the queries take the least time by "
                                    r"cxl:cxl-cz122\+interleave=\d+:\d+\n")
        self.assertRegex(done.messages, r"interleave \d+:\d+")
        out = self.folder / "searched.json"
        self.fine("run", self.database, "--medium", word, "--cache", "warm", "-s", "1", "--reps",
                  "1", "--out", out, *SMALL)
        self.assertRegex(out.read_text(), r"cxl:cxl-cz122\+interleave=\d+:\d+")
        experiment = self.folder / "searched.toml"
        experiment.write_text(f'title = "t"\n[[database]]\nname = "p"\nprofile = "paper"\n'
                              f'[[matrix]]\nmedium = ["{word}"]\n', encoding="utf-8")
        self.refused(2, "in a database that is there", "run", "--experiment", experiment)
        self.refused(2, "which query and run search for", "predict", self.database, "--on", word,
                     "--reps", "1", *SMALL)

    def test_predictions_that_cannot_be_made_are_one_line(self):
        for status, named, *words in NO_PREDICTIONS:
            self.refused(status, named, "predict", self.database, "--reps", "1", *SMALL, *words)

    def test_a_prediction_is_written_once(self):
        out = self.folder / "prediction.json"
        words = ["predict", self.database, "--id", "1", "--on", "dram", "--reps", "1", *SMALL,
                 "--out", out]
        self.assertIn(b"Q01", self.fine(*words).out)
        self.assertEqual(json.loads(out.read_text())["queries"][0]["query"], 1)
        other = self.folder / "mine.json"
        other.write_text("{}", encoding="utf-8")
        self.refused(2, "mine.json", *words[:-1], other)

    def advise(self, *arguments):
        done = self.fine("advise", self.database, "--reps", "3", "--format", "json", *SMALL,
                         *arguments)
        return json.loads(done.out)

    def test_advice_holds_its_bound_and_can_be_run(self):
        if shutil.which("glpsol") is None:
            self.skipTest("glpsol (GLPK) is not there")
        made = self.advise("--tiers", self.tiers(), "--slowdown", "50%", "-s", "1")
        self.assertLessEqual(made["slowdown"], 0.5 + 1e-9)
        self.assertLess(made["price"], made["dram_price"])
        self.assertEqual(sum(tier["bytes"] for tier in made["tiers"]),
                         sum(column["bytes"] for column in made["columns"]))
        prices = [point["price"] for point in made["frontier"]]
        self.assertEqual(prices, sorted(prices, reverse=True))
        places = [word for place in made["run"]["places"] for word in ("--place", place)]
        self.fine("query", self.database, "select max bid by col1 from quote", "--medium",
                  made["run"]["medium"], *places, *SMALL)

    def test_advice_is_verified_and_may_split_columns_by_age(self):
        if shutil.which("glpsol") is None:
            self.skipTest("glpsol (GLPK) is not there")
        made = self.advise("--tiers", self.tiers(), "--slowdown", "20%", "--newest", "5",
                           "--verify", "-s", "1")
        newest = [column for column in made["columns"] if "@last5" in column["column"]]
        self.assertTrue(newest)
        for query in made["queries"]:
            self.assertGreater(query["measured_ms"], 0)

    def test_what_cannot_be_advised_says_by_how_much(self):
        tiers = self.tiers()
        self.refused(2, "give one of --slowdown and --budget", "advise", self.database, "--tiers",
                     tiers)
        self.refused(2, "--tiers: a file with the tiers is missing", "advise", self.database)
        self.refused(2, "leave out --times", "advise", self.database, "--tiers", tiers,
                     "--slowdown", "5%", "--times", "20", "--verify")
        self.refused(2, "--slowdown: 'much'", "advise", self.database, "--tiers", tiers,
                     "--slowdown", "much")
        self.refused(2, "tiers.toml:10: 'price_per_gb': expected a number from 0", "advise",
                     self.database, "--tiers", self.tiers(price=-1), "--slowdown", "5%")
        if shutil.which("glpsol") is None:
            self.skipTest("glpsol (GLPK) is not there")
        self.refused(2, "more", "advise", self.database, "--tiers", self.tiers(), "--budget",
                     "0.001", "--reps", "1", *SMALL)


if __name__ == "__main__":
    program.main()
