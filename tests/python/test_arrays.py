"""Do the extension and NumPy agree on what an array is? Asked at every import, and here with a NumPy that does not."""

import pathlib
import subprocess
import sys
import types

import numpy as np
import pytest

from stiction import _core, scalar
from stiction._arrays import check_arrays


def core(**changed):
    """The extension, with some of what the check asks it replaced."""
    names = ["probe_arrays", "read_probe", "__pybind11__"]
    return types.SimpleNamespace(**{name: changed.get(name, getattr(_core, name)) for name in names})


def test_arrays_are_whole():
    check_arrays(_core)
    made = _core.probe_arrays()
    assert [array.dtype for array in made] == [np.float64, np.float32, np.float64, np.float64, np.float64]
    for array in made:
        assert array.strides == (array.itemsize,) and array.tolist() == [0, 1, 2, 3, 4, 5]


@pytest.mark.parametrize("kind", [np.float64, np.float32])
@pytest.mark.parametrize("step", [1, 2, -1])
def test_arrays_are_read_as_they_lie(kind, step):
    numbers = np.arange(6).astype(kind)[::step]
    assert _core.read_probe(numbers, len(numbers)) == numbers.tolist()


@pytest.mark.parametrize("kind", ["int8", "uint32", "int64", ">f8", ">f4", "float16", "longdouble"])
def test_other_numbers_are_converted(kind):
    assert _core.read_probe(np.arange(4).astype(kind), 4) == [0, 1, 2, 3]


def test_what_is_no_number_is_refused():
    for wrong in [np.array(["a", "b"]), np.array([1j, 2]), np.array([None, 1]), np.zeros(2, "datetime64[s]")]:
        with pytest.raises(TypeError, match="must be"):
            _core.read_probe(wrong, 2)


def test_results_go_where_the_caller_says():
    model = scalar.Coulomb(coulomb_force=1)
    states = model.states(3)
    for kind in (np.float64, np.float32):
        room = np.full(6, 9, kind)
        model.step(states, np.array([1.0, -1.0, 2.0]), 1e-3, force_out=room[::2])
        assert room.tolist() == [1, 9, -1, 9, 1, 9]


def stride_zero():
    """As pybind11 before 2.12 makes them with NumPy 2."""
    return tuple(np.lib.stride_tricks.as_strided(np.array([5], kind), (6,), (0,)) for kind in (np.float64, np.float32))


@pytest.mark.parametrize("changed", [{"probe_arrays": stride_zero},
                                     {"probe_arrays": lambda: (np.zeros(6), np.zeros(6, np.float32))},
                                     {"read_probe": lambda numbers, n: [0.0] * n}])
def test_an_extension_that_does_not_fit_is_not_imported(changed):
    with pytest.raises(ImportError, match=r"pybind11 2\.12 or newer, or install numpy<2") as error:
        check_arrays(core(**changed))
    assert "\n" not in str(error.value) and np.__version__ in str(error.value)


def test_the_package_asks_before_anything_else():
    code = """
import importlib.util, pathlib, sys
package = pathlib.Path(sys.argv[1])
spec = importlib.util.spec_from_file_location("stiction._core", next(package.glob("_core*.so")))
core = importlib.util.module_from_spec(spec)
sys.modules["stiction._core"] = core
spec.loader.exec_module(core)
core.read_probe = lambda numbers, n: [0.0] * n
try:
    import stiction
except ImportError as error:
    print(error)
"""
    package = pathlib.Path(_core.__file__).parent
    said = subprocess.run([sys.executable, "-B", "-c", code, package], capture_output=True, text=True, check=True).stdout
    assert said.startswith("stiction was built with pybind11") and said.count("\n") == 1
