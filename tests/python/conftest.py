"""What all tests of the package share."""

import os
import pathlib
import subprocess

import pytest

SOURCE = pathlib.Path(os.environ.get("STICTION_SOURCE", pathlib.Path(__file__).parents[2]))


@pytest.fixture(scope="session")
def source():
    """The folder of the repository."""
    return SOURCE


@pytest.fixture(scope="session")
def reference():
    """Numbers that the C++ helper computed, by their keys."""
    if "STICTION_REFERENCE" not in os.environ:
        pytest.skip("STICTION_REFERENCE does not name the C++ helper")
    lines = subprocess.run([os.environ["STICTION_REFERENCE"]], check=True, capture_output=True, text=True).stdout
    numbers = {}
    for line in lines.splitlines():
        words = line.split()
        first = next((i for i, word in enumerate(words) if "0x" in word or word in ("nan", "-nan", "inf", "-inf")),
                     len(words))
        numbers[" ".join(words[:first])] = [float.fromhex(word) for word in words[first:]]
    return numbers
