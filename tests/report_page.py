"""The report's page in a real browser, headless: charts drawn, switches work, nothing leaves.

    report_page.py HDBENCH

Needs Debian's Chromium, and Playwright in the .venv.
"""

import contextlib
import hashlib
import itertools
import json
import pathlib
import shutil
import sys
import tempfile
import unittest

import program

AXES = ["--medium", "dram", "--layout", "partitioned", "--attr", "parted", "--mode", "4.0",
        "-s", "2", "--reps", "1", *program.SMALL_CEILINGS]
# Media with the axes that differ, and how long a query takes there: what is drawn is not measured.
NVME = {"medium_word": "nvme", "cache": "cold"}
OPTANE = {"medium_word": "app-direct:optane-100-6dimm", "emulated": True,
          "profile": "optane-100-6dimm", "emulation_mode": "model"}
FLAT = {"layout": "flat"}
MEDIA = [(NVME, 100), ({}, 1), (FLAT, 2), (OPTANE, 4), (OPTANE | FLAT, 6)]
CHARTS = [f"chart-{number}" for number in range(1, 11)] + [
    "chart-threads", "chart-limit", "chart-roofline"]
# How many of a canvas's pixels are neither clear nor as the first one.
DRAWN = """id => {
  const canvas = document.getElementById(id);
  const pixels = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
  let drawn = 0;
  for (let at = 0; at < pixels.length; at += 4) if (pixels[at + 3] > 0) ++drawn;
  return drawn;
}"""
PICTURE = "id => document.getElementById(id).toDataURL()"
OVERFLOW = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"


def cells_like(cells, factor, **changes):
    """The same cells under other axes, with three repetitions in the query's own time."""
    for cell in cells:
        ms = factor * 1.7 ** cell["query"]
        times = [ms, 0.97 * ms, 1.04 * ms]
        yield cell | changes | {"times_ms": times, "cpu_times_ms": times, "visits": []}


def axes_of(cells):
    """Every cell of the ten charts but the last two."""
    found = []
    for medium, factor in MEDIA:
        for attr, mode, threads in itertools.product(("none", "parted"), ("3.6", "4.0"), (1, 2)):
            axes = {"attr": attr, "mode": mode, "threads": threads}
            faster = 1 if threads == 1 else 1.9 - factor / 200
            found += cells_like(cells, factor / faster, **medium, **axes)
    stopped = {"limit_mib": 1, "rows_out": None, "checksum": None, "error": "-w: 1 MiB"}
    for cell in cells:
        found.append(cell | {"limit_mib": 1} if cell["query"] < 10 else
                     cell | stopped | {"times_ms": [], "cpu_times_ms": [], "visits": []})
    return found


def results(binary, folder):
    """Two files made of one small run: with every axis, and over 784 partitions."""
    database, run = folder / "db", folder / "run.json"
    program.generate(binary, database, "0.0005")
    done = program.run(binary, "run", database, *AXES, "--out", run)
    if done.status != 0:
        raise RuntimeError(done.messages)
    document = json.loads(run.read_text())
    cells = document["benchmarks"]
    files = [folder / "axes.json", folder / "large.json"]
    files[0].write_text(json.dumps(document | {"benchmarks": axes_of(cells)}))
    dataset = document["context"]["datasets"][0] | {"partitions": 784, "database": "/data/large"}
    large = [cell for medium, factor in MEDIA[:3] for cell in cells_like(cells, factor, **medium)]
    files[1].write_text(json.dumps({"context": document["context"] | {"datasets": [dataset]},
                                    "benchmarks": large}))
    return [*files, storage(binary, folder)]


def storage(binary, folder):
    """A small run of storage primitives, and the same once more as two filesystems side by side."""
    file = folder / "io.json"
    done = program.run(binary, "io", folder, "--quick", "--processes", "1,2", "--tests",
                       "random-read.*cache:(cold|warm)|sequential-write|hcount", "--out", file)
    if done.status != 0:
        raise RuntimeError(done.messages)
    document = json.loads(file.read_text())
    cells = document["benchmarks"]
    both = [cell | {"name": f"{cell['name']}/filesystem:{name}"}
            for name in ("xfs", "btrfs") for cell in cells]
    file.write_text(json.dumps(document | {"benchmarks": cells + both}))
    return file


class Page(unittest.TestCase):
    binary = None
    chromium = None

    @classmethod
    def setUpClass(cls):
        from playwright.sync_api import sync_playwright  # pylint: disable=import-outside-toplevel

        cls.folder = tempfile.TemporaryDirectory(prefix="hdbench-page-")
        cls.addClassCleanup(cls.folder.cleanup)
        root = pathlib.Path(cls.folder.name)
        cls.file = root / "report.html"
        done = program.run(cls.binary, "report", *results(cls.binary, root), "-o", cls.file)
        if done.status != 0:
            raise RuntimeError(done.messages)
        playwright = sync_playwright().start()
        cls.addClassCleanup(playwright.stop)
        cls.browser = playwright.chromium.launch(
            executable_path=cls.chromium, args=["--no-sandbox", "--disable-gpu"])
        cls.addClassCleanup(cls.browser.close)

    @contextlib.contextmanager
    def page(self, **options):
        """The page, opened; fails if it says anything or asks for anything but itself."""
        said, asked = [], []
        context = self.browser.new_context(**options)
        page = context.new_page()
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on("request", lambda request: asked.append(request.url))
        page.goto(self.file.as_uri())
        yield page
        context.close()
        self.assertEqual(said, [])
        self.assertEqual([url for url in asked if not url.startswith("data:")],
                         [self.file.as_uri()])

    def picture(self, page, chart):
        return hashlib.sha256(page.evaluate(PICTURE, chart).encode()).hexdigest()

    def pictures(self, page):
        return [self.picture(page, chart) for chart in CHARTS]

    def test_the_file_is_below_three_megabytes(self):
        self.assertLess(self.file.stat().st_size, 3_000_000)

    def test_every_chart_is_drawn_in_light_and_dark_wide_and_narrow(self):
        for width in (1280, 390):
            for scheme in ("light", "dark"):
                with self.page(viewport={"width": width, "height": 800},
                               color_scheme=scheme) as page:
                    for chart in CHARTS:
                        with self.subTest(chart=chart, width=width, scheme=scheme):
                            self.assertGreater(page.evaluate(DRAWN, chart), 1000)
                    self.assertLessEqual(page.evaluate(OVERFLOW), 0)

    def test_opening_every_table_on_a_phone_does_not_widen_the_page(self):
        with self.page(viewport={"width": 390, "height": 800}) as page:
            page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
            self.assertLessEqual(page.evaluate(OVERFLOW), 0)

    def test_the_scale_and_the_threads_change_all_ten_charts(self):
        with self.page() as page:
            before = self.pictures(page)[:10]
            other = page.locator("input[name=scale]:not(:checked)")
            other.check()
            scaled = self.pictures(page)[:10]
            for chart, (one, two) in enumerate(zip(before, scaled), 1):
                self.assertNotEqual(one, two, f"chart {chart}, scale")
            page.locator("input[name=threads]:not(:checked)").check()
            # The larger database was run on one thread count.
            for chart, (one, two) in enumerate(zip(scaled[:8], self.pictures(page)), 1):
                self.assertNotEqual(one, two, f"chart {chart}, threads")

    def test_a_medium_can_be_left_out_and_the_thread_chart_has_every_medium(self):
        with self.page() as page:
            before = self.picture(page, "chart-7")
            page.locator("input[name=medium]").first.uncheck()
            self.assertNotEqual(self.picture(page, "chart-7"), before)
            threads = self.picture(page, "chart-threads")
            page.select_option("#thread-group", index=1)
            self.assertNotEqual(self.picture(page, "chart-threads"), threads)

    def test_the_keyboard_reaches_and_works_the_switches(self):
        with self.page() as page:
            before = self.picture(page, "chart-7")
            names = set()
            for _ in range(200):
                page.keyboard.press("Tab")
                name = page.evaluate("document.activeElement.name || document.activeElement.id")
                if name == "scale" and name not in names:
                    page.keyboard.press("ArrowLeft")
                names.add(name)
            self.assertLessEqual({"theme", "scale", "threads", "medium", "thread-group"}, names)
            self.assertNotEqual(self.picture(page, "chart-7"), before)

    def test_hovering_a_bar_shows_every_figure(self):
        with self.page() as page:
            place = page.evaluate("""() => {
              const chart = window.hdbenchCharts.get('chart-7');
              const bar = chart.getDatasetMeta(0).data[0];
              document.getElementById('chart-7').scrollIntoView({block: 'center'});
              const box = chart.canvas.getBoundingClientRect();
              return [box.x + bar.x, box.y + (bar.y + bar.base) / 2];
            }""")
            page.mouse.move(*place)
            page.wait_for_function(
                "window.hdbenchCharts.get('chart-7').tooltip.opacity > 0")
            lines = page.evaluate(
                "window.hdbenchCharts.get('chart-7').tooltip.body.flatMap(one => one.lines)")
            text = " ".join(lines)
            for word in (" ms", "interval", "rows in", "read", "peak workspace", "resident",
                         "checksum"):
                self.assertIn(word, text)

    def test_emulated_media_say_so_wherever_they_are_drawn(self):
        with self.page() as page:
            labels = page.locator(".legend[data-for=chart-7] li").all_text_contents()
            emulated = [label for label in labels if label.startswith("App Direct")]
            self.assertTrue(emulated)
            for label in emulated:
                self.assertIn("emulated: optane-100-6dimm, model", label)

    def test_tables_have_captions_and_headers_with_a_scope(self):
        with self.page() as page:
            self.assertGreater(page.locator("table").count(), 20)
            self.assertEqual(page.locator("table:not(:has(caption))").count(), 0)
            self.assertEqual(page.locator("th:not([scope])").count(), 0)
            self.assertEqual(page.locator("canvas[id]:not([aria-label])").count(), 0)

    def test_storage_has_a_section_with_charts_and_tables(self):
        with self.page() as page:
            page.locator("nav a[href='#io']").click()
            section = page.locator("#io")
            text = section.inner_text()
            for word in ("Throughput by block", "Latency", "Filesystems side by side",
                         "Published figures", "random-read, cold"):
                self.assertIn(word, text)
            charts = section.locator("canvas[data-chart]")
            self.assertGreaterEqual(charts.count(), 2)
            for chart in charts.all():
                self.assertEqual(chart.get_attribute("role"), "img")
                self.assertTrue(chart.get_attribute("aria-label"))
                self.assertGreater(page.evaluate(DRAWN, chart.get_attribute("id")), 1000)
            self.assertIn("xfs/btrfs", section.locator("table", has_text="geometric").first
                          .inner_text())

    def test_storage_alone_is_a_page_whose_tables_need_no_script(self):
        alone = self.file.with_name("io.html")
        done = program.run(self.binary, "report", self.file.with_name("io.json"), "-o", alone)
        self.assertEqual(done.status, 0, done.messages)
        for scheme, width in (("light", 1280), ("dark", 390)):
            context = self.browser.new_context(java_script_enabled=False, color_scheme=scheme,
                                               viewport={"width": width, "height": 800})
            page = context.new_page()
            page.goto(alone.as_uri())
            self.assertGreaterEqual(page.locator("#io figure table").count(), 2)
            self.assertIn("Charts need JavaScript", page.locator("noscript").first.inner_text())
            self.assertEqual(page.locator("table:not(:has(caption))").count(), 0)
            self.assertEqual(page.locator("th:not([scope])").count(), 0)
            context.close()

    def test_without_javascript_every_figure_is_in_a_table(self):
        with self.page(java_script_enabled=False) as page:
            self.assertIn("Charts need JavaScript", page.locator("noscript").first.inner_text())
            self.assertEqual(page.locator("#charts table").count(), 10)

    def test_it_prints(self):
        with self.page(color_scheme="dark") as page:
            self.assertGreater(len(page.pdf()), 50_000)


def main():
    Page.binary = sys.argv[1]
    Page.chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if Page.chromium is None:
        print("skipped: report_page: no Chromium; ./check installs it where it can")
        return 77
    try:
        import playwright  # noqa: F401 pylint: disable=import-outside-toplevel,unused-import
    except ImportError:
        print("skipped: report_page: no Playwright in the .venv; ./check makes it")
        return 77
    outcome = unittest.main(argv=sys.argv[:1], exit=False)
    return 0 if outcome.result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
