# Written by python/make_stubs.py from the extension: do not edit.
"""Models from recordings."""

import os
from collections.abc import Callable, Sequence
from typing import Any

from stiction import results as _results

def identifiable() -> list[str]:
    """Names of the models that can be identified."""

def identify(recordings: Sequence[dict[str, Any]], sweeps: Sequence[dict[str, Any]], model: str = 'auto', drive: str = 'auto', mass: float | None = None, stribeck_exponent: float = 2.0, max_samples: int = 40000, held_out: bool = True, progress: Callable[[float], None] | None = None) -> list[_results.FitRow]:
    """All fits, the best first."""

def inspect_columns(table: dict[str, Any], name: str = 'log', columns: dict[str, str] = ..., units: dict[str, str] = ..., torque_constant: float | None = None) -> dict[str, Any]:
    """The same of arrays by name."""

def inspect_log(path: str | os.PathLike[str], columns: dict[str, str] = ..., units: dict[str, str] = ..., torque_constant: float | None = None) -> dict[str, Any]:
    """What is in a file, and which models it can support."""

def plan(torque: float, speed: float, travel: float, sample_rate: float = 1000.0, friction: float = 0.0, mass: float = 0.0, stiffness: float = 0.0) -> tuple[list[_results.PlannedRun], str]:
    """What to run on an axis with these limits (N, m/s, m, Hz) so that its log identifies the friction: (runs, instructions)."""

def read_columns(table: dict[str, Any], name: str = 'log', columns: dict[str, str] = ..., units: dict[str, str] = ..., torque_constant: float | None = None) -> tuple[list[_results.Recording], list[_results.Sweep], list[str]]:
    """The same of arrays by name."""

def read_log(path: str | os.PathLike[str], columns: dict[str, str] = ..., units: dict[str, str] = ..., torque_constant: float | None = None) -> tuple[list[_results.Recording], list[_results.Sweep], list[str]]:
    """(recordings, sweeps, notes) of a file of columns, or of a .mat file."""
