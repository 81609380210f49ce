"""Completion of bash, zsh and fish, and the manual pages: what the command says of itself."""

import json
import re
import shutil
import subprocess
import unittest

import command_line
from command_line import run

COMPLETE = """
source "$1"
shift
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_stiction
printf '%s\\n' "${COMPREPLY[@]}"
"""


def commands():
    """All that the help names, with those below them."""
    names = re.findall(r"^  ([a-z-]+) {2,}\w", run("--help").stdout.split("Subcommands:")[1], re.M)
    return [[name] for name in names] + [["mesh", "repair"], ["haptic", "insertability"]]


def options(command):
    return set(re.findall(r"^  (?:-\w,)?(--[a-z-]+)", run(*command, "--help").stdout, re.M))


class Completion(command_line.TestCase):
    def setUp(self):
        super().setUp()
        for shell in ["bash", "zsh", "fish"]:
            process = run("completion", shell)
            self.assertEqual(process.returncode, 0, process.stderr)
            (self.folder / shell).write_text(process.stdout)

    def bash(self, *words):
        """What bash offers for the last of these words."""
        process = subprocess.run(["bash", "-c", COMPLETE, "bash", self.folder / "bash", "stiction", *words],
                                 capture_output=True, text=True, timeout=60, cwd=self.folder)
        self.assertEqual(process.stderr, "")
        return process.stdout.split()

    def test_bash_completes_commands(self):
        self.assertEqual(self.bash("rep"), ["reproduce"])
        self.assertEqual(self.bash("mesh", ""), ["repair"])
        self.assertEqual(sorted(self.bash("")), sorted(command[0] for command in commands() if len(command) == 1))

    def test_bash_completes_every_option_of_the_help(self):
        for command in commands():
            with self.subTest(command):
                self.assertEqual(set(self.bash(*command, "--")), options(command))

    def test_bash_completes_models_experiments_and_choices(self):
        models = [model["name"] for model in json.loads(run("models", "--json").stdout)]
        experiments = [experiment["id"] for experiment in json.loads(run("list", "--json").stdout)]
        self.assertEqual(self.bash("models", "lug"), ["lugre"])
        self.assertEqual(self.bash("models", ""), models)
        self.assertEqual(self.bash("reproduce", "--quick", ""), experiments)
        self.assertEqual(self.bash("identify", "log.csv", "--model", "elasto"), ["elasto-plastic"])
        self.assertEqual(self.bash("detect", "--loop", ""), ["position", "velocity"])
        self.assertEqual(self.bash("bench", "sp"), ["spatial"])

    def test_bash_completes_files_and_folders(self):
        (self.folder / "my scenario.toml").touch()
        (self.folder / "my_folder").mkdir()
        self.assertEqual(self.bash("simulate", "my_"), ["my_folder"])
        self.assertEqual(self.bash("simulate", "my s"), ["my", "scenario.toml"])  # one name, split by this test
        self.assertEqual(self.bash("simulate", "--out", "my"), ["my_folder"])
        self.assertEqual(self.bash("simulate", "x", "--no-figure", "--out", "none"), [])
        self.assertEqual(self.bash("haptic", "peg"), ["peg-and-hole"])
        self.assertEqual(self.bash("advise", "--dt", ""), [])  # a number

    def test_unknown_shells_are_refused(self):
        self.assert_one_line(run("completion", "tcsh"), 2, "tcsh")

    def test_hidden_commands_are_not_in_the_help(self):
        self.assertNotIn("completion", run("--help").stdout)

    @unittest.skipUnless(shutil.which("zsh"), "zsh is not installed")
    def test_zsh_reads_it(self):
        for flags in (["-n"], ["-fc", "autoload -U compinit; compinit -D; source $0; functions _stiction_models >/dev/null"]):
            process = subprocess.run(["zsh", *flags, self.folder / "zsh"], capture_output=True, text=True, timeout=60)
            self.assertEqual((process.returncode, process.stderr), (0, ""))

    @unittest.skipUnless(shutil.which("fish"), "fish is not installed")
    def test_fish_completes(self):
        def fish(line):
            process = subprocess.run(["fish", "--no-config", "-c", f"source {self.folder}/fish; complete -C {line!r}"],
                                     capture_output=True, text=True, timeout=60, cwd=self.folder)
            self.assertEqual((process.returncode, process.stderr), (0, ""))
            return [offer.split("\t")[0] for offer in process.stdout.splitlines()]

        self.assertEqual(fish("stiction rep"), ["reproduce"])
        self.assertEqual(fish("stiction models lug"), ["lugre"])
        self.assertEqual(fish("stiction identify log.csv --model elasto"), ["elasto-plastic"])
        self.assertEqual(fish("stiction mesh "), ["repair"])
        self.assertEqual(set(fish("stiction simulate --")), options(["simulate"]))
        (self.folder / "case.toml").touch()
        self.assertEqual(fish("stiction simulate ca"), ["case.toml"])


class Manual(command_line.TestCase):
    def setUp(self):
        super().setUp()
        process = run("manual", "--out", self.folder)
        self.assertEqual((process.returncode, process.stderr), (0, ""))

    def test_has_a_page_for_each_command_with_its_options(self):
        pages = self.folder / "man/man1"
        self.assertEqual({page.name for page in pages.iterdir()},
                         {"stiction.1"} | {"-".join(["stiction", *command]) + ".1" for command in commands()})
        for command in commands():
            text = (pages / ("-".join(["stiction", *command]) + ".1")).read_text().replace("\\-", "-")
            for option in options(command):
                self.assertIn(rf"\fB{option}\fR", text)
            for example in re.findall(r"^  (stiction .+)$", run(*command, "--help").stdout, re.M):
                self.assertIn(example, text)
            self.assertIn(".SH EXIT STATUS\n0 good", text)

    def test_holds_the_completions(self):
        for shell, file in {"bash": "bash-completion/completions/stiction", "zsh": "zsh/site-functions/_stiction",
                            "fish": "fish/vendor_completions.d/stiction.fish"}.items():
            self.assertEqual((self.folder / file).read_text(), run("completion", shell).stdout)

    @unittest.skipUnless(shutil.which("groff"), "groff is not installed")
    def test_groff_has_no_complaint(self):
        for page in (self.folder / "man/man1").iterdir():
            process = subprocess.run(["groff", "-man", "-ww", "-z", page], capture_output=True, text=True, timeout=60)
            self.assertEqual((process.returncode, process.stderr), (0, ""), page)


if __name__ == "__main__":
    command_line.main()
