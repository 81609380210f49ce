#!/usr/bin/env python3
"""Runs the fuzz targets, several at a time, and prints one line for each: executions, seconds, coverage, finding.

An input that breaks a promise is kept in BUILD/findings/TARGET/; the exit code is then 1. What the fuzzers learn is kept
in BUILD/corpus/TARGET, so that the next run goes on from there. BUILD/summary.json has the same as was printed, and
BUILD/summary.md as a table.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
# What was freed goes back to the system, so that memory in use is what the target uses.
ASAN = "detect_leaks=1:allocator_may_return_null=0:quarantine_size_mb=64:allocator_release_to_os_interval_ms=500"
OPTIONS = {  # beyond the defaults below
    "identify": ["-timeout=600", "-max_len=128", "-len_control=0"],  # up to a minute of computing each
    "log_file": ["-max_len=20000"],
    "scalar_models": ["-max_len=512", "-len_control=0"],
    "c_api_scalar": ["-max_len=512", "-len_control=0"],
    "c_api_planar": ["-max_len=512", "-len_control=0"],
    "patch": ["-max_len=512", "-len_control=0"],
    "patch_models": ["-max_len=512", "-len_control=0"],
    "polygon": ["-max_len=256", "-len_control=0"],
    "static_friction": ["-max_len=1024", "-len_control=0"],
}


def run(target, build, seconds, runs):
    corpus = build / "corpus" / target
    findings = build / "findings" / target
    corpus.mkdir(parents=True, exist_ok=True)
    findings.mkdir(parents=True, exist_ok=True)
    folders = [corpus] + [f for f in (HERE / "corpus" / target, HERE / "regressions" / target) if f.is_dir()]
    command = [build / "fuzz" / target, f"-max_total_time={seconds}", "-timeout=120", "-rss_limit_mb=4096",
               "-malloc_limit_mb=512", "-max_len=4096",
               "-print_final_stats=1", "-verbosity=1", f"-artifact_prefix={findings}/"]
    if runs:
        command.append(f"-runs={runs}")
    dictionary = HERE / "dictionaries" / f"{target}.dict"
    if dictionary.exists():
        command.append(f"-dict={dictionary}")
    command += OPTIONS.get(target, []) + folders
    log = build / "logs" / f"{target}.txt"
    log.parent.mkdir(exist_ok=True)
    # One thread, also in the linear algebra below identification: other targets run at the same time.
    environment = os.environ | {"OMP_NUM_THREADS": "1", "ASAN_OPTIONS": ASAN,
                                "UBSAN_OPTIONS": "print_stacktrace=1"}
    start = time.monotonic()
    with open(log, "w") as out:
        # Files that inputs name are those of fuzz/files.
        code = subprocess.run([str(part) for part in command], stdout=out, stderr=subprocess.STDOUT, cwd=HERE / "files",
                              env=environment).returncode
    text = log.read_text(errors="replace")
    executions = [int(n) for n in re.findall(r"stat::number_of_executed_units: +(\d+)|^#(\d+)\t", text, re.M) for n in n if n]
    coverage = [int(n) for n in re.findall(r"cov: (\d+)", text)]
    result = {"target": target, "executions": max(executions, default=0), "seconds": round(time.monotonic() - start, 1),
              "coverage": max(coverage, default=0), "finding": ""}
    if code != 0:
        what = re.search(r"(does not hold: .*|runtime error: .*|ERROR: .*Sanitizer: .*|ERROR: libFuzzer: .*|terminate called.*)", text)
        files = sorted(findings.iterdir(), key=lambda f: f.stat().st_mtime)
        result["finding"] = (what.group(1) if what else f"exit code {code}") + (f" [{files[-1].name}]" if files else "")
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=HERE.parent / "build" / "fuzz")
    parser.add_argument("--time", type=int, default=20, help="seconds for each target (default %(default)s)")
    parser.add_argument("--runs", type=int, default=0, help="at most so many executions of each")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="targets at a time (default %(default)s)")
    parser.add_argument("targets", nargs="*", help="some of them; otherwise all")
    arguments = parser.parse_args()
    build = arguments.build.resolve()
    known = sorted(file.stem for file in (HERE / "targets").glob("*.cpp"))
    targets = arguments.targets or known
    for target in targets:
        if target not in known:
            parser.error(f"there is no target '{target}'; there are: {', '.join(known)}")
        if not (build / "fuzz" / target).exists():
            parser.error(f"'{target}' is not built: make fuzz, or cmake --build --preset fuzz")
    results = []
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for done in concurrent.futures.as_completed(
                [pool.submit(run, target, build, arguments.time, arguments.runs) for target in targets]):
            result = done.result()
            results.append(result)
            print("{target:16} {executions:>10} executions {seconds:>7} s  coverage {coverage:>6}  ".format(**result) +
                  (result["finding"] or "ok"), flush=True)
    results.sort(key=lambda result: result["target"])
    (build / "summary.json").write_text(json.dumps(results, indent=1) + "\n")
    table = ["| target | executions | time | coverage | findings |", "|---|---|---|---|---|"]
    table += ["| `{target}` | {executions} | {seconds:.0f} s | {coverage} | ".format(**result) +
              (result["finding"] or "none") + " |" for result in results]
    (build / "summary.md").write_text("\n".join(table) + "\n")
    found = [result["target"] for result in results if result["finding"]]
    print(f"{sum(result['executions'] for result in results)} executions of {len(results)} targets, "
          f"{len(found)} with a finding" + (f": {', '.join(found)}" if found else ""))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
