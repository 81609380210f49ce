"""The check at import that the extension and this NumPy agree on what an array is."""

from __future__ import annotations

from typing import Any

import numpy as np


def check_arrays(core: Any) -> None:
    """ImportError where they do not: pybind11 before 2.12 does not know NumPy 2, and makes arrays that have all their
    elements in one place."""
    expected = np.arange(6.0)
    try:
        good = all(array.strides == (array.itemsize,) and np.array_equal(array, expected) for array in core.probe_arrays())
        good = good and all(core.read_probe(expected.astype(kind)[::2], 3) == [0, 2, 4] for kind in (np.float64, np.float32))
    except (TypeError, ValueError):
        good = False
    if not good:
        raise ImportError(f"stiction was built with pybind11 {core.__pybind11__}, whose arrays NumPy {np.__version__} does not "
                          "understand: build it again with pybind11 2.12 or newer, or install numpy<2")
