# Written by python/make_stubs.py from the extension: do not edit.
"""Models from recordings."""

from collections.abc import Callable, Iterator
from typing import Any, Optional, overload

import numpy as np
from numpy.typing import ArrayLike

from . import planar, scalar

def identifiable() -> list[str]:
    """Names of the models that can be identified."""

def identify(recordings: list[dict], sweeps: list[dict], model: str = 'auto', mass: Optional[float] = None, stribeck_exponent: float = 2.0, max_samples: int = 40000, held_out: bool = True, progress: Optional[Callable[[float], None]] = None) -> list:
    """All fits, the best first."""

def plan(torque: float, speed: float, travel: float, sample_rate: float = 1000.0, friction: float = 0.0, mass: float = 0.0, stiffness: float = 0.0) -> tuple:
    """What to run on an axis with these limits (N, m/s, m, Hz) so that its log identifies the friction: (runs, instructions)."""

def read_log(path: str, columns: dict[str, str] = {}, units: dict[str, str] = {}) -> tuple:
    """(recordings, sweeps, notes) of a CSV file."""
