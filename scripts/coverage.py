#!/usr/bin/env python3
"""Writes docs/coverage.md: each figure, table, equation, experiment, design rule and statement of the papers, where it is
reproduced or tested, and what came of it. The list is lab/coverage/*.toml; the verdicts come from the claims.

  coverage.py OUT --write FILE    the page, from the results of `stiction reproduce --all --quick` in OUT
  coverage.py --check [OUT]       is the list complete and true, and docs/coverage.md made from it? With OUT also: are
                                  claims and pictures there, and the verdicts those of the results?
  coverage.py --check OUT --current
                                  the same, but ends with 77 where OUT is older than the sources or lacks an experiment

An entry of the list:

  at            number or place in the paper; '4-6' stands for several numbers
  title         what it is, in words of our own
  experiments   ids of the lab
  claims        parts of the names of those claims that are about this entry, with '…' for anything in between; without
                it, all claims of the experiments
  pictures      files that the experiments draw
  tests         Suite.Name of unit tests that check it
  files         other files worth a look
  reason        why it cannot be reproduced
"""
import argparse
import collections
import json
import re
import sys
import tomllib
from dataclasses import dataclass, field
from pathlib import Path

from results import cell, table

ROOT = Path(__file__).resolve().parents[1]
PAGE = Path("docs/coverage.md")

# Kind of entry: heading, and how one is named in the table.
KINDS = {"figure": ("Figures", "Fig."), "table": ("Tables", "Table"), "equation": ("Equations", "eq."),
         "experiment": ("Experiments", ""), "rule": ("Design rules", ""), "statement": ("Statements", "")}
TEXTS = ("at", "title", "reason")
LISTS = ("experiments", "claims", "pictures", "tests", "files")
OUTCOMES = ("reproduced", "confirmed", "met", "info", "refuted", "not as expected")  # as lab/tally.h names them
STATUSES = ("reproduced", "confirmed", "met", "tested", "partly refuted", "refuted", "not as expected", "for information",
            "not reproducible")
UNKNOWN = "…"  # the verdict of an experiment where there are no results


@dataclass
class Project:
    """What an entry may name."""
    root: Path
    sources: dict = field(default_factory=dict)  # of experiments, by id
    tests: dict = field(default_factory=dict)    # files of GoogleTest's tests, by Suite.Name

    @staticmethod
    def read(root=ROOT):
        project = Project(root)
        lab = {file: file.read_text(encoding="utf-8") for file in sorted(root.glob("lab/*/*.cpp"))}
        homes = {name: file for file, text in lab.items() for name in re.findall(r"^namespace stiction::lab::(\w+) \{", text, re.M)
                 if re.search(r"^Result \w+\(const Context& ", text, re.M)}
        registry = (root / "lab/registry.cpp").read_text(encoding="utf-8")
        for name, space in re.findall(r'\{"([a-z]+/[a-z0-9-]+)",.*?(\w+)::\w+[,}]', registry, re.S):
            project.sources[name] = homes[space].relative_to(root).as_posix() if space in homes else None
        for file in sorted(root.glob("tests/**/*.cpp")):
            for suite, name in re.findall(r"^(?:TEST(?:_F|_P)?|TYPED_TEST|RC_GTEST_PROP|RC_GTEST_FIXTURE_PROP)\(\s*(\w+),\s*(\w+)",
                                          file.read_text(encoding="utf-8"), re.M):
                project.tests.setdefault(f"{suite}.{name}", file.relative_to(root).as_posix())
        return project


def read_list(folder):
    """The documents in their order, and the experiments beyond them with the reason for each."""
    files = []
    for file in sorted(folder.glob("*.toml")):
        try:
            files.append(tomllib.loads(file.read_text(encoding="utf-8")))
        except tomllib.TOMLDecodeError as error:
            raise SystemExit(f"{file}: {error}") from None
    beyond = {entry["experiment"]: entry["why"] for file in files for entry in file.get("beyond", [])}
    return sorted((file for file in files if "title" in file), key=lambda file: file["order"]), beyond


def read_results(out):
    return {result["id"]: result for result in (json.loads(file.read_text(encoding="utf-8"))
                                                for file in sorted(out.glob("*/*/result.json")))}


def is_named(claim, parts):
    """Has the claim's name one of the parts? '…' in a part stands for anything in between."""
    return any(re.search(".*".join(map(re.escape, part.split("…"))), claim["name"]) for part in parts)


def claims_of(entry, results):
    """Those that the entry names, else all of its experiments."""
    claims = [claim for name in entry.get("experiments", []) for claim in results[name]["claims"]]
    return [claim for claim in claims if "claims" not in entry or is_named(claim, entry["claims"])]


def entries(document):
    return [(kind, entry) for kind in KINDS for entry in document.get(kind, [])]


def label(kind, entry):
    at = entry.get("at", "?")
    name = KINDS[kind][1] if at[:1].isdigit() else ""
    if name == "eq." and re.search(r"[-,]", at):
        name = "eqs."
    return re.sub(r"(?<=\d)-(?=\d)", "–", f"{name} {at}".strip())


# Is the list true? -----------------------------------------------------------------------------------------------------

def wrong_fields(entry):
    found = [f"has the unknown field '{name}'" for name in entry if name not in TEXTS + LISTS]
    found += [f"'{name}' is not a text" for name in TEXTS if name in entry and not (isinstance(entry[name], str) and entry[name].strip())]
    found += [f"'{name}' is not a list of texts" for name in LISTS if name in entry
              and not (isinstance(entry[name], list) and entry[name] and all(isinstance(text, str) and text for text in entry[name]))]
    return found + [f"has no '{name}'" for name in ("at", "title") if name not in entry]


def wrong_names(entry, project):
    found = []
    if not any(name in entry for name in ("experiments", "tests", "reason")):
        found.append("has neither an experiment nor a test nor a reason")
    for name in entry.get("experiments", []):
        if name not in project.sources:
            found.append(f"names the experiment {name}, which is not registered")
        elif project.sources[name] is None:
            found.append(f"names the experiment {name}, whose source file was not found")
    found += [f"names the test {name}, which does not exist" for name in entry.get("tests", []) if name not in project.tests]
    found += [f"names the file {name}, which does not exist" for name in entry.get("files", []) if not (project.root / name).is_file()]
    found += [f"has '{name}' without an experiment" for name in ("claims", "pictures") if name in entry and "experiments" not in entry]
    found += [f"shows {picture}, which is of none of its experiments" for picture in entry.get("pictures", [])
              if "experiments" in entry and picture.rpartition("/")[0] not in entry["experiments"]]
    return found


def wrong_results(entry, results):
    found = []
    known = [results[name] for name in entry.get("experiments", []) if name in results]
    found += [f"names the experiment {name}, of which there is no result" for name in entry.get("experiments", []) if name not in results]
    claims = [claim for result in known for claim in result["claims"]]
    found += [f"names the claim '{part}', which none of its experiments makes" for part in entry.get("claims", [])
              if not any(is_named(claim, [part]) for claim in claims)]
    found += [f"names {result['id']}, of which it means no claim" for result in known if "claims" in entry
              and not any(is_named(claim, entry["claims"]) for claim in result["claims"])]
    pictures = {f"{result['id']}/{figure['file']}" for result in known for figure in result["figures"]}
    found += [f"shows {picture}, which is not drawn" for picture in entry.get("pictures", []) if picture not in pictures]
    return found


def numbers_of(at):
    """The numbers that an entry stands for: '3' is 3, '4-6' is 4, 5 and 6."""
    found = set()
    for part in at.split(","):
        ends = re.fullmatch(r"\s*(\d+)(?:-(\d+))?\s*", part)
        if not ends:
            return None
        found |= set(range(int(ends[1]), int(ends[2] or ends[1]) + 1))
    return found


def wrong_numbers(document):
    """Each numbered figure, table and equation has an entry, and one only."""
    found = []
    for kind, last in document.get("numbered", {}).items():
        seen = collections.Counter()
        for entry in document.get(kind, []):
            numbers = numbers_of(entry.get("at", ""))
            if numbers is None:
                found.append(f"{label(kind, entry)}: '{entry.get('at')}' is not a number")
            seen.update(numbers or [])
        found += [f"{KINDS[kind][1]} {n} has no entry" for n in range(1, last + 1) if not seen[n]]
        found += [f"{KINDS[kind][1]} {n} has {count} entries" for n, count in sorted(seen.items()) if count > 1]
        found += [f"{KINDS[kind][1]} {n} is not in the document, which has {last}" for n in sorted(seen) if not 1 <= n <= last]
    return found


def unlisted_claims(documents, results):
    """Claims on what a paper prints or draws that no entry is about: something is missing in the list."""
    listed = {id(claim) for document in documents for _, entry in entries(document)
              if all(name in results for name in entry.get("experiments", [])) for claim in claims_of(entry, results)}
    return [f"{name}: no entry is about the claim '{claim['name']}' ({claim['evidence']}: {claim['source']})"
            for name, result in results.items() for claim in result["claims"]
            if claim["evidence"] in ("printed", "figure") and id(claim) not in listed]


def problems(documents, beyond, project, results=None):
    found = []
    for document in documents:
        name = document["title"]
        found += [f"{name}: {kind}: there is no such kind of entry" for kind, value in document.items()
                  if isinstance(value, list) and kind not in (*KINDS, "beyond")]
        found += [f"{name}: {text}" for text in wrong_numbers(document)]
        for kind, entry in entries(document):
            wrong = wrong_fields(entry) or wrong_names(entry, project) + (wrong_results(entry, results) if results is not None else [])
            found += [f"{name}, {label(kind, entry)} ({entry.get('title', '?')}): {text}" for text in wrong]
    found += unlisted_claims(documents, {name: result for name, result in results.items() if name not in beyond}) if results else []
    named = {name for document in documents for _, entry in entries(document) for name in entry.get("experiments", [])}
    found += [f"{name}: no entry names this experiment, and it is not listed as beyond the papers"
              for name in sorted(set(project.sources) - named - set(beyond))]
    found += [f"{name}: listed as beyond the papers, but " + ("an entry names it" if name in named else "not registered")
              for name in sorted(beyond) if name in named or name not in project.sources]
    return found


# Verdicts --------------------------------------------------------------------------------------------------------------

def verdict(entry, results):
    if "experiments" in entry and results is None:
        return UNKNOWN
    parts = [f"not reproducible: {cell(entry['reason'])}"] if "reason" in entry else []
    claims = claims_of(entry, results) if "experiments" in entry else []
    count = collections.Counter(claim["outcome"] for claim in claims)
    words = [f"{count[name]} {'for information' if name == 'info' else name}" for name in OUTCOMES if count[name]]
    parts += [", ".join(words)] if words else []
    parts += ["tested"] if "tests" in entry else []
    parts += [f"**{claim['outcome']}**: {cell(claim['name'])}" + (f": {cell(claim['reason'])}" if claim["reason"] else "")
              for claim in claims if claim["outcome"] in ("refuted", "not as expected")]
    return "; ".join(parts)


def status(entry, results):
    """The one word under which an entry is counted: what is against the paper first, then the strongest evidence."""
    outcomes = {claim["outcome"] for claim in claims_of(entry, results)} if "experiments" in entry else set()
    holds = [name for name in ("reproduced", "confirmed", "met") if name in outcomes]
    if "not as expected" in outcomes:
        return "not as expected"
    if "refuted" in outcomes:
        return "partly refuted" if holds else "refuted"
    if "reason" in entry and holds[:1] != ["reproduced"]:
        return "not reproducible"
    return holds[0] if holds else "tested" if "tests" in entry else "for information"


# The page --------------------------------------------------------------------------------------------------------------

def where(entry, project):
    links = [f"[`{name}`](../{project.sources[name]})" for name in entry.get("experiments", [])]
    links += [f"[`{name}`](../{project.tests[name]})" for name in entry.get("tests", [])]
    links += [f"[`{name}`](../{name})" for name in entry.get("files", [])]
    return "<br>".join(links)


def summary(documents, results):
    counts = [collections.Counter(status(entry, results) for _, entry in entries(document)) for document in documents]
    used = [name for name in STATUSES if any(count[name] for count in counts)]
    rows = [[cell(document["title"]), str(count.total()), *(str(count[name]) for name in used)]
            for document, count in zip(documents, counts)]
    total = sum(counts, collections.Counter())
    return table(["document", "entries", *used], [*rows, ["all", str(total.total()), *(str(total[name]) for name in used)]])


def body(documents, beyond, project, results):
    text = ""
    for document in documents:
        text += f"\n## {document['title']}\n\n{document['source']}\n"
        for kind, (heading, _) in KINDS.items():
            rows = [[label(kind, entry), cell(entry["title"]), where(entry, project), verdict(entry, results),
                     "<br>".join(f"`{picture}`" for picture in entry.get("pictures", []))]
                    for entry in document.get(kind, [])]
            if rows:
                text += f"\n### {heading}\n\n" + table(["", "what", "where", "verdict", "pictures"], rows)
    text += "\n## Experiments beyond the four documents\n\n"
    return text + table(["where", "why"], [[f"[`{name}`](../{project.sources[name]})", cell(why)] for name, why in sorted(beyond.items())])


def page(documents, beyond, project, results):
    return (
        "# Coverage\n\n"
        "What each figure, table, equation, experiment, design rule and statement of the four documents became. The list is "
        "`lab/coverage/`; `scripts/coverage.py` takes the verdicts from the claims of the experiments, as "
        "`stiction reproduce --all --quick` writes them, and a test fails where an entry has neither an experiment nor a test "
        "nor a reason.\n\n"
        "A claim is *reproduced* if it agrees with what the paper prints, draws or ships, *confirmed* if it agrees with another "
        "program or with theory, *met* if it is a goal of this project, *refuted* if the paper's statement was computed and does "
        "not hold. Times depend on the machine and are *for information*. *Tested* are equations and rules that a unit test "
        "checks. Pictures are files below the output folder of `stiction reproduce`; the report shows them with all numbers. "
        "An entry is counted once: as refuted, or partly so, if any of its claims is, else by its strongest evidence.\n\n"
        + summary(documents, results) + body(documents, beyond, project, results))


def masked(text):
    """The body of a page without what depends on results."""
    text = text[text.find("\n## "):]
    hide = re.compile(r"^((?:\| (?:\\\||[^|])*){3}\| )(?:\\\||[^|])*( \|.*)$")
    return "\n".join(hide.sub(rf"\g<1>{UNKNOWN}\g<2>", line) if "](../lab/" in line else line for line in text.splitlines())


def stale(documents, beyond, project, results):
    """What is wrong with docs/coverage.md."""
    file = project.root / PAGE
    text = file.read_text(encoding="utf-8") if file.is_file() else ""
    if results is not None:
        same = text == page(documents, beyond, project, results)
    else:
        same = masked(text) == masked(body(documents, beyond, project, None))
    made_from = "the list gives" if results is None else "the list and the results give"
    return [] if same else [f"{PAGE} is not what {made_from}: scripts/coverage.py OUT --write {PAGE}"]


def is_current(out, project):
    """Are there results of every experiment, newer than all of the lab?"""
    files = [out / name / "result.json" for name in project.sources]
    if not all(file.is_file() for file in files):
        return False
    newest = max(file.stat().st_mtime for folder in ("lab", "src", "include") for file in (project.root / folder).rglob("*.[hc]*"))
    return min(file.stat().st_mtime for file in files) >= newest


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", nargs="?", type=Path)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--current", action="store_true")
    parser.add_argument("--write", type=Path)
    arguments = parser.parse_args()
    project = Project.read()
    documents, beyond = read_list(ROOT / "lab/coverage")
    if arguments.current and not is_current(arguments.out, project):
        print(f"{arguments.out} has not the results of every experiment, newer than lab/: make demo")
        return 77
    results = read_results(arguments.out) if arguments.out else None
    found = problems(documents, beyond, project, results)
    if arguments.check and not found:
        found = stale(documents, beyond, project, results)
    if found:
        print("\n".join(found), file=sys.stderr)
        return 1
    if not arguments.check:
        if results is None:
            parser.error("OUT is missing")
        text = page(documents, beyond, project, results)
        if arguments.write:
            arguments.write.write_text(text, encoding="utf-8")
        else:
            print(text, end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
