#!/usr/bin/env python3
"""Builds the documentation site from docs/ into build/docs/html: `make docs`.

Pages are prepared in build/docs/source. There they get what is computed: the reference of the command line, of C++ (from
Doxygen) and of Python, the figures of the lab, and formulas as TeX. Everything that a browser needs is copied into the
site; it can be read from disk. Debian packages: scripts/setup.sh --docs.
"""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
import xml.etree.ElementTree as xml
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SITE = ROOT / "docs/site"
KATEX = Path("/usr/share/javascript/katex")
PARTS = {"": "Common", "scalar": "Scalar models", "planar": "Contact patches", "spatial": "Many contacts",
         "sim": "Simulation", "control": "Control", "identify": "Identification", "geometry": "Geometry",
         "haptics": "Haptics", "viz": "Pictures", "io": "Files", "c": "C interface"}


def fail(message):
    raise SystemExit(f"docs: {message}")


def output_of(*command, **options):
    return subprocess.run([str(part) for part in command], check=True, capture_output=True, text=True, **options).stdout


# Pages ----------------------------------------------------------------------------------------------------------------

def with_links(text, page):
    """Links that leave docs/: to the pages that stand for them, else the bare name of the file."""
    stand_ins = {"README.md": "project.md", "CHANGELOG.md": "changelog.md", "SECURITY.md": "security.md"}

    def new(match):
        image, label, target = match[1], match[2], match[3]
        if re.match(r"[a-z]+:|#", target):
            return match[0]
        file, _, anchor = target.partition("#")
        there = os.path.normpath(page.parent / file)
        if there.startswith("docs" + os.sep):
            inside = os.path.relpath(there, "docs")
            if (ROOT / there).is_file():
                here = "." if page.parent == Path(".") else os.path.relpath(page.parent, "docs")
                return f"{image}[{label}]({os.path.relpath(inside, here)}{'#' + anchor if anchor else ''})"
        elif there in stand_ins:
            here = "." if page.parent == Path(".") else os.path.relpath(page.parent, "docs")
            return f"[{label}]({os.path.relpath(stand_ins[there], here)})"
        return label if label.startswith("`") else f"{label} (`{there}`)"

    pieces = re.split(r"(^```.*?^```[^\n]*$)", text, flags=re.S | re.M)
    return "".join(piece if piece.startswith("```") else re.sub(r"(!?)\[([^\]]*)\]\(([^)\s]+)\)", new, piece)
                   for piece in pieces)


def with_plain_fences(text):
    """Words after the language of a block tell the tests what to do with it; Sphinx would take them for its own."""
    return re.sub(r"^( *)```(\w+) [^\n]*$", r"\1```\2", text, flags=re.M)


def with_equation(text, tex, name):
    """TeX in place of the plain equation."""
    changed, count = re.subn(r"(## Equation\n.*?)```text\n.*?\n```\n", lambda m: f"{m[1]}$$\n{tex.strip()}\n$$\n", text,
                             count=1, flags=re.S)
    if count != 1:
        fail(f"{name}: has no equation that could be set")
    return changed


def figure_block(files, depth):
    block = '<div class="lab-figures">\n'
    for experiment, drawing in files:
        block += (f'<figure><img src="{"../" * depth}_images/lab/{experiment}/{drawing}.svg" alt="{experiment}, {drawing}" '
                  f'loading="lazy"><figcaption><code>{experiment}</code></figcaption></figure>\n')
    return block + "</div>\n"


def with_pictures(text, lab):
    """Links to the pictures that docs/coverage.md names, where they have been drawn."""
    def new(match):
        there = (lab / match[1]).is_file()
        return f'<a href="_images/lab/{match[1]}"><code>{match[1]}</code></a>' if there else match[0]

    return re.sub(r"`([a-z]+/[\w-]+/[\w-]+\.(?:svg|png))`", new, text)


def prepare_pages(source, lab):
    equations = tomllib.loads((SITE / "equations.toml").read_text(encoding="utf-8"))
    figures = tomllib.loads((SITE / "figures.toml").read_text(encoding="utf-8"))
    pages = sorted(p for p in (ROOT / "docs").rglob("*.md") if SITE not in p.parents)
    for page in pages:
        name = str(page.relative_to(ROOT / "docs").with_suffix(""))
        text = with_plain_fences(with_links(page.read_text(encoding="utf-8"), page.relative_to(ROOT)))
        if name in equations:
            text = with_equation(text, equations.pop(name), name)
        if name == "coverage" and lab:
            text = with_pictures(text, lab)
        drawn = [tuple(f.rsplit("/", 1)) for f in figures.pop(name, [])]
        if drawn and lab:
            for experiment, drawing in drawn:
                if not (lab / experiment / f"{drawing}.svg").is_file():
                    fail(f"{name}: there is no figure {experiment}/{drawing}.svg")
            text += "\n## Figures\n\nComputed by `stiction reproduce`.\n\n" + figure_block(drawn, name.count("/"))
        target = source / f"{name}.md"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    if equations or figures:
        fail(f"docs/site names pages that do not exist: {', '.join([*equations, *figures])}")
    for file, name in [("README.md", "project"), ("CHANGELOG.md", "changelog"), ("SECURITY.md", "security")]:
        text = (ROOT / file).read_text(encoding="utf-8")
        if name == "project":
            text = text.replace("# Stiction\n", "# The project in a page\n", 1)
        (source / f"{name}.md").write_text(with_plain_fences(with_links(text, Path(file))), encoding="utf-8")
    shutil.copytree(ROOT / "docs/images", source / "images", dirs_exist_ok=True)
    for picture in (ROOT / "docs").glob("*.svg"):
        shutil.copy(picture, source)
    for file in ["conf.py", "index.rst"]:
        shutil.copy(SITE / file, source)


def prepare_figures(source, lab):
    """A page with every figure of the lab, by chapter."""
    titles = {"scalar": "Friction of one axis", "control": "Compensation and identification", "planar": "Contact patches",
              "spatial": "Cones and static friction", "haptics": "Static friction in the hand"}
    text = "# Figures\n\nEvery figure of the lab, as `stiction reproduce --all --quick` draws it. `out/report.html` has them " \
           "with their claims, to zoom and read.\n"
    if not lab:
        text += "\nThis site was built without them: `make docs` computes them.\n"
    for group, title in titles.items() if lab else ():
        text += f"\n## {title}\n"
        for file in sorted(lab.glob(f"{group}/*/result.json")):
            result = json.loads(file.read_text(encoding="utf-8"))
            drawings = sorted(drawing.stem for drawing in file.parent.glob("*.svg"))
            if drawings:
                text += f"\n### {result['title']}\n\n`{result['id']}`. {result['source']}\n\n"
                text += figure_block([(result["id"], drawing) for drawing in drawings], 0)
    (source / "figures.md").write_text(text, encoding="utf-8")


# Reference ------------------------------------------------------------------------------------------------------------

def prepare_cli(source, cli):
    overview = output_of(cli, "--help")
    names = re.findall(r"^  ([a-z][\w-]*) ", overview[overview.index("\nSubcommands:"):], flags=re.M)
    text = "# Command line\n\n```text\n" + output_of(cli) + "```\n\n## stiction\n\n```text\n" + overview + "```\n"
    below = {"mesh": ["repair"], "haptic": ["insertability"]}
    for command in [[name] for name in names] + [[name, sub] for name, subs in below.items() for sub in subs]:
        text += f"\n## stiction {' '.join(command)}\n\n```text\n{output_of(cli, *command, '--help')}```\n"
    (source / "reference").mkdir(exist_ok=True)
    (source / "reference/cli.md").write_text(text, encoding="utf-8")


def words_of(node):
    """The text of a Doxygen description: its markup as Markdown, paragraphs apart."""
    if node is None:
        return ""
    text = node.text or ""
    for child in node:
        inner = words_of(child)
        if child.tag in ("computeroutput", "verbatim"):
            inner = f"`{inner}`" if inner else ""
        elif child.tag in ("para", "parametername", "simplesect"):
            inner = inner + "\n\n"
        text += inner + (child.tail or "")
    return text


def tidy(text):
    text = re.sub(r"NOLINT\S*(?:\([^)]*\))?:?[^\n]*", "", text)  # words for clang-tidy
    return re.sub(r"\s+", " ", text).strip().replace("<", "&lt;").replace("$", "\\$").replace("*", "\\*")


def description(node):
    return tidy(words_of(node.find("briefdescription")) + " " + words_of(node.find("detaileddescription")))


def signature(member):
    kind, name = member.get("kind"), member.findtext("name")
    template = member.find("templateparamlist")
    text = ""
    if template is not None:
        text = "template <" + ", ".join(re.sub(r"\s+", " ", " ".join(filter(None, [words_of(p.find("type")),
                                                                                  p.findtext("declname")])))
                                        for p in template) + "> "
    if kind == "enum":
        return f"enum class {name}"
    kind_of = re.sub(r"\s+", " ", words_of(member.find("type"))).replace("`", "").strip()
    text += (kind_of + " " if kind_of else "") + name + (member.findtext("argsstring") or "")
    if kind in ("variable", "typedef"):
        text += " " + (member.findtext("initializer") or "") if kind == "variable" else ""
        text = ("using " + text) if kind == "typedef" else text
    return re.sub(r"\s+", " ", text).replace("`", "").strip()


def entries(members):
    """What has a comment, as a list with the comments; then the rest, by its declarations."""
    text, bare = "", []
    for member in members:
        if member.findtext("name", "").startswith("STICTION_") or not member.findtext("name"):
            continue
        words = description(member)
        values = "".join(f"\n  `{v.findtext('name')}`: {description(v)}\n" for v in member.findall("enumvalue"))
        if words or values:
            text += f"`{signature(member)}`\n: {words or 'one of'}\n{values}\n"
        else:
            bare.append(signature(member) + ";")
    return text + ("```cpp\n" + "\n".join(bare) + "\n```\n\n" if bare else "")


def prepare_cpp(source, work):
    """A page for each part of the library, from Doxygen's XML: what is public, with its comments."""
    folder = work / "doxygen"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    strip = folder / "filter.sed"  # comments at the end of a line belong to what stands before them
    strip.write_text(r"s@^([^/]*[;,{}])( +)// ([^/].*)$@\1\2///< \3@" + "\n")
    (folder / "Doxyfile").write_text(f"""
INPUT = "{ROOT / 'include'}"
RECURSIVE = YES
OUTPUT_DIRECTORY = "{folder}"
GENERATE_HTML = NO
GENERATE_LATEX = NO
GENERATE_XML = YES
XML_PROGRAMLISTING = NO
HAVE_DOT = NO
CLASS_DIAGRAMS = NO
QUIET = YES
WARNINGS = NO
EXTRACT_ALL = YES
MARKDOWN_SUPPORT = NO
AUTOLINK_SUPPORT = NO
STRIP_FROM_PATH = "{ROOT / 'include'}"
INPUT_FILTER = "sed -E -f {strip}"
MACRO_EXPANSION = YES
EXPAND_ONLY_PREDEF = YES
PREDEFINED = STICTION_EXPORT= __cpp_exceptions=1
""")
    output_of("doxygen", folder / "Doxyfile")
    documents = {file.stem: xml.parse(file).getroot().find("compounddef")
                 for file in (folder / "xml").glob("*.xml") if file.stem not in ("index", "Doxyfile")}
    headers = sorted((d for d in documents.values() if d is not None and d.get("kind") == "file"),
                     key=lambda d: d.find("location").get("file"))
    pages = {}
    for header in headers:
        name = os.path.relpath(ROOT / "include" / header.find("location").get("file"), ROOT / "include")
        part = name.split("/")[1] if name.count("/") > 1 else "c" if name.endswith("stiction.h") else ""
        first = []
        for line in (ROOT / "include" / name).read_text(encoding="utf-8").splitlines():
            if not line.startswith("//"):
                break
            first.append(line.lstrip("/ "))
        text = f"\n## `{name}`\n\n{tidy(' '.join(first))}\n\n"
        for inner in header.findall("innerclass"):
            record = documents.get(inner.get("refid"))
            if record is None or inner.get("prot") == "private" or "anonymous" in (inner.text or ""):
                continue
            text += f"### `{record.get('kind')} {inner.text.removeprefix('stiction::')}`\n\n{description(record)}\n\n"
            text += entries(m for s in record.findall("sectiondef") if "private" not in s.get("kind")
                            for m in s.findall("memberdef") if m.get("prot") == "public")
        free = [m for s in header.findall("sectiondef") if s.get("kind") != "define" for m in s.findall("memberdef")]
        text += ("### Functions and values\n\n" + entries(free)) if free else ""
        pages[part] = pages.get(part, "") + text
    target = source / "reference/cpp"
    target.mkdir(parents=True, exist_ok=True)
    index = "# C++\n\nNamespace `stiction`; each part in a namespace of its own. Units stand in every comment.\n\n```{toctree}\n"
    for part, title in PARTS.items():
        if part in pages:
            (target / f"{part or 'common'}.md").write_text(f"# {title}\n{pages[part]}", encoding="utf-8")
            index += f"{part or 'common'}\n"
    (target / "index.md").write_text(index + "```\n", encoding="utf-8")


def prepare_python(source, package):
    target = source / "reference/python"
    target.mkdir(parents=True, exist_ok=True)
    if not package:
        (target / "index.md").write_text("# Python\n\nThis site was built without the Python package.\n", encoding="utf-8")
        return
    # The interpreter that Sphinx runs in must be able to import it.
    first = Path(shutil.which("sphinx-build")).read_text(encoding="utf-8").splitlines()[0]
    interpreter = first.removeprefix("#!").strip() if first.startswith("#!/") else sys.executable
    index = "# Python\n\n```{toctree}\n"
    names = sorted(file.stem for file in (package / "stiction").glob("[a-z]*.py"))
    for module in ["stiction", *(f"stiction.{name}" for name in names)]:
        probe = subprocess.run([interpreter, "-c", f"import {module}"], env={**os.environ, "PYTHONPATH": str(package)},
                               capture_output=True, text=True)
        if probe.returncode != 0:
            continue
        title = f"``{module}``"
        (target / f"{module}.rst").write_text(f"{title}\n{'=' * len(title)}\n\n.. automodule:: {module}\n", encoding="utf-8")
        index += f"{module}\n"
    (target / "index.md").write_text(index + "```\n", encoding="utf-8")


# The site -------------------------------------------------------------------------------------------------------------

def copy_katex(source):
    if not (KATEX / "katex.min.js").is_file():
        fail(f"KaTeX is not in {KATEX}: scripts/setup.sh --docs installs it")
    target = source / "static/katex"
    target.mkdir(parents=True, exist_ok=True)
    for file in ["katex.min.js", "katex.min.css", "contrib/auto-render.js"]:
        shutil.copy(KATEX / file, target / Path(file).name)
    shutil.copytree((KATEX / "fonts").resolve(), target / "fonts", dirs_exist_ok=True)


def bundle_theme(site):
    """Debian's furo refers to files of a web server and to a module, which a browser does not load from disk."""
    style = site / "_static/styles/furo.css"
    text = style.read_text(encoding="utf-8")
    for name in re.findall(r"@import url\(/javascript/([^)]+)\);", text):
        text = text.replace(f"@import url(/javascript/{name});",
                            (KATEX.parent / name).read_text(encoding="utf-8"), 1)
    if "prefers-color-scheme" not in text:  # and does not follow the system's choice of dark or light
        dark = re.search(r'body\[data-theme="dark"\] \{([^}]*--color[^}]*)\}', text)[1]
        text += "@media not print { @media (prefers-color-scheme: dark) { body:not([data-theme=\"light\"]) {" + dark + "} } }\n"
    style.write_text(text, encoding="utf-8")
    script = site / "_static/scripts/furo.js"
    text = script.read_text(encoding="utf-8")
    for line, name in re.findall(r'^(import \w+ from "\./([\w.-]+)";)$', text, flags=re.M):
        text = text.replace(line, (script.parent / name).read_text(encoding="utf-8"))
    script.write_text(text, encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cli", type=Path, default=ROOT / "build/release/apps/stiction/stiction")
    parser.add_argument("--python", type=Path, default=ROOT / "build/release/python", help="folder of the package")
    parser.add_argument("--lab", type=Path, default=ROOT / "out", help="folder of stiction reproduce --all --quick")
    parser.add_argument("--work", type=Path, default=ROOT / "build/docs")
    arguments = parser.parse_args()
    for tool in ["sphinx-build", "doxygen"]:
        if not shutil.which(tool):
            fail(f"{tool} is not installed: scripts/setup.sh --docs installs it")
    if not arguments.cli.is_file():
        fail(f"{arguments.cli} is not there: make cli builds it")
    work = arguments.work.resolve()
    source, site = work / "source", work / "html"
    shutil.rmtree(source, ignore_errors=True)
    shutil.rmtree(site, ignore_errors=True)
    source.mkdir(parents=True)
    lab = arguments.lab.resolve() if list(arguments.lab.glob("*/*/result.json")) else None
    package = arguments.python.resolve() if (arguments.python / "stiction").is_dir() else None
    shutil.copytree(SITE / "static", source / "static")
    copy_katex(source)
    prepare_pages(source, lab)
    prepare_figures(source, lab)
    prepare_cli(source, arguments.cli)
    prepare_cpp(source, work)
    prepare_python(source, package)
    version = re.search(r'STICTION_VERSION "(.+)"', (ROOT / "include/stiction/version.h").read_text())[1]
    environment = {**os.environ, "STICTION_VERSION": version}
    if package:
        environment["STICTION_PYTHON"] = str(package)
    built = subprocess.run(["sphinx-build", "-q", "-b", "html", "-d", str(work / "doctrees"), str(source), str(site)],
                           env=environment, capture_output=True, text=True)
    warnings = [line for line in built.stderr.splitlines() if "reference/python" not in line and "docstring of" not in line]
    warnings = [line for line in warnings if "WARNING" in line or "ERROR" in line or "CRITICAL" in line]
    if built.returncode != 0 or warnings:
        fail("\n".join(warnings or built.stderr.splitlines()[-20:]))
    bundle_theme(site)
    if lab:
        for drawing in [*lab.glob("*/*/*.svg"), *lab.glob("*/*/*.png")]:
            target = site / "_images/lab" / drawing.relative_to(lab)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(drawing, target)
    print(f"docs: {site / 'index.html'}")


if __name__ == "__main__":
    main()
