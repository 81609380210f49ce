"""The recipes in packaging/, as far as they can be checked without vcpkg and Conan.

    recipes_test.py SOURCE
"""
import ast
import json
import re
import sys
import unittest
from pathlib import Path

ROOT = Path(sys.argv.pop(1))
CMAKE = (ROOT / "CMakeLists.txt").read_text()
OPTIONS = set(re.findall(r"^option\((STICTION_\w+) ", CMAKE, re.M))
VERSION = re.search(r'STICTION_VERSION "([^"]+)"', (ROOT / "include/stiction/version.h").read_text())[1]
PORT = (ROOT / "packaging/vcpkg/portfile.cmake").read_text()
MANIFEST = json.loads((ROOT / "packaging/vcpkg/vcpkg.json").read_text())
CONAN = (ROOT / "packaging/conan/conanfile.py").read_text()
# Options of CMake that choose what is built for users, and those that no package turns on.
PARTS = {"STICTION_C", "STICTION_SIM", "STICTION_IDENTIFY", "STICTION_GEOMETRY", "STICTION_HAPTICS", "STICTION_VIZ", "STICTION_APPS"}
OFF = {"STICTION_ENGINES", "STICTION_PYTHON", "STICTION_TESTS"}


def conan_table():
    """OPTIONS of the recipe, read without Conan."""
    for node in ast.parse(CONAN).body:
        if isinstance(node, ast.Assign) and node.targets[0].id == "OPTIONS":
            return ast.literal_eval(node.value)
    raise AssertionError("conanfile.py has no OPTIONS")


class Recipes(unittest.TestCase):
    def test_options_exist(self):
        for file in [PORT, CONAN]:
            named = set(re.findall(r"STICTION_(?!VERSION)\w+", file)) | set(re.findall(r"-D(STICTION_\w+)=", file))
            self.assertEqual(named, PARTS | OFF)
            self.assertLessEqual(named, OPTIONS)

    def test_each_part_is_offered_by_both(self):
        features = dict(re.findall(r"^    (\w+) (STICTION_\w+)\)?$", PORT, re.M))
        self.assertEqual(set(features), set(MANIFEST["features"]))
        self.assertEqual(features, conan_table())
        self.assertEqual(set(features.values()), PARTS)

    def test_version_is_that_of_the_header(self):
        self.assertEqual(MANIFEST["version"], VERSION)
        self.assertNotRegex(CONAN, r"(?m)^    version = ")

    def test_parts_need_what_cmake_says(self):
        below = {name: {part for dependency in feature.get("dependencies", []) if isinstance(dependency, dict)
                        for part in dependency.get("features", [])} for name, feature in MANIFEST["features"].items()}
        needed = re.search(r"needed = (\{.+\})", CONAN)[1]
        self.assertEqual({name: set(parts) for name, parts in ast.literal_eval(needed).items()},
                         {name: parts for name, parts in below.items() if parts})

    def test_sources_that_the_recipe_takes_exist(self):
        patterns = re.search(r"for pattern in (\[.+?\]):", CONAN, re.S)[1]
        for pattern in ast.literal_eval(patterns):
            self.assertTrue(list(ROOT.glob(pattern)), pattern)
        folders = set(re.findall(r"add_subdirectory\(([^/)\s]+)", CMAKE)) - {"python", "tests", "fuzz"}
        self.assertLessEqual(folders, {pattern.split("/")[0] for pattern in ast.literal_eval(patterns)})

    def test_python_compiles(self):
        for file in (ROOT / "packaging/conan").rglob("*.py"):
            compile(file.read_text(), str(file), "exec")


if __name__ == "__main__":
    unittest.main()
