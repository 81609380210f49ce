"""The installation tests say in one line why they cannot run; what they do with packages is `make test-install`."""

import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"
FILES = {"test_install_deb": ["some.deb"], "test_install_wheel": ["some.whl", "numpy.whl"]}


class Refusals(unittest.TestCase):
    def check(self, exit_code, fragment, files=None, user_id=0, tools=()):
        """On a system with these tools alone each ends with this code and one line."""
        for program, right_files in FILES.items():
            with self.subTest(program), tempfile.TemporaryDirectory(prefix="stiction_") as name:
                folder = Path(name)
                for tool in ["sed", "head", "mktemp", "rm"]:
                    (folder / tool).symlink_to(shutil.which(tool))
                for tool in tools:
                    (folder / tool).write_text("#!/bin/sh\n")
                    (folder / tool).chmod(0o755)
                (folder / "id").write_text(f"#!/bin/sh\necho {user_id}\n")
                (folder / "id").chmod(0o755)
                for file in right_files:
                    (folder / file).touch()
                arguments = right_files if files is None else files * len(right_files)
                process = subprocess.run(["/bin/sh", SCRIPTS / f"{program}.sh", *arguments], capture_output=True, text=True,
                                         timeout=60, cwd=folder, env={"PATH": name, "TMPDIR": name})
                self.assertEqual((process.returncode, process.stdout), (exit_code, ""))
                self.assertRegex(process.stderr, rf"\A{program}: [^\n]*{fragment}[^\n]*\n\Z")

    def test_arguments(self):
        self.check(2, "usage", files=[])
        self.check(2, "no (package|wheel) 'other'", files=["other"])

    def test_not_root(self):
        self.check(77, "needs root", user_id=1000)

    def test_missing_tools(self):
        self.check(77, "debootstrap is not installed")
        self.check(77, "apt-get is not installed", tools=["debootstrap"])

    def test_no_mirror(self):
        self.check(77, "no mirror", tools=["debootstrap", "apt-get", "unshare", "chroot"])

    def test_names_no_host(self):
        for script in SCRIPTS.glob("*.sh"):
            self.assertNotIn("://", script.read_text(), script.name)


class Wheels(unittest.TestCase):
    def said(self, script, *arguments, **options):
        process = subprocess.run(["/bin/sh", SCRIPTS / script, *arguments], capture_output=True, text=True, timeout=60, **options)
        self.assertEqual(process.stdout, "")
        self.assertEqual(process.stderr.count("\n"), 1)
        return process.returncode, process.stderr

    def test_an_interpreter_must_do(self):
        for name in ("no-such-python", "cat"):
            self.assertEqual(self.said("wheel.sh", name), (1, f"wheel: '{name}' is not a CPython from 3.10 with header files\n"))

    def test_what_is_no_wheel(self):
        self.assertEqual(self.said("test_wheels.sh", "other.txt"), (2, "test_wheels: 'other.txt' is not a wheel of CPython 3\n"))


if __name__ == "__main__":
    unittest.main()
