"""The pages of advice, predictions and device profiles in a real browser, headless.

    forecast_page.py HDBENCH
"""

import json
import pathlib

import browser
from browser import DESK, DRAWN, OVERFLOW, PHONE, SCHEMES

SAMPLES = pathlib.Path(__file__).resolve().parent / "fuzz" / "corpus" / "forecasts"
PROFILES = pathlib.Path(__file__).resolve().parents[1] / "pmem" / "profiles"
CURVES = ["curve-latency", "curve-threads", "curve-mix"]
# The lower end of what is found, from the top of the page.
BOTTOM = "one => one.getBoundingClientRect().bottom + scrollY"
DATASETS = "id => window.hdbenchCharts.get(id).data.datasets.map((one) => [one.label, one.data])"


def many_queries(document):
    """The sample with as many queries as users have, whose names are long."""
    one = document["queries"][0]
    queries = [one | {"query": at, "name": f"a name that goes on and on, {at}"}
               for at in range(1, 41)]
    return document | {"queries": queries}


class ForecastPage(browser.Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.advice = cls.page_of("advice", cls.sample("advice"))
        cls.prediction = cls.page_of("prediction", cls.sample("prediction"))
        cls.curves = cls.reported("curves.html", SAMPLES / "profile", PROFILES / "cxl-cz122.json",
                                  PROFILES / "optane-memory-mode.json")

    @classmethod
    def sample(cls, name):
        return json.loads((SAMPLES / name).read_text())

    @classmethod
    def page_of(cls, name, *documents):
        files = []
        for at, document in enumerate(documents):
            files.append(cls.folder / f"{name}-{at}.json")
            files[-1].write_text(json.dumps(document))
        return cls.reported(f"{name}.html", *files)

    def test_the_first_screen_of_advice_is_the_sentence_the_frontier_and_the_placement(self):
        for view in (DESK, PHONE):
            with self.page(self.advice, viewport=view) as page:
                self.assertRegex(page.locator(".headline").inner_text(),
                                 r"^67.% of the bytes in NVMe, 33.% of the bytes in DRAM: the .*")
                placement = page.locator(".placement table")
                for what in (page.locator("#frontier-1"), placement):
                    self.assertLessEqual(what.evaluate(BOTTOM), view["height"])
                tiers = placement.locator("tbody th").all_inner_texts()
                self.assertEqual(tiers, ["DRAM", "NVMe", "together"])
                lines = dict(page.evaluate(DATASETS, "frontier-1"))
                self.assertEqual(lines["advised"], [{"x": 31, "y": 10}])
                self.assertEqual(lines["all in DRAM"], [{"x": 90, "y": 0}])
                self.assertEqual(len(lines["frontier"]), 2)

    def test_the_first_screen_of_a_prediction_is_the_sentence_the_times_and_their_parts(self):
        with self.page(self.prediction, viewport=DESK) as page:
            self.assertIn("the slowest: 4.00 times as long", page.locator(".headline").inner_text())
            for what in (page.locator("#parts-1-0"), page.locator(".times table")):
                self.assertLessEqual(what.evaluate(BOTTOM), DESK["height"])
            parts = dict(page.evaluate(DATASETS, "parts-1-0"))
            self.assertEqual(list(parts), ["work", "bandwidth", "latency", "waiting"])
            self.assertEqual([sum(bar) for bar in zip(*parts.values())], [1, 4])
            self.assertIn("Extrapolated", page.locator("#parts").inner_text())

    def test_devices_are_one_set_of_charts_with_their_sources(self):
        with self.page(self.curves, viewport=DESK) as page:
            lines = dict(page.evaluate(DATASETS, "curve-threads"))
            self.assertEqual(lines["card: writes"], [{"x": 1, "y": 20}, {"x": 24, "y": 20}])
            self.assertTrue(any(name.startswith("optane-memory-mode, far") for name in lines))
            text = page.locator("#curves").inner_text()
            for words in ("S4 <b>", "the vendor's, by MLC"):
                self.assertIn(words, text)

    def test_many_queries_and_several_files_are_drawn_and_lie_well(self):
        advice = many_queries(self.sample("advice"))
        prediction = many_queries(self.sample("prediction"))
        files = [(self.page_of("many", advice, prediction, self.sample("prediction")), "many")]
        files += [(self.advice, "advice"), (self.prediction, "times"), (self.curves, "devices")]
        for file, name in files:
            self.assertLess(file.stat().st_size, 3_000_000)
            self.texts_lie_well(file, name, 20)

    def test_charts_are_drawn_and_texts_have_contrast_in_light_and_dark_wide_and_narrow(self):
        for file, ids in ((self.advice, ["frontier-1"]), (self.prediction, ["parts-1-0"]),
                          (self.curves, CURVES)):
            for view in (DESK, PHONE):
                for scheme in SCHEMES:
                    with self.page(file, viewport=view, color_scheme=scheme) as page:
                        self.texts_have_contrast_and_size(page)
                        for chart in ids:
                            self.assertGreater(page.evaluate(DRAWN, chart), 1000, chart)
                        self.assertLessEqual(page.evaluate(OVERFLOW), 0)

    def test_without_javascript_every_figure_is_in_a_table(self):
        for file, count in ((self.advice, 6), (self.prediction, 4), (self.curves, 3)):
            with self.page(file, java_script_enabled=False) as page:
                self.assertIn("Charts need JavaScript", page.locator("noscript").first.inner_text())
                self.assertGreaterEqual(page.locator("main table").count(), count)
                self.tables_are_told(page)


if __name__ == "__main__":
    browser.main()
