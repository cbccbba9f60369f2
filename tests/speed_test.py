"""The statistics of scripts/speed.py: which ratio is told, between which ends, and what is called
slower."""

import pathlib
import random
import sys
import unittest

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "scripts"))
import speed  # noqa: E402


class SignInterval(unittest.TestCase):
    def test_few_values_have_their_ends(self):
        self.assertEqual(speed.sign_interval([3]), (3, 3))
        self.assertEqual(speed.sign_interval([3, 1]), (1, 3))
        self.assertEqual(speed.sign_interval([5, 1, 4, 2, 3]), (1, 5))

    def test_ranks_are_those_of_the_tables_of_the_sign_test(self):
        # Ranks from below for 95 %, two-sided.
        for count, rank in ((6, 1), (8, 1), (9, 2), (11, 2), (12, 3), (15, 4), (20, 6), (25, 8)):
            values = list(range(1, count + 1))
            self.assertEqual(speed.sign_interval(values), (rank, count + 1 - rank))

    def test_the_true_median_is_inside_at_least_as_often_as_promised(self):
        chance = random.Random(36)
        inside = 0
        for _ in range(2000):
            low, high = speed.sign_interval([chance.lognormvariate(0, 0.3) for _ in range(9)])
            inside += low <= 1 <= high
        self.assertGreater(inside / 2000, 0.95)


class Comparison(unittest.TestCase):
    def test_a_pair_is_compared_with_itself_not_with_another_round(self):
        # The machine slows down fivefold; this tree is always 1.2 times as slow.
        old = [1, 2, 3, 4, 5, 5, 5]
        one = speed.Comparison("x", old, [1.2 * ms for ms in old])
        self.assertAlmostEqual(one.ratio, 1.2)
        self.assertAlmostEqual(one.low, 1.2)
        self.assertTrue(one.is_slower())

    def test_slower_is_beyond_the_limit_with_an_interval_above_one(self):
        same = [1.0] * 9
        self.assertFalse(speed.Comparison("a little", same, [1.05] * 9).is_slower())
        self.assertFalse(speed.Comparison("faster", same, [0.5] * 9).is_slower())
        unsure = [1.3, 1.3, 1.3, 1.3, 1.3, 0.9, 0.9, 0.9, 0.9]
        self.assertFalse(speed.Comparison("unsure", same, unsure).is_slower())
        self.assertTrue(speed.Comparison("one outlier", same, [1.3] * 8 + [0.9]).is_slower())

    def test_what_one_side_lacks_is_left_out(self):
        rounds = [({"a": 1, "gone": 1}, {"a": 2, "new": 1})] * 6
        self.assertEqual([one.name for one in speed.compared(rounds)], ["a"])

    def test_the_verdict_names_what_is_slower_or_nothing(self):
        slow = speed.Comparison("slow", [1.0] * 9, [1.5] * 9)
        same = speed.Comparison("same", [1.0] * 9, [1.0] * 9)
        self.assertIn("of 1 none is beyond 1.1", speed.verdict([same]))
        told = speed.verdict([same, slow])
        self.assertIn("slow: 1.500 (1.500 to 1.500)", told)
        self.assertNotIn("same:", told)
        self.assertIn("geometric mean", speed.table("query", "ms", [slow, same]))


class InTurn(unittest.TestCase):
    def test_the_first_of_a_pair_changes_and_the_pair_keeps_its_order(self):
        calls = []

        def side(name):
            return lambda: calls.append(name) or name

        self.assertEqual(speed.in_turn(2, side("old"), side("new")), [("old", "new")] * 2)
        self.assertEqual(calls, ["old", "new", "new", "old"])


    def test_what_seems_slower_is_timed_again_and_counts_together(self):
        answers = {"old": iter([{"x": 1}] * 12), "new": iter([{"x": 2}] * 6 + [{"x": 0.5}] * 6)}
        pairs, timed = speed.looked_at(6, lambda: next(answers["old"]),
                                       lambda: next(answers["new"]))
        self.assertEqual(len(pairs), 12)
        self.assertFalse(timed[0].is_slower())
        self.assertEqual(len(speed.looked_at(6, lambda: {"x": 1}, lambda: {"x": 1})[0]), 6)


class Busy(unittest.TestCase):
    def test_idle_and_waiting_are_not_busy(self):
        self.assertEqual(speed.busy_share("cpu 1 0 1 5 5 0 0 0 0", "cpu 2 0 2 7 5 0 0 0 0"), 0.5)
        self.assertEqual(speed.busy_share("cpu 1 0 1 5 5 0 0 0", "cpu 1 0 1 6 7 0 0 0"), 0)


class Queries(unittest.TestCase):
    def test_the_dozen_are_in_the_files_under_their_numbers(self):
        self.assertEqual(sum(len(numbers) for numbers in speed.QUERIES.values()), 12)
        for name, numbers in speed.QUERIES.items():
            text = (speed.ROOT / "queries" / name).read_text(encoding="utf-8")
            known = speed.numbered(text.splitlines())
            self.assertLessEqual(set(numbers), set(known))

    def test_a_query_is_named_by_its_file_and_its_number_there(self):
        self.assertEqual(speed.query_name(11), "paper.q 11")
        self.assertEqual(speed.query_name(103), "aggregates.q 3")

    def test_a_query_without_a_number_has_its_place(self):
        lines = ["/ a comment", "select a from t", "/ 7: expect 3", "select b from t"]
        self.assertEqual(speed.numbered(lines), {1: "select a from t", 7: "select b from t"})


if __name__ == "__main__":
    unittest.main()
