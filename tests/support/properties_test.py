"""Every test of a GoogleTest program keeps its files in the build folder, and labels are those that the Makefile knows.

    properties_test.py CTEST BUILD_FOLDER
"""

import json
import pathlib
import subprocess
import sys

LABELS = {"docs", "long", "python", "reliability", "slow", "threads", "torture", "unsanitized"}


def main(ctest, folder):
    listed = subprocess.run([ctest, "--test-dir", folder, "--show-only=json-v1"], check=True, capture_output=True, text=True)
    wrong = []
    for test in json.loads(listed.stdout)["tests"]:
        properties = {entry["name"]: entry["value"] for entry in test.get("properties", [])}
        unknown = set(properties.get("LABELS", [])) - LABELS
        if unknown:
            wrong.append(f"{test['name']}: unknown label {', '.join(sorted(unknown))}")
        in_program = any(part.startswith("--gtest_filter=") for part in test.get("command", []))
        if in_program and f"XDG_CACHE_HOME={folder}/cache" not in properties.get("ENVIRONMENT", []):
            wrong.append(f"{test['name']}: XDG_CACHE_HOME is not {folder}/cache")
    print("\n".join(wrong[:20] + [f"{len(wrong)} wrong"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], pathlib.Path(sys.argv[2]).resolve()))
