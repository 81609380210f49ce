"""Simulation: scenarios from files, text or dictionaries, and a body with friction on a line. SI units.

>>> from stiction import scalar, sim
>>> run = sim.body(scalar.Coulomb(coulomb_force=1.0), mass=2.0, duration=1.0, force=3.0)
>>> print(f"{run['velocity'][-1]:.3f} m/s")  # (3 - 1)/2 * 1
1.000 m/s
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import numpy as np

from ._core.sim import (
    MovingArm,
    PlanarSteps,
    SampledBody,
    TwoLinkArm,
    advise,
    body,
    drive,
    methods,
    run_file,
    run_text,
    two_bodies,
)
from .results import Columns

__all__ = [
    "Columns",
    "MovingArm",
    "PlanarSteps",
    "SampledBody",
    "TwoLinkArm",
    "advise",
    "body",
    "drive",
    "methods",
    "run_text",
    "simulate",
    "to_toml",
    "two_bodies",
]


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        escaped = value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
        return f'"{escaped}"'
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    if isinstance(value, (float, np.floating)):
        return repr(float(value))
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key} = {_value(item)}" for key, item in value.items()) + "}"
    if isinstance(value, (list, tuple, np.ndarray)):
        return "[" + ", ".join(_value(item) for item in value) + "]"
    raise TypeError(f"a scenario cannot hold {value!r}")


def to_toml(scenario: Mapping[str, Any]) -> str:
    """A dictionary of tables as TOML text. A scalar model may stand as ``model``."""
    lines, tables = [], []
    for key, value in scenario.items():
        if hasattr(value, "to_toml"):
            tables.append(value.to_toml())
        elif isinstance(value, Mapping):
            tables.append(f"[{key}]\n" + "".join(f"{name} = {_value(item)}\n" for name, item in value.items()))
        else:
            lines.append(f"{key} = {_value(value)}\n")
    return "".join(lines) + "\n".join(tables)


def simulate(scenario: str | os.PathLike[str] | Mapping[str, Any], folder: str | os.PathLike[str] = ".") -> Columns:
    """Runs a scenario and returns its columns as named arrays (SI units), with how it went: see `Columns`.

    `scenario` is the path of a TOML file, or a dictionary with the same tables, in which ``model`` may be a scalar
    model. Files that a dictionary names are looked for in `folder`. A mistake raises ValueError with its place, a run that
    does not stay finite RuntimeError; Ctrl-C stops it.
    """
    if isinstance(scenario, Mapping):
        return run_text(to_toml(scenario), os.fspath(folder))
    return run_file(os.fspath(scenario))
