#!/usr/bin/env python3
"""Seconds that a build took to compile and link, for each CMake target, and the files that took longest.

    scripts/compile_times.py [BUILD] [--files N] [--budget SECONDS]

From the .ninja_log of BUILD (build/release): of every file the last time it was made, by the clock, so that two files
compiled at once for a second count two. With --budget it fails if the sum exceeds the budget by more than a third. What
comes from the compiler's cache takes next to nothing: the check says something of a cold build on a quiet machine.
"""
import argparse
import pathlib
import re
import sys
from collections import defaultdict


def seconds_of_files(build):
    """{file: seconds} of all files that are still there; what one command makes together counts once."""
    log = build / ".ninja_log"
    try:
        lines = log.read_text().splitlines()
    except OSError as error:
        sys.exit(f"compile_times: {log}: {error.strerror}")
    if not lines or not lines[0].startswith("# ninja log v"):
        sys.exit(f"compile_times: {log} is no log of ninja")
    runs = {}  # file: (start, end, hash of the command)
    for line in lines[1:]:
        start, end, _, file, command = line.split("\t")
        runs[file] = (int(start), int(end), command)
    return {
        file: (end - start) / 1000
        for (start, end, command), file in {run: file for file, run in runs.items()}.items()
        if (build / file).exists()
    }


def target_of(file):
    """CMakeFiles/NAME.dir/… is compiled for the target NAME; what else is made counts as a link."""
    found = re.search(r"CMakeFiles/([^/]+)\.dir/", file)
    return found[1] if found else "(links and the rest)"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", nargs="?", type=pathlib.Path, default=pathlib.Path("build/release"))
    parser.add_argument("--files", type=int, default=15, help="how many of the slowest files to print")
    parser.add_argument("--budget", type=float, help="seconds; fails beyond four thirds of it")
    arguments = parser.parse_args()

    files = seconds_of_files(arguments.build)
    targets = defaultdict(list)
    for file, seconds in files.items():
        targets[target_of(file)].append(seconds)
    print("seconds  files  target")
    for target, times in sorted(targets.items(), key=lambda item: -sum(item[1])):
        print(f"{sum(times):7.1f}  {len(times):5}  {target}")
    total = sum(files.values())
    print(f"{total:7.1f}  {len(files):5}  altogether")
    print("\nslowest files")
    for file, seconds in sorted(files.items(), key=lambda item: -item[1])[: arguments.files]:
        print(f"{seconds:7.1f}  {file}")

    if arguments.budget and total > arguments.budget * 4 / 3:
        sys.exit(f"compile_times: {total:.0f} s, more than a third above the budget of {arguments.budget:.0f} s")


if __name__ == "__main__":
    main()
