"""scripts/setup.sh on made-up systems: stubs stand for dpkg-query, apt-get, id and sudo."""

import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "scripts/setup.sh"
STUBS = {
    "dpkg-query": """for package; do :; done
case " $MISSING " in *" $package "*) exit 1 ;; esac
case " $REMOVED " in *" $package "*) echo "deinstall ok config-files" ;; *) echo "install ok installed" ;; esac""",
    "apt-get": """echo "apt-get $*" >>"$LOG"
[ -z "$BROKEN" ] || { echo "E: no network" >&2; exit 100; }
echo "a lot of talk" """,
    "id": 'echo "$USER_ID"',
    "sudo": """echo "sudo $1" >>"$LOG"
exec "$@" """,
}


class Setup(unittest.TestCase):
    def setup_on(self, *arguments, stubs=("dpkg-query", "apt-get", "id"), user_id=0, **system):
        """Runs the script; gives its exit code, output, errors and the calls it made."""
        with tempfile.TemporaryDirectory(prefix="stiction_") as name:
            folder = Path(name)
            for tool in ["sed", "mktemp", "rm", "cat", "env"]:
                (folder / tool).symlink_to(shutil.which(tool))
            for stub in stubs:
                (folder / stub).write_text("#!/bin/sh\n" + STUBS[stub] + "\n")
                (folder / stub).chmod(0o755)
            log = folder / "log"
            log.touch()
            unset = {"MISSING": "", "REMOVED": "", "BROKEN": ""}
            process = subprocess.run(["/bin/sh", SCRIPT, *arguments], capture_output=True, text=True, timeout=60, env={
                **unset, **system, "PATH": name, "LOG": str(log), "USER_ID": str(user_id), "TMPDIR": name})
            self.assertEqual(sorted(folder.glob("tmp.*")), [], "a temporary file is left")
            return process.returncode, process.stdout, process.stderr, log.read_text()

    def test_is_silent_when_everything_is_there(self):
        self.assertEqual(self.setup_on(), (0, "", "", ""))
        self.assertEqual(self.setup_on(user_id=1000), (0, "", "", ""))

    def test_installs_what_is_missing_as_root(self):
        self.assertEqual(self.setup_on(MISSING="gnuplot-nox cmake"), (
            0, "setup: installing cmake gnuplot-nox\n", "",
            "apt-get update\napt-get install -y --no-install-recommends cmake gnuplot-nox\n"))

    def test_installs_what_fuzzing_needs_when_asked(self):
        self.assertEqual(self.setup_on(MISSING="clang"), (0, "", "", ""))
        self.assertEqual(self.setup_on("--fuzz", MISSING="clang")[1], "setup: installing clang\n")

    def test_installs_what_was_removed(self):
        self.assertEqual(self.setup_on(REMOVED="ccache")[1], "setup: installing ccache\n")

    def test_uses_sudo_for_other_users(self):
        code, _, errors, calls = self.setup_on(stubs=STUBS, user_id=1000, MISSING="cmake")
        self.assertEqual((code, errors), (0, ""))
        self.assertEqual(calls, "sudo apt-get\napt-get update\n"
                                "sudo env\napt-get install -y --no-install-recommends cmake\n")

    def test_tells_other_users_without_sudo_whom_to_ask(self):
        self.assertEqual(self.setup_on(user_id=1000, MISSING="cmake ccache"), (
            1, "", "setup: not root and no sudo; have an administrator run: apt-get install cmake ccache\n", ""))

    def test_tells_what_to_install_on_other_systems(self):
        for stubs in [["id"], ["id", "apt-get"], ["id", "dpkg-query"]]:
            code, out, errors, calls = self.setup_on(stubs=stubs)
            self.assertEqual((code, out, calls), (1, "", ""))
            self.assertRegex(errors, r"\Asetup: this is not a Debian system; "
                                     r"install the equivalents of: g\+\+ cmake .*python3\n\Z")

    def test_shows_why_apt_failed(self):
        code, _, errors, _ = self.setup_on(MISSING="cmake", BROKEN="yes")
        self.assertEqual(code, 1)
        self.assertEqual(errors, "E: no network\nsetup: apt-get failed (see above); packages wanted: cmake\n")


if __name__ == "__main__":
    unittest.main()
