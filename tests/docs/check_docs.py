#!/usr/bin/env python3
"""Checks that the documentation is true: every code block of README.md and docs/ compiles, runs or fails as it says.

  cpp                   put into a function body of the page's program, which is built and run; a block with main() is
                        a program of its own
  cpp continued         goes on in the function body of the block before
  cpp namespace         stands outside of any function
  cpp flags=-a,-b       compiled alone, with these flags
  cpp lab               a file of lab/scalar/: compiled only
  toml                  a scenario that must run
  toml part             the same, after the tables that it leaves out have been added
  toml patch            a contact patch whose limit surface must come out
  toml haptic           a haptic scene that must run
  toml invalid          a scenario that must end with exit code 2; a text block that follows is its message, in which
                        `…` stands for any text of one line
  sh                    commands of the command line, which must end with exit code 0
  cmake                 a CMakeLists.txt that is built with the first program of the page as main.cpp
  sh norun, cmake norun shown only
  text                  output: shown only, unless it follows `toml invalid` or carries `output` after an sh block
"""
import argparse
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

DIRECTIVES = {
    "cpp": r"(continued|namespace|lab|flags=\S+)?",
    "toml": r"(part|invalid|part invalid|patch|haptic)?",
    "sh": r"(norun)?",
    "cmake": r"(norun)?",
    "text": r"(output)?",
    "python": r"(norun)?",
    "c": r"()?",
}

# What `toml part` adds where the block has no such table.
DEFAULT_TABLES = {
    "model": 'name = "coulomb"\ncoulomb_force = 1.0',
    "body": "mass = 1.0",
    "integrator": "duration = 0.1",
}

# A page of docs/models/ must have these headings.
MODEL_HEADINGS = ["Equation", "Parameters", "State", "Calls", "Valid range", "Properties", "In C++", "In a scenario",
                  "Source", "Not modelled"]

# Models that share a page with another.
PAGE_OF_MODEL = {
    "asymmetric-stribeck": "stribeck",
    "bliman-sorine-1": "bliman-sorine",
    "bliman-sorine-2": "bliman-sorine",
    "gear-elasto-plastic": "gear",
    "gear-lugre": "gear",
    "karnopp-original": "karnopp",
    "load-dependent-dahl": "load-dependent",
    "load-dependent-stribeck": "load-dependent",
}


@dataclass
class Block:
    page: Path
    line: int  # of the first line of its text
    language: str
    directive: str
    text: str

    def place(self):
        return f"{self.page}:{self.line}"


class Checker:
    def __init__(self, arguments):
        self.arguments = arguments
        self.source = arguments.source.resolve()
        self.cli = arguments.cli.resolve()
        self.failures = []
        self.checked = 0
        self.pages = [Path("README.md")] + sorted(p.relative_to(self.source) for p in self.source.glob("docs/**/*.md"))
        self.work = arguments.work.resolve() / arguments.check
        shutil.rmtree(self.work, ignore_errors=True)
        self.work.mkdir(parents=True)

    def fail(self, place, message):
        self.failures.append(f"{place}: {message}")

    def text_of(self, page):
        return (self.source / page).read_text(encoding="utf-8")

    def blocks(self, page):
        """The fenced blocks of a page in order. An unknown kind is a failure: every block is checked or says why not."""
        found = []
        fence = None
        for number, line in enumerate(self.text_of(page).splitlines(), 1):
            match = re.match(r"( *)```+(.*)$", line)
            if match and fence is None:
                language, _, directive = match[2].strip().partition(" ")
                fence = (len(match[1]), number + 1, language, directive.strip(), [])
            elif match:
                indent, start, language, directive, lines = fence
                found.append(Block(page, start, language, directive, "\n".join(lines) + "\n"))
                if language not in DIRECTIVES or not re.fullmatch(DIRECTIVES[language], directive):
                    self.fail(found[-1].place(), f"no check is known for a block '{language} {directive}'")
                fence = None
            elif fence is not None:
                fence[4].append(line[fence[0]:])
        if fence is not None:
            self.fail(f"{page}:{fence[1]}", "the block has no end")
        return found

    def run(self, command, **options):
        try:
            return subprocess.run([str(part) for part in command], capture_output=True, text=True, timeout=300,
                                  **options)
        except (subprocess.TimeoutExpired, OSError) as error:
            return subprocess.CompletedProcess(command, -1, "", str(error))

    def require(self, place, command, **options):
        result = self.run(command, **options)
        if result.returncode != 0:
            self.fail(place, f"exit code {result.returncode} of {shlex.join(map(str, command))}\n"
                             f"{result.stdout[-4000:]}{result.stderr[-8000:]}")
        self.checked += 1
        return result

    # README -----------------------------------------------------------------------------------------------------------

    def check_readme(self):
        """README.md is short, and the numbers of its results stand in docs/results.md, which is computed."""
        text = self.text_of("README.md")
        self.checked += 1
        if text.count("\n") > 150:
            self.fail("README.md", f"has {text.count(chr(10))} lines: at most 150")
        results = self.text_of("docs/results.md")
        rows = [line for line in text[text.index("## Results"):].split("\n## ")[0].splitlines()
                if line.startswith("| [")]
        if len(rows) != 5:
            self.fail("README.md", f"has {len(rows)} results: five")
        for row in rows:
            _, *values, _ = re.split(r"\s*\|\s*", row)
            experiment = re.search(r"\(`([\w/-]+)`\)", values[0])
            if experiment:
                there = [line for line in results.splitlines() if line.startswith(f"| `{experiment[1]}` |")]
            else:
                there = [re.split(r"\n## ", results.partition(re.search(r"results\.md#([\w-]+)", row)[1].replace("-", " ")
                                                             .capitalize() + "\n")[2])[0]]
            for number in re.findall(r"[-+.\de]*\d", " ".join(values[1:])):
                self.checked += 1
                if not there or not re.search(rf"(?<![\d.]){re.escape(number)}(?![\d.])", there[0]):
                    self.fail("README.md", f"{number} is not in docs/results.md: {row}")

    # Links ------------------------------------------------------------------------------------------------------------

    def anchors(self, page):
        """The headings of a page as GitHub turns them into anchors."""
        headings = re.findall(r"^#+ +(.*)$", re.sub(r"```.*?```", "", self.text_of(page), flags=re.S), flags=re.M)
        return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}

    def check_links(self):
        for page in self.pages:
            prose = re.sub(r"```.*?```|`[^`\n]*`", "", self.text_of(page), flags=re.S)
            for target in re.findall(r"\]\(([^)\s]+)\)|src=\"([^\"]+)\"", prose):
                target = target[0] or target[1]
                if re.match(r"[a-z]+:", target):
                    continue
                self.checked += 1
                file, _, anchor = target.partition("#")
                there = (page.parent / file) if file else page
                if not (self.source / there).exists():
                    self.fail(page, f"links to {target}, which does not exist")
                elif anchor and there.suffix == ".md" and anchor not in self.anchors(Path(os.path.normpath(there))):
                    self.fail(page, f"links to {target}, but there is no such heading")
        everything = "".join(self.text_of(page) for page in self.pages)
        for page in self.pages[1:]:
            # By its name, or as one of a folder that docs/README.md links to as a whole.
            if page.name not in everything and f"]({page.parent.name}/)" not in self.text_of(Path("docs/README.md")):
                self.fail(page, "no page links to it")
        self.check_paths()
        self.check_calls()
        self.check_cmake()

    def check_paths(self):
        """Files, folders and headers that pages name in inline code are there."""
        folders = "include|src|lab|apps|tests|bench|integrations|python|examples|fuzz|scripts|docs"
        for page in self.pages:
            prose = re.sub(r"```.*?```", "", self.text_of(page), flags=re.S)
            for name in re.findall(r"`([^`\n]+)`", prose):
                if re.fullmatch(rf"(?:{folders})/[\w./-]*", name):
                    there = self.source / name
                elif re.fullmatch(r"stiction/[\w/]+\.h", name):
                    there = self.source / "include" / name
                else:
                    continue
                self.checked += 1
                if not there.exists():
                    self.fail(page, f"names {name}, which does not exist")

    def check_cmake(self):
        """docs/how-to/use-from-cmake.md lists every option and every installed target, with the defaults that CMake has."""
        page = Path("docs/how-to/use-from-cmake.md")
        text, cmake = self.text_of(page), (self.source / "CMakeLists.txt").read_text(encoding="utf-8")
        top_level = {"${PROJECT_IS_TOP_LEVEL}": "on", "OFF": "off", "${python_default}": "where pybind11 is found"}
        options = {name: top_level[default] for name, default in
                   re.findall(r'^option\((STICTION_\w+) "[^"]*" (\S+)\)', cmake, flags=re.M)}
        listed = dict(re.findall(r"^\| `(STICTION_\w+)` \| ([^|]+) \| off \|", text, flags=re.M))
        if options != listed:
            self.fail(page, f"options differ from CMakeLists.txt: {sorted(options.items() ^ listed.items())}")
        cmake += (self.source / "src/io/CMakeLists.txt").read_text(encoding="utf-8")
        targets = set(re.findall(r"stiction_library\(\s*\w+\s+(\w+)", cmake))
        named = set(re.findall(r"^\| `stiction::(\w+)` \|", text, flags=re.M))
        if targets != named:
            self.fail(page, f"targets differ from CMake's: {sorted(targets ^ named)}")
        self.checked += len(options) + len(targets)

    def check_calls(self):
        """The functions in the tables of docs/architecture.md are in the files beside them."""
        page = Path("docs/architecture.md")
        for number, line in enumerate(self.text_of(page).splitlines(), 1):
            cells = [re.findall(r"`([^`]+)`", cell) for cell in line.strip("| ").split("|")]
            files = [name for cell in cells[1:] for name in cell if re.fullmatch(r"[\w/]+\.(h|cpp)", name)]
            if not line.startswith("|") or not files or not cells[0]:
                continue
            text = "".join((self.source / file).read_text(encoding="utf-8") for file in files)
            for call in cells[0]:
                self.checked += 1
                if not re.search(rf"\b{call.split('::')[-1]}\b", text):
                    self.fail(f"{page}:{number}", f"there is no {call} in {', '.join(files)}")

    # Model pages ------------------------------------------------------------------------------------------------------

    def parameter_tables(self, page):
        """The rows (name, unit, range, default) of each table on a page whose first column is `parameter`."""
        tables = []
        for line in self.text_of(page).splitlines():
            cells = [cell.strip() for cell in line.strip("| ").split("|")]
            if cells[0] == "parameter":
                tables.append(set())
            elif tables and re.fullmatch(r"`[a-z0-9_]+`", cells[0]) and len(cells) >= 5:
                tables[-1].add((cells[0].strip("`"), *cells[1:4]))
        return tables

    def check_parameters(self):
        """Every model has its page, and there a table with what the command line prints: no row more or less. Models of
        one page share a table if they have the same parameters."""
        models = json.loads(self.require("stiction models", [self.cli, "models", "--json"]).stdout)
        expected = {}
        for model in models:
            page = Path("docs/models") / f"{PAGE_OF_MODEL.get(model['name'], model['name'])}.md"
            if not (self.source / page).exists():
                self.fail(page, f"there is no page for the model {model['name']}")
                continue
            rows = set()
            for p in model["parameters"]:
                default = "required" if p["default"] is None else p["default"]
                default = default if isinstance(default, str) else f"{default:g}"
                rows.add((p["name"], p["unit"], p["range"], default))
            expected.setdefault(page, []).append((model["name"], rows))
        for page, tables in expected.items():
            text = self.text_of(page)
            written = self.parameter_tables(page)
            different = len({frozenset(rows) for _, rows in tables})
            if len(written) != different:
                self.fail(page, f"has {len(written)} parameter tables, must have {different}")
            for name, rows in tables:
                self.checked += len(rows)
                nearest = max(written, key=lambda table: len(table & rows), default=set())
                for row in sorted(rows - nearest):
                    self.fail(page, f"has no row {row} for {name}")
                for row in sorted(nearest - rows):
                    self.fail(page, f"has a row {row}, which is not what 'stiction models {name}' prints")
            for heading in MODEL_HEADINGS:
                if not re.search(rf"^## {re.escape(heading)}$", text, flags=re.M):
                    self.fail(page, f"has no section '{heading}'")

    # Presets ----------------------------------------------------------------------------------------------------------

    def check_presets(self):
        """The table of docs/presets.md is what the command line prints, row by row."""
        page = Path("docs/presets.md")
        listed = self.require("stiction models --presets", [self.cli, "models", "--presets", "--json"]).stdout
        models = {m["name"]: m for m in json.loads(self.run([self.cli, "models", "--json"]).stdout)}

        def number(value):
            if isinstance(value, list):
                return f"({', '.join(map(number, value))})"
            return value if isinstance(value, str) else repr(value).removesuffix(".0")

        expected = []
        for p in json.loads(listed):
            usual = {q["name"]: q["default"] for q in models[p["model"]]["parameters"]}
            given = [f"{name} = {number(value)}" for name, value in p["parameters"].items() if value != usual[name]]
            mass = f"{number(p['mass'])} {'kg m²' if p['axis'] == 'rotary' else 'kg'}"
            expected.append(f"| `{p['name']}` | {p['model']} | {mass} | {', '.join(given)} | {p['source']} |")
        written = [line for line in self.text_of(page).splitlines() if line.startswith("| `")]
        self.checked += len(expected)
        for row in expected:
            if row not in written:
                self.fail(page, f"has no row\n{row}")
        for row in written:
            if row not in expected:
                self.fail(page, f"has a row that is not what 'stiction models --presets' prints\n{row}")

    # Scenarios --------------------------------------------------------------------------------------------------------

    def completed(self, text):
        tables = set(re.findall(r"^\[([a-z]+)", text, flags=re.M))
        missing = [name for name in DEFAULT_TABLES if name not in tables and not (name == "body" and "motion" in tables)]
        return text + "".join(f"\n[{name}]\n{DEFAULT_TABLES[name]}\n" for name in missing)

    def check_toml(self):
        folder = self.work / "scenarios"
        folder.mkdir()
        for csv in (self.source / "examples/scenarios").glob("*.csv"):
            shutil.copy(csv, folder)
        for file in (self.source / "examples/patches").glob("*.*"):
            shutil.copy(file, folder)
        for patch in sorted((self.source / "examples/patches").glob("*.toml")):
            self.require(patch, [self.cli, "limit-surface", patch, "--out", self.work / "out"])
        for scenario in sorted((self.source / "examples/scenarios").glob("*.toml")):
            self.require(scenario, [self.cli, "simulate", scenario, "--out", self.work / "out"])
        for page in self.pages:
            blocks = self.blocks(page)
            for index, block in enumerate(blocks):
                if block.language != "toml":
                    continue
                text = self.completed(block.text) if "part" in block.directive else block.text
                (folder / "scenario.toml").write_text(text, encoding="utf-8")
                job = {"patch": "limit-surface", "haptic": "haptic"}.get(block.directive, "simulate")
                command = [self.cli, job, "scenario.toml", "--out", self.work / "out"]
                if "invalid" not in block.directive:
                    self.require(block.place(), command, cwd=folder)
                    continue
                self.checked += 1
                result = self.run(command, cwd=folder)
                if result.returncode != 2:
                    self.fail(block.place(), f"must end with exit code 2, ends with {result.returncode}")
                after = blocks[index + 1] if index + 1 < len(blocks) else None
                if after and after.language == "text" and not re.fullmatch(re.escape(after.text).replace("…", ".*"), result.stderr):
                    self.fail(after.place(), f"the message is:\n{result.stderr}")

    # Commands ---------------------------------------------------------------------------------------------------------

    def check_sh(self):
        (self.work / "bin").mkdir()
        (self.work / "bin/stiction").symlink_to(self.cli)
        for name in ("docs", "examples"):
            (self.work / name).symlink_to(self.source / name)
        environment = dict(os.environ, PATH=f"{self.work / 'bin'}:{os.environ['PATH']}")
        for page in self.pages:
            blocks = self.blocks(page)
            for index, block in enumerate(blocks):
                if block.language != "sh" or block.directive == "norun":
                    continue
                output = ""
                for line in block.text.splitlines():
                    line = line.partition("#")[0].strip()
                    if not line:
                        continue
                    if not line.startswith("stiction "):
                        self.fail(block.place(), f"'{line}' is not a command of stiction: mark the block norun")
                        continue
                    output += self.require(block.place(), ["sh", "-c", line], cwd=self.work, env=environment).stdout
                after = blocks[index + 1] if index + 1 < len(blocks) else None
                if after and (after.language, after.directive) == ("text", "output") and after.text != output:
                    self.fail(after.place(), f"the output is:\n{output}")

    # C++ --------------------------------------------------------------------------------------------------------------

    @staticmethod
    def is_program(block):
        return re.search(r"^int main\(", block.text, flags=re.M) is not None

    def line_mark(self, block):
        return f'#line {block.line} "{block.page}"\n'

    def page_program(self, blocks):
        """One source for all blocks of a page that are not programs: includes first, then one function for each."""
        includes = []
        parts = []
        functions = []
        for block in blocks:
            lines = block.text.splitlines()
            includes += [line for line in lines if line.startswith("#include")]
            body = "\n".join("" if line.startswith("#include") else line for line in lines) + "\n"
            if block.directive == "namespace":
                parts.append(self.line_mark(block) + body)
            elif block.directive == "continued" and functions:
                parts[-1] = parts[-1].removesuffix("}\n") + self.line_mark(block) + body + "}\n"
            else:
                functions.append(f"block_{block.line}")
                parts.append(f"static void {functions[-1]}() {{\n{self.line_mark(block)}{body}}}\n")
        calls = "".join(f"  {name}();\n" for name in functions)
        return "\n".join(dict.fromkeys(includes)) + "\n" + "".join(parts) + f"int main() {{\n{calls}}}\n"

    def build_and_run(self, place, name, source, flags=(), compile_only=False):
        file = self.work / f"{name}.cpp"
        file.write_text(source, encoding="utf-8")
        compiler = [*shlex.split(self.arguments.launcher), self.arguments.compiler, *shlex.split(self.arguments.flags)]
        warnings = ["-Wall", "-Wextra", "-Werror", "-Wno-unused-variable", "-Wno-unused-but-set-variable"]
        compiled = self.require(place, [*compiler, "-std=c++20", "-O1", *warnings, *flags,
                                        f"-I{self.source / 'include'}", f"-I{self.source / 'bench/baselines'}", "-c", file, "-o", f"{file}.o"])
        if compiled.returncode == 0 and not compile_only:
            linked = self.require(place, [self.arguments.compiler, *shlex.split(self.arguments.flags), f"{file}.o",
                                          *self.arguments.link.split(","), "-o", self.work / name])
            if linked.returncode == 0:
                self.require(place, [self.work / name], cwd=self.work)

    def check_cpp(self):
        for page in self.pages:
            blocks = [block for block in self.blocks(page) if block.language == "cpp"]
            name = re.sub(r"\W", "_", str(page.with_suffix("")))
            lab = [b for b in blocks if b.directive == "lab"]
            alone = [b for b in blocks if self.is_program(b) or b.directive.startswith("flags=")]
            together = [b for b in blocks if b not in alone and b not in lab]
            if together:
                self.build_and_run(page, name, self.page_program(together))
            for block in lab:
                self.build_and_run(block.place(), f"{name}_{block.line}", self.line_mark(block) + block.text,
                                   [f"-I{self.source / 'lab/scalar'}"], compile_only=True)
            for block in alone:
                flags = block.directive.removeprefix("flags=").split(",") if block.directive else []
                source = self.line_mark(block) + block.text if self.is_program(block) else self.page_program([block])
                self.build_and_run(block.place(), f"{name}_{block.line}", source, flags)

    # C and Python -----------------------------------------------------------------------------------------------------

    def check_c(self):
        """Every block of C is a program."""
        for page in self.pages:
            for block in self.blocks(page):
                if block.language != "c":
                    continue
                program = self.work / f"{page.stem}_{block.line}"
                program.with_suffix(".c").write_text(f'#line {block.line + 1} "{page}"\n{block.text}', encoding="utf-8")
                built = self.require(block.place(), [
                    "cc", "-std=c99", "-Wall", "-Wextra", "-Werror", f"-I{self.source / 'include'}", program.with_suffix(".c"),
                    *self.arguments.link.split(","), "-lstdc++", "-lm", "-o", program])
                if built.returncode == 0:
                    self.require(block.place(), [program], cwd=self.work)

    def check_python(self):
        """The blocks of a page are one program, which runs in the project's folder."""
        for page in self.pages:
            blocks = [b for b in self.blocks(page) if b.language == "python" and b.directive != "norun"]
            if blocks:
                program = self.work / (re.sub(r"\W", "_", str(page.with_suffix(""))) + ".py")
                program.write_text("".join(f"# {b.place()}\n{b.text}\n" for b in blocks), encoding="utf-8")
                self.require(page, [sys.executable, "-B", program], cwd=self.source,
                             env={**os.environ, "MPLBACKEND": "Agg"})

    # Examples and CMake -----------------------------------------------------------------------------------------------

    def build_project(self, place, source, build):
        """Without a build type, as package.subdirectory, whose objects are then in the compiler's cache: paths count from the project."""
        environment = {**os.environ, "CCACHE_BASEDIR": str(build.parent), "CCACHE_NOHASHDIR": "1"}
        configured = self.require(place, [
            "cmake", "-S", source, "-B", build, "-G", "Ninja",
            f"-DCMAKE_CXX_COMPILER={self.arguments.compiler}", f"-DCMAKE_CXX_FLAGS={self.arguments.flags}",
            f"-DCMAKE_CXX_COMPILER_LAUNCHER={self.arguments.launcher}", f"-DCMAKE_PREFIX_PATH={self.work / 'prefix'}"])
        return configured.returncode == 0 and self.require(place, ["cmake", "--build", build], env=environment).returncode == 0

    def check_tests(self):
        """Every test that docs/reliability.md names is there: in the sources of GoogleTest, or as an entry of ctest."""
        sources = "\n".join(path.read_text(encoding="utf-8") for path in sorted((self.source / "tests").glob("**/*.cpp")))
        known = {f"{suite}.{name}" for suite, name in
                 re.findall(r"\b(?:TEST(?:_F|_P)?|TYPED_TEST|RC_GTEST_PROP|RC_GTEST_FIXTURE_PROP)\(\s*(\w+),\s*(\w+)", sources)}
        listed = json.loads(self.run(["ctest", "--test-dir", self.arguments.build, "--show-only=json-v1"]).stdout)
        entries = {test["name"] for test in listed["tests"]}
        has_python = any(name.startswith("python.") for name in entries)  # a build may do without
        known |= entries
        page = Path("docs/reliability.md")
        for number, line in enumerate(self.text_of(page).splitlines(), 1):
            for name in re.findall(r"`([\w/]+\.[\w/.]+)`", line) if line.startswith("|") else []:
                self.checked += 1
                if name not in known and (has_python or not name.startswith("python.")):
                    self.fail(f"{page}:{number}", f"there is no test {name}")

    def check_examples(self):
        self.require("install", ["cmake", "--install", self.arguments.build, "--prefix", self.work / "prefix"])
        examples = self.source / "examples"
        if self.build_project("examples", examples, self.work / "examples"):
            for example in sorted(examples.glob("*.cpp")):
                self.require(example, [self.work / "examples" / example.stem], cwd=self.work)
        for page in self.pages:
            blocks = self.blocks(page)
            programs = [block for block in blocks if block.language == "cpp" and self.is_program(block)]
            for block in blocks:
                if block.language != "cmake" or block.directive == "norun":
                    continue
                project = self.work / f"{page.stem}_{block.line}"
                (project / "extern").mkdir(parents=True)
                (project / "extern/stiction").symlink_to(self.source)
                (project / "CMakeLists.txt").write_text(block.text, encoding="utf-8")
                (project / "main.cpp").write_text(programs[0].text, encoding="utf-8")
                self.build_project(block.place(), project, project / "build")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    checks = {name.removeprefix("check_"): getattr(Checker, name) for name in dir(Checker) if name.startswith("check_")}
    parser.add_argument("check", choices=sorted(checks))
    parser.add_argument("--source", type=Path, required=True, help="the project's folder")
    parser.add_argument("--cli", type=Path, required=True, help="the command line that was built")
    parser.add_argument("--work", type=Path, required=True, help="a folder for what is built and written")
    parser.add_argument("--build", type=Path, help="examples: the project's build folder")
    parser.add_argument("--compiler", default="c++")
    parser.add_argument("--launcher", default="", help="e.g. ccache")
    parser.add_argument("--flags", default="", help="flags for compiler and linker")
    parser.add_argument("--link", default="", help="cpp: libraries, separated by commas")
    checker = Checker(parser.parse_args())
    checks[checker.arguments.check](checker)
    for failure in checker.failures:
        print(failure, file=sys.stderr)
    print(f"{checker.checked} checks, {len(checker.failures)} failures")
    return 1 if checker.failures or checker.checked == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
