"""What can be tested of wheels and the sdist without a package index: pyproject.toml, the checker, and whether the files of the
sdist are enough for CMake. What `make wheel` has built is checked too, where it is there.

    wheel_test.py SOURCE
"""
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import unittest
import zipfile
from pathlib import Path

ROOT = Path(sys.argv.pop(1))
sys.path.insert(0, str(ROOT / "scripts"))
import check_wheel  # noqa: E402

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
VERSION = check_wheel.VERSION
NAME = f"stiction-{VERSION}"


class Project(unittest.TestCase):
    def test_version_is_that_of_the_header(self):
        provider = PROJECT["tool"]["scikit-build"]["metadata"]["version"]
        self.assertEqual(re.search(provider["regex"], (ROOT / provider["input"]).read_text())["value"], VERSION)

    def test_classifiers_begin_with_the_oldest_python(self):
        versions = re.findall(r"Python :: (3\.\d+)", "\n".join(PROJECT["project"]["classifiers"]))
        self.assertEqual(PROJECT["project"]["requires-python"], f">={versions[0]}")
        first = int(versions[0].split(".")[1])
        self.assertEqual(versions, [f"3.{first + i}" for i in range(len(versions))])

    def test_options_exist(self):
        options = set(re.findall(r"^option\((STICTION_\w+) ", (ROOT / "CMakeLists.txt").read_text(), re.M))
        named = set(PROJECT["tool"]["scikit-build"]["cmake"]["define"])
        named |= set(re.findall(r"cmake\.define\.(\w+)", (ROOT / "scripts/wheel.sh").read_text()))
        self.assertLessEqual(named, options)
        self.assertIn("STICTION_DENSE_CERES", named)

    def test_an_extra_is_named_where_its_module_asks_for_it(self):
        for extra, (package,) in PROJECT["project"]["optional-dependencies"].items():
            self.assertIn(f"pip install {package}", (ROOT / f"python/stiction/{extra}.py").read_text())

    def test_scripts_take_what_they_need_from_here(self):
        # the patterns of sed in wheel.sh and test_wheels.sh
        text = (ROOT / "pyproject.toml").read_text()
        self.assertEqual(len(re.findall(r"(?m)^requires = \[.*\]$", text)), 1)
        self.assertEqual(len(re.findall(r'(?m)^dependencies = .*"numpy>=[0-9.]*"', text)), 1)

    def test_files_of_the_sdist_are_enough(self):
        """CMake configures what git knows of them, without what is left out."""
        rules = PROJECT["tool"]["scikit-build"]["sdist"]
        git = ["git", "-C", str(ROOT), "ls-files"]
        if not shutil.which("git") or subprocess.run(git, capture_output=True).returncode != 0:
            self.skipTest("the sources are not a git checkout")
        with tempfile.TemporaryDirectory(prefix="stiction_") as name:
            folder = Path(name)
            (folder / "exclude").write_text("\n".join(rules["exclude"]))
            listed = [set(subprocess.run([*git, *options], check=True, capture_output=True, text=True).stdout.splitlines())
                      for options in ([], ["--cached", "--ignored", f"--exclude-from={folder}/exclude"])]
            files = listed[0] - listed[1]
            for pattern in rules["include"]:
                files |= {str(path.relative_to(ROOT)) for path in ROOT.glob(pattern.lstrip("/"))}
            self.assertLessEqual(set(check_wheel.NEEDED_SOURCES), files)
            self.assertFalse([file for file in files if file.startswith(("docs/", "fuzz/", ".ci/"))])
            for file in files:
                (folder / "sdist" / file).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / file, folder / "sdist" / file)
            defined = [f"-D{key}={value}" for key, value in PROJECT["tool"]["scikit-build"]["cmake"]["define"].items()]
            done = subprocess.run(["cmake", "-S", folder / "sdist", "-B", folder / "build", "-G", "Ninja", "-DSTICTION_DENSE_CERES=ON", *defined],
                                  capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)


class Checker(unittest.TestCase):
    """A wheel of the real package files and of a library of this system in the place of the extension."""

    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="stiction_"))
        self.addCleanup(shutil.rmtree, self.folder)
        package = ROOT / "python"
        info = f"{NAME}.dist-info"
        self.files = {str(path.relative_to(package)): path.read_bytes() for path in package.glob("stiction/**/*") if path.is_file() and path.suffix in (".py", ".pyi", ".typed")}
        self.files |= {f"{info}/{file}": b"text" for file in ("METADATA", "entry_points.txt", "licenses/LICENSE", "licenses/libraries/libz.txt")}
        (self.folder / "code.c").write_text("int one(void) { return 1; }\n")
        self.files["stiction/_core.cpython-311-x86_64-linux-gnu.so"] = self.library()

    def library(self, *options):
        subprocess.run(["cc", "-shared", "-o", self.folder / "code.so", self.folder / "code.c", *options], check=True)
        return (self.folder / "code.so").read_bytes()

    def said(self, name=f"{NAME}-cp311-cp311-manylinux_2_35_x86_64.whl"):
        with zipfile.ZipFile(self.folder / name, "w") as archive:
            for file, content in self.files.items():
                archive.writestr(file, content)
        done = subprocess.run([sys.executable, "-B", ROOT / "scripts/check_wheel.py", self.folder / name], capture_output=True, text=True)
        self.assertEqual(done.returncode, 1 if done.stderr else 0)
        self.assertLessEqual(done.stderr.count("\n"), 1)
        return done.stdout + done.stderr

    def test_a_good_one(self):
        self.assertIn("MB installed, 0 libraries", self.said())

    def test_names(self):
        for tag in ("cp311-cp311-linux_x86_64", "cp311-cp312-manylinux_2_35_x86_64", "py3-none-any"):
            self.assertIn("the name is not", self.said(f"{NAME}-{tag}.whl"))
        self.assertIn("the name is not", self.said("stiction-0.0.1-cp311-cp311-manylinux_2_35_x86_64.whl"))

    def test_a_missing_file(self):
        del self.files["stiction/planar.py"]
        self.assertIn("without stiction/planar.py", self.said())

    def test_a_file_that_belongs_nowhere(self):
        self.files["tests/x.py"] = b""
        self.assertIn("belong nowhere: ['tests/x.py']", self.said())

    def test_libraries(self):
        self.files["stiction/_core.cpython-311-x86_64-linux-gnu.so"] = self.library("-Wl,--no-as-needed", "-l:libpng16.so.16")
        self.assertIn("needs libpng16.so.16, which it does not bring", self.said())
        self.files["stiction.libs/libpng16.so.16"] = self.library()
        self.assertIn("1 libraries", self.said())
        self.files["stiction.libs/libjemalloc.so.2"] = self.library()
        self.assertIn("brings libjemalloc.so.2", self.said())

    def test_licenses(self):
        self.files |= {f"stiction.libs/lib{name}.so": self.library() for name in ("a", "b", "c")}
        self.assertIn("has 3 libraries and 1 licences", self.said())

    def test_size(self):
        self.files[f"{NAME}.dist-info/large"] = bytes(26_000_000)
        self.assertIn("at most 25 are allowed", self.said())


class Built(unittest.TestCase):
    def check(self, pattern, checked):
        found = sorted((ROOT / "build/wheel").glob(pattern))
        if not found:
            self.skipTest(f"there is no build/wheel/{pattern} (make wheel)")
        for path in found:
            self.assertRegex(checked(path), "files|libraries")

    def test_wheels(self):
        self.check(f"{NAME}-*.whl", check_wheel.check_wheel)

    def test_sdist(self):
        self.check(f"{NAME}.tar.gz", check_wheel.check_sdist)


class Sdist(unittest.TestCase):
    def said(self, *, without=(), extra=()):
        with tempfile.TemporaryDirectory(prefix="stiction_") as name:
            path = Path(name) / f"{NAME}.tar.gz"
            with tarfile.open(path, "w:gz") as archive:
                for file in [*check_wheel.NEEDED_SOURCES, *extra]:
                    if file not in without:
                        archive.add(ROOT / "LICENSE", f"{NAME}/{file}")
            return subprocess.run([sys.executable, "-B", ROOT / "scripts/check_wheel.py", path], capture_output=True, text=True)

    def test_checker(self):
        self.assertEqual(self.said().returncode, 0)
        self.assertIn("without lab/report.css", self.said(without=["lab/report.css"]).stderr)
        for junk in ("tests/python/conftest.py", "build/x.o", ".git/config", "python/stiction/__pycache__/x.pyc"):
            self.assertIn("no place", self.said(extra=[junk]).stderr)


if __name__ == "__main__":
    unittest.main()
