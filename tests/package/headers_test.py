"""Each of some headers compiles alone, and so in any order.

    headers_test.py FOLDER COMPILER [OPTION…] -- HEADER…       headers as below FOLDER
"""
import concurrent.futures
import os
import subprocess
import sys

WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Werror"]


def complaint(command, header):
    """What the compiler says, or nothing."""
    run = subprocess.run(command, input=f'#include "{header}"\n', capture_output=True, text=True)
    return run.stderr or (f"exit status {run.returncode}" if run.returncode else "")


def main():
    end = sys.argv.index("--")
    folder, compiler, *options = sys.argv[1:end]
    headers = sys.argv[end + 1 :]
    if not headers:
        sys.exit("headers_test: no headers")
    command = [compiler, "-std=c++20", "-fsyntax-only", *WARNINGS, *options, f"-I{folder}", "-x", "c++", "-"]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = list(pool.map(lambda header: complaint(command, header), headers))
    for header, text in zip(headers, found):
        if text:
            print(f"{header} does not compile alone:\n{text}")
    sys.exit(any(found))


if __name__ == "__main__":
    main()
