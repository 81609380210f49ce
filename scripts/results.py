#!/usr/bin/env python3
"""Writes docs/results.md from the files of `stiction reproduce`, `stiction bench` and `stiction haptic`; nothing in it is
typed. `make results` computes them all.

  results.py OUT [--bench FILE] [--haptic NAME=FILE]... [--write FILE]
"""
import argparse
import json
import math
import os
from pathlib import Path

CHAPTERS = {"scalar": "Friction of one axis", "control": "Compensation and identification",
            "planar": "Contact patches", "spatial": "Cones and static friction", "haptics": "Static friction in the hand"}


# Experiments whose first number is not their point: the claim that is shown instead.
SHOWN = {
    "scalar/stiction-gate": "SDIRK2: judged cells that move more than 1e-12 m though the true body is still",
    "control/table1": "LuGre compensation: rms over that without friction, worst of 24 disturbances",
    "control/identification": "logs A, B, C: error of sigma0",
}


def number(value, digits=6):
    if value is None or not math.isfinite(value):
        return "–"
    text = f"{value:.{digits}g}"
    return f"{float(text):.0f}" if "e+" in text and abs(value) < 1e9 else text


def cell(text):
    """A text that ends no cell and starts no markup."""
    return str(text).replace("|", "\\|").replace("\n", " ").replace("<", "&lt;").replace("*", "\\*").replace("_", "\\_")


def table(heads, rows):
    lines = ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows]) + "\n"


def unit(claim):
    return "" if claim["unit"] in ("", "-") else " " + claim["unit"]


OUTCOMES = ["reproduced", "confirmed", "met", "refuted", "not as expected", "info"]


def headline(result):
    """The claim that shows most: the first that gives a number with a tolerance, else the first that is judged."""
    if result["id"] in SHOWN:
        return next(claim for claim in result["claims"] if claim["name"] == SHOWN[result["id"]])
    judged = [claim for claim in result["claims"] if claim["expect"] == "reproduced"]
    exact = [claim for claim in judged if claim["relation"] == "within" and claim["published"]]
    return (exact or judged or [None])[0]


def experiments(out):
    results = [json.loads(file.read_text()) for file in sorted(out.glob("*/*/result.json"))]
    order = list(CHAPTERS)
    return sorted(results, key=lambda r: (order.index(r["id"].split("/")[0]), r["id"]))


def reproduced(results):
    text = "## What was reproduced\n\n"
    rows = []
    for group, title in CHAPTERS.items():
        claims = [claim for result in results if result["id"].startswith(group + "/") for claim in result["claims"]]
        count = {outcome: sum(claim["outcome"] == outcome for claim in claims) for outcome in OUTCOMES}
        rows.append([title, str(sum(result["id"].startswith(group + "/") for result in results)),
                     *map(str, count.values())])
    rows.append(["all", *(str(sum(int(row[i]) for row in rows)) for i in range(1, len(OUTCOMES) + 2))])
    text += table(["part", "experiments", *OUTCOMES[:-1], "for information"], rows)
    text += ("\nClaims, by what they rest on: *reproduced* is what a paper prints, draws or ships, *confirmed* what agrees with another "
             "program or with theory, *met* a goal of this project. [Coverage](coverage.md) has every figure, table and statement.\n")
    text += "\n## Published statements that are refuted, and why\n\n"
    text += table(["statement", "where", "published", "computed", "why"],
                  [[cell(c["name"]), cell(c["source"]), ("" if c["relation"] == "within" else c["relation"] + " ")
                    + number(c["published"], 4) + unit(c), number(c["measured"], 4) + unit(c), cell(c["reason"])]
                   for r in results for c in r["claims"] if c["outcome"] == "refuted"])
    text += "\n## One number of each experiment\n\nThe report has all of them, with their tolerances.\n"
    for group, title in CHAPTERS.items():
        rows = []
        for result in results:
            claim = headline(result)
            if result["id"].startswith(group + "/") and claim:
                limit = "" if claim["relation"] == "within" else claim["relation"] + " "
                rows.append([f"`{result['id']}`", cell(claim["name"]), limit + number(claim["published"]) + unit(claim),
                             number(claim["measured"]) + unit(claim), str(len(result["claims"]))])
        text += f"\n### {title}\n\n" + table(["experiment", "quantity", "published or independent", "Stiction", "claims"],
                                            rows)
    return text


def speed(rows):
    text = "\n## Speed\n\nRatio: time of the baseline over ours, medians of rounds in turn in the same process, with the "
    text += "same flags; both give the same answer to the deviation shown. `stiction bench`.\n\n"
    text += f"Measured on {os.cpu_count()} cores with a load of {os.getloadavg()[1]:.0f} by all programs; a load above the " \
            "number of cores makes times longer and ratios rougher.\n\n"
    text += table(["what", "baseline", "ratio", "ns", "deviation"],
                  [[cell(r["what"]), cell(r["baseline"]), number(r["ratio_median"], 3), number(r["ns_median"], 4),
                    number(r["deviation"], 2)] for r in rows if "ratio_median" in r and "ns_median" in r])
    models = [r for r in rows if "model" in r]
    if models:
        text += "\nOne call of each model in nanoseconds, with its longest 0.1 %:\n\n"
        text += table(["model", "step", "99.9 %", "solve", "99.9 %"],
                      [[f"`{r['model']}`", *(number(r[call][key], 3) for call in ("step", "solve")
                                             for key in ("ns_median", "ns_99.9"))] for r in models])
    contacts = [r for r in rows if "us_median" in r]
    if contacts:
        text += "\nStatic friction of many contacts, median in microseconds. Rows with a ratio are baselines: their time " \
                "over ours for the same cones.\n\n"
        text += table(["what", "contacts", "sides of the cone", "median", "ratio"],
                      [[cell(r["what"]), str(r["contacts"]), str(r["sides"]) if r.get("sides") else "exact",
                        number(r["us_median"], 3),
                        number(r["ratio_median"], 3) if "ratio_median" in r else ""] for r in contacts])
    return text


def cycles(scenes):
    text = "\n## Haptic cycles\n\nA minute of motion of each scene, 60 000 cycles of 1 ms on one core, in microseconds for "
    text += "the whole cycle. `stiction haptic NAME --repeat 3`.\n\n"
    rows = []
    for name, file in scenes:
        s = json.loads(Path(file).read_text())
        cycle, best = s["cycle_us"], s["cycle_us_best_of_runs"]
        rows.append([name, f"{s['contacts']['median']:.0f}, {s['contacts']['largest']:.0f}", number(cycle["median"], 3),
                     number(cycle["rare"], 3), number(cycle["largest"], 3), number(best["largest"], 3),
                     str(s["overruns"]["own"])])
    return text + table(["scene", "contacts, median and largest", "median", "99.9 %", "worst",
                         "worst cycle, best of three runs", "over 1 ms by their own work"], rows)


def page(out, bench=None, haptic=()):
    results = experiments(out)
    if not results:
        raise SystemExit(f"{out}: no result.json below it: run stiction reproduce --all first")
    text = "# Results\n\n"
    text += f"Stiction {results[0]['version']}. `make results` computes and writes this page; nothing in it is typed.\n\n"
    text += reproduced(results)
    if bench:
        text += speed(json.loads(Path(bench).read_text()))
    if haptic:
        text += cycles(haptic)
    return text


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--bench")
    parser.add_argument("--haptic", action="append", default=[], type=lambda pair: pair.split("=", 1))
    parser.add_argument("--write", type=Path)
    arguments = parser.parse_args()
    text = page(arguments.out, arguments.bench, arguments.haptic)
    if arguments.write:
        arguments.write.write_text(text, encoding="utf-8")
    else:
        print(text, end="")


if __name__ == "__main__":
    main()
