"""The documentation site: `site_test.py STICTION PYTHON WORK [SCREENSHOTS]` builds it, checks every link in it, and looks at
pages in a real browser on a desktop and on a phone. Skipped where a tool of `make docs` is missing."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
import unittest
import urllib.parse
from html.parser import HTMLParser
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/apps"))
import browser  # noqa: E402

STICTION, PYTHON, WORK = (Path(argument).resolve() for argument in sys.argv[1:4])
SCREENSHOTS = Path(sys.argv[4]) if len(sys.argv) > 4 and not sys.argv[4].startswith("-") else None
del sys.argv[1:5 if SCREENSHOTS else 4]
MISSING = [tool for tool in ["sphinx-build", "doxygen"] if not shutil.which(tool)]
MISSING += [] if Path("/usr/share/javascript/katex/katex.min.js").is_file() else ["KaTeX"]
PAGES = ["index", "models/lugre", "reference/cpp/scalar", "how-to/simulate-a-joint"]
# Experiments whose figures the pages name; all 75 would take minutes.
EXPERIMENTS = sorted({figure.rsplit("/", 1)[0] for figures in
                      tomllib.loads((ROOT / "docs/site/figures.toml").read_text()).values() for figure in figures})


class Links(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.targets, self.ids = [], set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.ids.add(attributes.get("id"))
        self.targets += filter(None, [attributes.get("href") if tag in ("a", "link") else attributes.get("src")])


@unittest.skipIf(MISSING, f"not installed: {', '.join(MISSING)} (scripts/setup.sh --docs)")
class Site(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if not os.environ.get("STICTION_SITE_BUILT"):
            shutil.rmtree(WORK, ignore_errors=True)
            subprocess.run([STICTION, "reproduce", *EXPERIMENTS, "--quick", "--out", WORK / "lab"], check=True,
                           stdout=subprocess.DEVNULL)
            subprocess.run([sys.executable, ROOT / "scripts/docs.py", "--cli", STICTION, "--python", PYTHON, "--lab",
                            WORK / "lab", "--work", WORK], check=True)
        cls.site = WORK / "html"
        cls.pages = {page: Links(page.read_text(encoding="utf-8")) for page in cls.site.rglob("*.html")}

    def test_no_link_is_broken(self):
        broken = []
        for page, links in self.pages.items():
            for target in links.targets:
                if re.match(r"(https?|mailto|data):", target):
                    continue
                file, _, anchor = urllib.parse.unquote(target).partition("#")
                there = (page.parent / file.partition("?")[0]).resolve() if file else page
                if not there.exists():
                    broken.append(f"{page.relative_to(self.site)}: {target}")
                elif anchor and there in self.pages and anchor not in self.pages[there].ids:
                    broken.append(f"{page.relative_to(self.site)}: {target}, no such place")
        self.assertEqual(broken, [])

    def test_needs_no_network(self):
        for file in [*self.pages, *self.site.rglob("*.css")]:
            text = file.read_text(encoding="utf-8")
            self.assertIsNone(re.search(r"""(?:src|<link[^>]*href)\s*=\s*["']?(?:https?:)?//|url\(["']?(?:https?:)?//""",
                                        text), file)

    def test_every_page_and_command_is_there(self):
        for page in (ROOT / "docs").rglob("*.md"):
            name = page.relative_to(ROOT / "docs").with_suffix(".html")
            self.assertTrue((self.site / name).is_file(), name)
        commands = (self.site / "reference/cli.html").read_text(encoding="utf-8")
        for command in ["simulate", "identify", "mesh repair", "doctor"]:
            self.assertIn(f"stiction {command}", commands)
        self.assertIn("LuGre", (self.site / "reference/cpp/scalar.html").read_text(encoding="utf-8"))

    def test_equations_are_those_of_the_pages(self):
        models = {f"models/{page.stem}" for page in (ROOT / "docs/models").glob("*.md")}
        self.assertLessEqual(set(re.findall(r'^"([\w/-]+)" =', (ROOT / "docs/site/equations.toml").read_text(), re.M)), models)

    @unittest.skipUnless(browser.find(), "no Chromium is installed (scripts/setup.sh --docs)")
    def test_fits_desktop_and_phone_without_errors(self):
        page = browser.Browser()
        self.addCleanup(page.close)
        for name in PAGES:
            for width in [1400, 390]:
                for dark in [False, True]:
                    with self.subTest(name, width=width, dark=dark):
                        page.open((self.site / f"{name}.html").as_uri(), width, dark=dark)
                        page.settle()
                        if SCREENSHOTS:
                            SCREENSHOTS.mkdir(parents=True, exist_ok=True)
                            page.screenshot(SCREENSHOTS / f"site-{name.replace('/', '-')}-{width}{'-dark' if dark else ''}.png")
                        self.assertEqual(page.errors, [])
                        self.assertLessEqual(page.overflow(), 0)
                        light = page.evaluate("getComputedStyle(document.body).backgroundColor.match(/\\d+/g)[0] > 128")
                        self.assertEqual(light, not dark)
        for name in ["models/lugre", "models/elasto-plastic"]:  # formulas are set, and none is wrong
            page.open((self.site / f"{name}.html").as_uri(), 1400)
            page.settle()
            self.assertGreater(page.evaluate("document.querySelectorAll('.katex-display').length"), 0)
            self.assertEqual(page.evaluate("document.querySelectorAll('.katex-error').length"), 0)

    @unittest.skipUnless(browser.find(), "no Chromium is installed (scripts/setup.sh --docs)")
    def test_search_finds_pages_from_disk(self):
        page = browser.Browser()
        self.addCleanup(page.close)
        page.open((self.site / "search.html").as_uri() + "?q=presliding", 1400)
        found = page.evaluate("""new Promise(done => { const look = (left) => {
            const n = document.querySelectorAll('#search-results li').length;
            n > 3 || left === 0 ? done(n) : setTimeout(() => look(left - 1), 100); }; look(100); })""")
        self.assertGreater(found, 3)
        self.assertEqual(page.errors, [])


if __name__ == "__main__":
    unittest.main(verbosity=1)
