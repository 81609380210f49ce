"""The examples in Python print what those in C++ print, to the last digit shown."""

import os
import pathlib
import subprocess
import sys

import pytest
from conftest import SOURCE

SCRIPTS = sorted(SOURCE.glob("examples/0*.py"))


def run(command):
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, f"{command}: exit code {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stdout


def test_there_is_a_script_for_each_program():
    programs = {path.stem for path in SOURCE.glob("examples/0*.cpp")}
    assert {path.stem for path in SCRIPTS} == programs and len(SCRIPTS) >= 8


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_same_output(script):
    said = run([sys.executable, "-B", str(script)])
    assert said
    program = pathlib.Path(os.environ.get("STICTION_EXAMPLES", "")) / f"example_{script.stem}"
    if program.exists():
        assert said == run([str(program)])
