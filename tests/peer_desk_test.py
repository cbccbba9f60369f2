"""The forms of queries/desk.q, without the engines: each query has one in each engine, or a reason
why not, and what is expected of its result fits its text."""

import ast
import importlib
import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "bench" / "peers"))
import desk_questions  # noqa: E402
import questions  # noqa: E402

ENGINES = ("duckdb", "polars", "chdb", "datafusion")
ASKED = questions.of_file(ROOT / "queries" / "desk.q")
TYPES = {"symbol", "date", "timespan", "minute", "second", "char", "int", "long", "real", "float"}


def of_engine(engine):
    return importlib.import_module(f"desk_{engine}")


class Questions(unittest.TestCase):
    def test_all_forty_are_asked_under_the_numbers_of_the_file(self):
        self.assertEqual(list(ASKED), list(range(1, 41)))
        self.assertEqual(sorted(desk_questions.SHAPES), list(ASKED))
        self.assertTrue(questions.is_desk(ASKED))
        for number, question in ASKED.items():
            self.assertEqual(question.number, number)

    def test_the_day_and_the_symbol_are_those_of_the_file(self):
        text = "\n".join(question.text for question in ASKED.values())
        self.assertIn("date=" + desk_questions.DAY.replace("-", "."), text)
        month = f"within {desk_questions.FIRST} {desk_questions.LAST}".replace("-", ".")
        self.assertIn(month, text)
        self.assertIn("sym=`" + desk_questions.ONE, text)

    def test_results_have_known_types_and_their_keys_first(self):
        for question in ASKED.values():
            self.assertLessEqual({kind for _, kind in question.kinds}, TYPES, question)
            self.assertEqual(questions.kinds_of(None, question), list(question.kinds))
            names = [name for name, _ in question.kinds]
            self.assertEqual(len(set(names)), len(names), question)
            grouped = re.match(r"select [^()]* by ([a-z,.]+) from [a-z]+ ", question.text)
            if grouped:
                keys = [key.split(".")[-1] for key in grouped[1].split(",")]
                self.assertEqual(names[:question.keyed], keys, question)
            self.assertLessEqual(set(question.of_one), set(names), question)

    def test_those_that_order_their_rows_are_compared_in_order(self):
        for question in ASKED.values():
            orders = question.text.startswith(("select[", "`time xdesc"))
            self.assertEqual(question.in_order, orders, question)


class Forms(unittest.TestCase):
    def test_each_query_has_a_form_in_each_engine_or_a_reason(self):
        for engine in ENGINES:
            module = of_engine(engine)
            self.assertEqual(sorted([*module.FORMS, *module.LEFT_OUT]), list(ASKED), engine)
            for reason in module.LEFT_OUT.values():
                self.assertTrue(reason, engine)
            for number, question in ASKED.items():
                self.assertEqual(questions.has_form(engine, question), number in module.FORMS)

    def test_a_query_without_a_form_is_an_error_with_its_reason(self):
        with self.assertRaisesRegex(desk_questions.NoForm, "there is no such join"):
            desk_questions.form_of({}, {24: "there is no such join"}, ASKED[24])
        self.assertEqual(desk_questions.form_of({24: "SELECT 24"}, {}, ASKED[24]), "SELECT 24")

    def test_no_place_for_a_text_is_left_in_a_form_and_its_brackets_close(self):
        for engine in ENGINES:
            for number, form in of_engine(engine).FORMS.items():
                self.assertNotRegex(form, r"[{}]", f"{engine} {number}")
                self.assertNotIn("\n", form)
                self.assertEqual(form.count("("), form.count(")"), f"{engine} {number}")

    def test_polars_forms_are_expressions_of_its_words(self):
        module = of_engine("polars")
        for number in module.FORMS:
            tree = ast.parse(module.text(ASKED[number]), mode="eval")
            names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
            self.assertLessEqual(names, {"trade", "quote", "trades", "col", "len", "when", "corr",
                                         "i32", "i64", "f32", "f64"}, number)

    def test_forms_read_the_tables_that_the_query_reads(self):
        for engine in ENGINES:
            for number, form in of_engine(engine).FORMS.items():
                for table in desk_questions.TABLES:
                    reads = re.search(rf"\b{table}s?(\b|_\d)", form) is not None
                    is_asked = re.search(rf"\bfrom {table}\b", ASKED[number].text) is not None
                    self.assertEqual(reads, is_asked, f"{engine} {number} {table}")


if __name__ == "__main__":
    unittest.main()
