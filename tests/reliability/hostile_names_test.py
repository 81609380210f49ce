"""Names of files and folders that gnuplot, a shell or a terminal would obey if they were ever read as commands."""

import json
import os
import re

import work
from work import content, run

NAMES = [
    "a\nsystem('touch SENTINEL')\nb",
    "a'\nsystem('touch SENTINEL')\n#",
    "'.system('touch SENTINEL').'",
    "< touch SENTINEL",
    "| touch SENTINEL",
    "|touch SENTINEL",
    "`touch SENTINEL`",
    "$(touch SENTINEL)",
    "\"; touch SENTINEL; \"",
    "a\\",
    "-e system('touch SENTINEL')",
    "\x1b[31m red",
    "@x",
    "µ é \u2028 \u202e name",
    "%s%n%s",
    "~",
]


class HostileNames(work.TestCase):
    def assert_unharmed(self, process, *codes):
        self.assertIn(process.returncode, codes or (0,), process.stderr)
        self.assertEqual([name for name in content(self.folder) if "SENTINEL" in os.path.basename(name)
                          and "touch" not in os.path.basename(name)], [])
        self.assertNotRegex(process.stdout, "\x1b")
        self.assertNotRegex(process.stderr, "\x1b")

    def test_of_folders(self):
        for name in NAMES:
            with self.subTest(name):
                for command in ["simulate", "limit-surface", "plan"]:
                    arguments = [f"--out={name}" if a == "out" else a for a in self.commands()[command] if a != "--out"]
                    arguments = [a.replace("out/", name + "/") if isinstance(a, str) else a for a in arguments]
                    self.assert_unharmed(run(*arguments, cwd=self.folder))
                    self.assert_whole(self.folder / name)
        for name in NAMES[:7]:
            with self.subTest(name):
                self.assert_unharmed(run("reproduce", "scalar/fig04", "--quick", f"--out={name}", cwd=self.folder))
                self.assertTrue((self.folder / name / "scalar/fig04/fig04.svg").exists())
                self.assert_whole(self.folder / name)

    def test_of_figures_and_inputs(self):
        for name in NAMES:
            with self.subTest(name):
                figure = name + ".svg"
                self.assert_unharmed(run("shell", "cube.obj", "--points", 50, "--no-cache", f"--figure={figure}",
                                         cwd=self.folder))
                self.assertIn("</svg>", (self.folder / figure).read_text())
                scenario = self.folder / (name + ".toml")
                scenario.write_text((self.folder / "case.toml").read_text())
                self.assert_unharmed(run("simulate", "./" + scenario.name, cwd=self.folder))

    def test_of_logs_whose_names_become_titles(self):
        rows = ["velocity,torque,deviation"]
        rows += [f"{s * 1e-3 * 1.3 ** i},{s * (1 + 0.4e-3 * 1.3 ** i + 1e-5 * (i % 3))},1e-4" for i in range(25) for s in (1, -1)]
        for name in NAMES[:8]:
            with self.subTest(name):
                log = self.folder / (name + ".csv")
                log.write_text("\n".join(rows) + "\n")
                self.assert_unharmed(run("identify", "./" + log.name, "--model", "stribeck", "--out", "fit", cwd=self.folder),
                                     0, 1)
                self.assert_whole(self.folder / "fit")

    def test_of_titles(self):
        text = (self.folder / "case.toml").read_text()
        (self.folder / "case.toml").write_text(re.sub("title = .*", r'title = "a\\u001b[2Jb\\nsystem(1)"', text))
        process = run("simulate", "case.toml", cwd=self.folder)
        self.assert_unharmed(process)
        self.assertTrue(process.stdout.startswith("a?[2Jb?system(1)\n"))

    def test_of_bytes_that_are_no_text(self):
        name = os.fsdecode(b"cache\xff\xfe")
        process = run("shell", "cube.obj", "--points", 50, "--cache", name, "--json", cwd=self.folder)
        self.assert_unharmed(process)
        self.assertIn("\ufffd", json.loads(process.stdout)["cache_file"])


if __name__ == "__main__":
    work.main()
