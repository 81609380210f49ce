"""Shell completion and manual pages, which the command line writes about itself."""

import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

import command_line
from command_line import STICTION, run


def completed(*words):
    """What bash offers for the last of these words."""
    script = """source <("$1" completion bash)
shift
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_stiction
printf '%s\\n' "${COMPREPLY[@]}"
"""
    done = subprocess.run(["bash", "-c", script, "bash", STICTION, "stiction", *words], capture_output=True, text=True, check=True)
    return done.stdout.split()


class Completion(unittest.TestCase):
    def test_bash_knows_commands_options_and_values(self):
        self.assertEqual(completed("rep"), ["reproduce"])
        self.assertEqual(completed("mesh", ""), ["repair"])
        self.assertIn("--quick", completed("reproduce", "--"))
        self.assertEqual(completed("models", "lug"), ["lugre"])
        self.assertEqual(completed("reproduce", "scalar/fig03"), ["scalar/fig03"])
        self.assertEqual(completed("identify", "--model", "elasto"), ["elasto-plastic"])
        self.assertEqual(completed("bench", "pl"), ["planar"])
        self.assertEqual(completed("haptic", "peg-and"), ["peg-and-hole"])

    def test_bash_offers_every_command_of_the_help(self):
        listed = re.findall(r"^  ([a-z-]+) ", run("--help").stdout.split("Subcommands:")[1], flags=re.M)
        self.assertGreater(len(listed), 10)
        self.assertEqual(sorted(completed("")), sorted(listed))

    def test_scripts_of_the_other_shells_are_well_formed(self):
        for shell in ("zsh", "fish"):
            with self.subTest(shell):
                if shutil.which(shell) is None:
                    self.skipTest(f"{shell} is not installed")
                script = run("completion", shell).stdout
                subprocess.run([shell, "-n", "/dev/stdin"], input=script, text=True, check=True)

    def test_unknown_shell_is_bad_input(self):
        done = run("completion", "tcsh")
        self.assertEqual(done.returncode, 2)
        self.assertIn("tcsh", done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1)


class Manual(unittest.TestCase):
    def test_each_command_has_a_page(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(run("manual", "--out", folder).returncode, 0)
            pages = {page.stem for page in pathlib.Path(folder, "man/man1").glob("*.1")}
            self.assertLessEqual({"stiction", "stiction-reproduce", "stiction-mesh-repair"}, pages)
            text = pathlib.Path(folder, "man/man1/stiction-identify.1").read_text()
            for part in (".SH SYNOPSIS", ".SH OPTIONS", r"\-\-model", ".SH EXAMPLES", ".SH EXIT STATUS"):
                self.assertIn(part, text)


if __name__ == "__main__":
    command_line.main()
