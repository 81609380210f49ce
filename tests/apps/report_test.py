"""The report in a real browser, on a desktop and on a phone: `report_test.py STICTION [SCREENSHOTS]`."""

import sys
import time
import unittest
from pathlib import Path

import browser
import command_line
from command_line import run

SCREENSHOTS = Path(sys.argv.pop(1)) if len(sys.argv) > 1 and not sys.argv[1].startswith("-") else None
EXPERIMENTS = ["scalar/fig02", "scalar/fig04", "scalar/stick-slip", "scalar/bliman-sorine-limits", "planar/limit-curves",
               "control/fig13-16"]
PLOT = "document.querySelector('figure[data-ready] .plot')"


@unittest.skipUnless(browser.find(), "no Chromium is installed (scripts/setup.sh --docs)")
class Report(command_line.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = command_line.tempfile.TemporaryDirectory(prefix="stiction_report_")
        cls.addClassCleanup(folder.cleanup)
        cls.out = Path(folder.name)
        process = run("reproduce", *EXPERIMENTS, "--quick", "--out", cls.out)
        if process.returncode != 0:
            raise RuntimeError(process.stderr)
        cls.page = browser.Browser()
        cls.addClassCleanup(cls.page.close)

    def open(self, width, **options):
        seconds = self.page.open((self.out / "report.html").as_uri() + options.pop("to", ""), width, **options)
        self.page.settle()
        return seconds

    def keep(self, name):
        if SCREENSHOTS:
            SCREENSHOTS.mkdir(parents=True, exist_ok=True)
            self.page.screenshot(SCREENSHOTS / f"{name}.png")

    def test_fits_desktop_and_phone_without_errors(self):
        for width in [1400, 390]:
            for dark in [False, True]:
                for to in ["", *("#" + name for name in EXPERIMENTS)]:
                    with self.subTest(width=width, dark=dark, to=to):
                        self.open(width, dark=dark, to=to)
                        self.keep(f"report-{width}{'-dark' if dark else ''}-{to.replace('/', '-') or 'top'}")
                        self.assertLessEqual(self.page.overflow(), 0)
                        self.assertEqual(self.page.errors, [])

    def test_texts_of_figures_stay_inside_and_apart(self):
        for width in [1400, 390]:
            for name in EXPERIMENTS:
                with self.subTest(width=width, name=name):
                    self.open(width, to="#" + name)
                    outside = self.page.evaluate("""[...document.querySelectorAll('figure[data-ready] .axes text')].filter(t => {
                        const a = t.getBoundingClientRect(), b = t.closest('figure').getBoundingClientRect();
                        return a.width > 0 && (a.left < b.left - 2 || a.right > b.right + 2);
                      }).map(t => t.textContent)""")
                    self.assertEqual(outside, [])

    def test_says_how_long_it_takes_to_open(self):
        self.open(1400)
        print(f"opened in {min(self.open(1400) for _ in range(3)):.2f} s")

    def test_finds_what_is_searched_for(self):
        self.open(1400)
        search = "(() => { const s = document.getElementById('search'); s.value = %r; s.dispatchEvent(new Event('input'));" \
                 " return [...document.querySelectorAll('article:not([hidden])')].map(a => a.id); })()"
        self.assertEqual(self.page.evaluate(search % "limit-curves"), ["planar/limit-curves"])
        self.assertEqual(self.page.evaluate(search % "no such words"), [])
        self.assertEqual(len(self.page.evaluate(search % "")), len(EXPERIMENTS))
        self.assertEqual(self.page.errors, [])

    def plot_box(self):
        for _ in range(200):  # figures are drawn when they come into view
            if self.page.evaluate(f"{PLOT} !== null"):
                break
            time.sleep(0.05)
        self.page.evaluate(PLOT + ".scrollIntoView({block: 'center'})")
        self.page.settle()
        return self.page.evaluate(f"(() => {{ const r = {PLOT}.querySelector('.pad').getBoundingClientRect();"
                                  "return [r.left, r.top, r.width, r.height]; })()")

    def test_figures_tell_their_values_and_zoom(self):
        self.open(1400, to="#scalar/fig04")
        left, top, width, height = self.plot_box()
        readings = set()
        for share in [0.3, 0.5, 0.7]:
            for y in range(1, 20):
                self.page.mouse("mouseMoved", left + share * width, top + y * height / 20)
                readings.add(self.page.evaluate(f"{PLOT}.querySelector('.read').textContent"))
        readings.discard("")
        self.assertGreater(len(readings), 5)
        self.assertRegex(sorted(readings)[0], r"-?\d.*; -?\d")
        ticks = f"[...{PLOT}.querySelectorAll('.axes text')].map(t => t.textContent).join()"
        before = self.page.evaluate(ticks)
        self.page.mouse("mousePressed", left + 0.4 * width, top + 0.2 * height, "left")
        self.page.mouse("mouseMoved", left + 0.6 * width, top + 0.6 * height, "left")
        self.page.mouse("mouseReleased", left + 0.6 * width, top + 0.6 * height, "left")
        self.assertNotEqual(self.page.evaluate(ticks), before)
        self.keep("report-zoomed")
        self.page.evaluate("document.querySelector('figure[data-ready] .tools button:nth-child(3)').click()")
        self.assertEqual(self.page.evaluate(ticks), before)
        self.page.evaluate("document.querySelector('figure[data-ready] .tools button:nth-child(4)').click()")
        self.page.settle()
        self.keep("report-enlarged")
        self.assertGreater(self.page.evaluate(f"{PLOT}.clientWidth"), 1200)
        self.assertEqual(self.page.errors, [])

    def test_prints_what_is_folded(self):
        self.open(1400)
        self.page.call("Emulation.setEmulatedMedia", media="print")
        try:
            pdf = self.page.call("Page.printToPDF", printBackground=False)["data"]
            self.assertGreater(len(pdf), 10000)
            self.assertEqual(self.page.evaluate("document.querySelectorAll('main details:not([open])').length"), 0)
        finally:
            self.page.call("Emulation.setEmulatedMedia", media="")


if __name__ == "__main__":
    command_line.main()
