#!/usr/bin/env python3
"""Held-out error of the models that `identify(drive="motion")` chooses on public recordings of robot joints.

usage: real_logs.py FOLDER [--remarks]

FOLDER is a copy of a repository with such logs, or any folder that contains their CSV files: those of
longshike/NNFM-A-Novel-Neural-Network-Modeling-Approach-for-Robot-Flexible-Joints-Friction (`Comparative data/`), with columns of
time, position, velocity, acceleration and friction torque, in this order. They carry no licence, so they stay where they are.
For each log: the error on the last 30 % of Coulomb + viscous + offset by least squares, as published here and as a hand-made LuGre
fit with gravity had reached, and of the chosen model. Exit code 1 if the chosen model is worse than the yardstick anywhere.
"""
import argparse
import csv
import pathlib
import sys
import time

import stiction

# File: Coulomb + viscous + offset, and a hand-made LuGre fit with gravity [N m]
TO_BEAT = {
    "case4_slow": (0.088, 0.040),
    "case4_middle": (0.130, 0.048),
    "case4_high": (0.168, 0.054),
    "case3_slow": (0.173, 0.113),
    "case3_middle": (0.214, 0.143),
    "case3_high": (0.396, 0.275),
}


def columns_of(path):
    """time, position, velocity and torque of a file; None if it is of another kind."""
    with open(path, newline="", encoding="utf-8", errors="replace") as file:
        rows = csv.reader(file)
        names = next(rows, [])
        if len(names) < 5 or names[0] != "time" or not names[1].startswith("q") or "tau" not in names[4]:
            return None
        table = [[float(cell or "nan") for cell in row[:5]] for row in rows if len(row) >= 5]
    t, position, velocity, _, torque = zip(*table)
    return {"name": path.name, "time": t, "position": position, "velocity": velocity, "torque": torque}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--remarks", action="store_true", help="print what was found in each log as well")
    arguments = parser.parse_args()
    logs = [(path, columns) for path in sorted(arguments.folder.rglob("*.csv")) if (columns := columns_of(path))]
    if not logs:
        sys.exit(f"{arguments.folder}: has no CSV file with columns of time, position, velocity, acceleration and torque")
    print(f"{'log':<36} {'constant':>9} {'C+v spec':>9} {'C+v':>9} {'LuGre spec':>11} {'chosen':>9} {'explained':>10} {'time':>7}  model")
    worse = []
    for path, columns in logs:
        start = time.monotonic()
        fit = stiction.identify(columns, drive="motion")
        seconds = time.monotonic() - start
        report = fit.motion
        spec = TO_BEAT.get(path.stem, (float("nan"), float("nan")))
        print(f"{path.stem:<36} {report['constant_error']:9.4f} {spec[0]:9.3f} {report['coulomb_viscous_error']:9.4f} {spec[1]:11.3f} "
              f"{report['held_out_error']:9.4f} {100 * fit.explained:9.1f}% {seconds:6.1f}s  {fit.name}{': ' + fit.refusal if fit.refusal else ''}")
        if arguments.remarks:
            for finding in report["findings"]:
                print(f"    {finding['name']}: {finding['text']}")
            print(f"    not determined: {', '.join(report['undetermined']) or 'nothing'}")
        if report["held_out_error"] > 1.0001 * report["coulomb_viscous_error"]:
            worse.append(path.stem)
    print(f"{len(logs) - len(worse)} of {len(logs)} logs: no worse than Coulomb + viscous + offset")
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main())
