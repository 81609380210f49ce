"""The package is typed: stubs are as the extension is, and type checkers accept them."""

import ast
import subprocess
import sys

import pytest
from conftest import SOURCE

PACKAGE = SOURCE / "python/stiction"


def test_stubs_are_up_to_date():
    done = subprocess.run([sys.executable, "-B", str(SOURCE / "python/make_stubs.py"), "--check"], capture_output=True,
                          text=True)
    assert done.returncode == 0, done.stderr


def test_stubs_can_be_read():
    stubs = sorted((PACKAGE / "_core").glob("*.pyi"))
    assert len(stubs) >= 9 and (PACKAGE / "py.typed").exists()
    for path in stubs:
        ast.parse(path.read_text(encoding="utf-8"))


def test_a_type_checker_accepts_the_package():
    pytest.importorskip("mypy", reason="mypy is not installed")
    done = subprocess.run([sys.executable, "-m", "mypy", "--ignore-missing-imports", "--cache-dir", "/dev/null", str(PACKAGE)],
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_everything_public_is_documented():
    import stiction

    for module in (stiction.scalar, stiction.planar, stiction.spatial, stiction.control, stiction.geometry, stiction.sim):
        assert module.__doc__
        for name in module.__all__:
            assert getattr(module, name).__doc__, f"{module.__name__}.{name}"
