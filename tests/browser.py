"""Pages in a real browser, headless: opened, and what every one of them must keep to.

Needs Debian's Chromium, and Playwright in the .venv.
"""

import contextlib
import importlib.util
import json
import shutil

import page_layout
import page_looks
import program

SCHEMES = ("light", "dark")
PHONE = {"width": 390, "height": 800}
DESK = {"width": 1280, "height": 900}
USUAL = {"width": 1280, "height": 720}
# How many of a canvas's pixels are neither clear nor as the first one.
DRAWN = """id => {
  const canvas = document.getElementById(id);
  const pixels = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
  let drawn = 0;
  for (let at = 0; at < pixels.length; at += 4) if (pixels[at + 3] > 0) ++drawn;
  return drawn;
}"""
UNFOLD = "() => document.querySelectorAll('details').forEach((one) => { one.open = true; })"
OVERFLOW = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"


def told(page, function):
    """What it returns, as one text: many values one by one take the driver seconds."""
    return json.loads(page.evaluate(f"() => JSON.stringify(({function})())"))


class Case(program.Case):
    """A browser and one page for all tests of a class; `file` is what is opened."""

    file = None

    @classmethod
    def setUpClass(cls):
        from playwright.sync_api import sync_playwright  # pylint: disable=import-outside-toplevel

        super().setUpClass()
        playwright = sync_playwright().start()
        cls.addClassCleanup(playwright.stop)
        cls.browser = playwright.chromium.launch(
            executable_path=chromium(), args=["--no-sandbox", "--disable-gpu"])
        cls.addClassCleanup(cls.browser.close)
        cls.pages = {scripts: cls.new_page(scripts) for scripts in (True, False)}

    @classmethod
    def reported(cls, name, *runs):
        page = cls.folder / name
        program.succeed(cls.binary, "report", *runs, "-o", page, "--force")
        return page

    @classmethod
    def new_page(cls, scripts):
        """One for all tests, whose scripts are then compiled once; what it says and asks for."""
        page = cls.browser.new_context(java_script_enabled=scripts).new_page()
        page.add_init_script(page_layout.RECORD)
        said, asked = [], []
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on("request", lambda request: asked.append(request.url))
        return page, said, asked

    @contextlib.contextmanager
    def page(self, file=None, *, viewport=None, color_scheme="light", java_script_enabled=True):
        """The page, opened; fails if it says anything or asks for anything but itself."""
        file = file or self.file
        page, said, asked = self.pages[java_script_enabled]
        page.goto("about:blank")
        page.mouse.move(0, 0)
        page.set_viewport_size(viewport or USUAL)
        page.emulate_media(media="null", color_scheme=color_scheme)
        said.clear()
        asked.clear()
        page.goto(file.as_uri())
        yield page
        self.assertEqual(said, [])
        self.assertEqual([url for url in asked if not url.startswith("data:")],
                         [file.as_uri()])

    def tables_are_told(self, page):
        """They have captions, and headers with a scope; charts have a label."""
        for what in ("table:not(:has(caption))", "th:not([scope])",
                     "canvas[id]:not([aria-label])"):
            self.assertEqual(page.locator(what).count(), 0, what)

    def texts_have_contrast_and_size(self, page):
        for text, colour, ground, is_large, size in told(page, page_looks.TEXTS):
            self.assertGreaterEqual(page_looks.contrast(colour, ground), 3 if is_large else 4.5,
                                    text)
            self.assertGreaterEqual(size, 12, text)

    def texts_lie_well(self, file, name, lines_min):
        """None overlaps another or is cut, at any width, folded and unfolded."""
        for width in page_layout.WIDTHS:
            with self.page(file, viewport={"width": width, "height": 900}) as page:
                for is_unfolded in (False, True):
                    if is_unfolded:
                        page.evaluate(UNFOLD)
                        page.wait_for_timeout(200)  # charts in folds are drawn
                    with self.subTest(page=name, width=width, unfolded=is_unfolded):
                        self.lines_lie_well(page, lines_min)

    def lines_lie_well(self, page, lines_min):
        lines = told(page, page_layout.TEXT_LINES)
        canvases = told(page, page_layout.CANVAS_TEXTS)
        self.assertGreater(len(lines), lines_min)
        self.assertGreater(len(canvases), 0)
        faults = {canvas: page_layout.canvas_faults(wide, high, texts)
                  for canvas, wide, high, texts in canvases}
        faults["overlap"] = page_layout.overlapping_lines(lines)
        faults["cut"] = [line for line in lines if line[-1]]
        self.assertEqual({what: of for what, of in faults.items() if of}, {})


def chromium():
    return shutil.which("chromium") or shutil.which("chromium-browser")


def main():
    if chromium() is None:
        program.main("no Chromium; ./check installs it where it can")
    if importlib.util.find_spec("playwright") is None:
        program.main("no Playwright in the .venv; ./check makes it")
    program.main()
