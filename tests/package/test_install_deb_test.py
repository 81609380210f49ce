"""scripts/test_install_deb.sh says in one line why it cannot run; what it does with a package is `make test-install-deb`."""

import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "scripts/test_install_deb.sh"


class Refusals(unittest.TestCase):
    def check(self, exit_code, fragment, *arguments, user_id=0, tools=()):
        """On a system with these tools alone it ends with this code and one line."""
        with tempfile.TemporaryDirectory(prefix="stiction_") as name:
            folder = Path(name)
            for tool in ["sed", "head", "mktemp", "rm"]:
                (folder / tool).symlink_to(shutil.which(tool))
            for tool in tools:
                (folder / tool).write_text("#!/bin/sh\n")
                (folder / tool).chmod(0o755)
            (folder / "id").write_text(f"#!/bin/sh\necho {user_id}\n")
            (folder / "id").chmod(0o755)
            (folder / "some.deb").touch()
            process = subprocess.run(["/bin/sh", SCRIPT, *arguments], capture_output=True, text=True, timeout=60, cwd=folder,
                                     env={"PATH": name, "TMPDIR": name})
            self.assertEqual((process.returncode, process.stdout), (exit_code, ""))
            self.assertRegex(process.stderr, rf"\Atest_install_deb: [^\n]*{fragment}[^\n]*\n\Z")

    def test_arguments(self):
        self.check(2, "usage")
        self.check(2, "no package 'other.deb'", "other.deb")

    def test_not_root(self):
        self.check(77, "needs root", "some.deb", user_id=1000)

    def test_missing_tools(self):
        self.check(77, "debootstrap is not installed", "some.deb")
        self.check(77, "apt-get is not installed", "some.deb", tools=["debootstrap"])

    def test_no_mirror(self):
        self.check(77, "no mirror", "some.deb", tools=["debootstrap", "apt-get", "unshare", "chroot"])

    def test_names_no_host(self):
        self.assertNotIn("://", SCRIPT.read_text())


if __name__ == "__main__":
    unittest.main()
