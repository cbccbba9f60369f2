"""The report's page in a real browser, headless: charts drawn, switches work, nothing leaves. On
paper it is four sheets of A4 at most.

    report_page.py HDBENCH
"""

import hashlib
import itertools
import json
import re

import browser
import page_looks
import program
from browser import DESK, DRAWN, OVERFLOW, PHONE, SCHEMES, UNFOLD, told

AXES = ["--medium", "dram", "--layout", "partitioned", "--attr", "parted", "--mode", "4.0",
        "-s", "2", "--reps", "1", *program.SMALL_CEILINGS]
# Media with the axes that differ, and how long a query takes there: what is drawn is not measured.
NVME = {"medium_word": "nvme", "cache": "cold"}
OPTANE = {"medium_word": "app-direct:optane-100-6dimm", "emulated": True,
          "profile": "optane-100-6dimm", "emulation_mode": "model"}
FLAT = {"layout": "flat"}
MEDIA = [(NVME, 100), ({}, 1), (FLAT, 2), (OPTANE, 4), (OPTANE | FLAT, 6)]
# Every tier, the disk's cold and warm, with the longest names that there are.
DRAM = {"medium_word": "dram", "cache": "warm", "mode": "4.0", "limit_mib": 0, "emulated": False}
LONG_MEDIA = [(DRAM | NVME, 100), (DRAM | NVME | {"cache": "warm"}, 1.1), (DRAM, 1)] + [
    (DRAM | OPTANE | {"medium_word": word, "profile": word.split(":")[1].split("+")[0]}, factor)
    for word, factor in (("app-direct:optane-100-6dimm", 3),
                         ("memory-mode:optane-memory-mode+near=128MiB", 2),
                         ("cxl:cxl-asic-ddr5+interleave=3:1", 1.5))]
TEN = [f"chart-{number}" for number in range(1, 11)]
OTHERS = ["chart-tiers", "threads-0", "chart-limit", "chart-roofline"]
FAMILIES = ["--nvme", "--dram", "--pmem", "--cxl"]
SHEET = {"width": 703, "height": 1040}  # A4 without its margins
BOX = """id => {
  const box = document.getElementById(id).getBoundingClientRect();
  return [box.x + scrollX, box.y + scrollY, box.width, box.height];
}"""
PICTURE = "id => document.getElementById(id).toDataURL()"
# The captions of tables that reach beyond the page.
CUT_TABLES = """() => [...document.querySelectorAll('table')]
  .filter((table) => table.offsetWidth > 0 &&
    table.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
  .map((table) => [table.caption?.innerText, table.getBoundingClientRect().right])"""


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
    """Three files: of one small run with every axis, and over 784 partitions; and of storage."""
    database, run = folder / "db", folder / "run.json"
    program.generate(binary, database, "0.0005")
    program.succeed(binary, "run", database, *AXES, "--out", run)
    document = json.loads(run.read_text())
    # Cells of a tiny table are cached, and in no mean.
    document["context"]["ceilings"]["last_level_cache_bytes"] = 0
    cells = document["benchmarks"]
    files = [folder / "axes.json", folder / "large.json"]
    files[0].write_text(json.dumps(document | {"benchmarks": axes_of(cells)}))
    dataset = document["context"]["datasets"][0] | {"partitions": 784, "database": "/data/large"}
    large = [cell for medium, factor in MEDIA[:3] for cell in cells_like(cells, factor, **medium)]
    files[1].write_text(json.dumps({"context": document["context"] | {"datasets": [dataset]},
                                    "benchmarks": large}))
    return [*files, storage(binary, folder)]


def made_of(file, name, change):
    """Results of the same run, with other cells."""
    document = json.loads(file.read_text())
    made = file.with_name(name)
    made.write_text(json.dumps(document | {"benchmarks": list(change(document["benchmarks"]))}))
    return made


def own_run(file):
    """The same cells, as of a user's own queries with comments above them."""
    return made_of(file, "own.json", lambda cells: [cell | {
        "query_text": f"select n:count i from quote where bid>{cell['query']}",
        "query_name": f"how many bids are above {cell['query']}"} for cell in cells])


def two_media(file):
    """The same cells, as of a run of two media in both layouts, with and without p."""
    def changed(cells):
        for (medium, factor), layout, attr, threads in itertools.product(
                MEDIA[:2], ("partitioned", "flat"), ("none", "parted"), (1, 2)):
            axes = {"layout": layout, "attr": attr, "threads": threads, "limit_mib": 0}
            yield from cells_like(cells[:11], factor, **axes, **medium)

    return made_of(file, "two-media.json", changed)


def other_machine(file):
    """The same cells, as of a run on another machine with another kernel, which tells its facts."""
    document = json.loads(file.read_text())
    facts = document["context"]["machine_facts"] | {
        "sockets": 2, "cores": 128, "governor": "performance", "memory_modules": [
            {"count": 16, "bytes": 64 << 30, "type": "DDR5", "mt_per_s": 4800}]}
    document["context"] |= {"host_name": "other", "machine_model": "Another CPU <b>",
                            "kernel": "Linux 9.9.9 x86_64", "machine_facts": facts}
    made = file.with_name("other-machine.json")
    made.write_text(json.dumps(document))
    return made


def long_names(file):
    """The same cells, as of a run of all tiers, cold and warm, on four thread counts."""
    def changed(cells):
        for (medium, factor), attr, threads in itertools.product(
                LONG_MEDIA, ("none", "parted"), (1, 2, 4, 8)):
            yield from cells_like(cells[:11], factor * (0.1 + 0.9 / threads), attr=attr,
                                  threads=threads, **medium)

    return made_of(file, "long-names.json", changed)


def storage(binary, folder):
    """A small run of storage primitives, and the same once more as two filesystems side by side."""
    file = folder / "io.json"
    program.succeed(binary, "io", folder, "--quick", "--processes", "1,2", "--tests",
                    "random-read.*cache:(cold|warm)|sequential-write|hcount", "--out", file)
    return made_of(file, "io.json", lambda cells: cells + [
        cell | {"name": f"{cell['name']}/filesystem:{name}"}
        for name in ("xfs", "btrfs") for cell in cells])


class Page(browser.Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.file = cls.reported("report.html", *results(cls.binary, cls.folder))
        cls.axes = cls.folder / "axes.json"
        cls.own = cls.reported("own.html", own_run(cls.axes))

    def picture(self, page, chart):
        return hashlib.sha256(page.evaluate(PICTURE, chart).encode()).hexdigest()

    def pictures(self, page):
        return [self.picture(page, chart) for chart in TEN]

    def test_charts_are_drawn_and_texts_have_contrast_in_light_and_dark_wide_and_narrow(self):
        self.assertLess(self.file.stat().st_size, 3_000_000)
        for file, view, scheme in itertools.product((self.file, self.own), (DESK, PHONE), SCHEMES):
            with self.page(file, viewport=view, color_scheme=scheme) as page:
                with self.subTest(page=file.name, width=view["width"], scheme=scheme):
                    self.texts_have_contrast_and_size(page)
                    if file is self.file:
                        self.charts_are_drawn(page, view)

    def charts_are_drawn(self, page, view):
        for at, chart in enumerate(TEN + OTHERS):
            with self.subTest(chart=chart):
                if view is PHONE and chart in TEN:
                    page.select_option("#chart-choice", index=at)
                self.assertGreater(page.evaluate(DRAWN, chart), 1000)
        self.assertLessEqual(page.evaluate(OVERFLOW), 0)

    def test_the_first_screen_is_the_headline_one_chart_and_the_gravest_caveats(self):
        with self.page(viewport=DESK) as page:
            words = page.locator("#headline .headline").inner_text()
            self.assertRegex(words, r"^Queries take [\d.]+ times as long on cold NVMe as in DRAM "
                                    r"\([\d.]+ to [\d.]+\)\.$")
            self.assertRegex(page.locator("#headline .second").inner_text(),
                             r"^Emulated, not measured: queries take .* on App Direct")
            self.assertIn(page.locator("#headline .caveats li").count(), (1, 2, 3))
            _, top, _, height = page.evaluate(BOX, "chart-tiers")
            self.assertLessEqual(top + height, 900)
            looks = page.evaluate("""() => {
              const {datasets} = window.hdbenchCharts.get('chart-tiers').data;
              const [means, queries] = datasets;
              return [means.data.map((point) => point.x), means.ranges, means.backgroundColor,
                means.borderColor, window.hdbenchCharts.get('chart-tiers').options.scales.x.type,
                queries.data.length];
            }""")
            values, ranges, fills, borders, scale, queries = looks
            self.assertEqual(scale, "logarithmic")
            self.assertEqual(queries, 22)
            for value, (low, high) in zip(values, ranges):
                self.assertTrue(low <= value <= high)
            self.assertEqual(fills[0], borders[0])
            self.assertNotEqual(fills[1], borders[1], "an emulated tier is hollow")

    def test_no_text_overlaps_another_or_is_cut_at_any_width(self):
        long = self.reported("long.html", long_names(self.axes))
        for file, name in ((long, "all tiers"), (self.file, "all charts")):
            self.texts_lie_well(file, name, 300)

    def test_a_verdicts_cell_is_one_line_and_shows_its_interval_when_asked(self):
        with self.page(viewport=DESK) as page:
            table = page.locator("#verdict .verdict").first
            rows = table.locator("tbody tr")
            self.assertEqual(rows.count(), 12)
            self.assertIn("Geometric mean", rows.last.inner_text())
            self.assertRegex(rows.last.locator("td").last.inner_text(), r"^[\d.]+x$")
            for row in rows.all():
                self.assertLess(row.bounding_box()["height"], 44)
            cell = rows.first.locator("td").nth(1)
            interval = cell.locator(".range")
            self.assertFalse(interval.is_visible())
            cell.hover()
            self.assertTrue(interval.is_visible())
            page.mouse.move(0, 0)
            table.locator("td[tabindex='0']").focus()
            page.keyboard.press("ArrowRight")
            self.assertTrue(interval.is_visible())
            page.keyboard.press("ArrowDown")
            self.assertFalse(interval.is_visible())
            table.locator(".show-ranges").check()
            self.assertTrue(interval.is_visible())

    def test_queries_and_words_show_their_text_and_what_they_mean(self):
        with self.page(viewport=DESK) as page:
            query = page.locator("#verdict .query").first
            self.assertIn("one value on one day", query.inner_text())
            self.assertFalse(query.locator("code").is_visible())
            query.locator("summary").click()
            self.assertIn("select * by date,col1", query.locator("code").inner_text())
            term = page.locator("#headline .term").first
            self.assertIn("bootstrap", term.get_attribute("data-meaning"))
            self.assertIn("page cache", page.locator(".chip[title]", has_text="App Direct").first
                          .get_attribute("title"))

    def test_a_users_own_run_has_one_chart_and_nothing_of_the_study(self):
        for view in (DESK, PHONE):
            with self.page(self.own, viewport=view) as page:
                for words in ("Outcome 1", "ten charts", "published"):
                    self.assertNotIn(words, page.locator("main").inner_text())
                self.assertEqual(page.locator("#published").count(), 0)
                shown = page.locator(".charts figure:visible")
                self.assertEqual(shown.count(), 1)
                before = shown.inner_text()
                self.assertEqual(page.locator("#chart-choice option").count(), 4)
                page.select_option("#chart-choice", index=2)
                self.assertEqual(shown.count(), 1)
                self.assertNotEqual(shown.inner_text(), before)
                self.assertGreater(page.evaluate(DRAWN, "chart-3"), 1000)
                self.assertIn("how many bids are above 1", page.locator("#verdict").inner_text())

    def test_threads_are_panels_over_a_true_axis(self):
        with self.page(viewport=DESK) as page:
            self.assertEqual(page.locator("#panels .panel").count(), 11)
            scales = page.evaluate("""() => {
              const {scales} = window.hdbenchCharts.get('threads-0');
              return [scales.x.type, scales.x.ticks.map((tick) => tick.value), scales.y.max];
            }""")
            self.assertEqual(scales[:2], ["linear", [1, 2]])
            self.assertGreaterEqual(scales[2], 2)
            law = page.evaluate("""() => window.hdbenchCharts.get('threads-0').data.datasets
              .find((one) => one.label.startsWith('law of')).data""")
            self.assertEqual(law[0], {"x": 1, "y": 1})
            self.assertAlmostEqual(law[-1]["y"], 1.4, delta=0.01)
            before = self.picture(page, "threads-0")
            page.locator("input[name=measure][value=efficiency]").check()
            self.assertNotEqual(self.picture(page, "threads-0"), before)
            self.assertIn("serial", page.locator("#threads table").first.text_content())

    def test_the_roofline_has_no_empty_decades(self):
        with self.page(viewport=DESK) as page:
            values, scales = page.evaluate("""() => {
              const chart = window.hdbenchCharts.get('chart-roofline');
              const points = chart.data.datasets.flatMap((one) => one.data);
              const rules = chart.options.plugins.rules.lines.map((rule) => rule.value);
              const rates = [...points.map((point) => point.y), ...rules];
              return [[points.map((point) => point.x), rates],
                [chart.scales.x, chart.scales.y].map((scale) => [scale.min, scale.max])];
            }""")
            for own, (least, most) in zip(values, scales):
                self.assertLess(min(own) / least, 2)
                self.assertLess(most / max(own), 2)

    def test_families_of_tiers_have_colours_that_every_eye_tells_apart(self):
        for scheme in SCHEMES:
            with self.page(color_scheme=scheme) as page:
                colours = page.evaluate("""names => names.map((name) =>
                  getComputedStyle(document.documentElement).getPropertyValue(name).trim())""",
                                        FAMILIES + ["--page"])
                self.assertGreater(page_looks.least_distance(colours[:4])[0], 25)
                for colour in colours[:4]:
                    self.assertGreaterEqual(page_looks.contrast(colour, colours[4]), 3, colour)

    def test_a_phone_shows_it_in_a_bearable_height_with_cells_that_can_be_read(self):
        for file in (self.file, self.own):
            with self.page(file, viewport=PHONE) as page:
                # Storage's own section, where there is one, is not counted.
                self.assertLess(page.evaluate("""() => document.documentElement.scrollHeight -
                    (document.getElementById('io')?.offsetHeight ?? 0)"""), 9000)
                self.assertTrue(page.locator("#verdict .goes-on").first.is_visible())
                for what, width, height in told(page, page_looks.TARGETS):
                    self.assertGreaterEqual(min(width, height), 24, what)
                page.evaluate(UNFOLD)
                for text, width in told(page, page_looks.TEXT_CELLS):
                    self.assertGreaterEqual(width, 8.99, text)
                self.assertLessEqual(page.evaluate(OVERFLOW), 0)

    def test_the_scale_and_the_threads_change_all_ten_charts(self):
        with self.page() as page:
            before = self.pictures(page)
            other = page.locator("input[name=scale]:not(:checked)")
            other.check()
            scaled = self.pictures(page)
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
            self.assertEqual(page.locator("#thread-group option").count(), 4)
            page.select_option("#thread-group", index=1)
            self.assertEqual(page.locator("#panels").get_attribute("data-setting"), "1")
            lines = page.evaluate(
                "window.hdbenchCharts.get('threads-0').data.datasets.map((one) => one.label)")
            # One medium is left out, each of the others has its law, and the ideal line is added.
            self.assertEqual(len(lines), 2 * (len(MEDIA) - 1) + 1)
            self.assertEqual(sum(line.startswith("law of") for line in lines), len(MEDIA) - 1)

    def test_the_keyboard_reaches_and_works_the_switches(self):
        with self.page() as page:
            before = self.picture(page, "chart-7")
            wanted = {"theme", "scale", "threads", "medium", "thread-group", "measure"}
            names = set()
            for _ in range(200):
                if wanted <= names:
                    break
                page.keyboard.press("Tab")
                name = page.evaluate("document.activeElement.name || document.activeElement.id")
                if name == "scale" and name not in names:
                    page.keyboard.press("ArrowLeft")
                names.add(name)
            self.assertLessEqual(wanted, names)
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
            legend = page.locator(".media label", has_text="App Direct")
            self.assertEqual(legend.count(), 2)
            for label in legend.all():
                self.assertIn("emulated", label.inner_text())
                self.assertIn("emulated: optane-100-6dimm, model",
                              label.locator(".chip").last.get_attribute("title"))
            self.assertGreater(page.locator("#verdict thead .chip.emulated").count(), 0)

    def test_tables_have_captions_and_headers_with_a_scope(self):
        with self.page() as page:
            self.assertGreater(page.locator("table").count(), 20)
            self.tables_are_told(page)

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
        alone = self.reported("io.html", self.folder / "io.json")
        for scheme, view in (("light", DESK), ("dark", PHONE)):
            with self.page(alone, java_script_enabled=False, color_scheme=scheme,
                           viewport=view) as page:
                self.assertGreaterEqual(page.locator("#io figure table").count(), 2)
                self.needs_javascript(page)
                self.tables_are_told(page)

    def needs_javascript(self, page):
        self.assertIn("Charts need JavaScript", page.locator("noscript").first.inner_text())

    def test_without_javascript_every_figure_is_in_a_table(self):
        with self.page(java_script_enabled=False) as page:
            self.needs_javascript(page)
            self.assertEqual(page.locator("#charts table").count(), 10)

    def columns_shown(self, page):
        """How many columns the verdict and a chart have."""
        return (page.locator("#verdict thead th:visible").count(),
                page.evaluate("""() => window.hdbenchCharts.get('chart-1').data.datasets
                  .filter((one) => !one.hidden).length"""))

    def test_several_machines_are_chosen_by_boxes_whose_state_the_address_keeps(self):
        file = self.reported("machines.html", self.axes, other_machine(self.axes))
        self.assertLess(file.stat().st_size, 3_000_000)
        with self.page(file, viewport=DESK) as page:
            boxes = page.locator("input[name=machine]")
            self.assertEqual(boxes.count(), 2)
            (both, both_bars) = self.columns_shown(page)
            self.assertEqual(page.locator("#machines thead th:visible").count(), 3)
            boxes.first.focus()
            page.keyboard.press("Space")
            self.assertTrue(page.url.endswith("#machines=2"))
            alone, bars = self.columns_shown(page)
            self.assertLess(alone, both)
            self.assertLess(bars, both_bars)
            self.assertEqual(page.locator("#machines thead th:visible").count(), 2)
            page.locator("nav a[href='#verdict']").click()
            self.assertTrue(page.url.endswith("#verdict&machines=2"))
            address = page.url
            # The last one stays.
            boxes.nth(1).click()
            self.assertTrue(boxes.nth(1).is_checked())
            boxes.first.check()
            self.assertTrue(page.url.endswith("#verdict"))
            self.assertEqual(self.columns_shown(page), (both, both_bars))
            for fragment, shown in (("#machines=2", (alone, bars)), ("#machines=7,x", None),
                                    ("#machines=1,2", None)):
                page.evaluate("(hash) => { window.location.hash = hash; }", fragment)
                page.wait_for_timeout(50)
                self.assertEqual(self.columns_shown(page), shown or (both, both_bars), fragment)
            page.goto("about:blank")
            page.goto(address)
            self.assertEqual(self.columns_shown(page), (alone, bars))
            self.assertFalse(boxes.first.is_checked())
            self.pages[True][2][:] = [file.as_uri()]  # the other addresses were the test's

    def test_machines_facts_are_side_by_side_and_one_machine_has_none(self):
        file = self.reported("machines.html", self.axes, other_machine(self.axes))
        with self.page(file, java_script_enabled=False) as page:
            text = page.locator("#machines table").inner_text()
            for words in ("16 x 64 GiB DDR5 at 4800 MT/s", "2 sockets, 128 cores", "performance",
                          "Linux 9.9.9", "Another CPU <b>", "mitigations", "NUMA balancing"):
                self.assertIn(words, text)
            self.tables_are_told(page)
        with self.page() as page:
            self.assertEqual(page.locator("#machines").count(), 0)
        self.texts_lie_well(file, "machines", 300)

    def test_no_column_of_a_table_is_cut_on_paper(self):
        for run in (self.axes, two_media(self.axes)):
            with self.page(self.reported("printed.html", run), viewport=SHEET) as page:
                page.emulate_media(media="print")
                self.assertEqual(told(page, CUT_TABLES), [])

    def test_the_long_page_is_four_sheets_of_a4_at_most_also_to_a_reader_of_dark_pages(self):
        file = self.reported("printed.html", two_media(self.axes))
        with self.page(file, color_scheme="dark") as page:
            paper = page.pdf(prefer_css_page_size=True, print_background=True)
        self.assertGreater(len(paper), 20_000)
        for size in re.findall(rb"/MediaBox \[0 0 ([0-9.]+) ([0-9.]+)\]", paper):
            for points, of_a4 in zip(map(float, size), (595, 842), strict=True):
                self.assertAlmostEqual(points, of_a4, delta=2)
        self.assertLessEqual(len(re.findall(rb"/Type\s*/Page\b", paper)), 4)


if __name__ == "__main__":
    browser.main()
