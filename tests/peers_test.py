"""The peers' Python without the engines: how q text becomes each engine's own, the forms of
queries/desk.q, and when a peer's result counts as hdbench's."""

import contextlib
import importlib
import pathlib
import re
import sys
import types
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "bench" / "peers"))
import aggregates  # noqa: E402
import desk_questions  # noqa: E402
import questions  # noqa: E402

try:  # in the peers' Python (bench/peers/requirements.txt), with which peers.py runs this as well
    import numpy as np
    import own_result
    import raw_table
    from reference import Difference
except ModuleNotFoundError:
    own_result = None

QUOTE = types.SimpleNamespace(kinds={
    "time": "timespan", "col1": "symbol", "col2": "symbol", "col3": "symbol", "bid": "float",
    "ask": "float", "bsize": "long", "asize": "long"})
SYMBOLS = types.SimpleNamespace(symbols=["b", "a"])
ENGINES = ("duckdb", "polars", "chdb", "datafusion")
DESK = questions.of_file(ROOT / "queries" / "desk.q")


def sql(engine, text):
    return aggregates.sql(engine, QUOTE, aggregates.parse(text), lambda day: f"DATE '{day}'", "t",
                          "rn")


class Aggregates(unittest.TestCase):
    def test_all_sixteen_are_read_under_their_numbers(self):
        asked = questions.of_file(ROOT / "queries" / "aggregates.q")
        self.assertEqual(list(asked), list(range(1, 17)))
        for question in asked.values():
            self.assertEqual(question.table, "quote")
            aggregates.kinds_of(QUOTE, question)

    def test_papers_queries_are_the_eleven(self):
        self.assertIs(questions.of_file(ROOT / "queries" / "paper.q"), questions.ELEVEN)

    def test_names_are_qs(self):
        question = aggregates.parse("select count i, bid, hi:max ask by col1 from t"
                                    .replace("bid", "bsize wavg bid"))
        self.assertEqual(aggregates.kinds_of(QUOTE, question),
                         [("col1", "symbol"), ("x", "long"), ("bid", "float"), ("hi", "float")])

    def test_what_is_of_another_kind_is_refused(self):
        for text in ("select bid from t", "select from t", "select by col1 from t",
                     "select max bid from t where col3 in `val1", "select max bid",
                     "select max bid from t where bid>ask", "exec max bid from t",
                     "select max bid from t where", "select count bid from t"):
            with self.assertRaises(aggregates.Unknown, msg=text):
                aggregates.parse(text)
        with self.assertRaises(aggregates.Unknown):
            aggregates.kinds_of(QUOTE, aggregates.parse("select sum time from t"))


class AggregateTexts(unittest.TestCase):
    def test_sql_has_keys_first_and_places_for_names_so_that_no_alias_hides_a_column(self):
        for engine, text, wanted in (
            ("duckdb", "select avg bid, sum bsize from t where asize>600, date=2020.01.07",
             "SELECT avg(bid) AS a0, sum(bsize)::BIGINT AS a1 FROM t WHERE asize > 600"
             " AND date = DATE '2020-01-07'"),
            ("datafusion", "select first bid by date,col1 from t",
             "SELECT date AS a0, col1 AS a1, first_value(bid ORDER BY rn) AS a2 FROM t"
             " GROUP BY date, col1"),
            ("chdb", "select bsize wavg bid from t",
             "SELECT sum(bsize * bid) / sum(bsize) AS a0 FROM t"),
        ):
            self.assertEqual(sql(engine, text), wanted)

    def test_polars_has_its_own_words_for_the_same(self):
        question = aggregates.parse("select dev bid, n:count i by col1 from t where bsize=100")
        self.assertEqual(
            aggregates.polars_texts(QUOTE, question),
            '.filter((col("bsize") == 100)).group_by([\'col1\'])'
            '.agg((col("bid").std(ddof=0)).alias("a1"), (len()).alias("a2"))'
            '.collect(engine="streaming")')

    def test_every_engine_has_every_aggregate(self):
        words = {*aggregates.WORDS, "wavg"}
        for engine, functions in aggregates.FUNCTIONS.items():
            self.assertLessEqual(words, set(functions), engine)


class Desk(unittest.TestCase):
    def test_all_forty_are_there_with_types_keys_and_order(self):
        self.assertEqual(list(DESK), list(range(1, 41)))
        for number, question in DESK.items():
            self.assertEqual(question.number, number)
            names = [name for name, _ in question.kinds]
            self.assertEqual(len(set(names)), len(names), question)
            grouped = re.match(r"select [^()]* by ([a-z,.]+) from [a-z]+ ", question.text)
            if grouped:
                keys = [key.split(".")[-1] for key in grouped[1].split(",")]
                self.assertEqual(names[:question.keyed], keys, question)
            self.assertEqual(question.in_order,
                             question.text.startswith(("select[", "`time xdesc")), question)

    def test_each_query_has_a_form_in_each_engine(self):
        for engine in ENGINES:
            forms = importlib.import_module(f"desk_{engine}").FORMS
            self.assertEqual(sorted(forms), list(DESK), engine)
            for number, form in forms.items():
                self.assertNotRegex(form, r"[{}\n]", f"{engine} {number}")
                self.assertEqual(form.count("("), form.count(")"), f"{engine} {number}")
                for table in desk_questions.TABLES:
                    reads = re.search(rf"\b{table}s?(\b|_\d)", form) is not None
                    is_asked = re.search(rf"\bfrom {table}\b", DESK[number].text) is not None
                    self.assertEqual(reads, is_asked, f"{engine} {number} {table}")


def result(keyed=1, in_order=False, of_one=()):
    one = object.__new__(own_result.OwnResult)
    one.keyed, one.rows, one.in_order, one.of_one = keyed, 2, in_order, of_one
    one.kinds = [("col1", "symbol"), ("n", "long"), ("bid", "float")]
    one.columns = [np.array([0, 1]), np.array([5, 6]), np.array([0.5, -2.0])]
    return one


@unittest.skipUnless(own_result, "no numpy or xxhash")
class Results(unittest.TestCase):
    """Of the rows (0, 5, 0.5) and (1, 6, -2.0)."""

    def test_a_result_is_the_same_or_the_first_difference_is_told(self):
        keys, counts, bids = [0, 1], [5, 6], [0.5, -2.0]
        turned, near = ([1, 0], [6, 5], [-2.0, 0.5]), [0.5 + 0.9e-9, -2.0]
        for found, options, words in (
            (turned, {}, None),  # rows may come in any order
            (turned, {"keyed": 0}, None),
            (turned, {"in_order": True}, "column col1: 2 of 2"),
            ((keys, counts, [0.5 * (1 + 1e-10), -2.0]), {}, None),
            ((keys, counts, [0.5 * (1 + 1e-8), -2.0]), {}, "column bid: 1 of 2"),
            ((keys, counts, [0.5, np.nan]), {}, "column bid: 1 of 2"),
            ((keys, [5, 7], bids), {}, "column n: 1 of 2"),
            ((keys, counts, near), {}, "column bid: 1 of 2"),
            ((keys, counts, near), {"of_one": ("bid",)}, None),
            (([0], [5], [0.5]), {}, "1 rows, expected 2"),
            (([0, 2], counts, bids), {}, "column col1"),
        ):
            with self.subTest(found=found, options=options):
                told = (self.assertRaisesRegex(Difference, words) if words
                        else contextlib.nullcontext())
                with told:
                    result(**options).check([np.array(column) for column in found])

    def test_a_null_is_equal_to_a_null_alone(self):
        wanted = result()
        wanted.columns[2][1] = np.nan
        wanted.check([np.array([0, 1]), np.array([5, 6]), np.array([0.5, np.nan])])


@unittest.skipUnless(own_result, "no numpy or xxhash")
class Values(unittest.TestCase):
    def test_each_type_is_the_number_that_the_files_hold(self):
        for kind, text, number in (("symbol", "a", 1), ("date", "2000-01-03", 2),
                                   ("long", "-7", -7), ("float", "0.1", 0.1),
                                   ("timespan", "1D00:00:00.000000001", 86400 * 10**9 + 1),
                                   ("timestamp", "2000-01-01D00:00:00.000000005", 5),
                                   ("minute", "09:31", 571), ("second", "10:00:01", 36001),
                                   ("char", "D", 68), ("char", "", 32), ("int", "-3", -3)):
            self.assertEqual(own_result.values_of(SYMBOLS, kind, [text])[0], number, kind)

    def test_an_empty_result_has_empty_columns_and_a_null_whole_number_is_refused(self):
        for kind in ("timespan", "minute", "char", "float"):
            self.assertEqual(len(own_result.values_of(SYMBOLS, kind, [])), 0)
        self.assertTrue(np.isnan(own_result.values_of(SYMBOLS, "float", [""])[0]))
        with self.assertRaises(ValueError):
            own_result.values_of(SYMBOLS, "long", [""])


@unittest.skipUnless(own_result, "no numpy or xxhash")
class NullIndices(unittest.TestCase):
    def test_they_become_the_empty_symbol_s_code(self):
        for kind in ("<i4", "<i8"):
            for symbols, code in ((["b", "a"], 2), (["", "a"], 0)):
                raw = object.__new__(raw_table.RawTable)
                raw.symbols, raw.kinds = list(symbols), {"s": "symbol", "x": "long"}
                raw.views = {"s": [np.array([1, np.iinfo(kind).min], kind)],
                             "x": [np.array([1, np.iinfo(kind).min], kind)]}
                raw.map_nulls()
                self.assertEqual(raw.views["s"][0].tolist(), [1, code])
                self.assertEqual(raw.views["x"][0].tolist(), [1, np.iinfo(kind).min])
                self.assertEqual(raw.symbols[code], "")
                self.assertEqual(raw.codes("s", 0).tolist(), [1, code])


if __name__ == "__main__":
    unittest.main()
