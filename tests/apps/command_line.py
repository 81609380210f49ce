"""Runs the stiction executable for the tests of the command line. The first argument of each test is its path."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

STICTION = os.path.abspath(sys.argv.pop(1))
TIMEOUT = 60  # [s]: longer is a hang


def run(*arguments, **options):
    """The finished process, with its output as text and nothing to read from."""
    return subprocess.run([STICTION, *map(str, arguments)], capture_output=True, text=True, timeout=TIMEOUT,
                          stdin=subprocess.DEVNULL, **options)


class TestCase(unittest.TestCase):
    """A test with a folder of its own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="stiction_")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def assert_one_line(self, process, exit_code, *fragments):
        """It ended by itself with this code and said one line that holds the fragments."""
        self.assertEqual(process.returncode, exit_code, process.stderr)
        self.assertRegex(process.stderr, r"\Astiction: [^\x00-\x1f\x7f]+\n\Z")
        for fragment in fragments:
            self.assertIn(fragment, process.stderr)


def content(folder):
    """Every file under a folder with its bytes."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in Path(folder).rglob("*") if path.is_file()}


def main():
    unittest.main(verbosity=1)
