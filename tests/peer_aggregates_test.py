"""How q text becomes each engine's own, without the engines."""

import pathlib
import sys
import types
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.append(str(ROOT / "bench" / "peers"))
import aggregates  # noqa: E402
import questions  # noqa: E402

RAW = types.SimpleNamespace(kinds={
    "time": "timespan", "col1": "symbol", "col2": "symbol", "col3": "symbol", "bid": "float",
    "ask": "float", "bsize": "long", "asize": "long"})


def sql(engine, text):
    return aggregates.sql(engine, RAW, aggregates.parse(text), lambda day: f"DATE '{day}'", "t",
                          "rn")


class Parsing(unittest.TestCase):
    def test_all_sixteen_are_read_under_their_numbers(self):
        asked = questions.of_file(ROOT / "queries" / "aggregates.q")
        self.assertEqual(list(asked), list(range(1, 17)))
        for question in asked.values():
            self.assertEqual(question.table, "quote")
            aggregates.kinds_of(RAW, question)

    def test_papers_queries_are_the_eleven(self):
        self.assertIs(questions.of_file(ROOT / "queries" / "paper.q"), questions.ELEVEN)

    def test_names_are_qs(self):
        question = aggregates.parse("select count i, bid, hi:max ask by col1 from t"
                                    .replace("bid", "bsize wavg bid"))
        self.assertEqual(aggregates.kinds_of(RAW, question),
                         [("col1", "symbol"), ("x", "long"), ("bid", "float"), ("hi", "float")])

    def test_what_is_of_another_kind_is_refused(self):
        for text in ("select bid from t", "select from t", "select by col1 from t",
                     "select max bid from t where col3 in `val1", "select max bid",
                     "select max bid from t where bid>ask", "exec max bid from t",
                     "select max bid from t where", "select count bid from t"):
            with self.assertRaises(aggregates.Unknown, msg=text):
                aggregates.parse(text)
        with self.assertRaises(aggregates.Unknown):
            aggregates.kinds_of(RAW, aggregates.parse("select sum time from t"))


class Texts(unittest.TestCase):
    def test_sql_has_places_for_names_so_that_no_alias_hides_a_column(self):
        self.assertEqual(
            sql("duckdb", "select avg bid, sum bsize from t where asize>600, date=2020.01.07"),
            "SELECT avg(bid) AS a0, sum(bsize)::BIGINT AS a1 FROM t WHERE asize > 600"
            " AND date = DATE '2020-01-07'")

    def test_keys_come_first_and_are_grouped_by(self):
        self.assertEqual(
            sql("datafusion", "select first bid by date,col1 from t"),
            "SELECT date AS a0, col1 AS a1, first_value(bid ORDER BY rn) AS a2 FROM t"
            " GROUP BY date, col1")

    def test_weights_stand_before_what_they_weigh(self):
        self.assertEqual(sql("chdb", "select bsize wavg bid from t"),
                         "SELECT sum(bsize * bid) / sum(bsize) AS a0 FROM t")

    def test_polars_has_its_own_words_for_the_same(self):
        question = aggregates.parse("select dev bid, n:count i by col1 from t where bsize=100")
        self.assertEqual(
            aggregates.polars_texts(RAW, question),
            '.filter((col("bsize") == 100)).group_by([\'col1\'])'
            '.agg((col("bid").std(ddof=0)).alias("a1"), (len()).alias("a2"))'
            '.collect(engine="streaming")')

    def test_every_engine_has_every_aggregate(self):
        words = {*aggregates.WORDS, "wavg"}
        for engine, functions in aggregates.FUNCTIONS.items():
            self.assertLessEqual(words, set(functions), engine)


if __name__ == "__main__":
    unittest.main()
