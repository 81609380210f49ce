"""Simulation: scenarios from files, text or dictionaries, and a body with friction on a line. SI units.

>>> from stiction import scalar, sim
>>> run = sim.body(scalar.Coulomb(coulomb_force=1.0), mass=2.0, duration=1.0, force=3.0)
>>> print(f"{run['velocity'][-1]:.3f} m/s")  # (3 - 1)/2 * 1
1.000 m/s
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

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
    "Servo",
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


def _signal(given: float | tuple[ArrayLike, ArrayLike], name: str) -> float | dict[str, Any]:
    """A number, or times and values that are joined by straight lines."""
    if isinstance(given, (int, float, np.integer, np.floating)):
        return float(given)
    if not isinstance(given, tuple) or len(given) != 2:
        raise TypeError(f"{name}: must be a number, or (times, values)")
    times, values = (np.asarray(part, dtype=float) for part in given)
    if times.ndim != 1 or times.shape != values.shape:
        raise ValueError(f"{name}: times and values must be rows of the same length, not {times.shape} and {values.shape}")
    return {"type": "table", "times": times, "values": values}


@dataclass(frozen=True, kw_only=True)
class Servo:
    """A position servo: motor, firmware, and what hangs on its shaft. All of the motor is seen at the output.

    (J + J_a) dv/dt = motor torque + offset + sine sin q + cosine cos q + external torque - friction

    Every sample time the firmware commands ``proportional*error - derivative*velocity``, clipped to the largest output: a
    duty (``mode="voltage"``), a current [A] or a torque [N m]. The units of the gains follow.
    """

    inertia: float
    """J of the load [kg m^2]."""
    proportional: float
    """[1/rad], [A/rad] or [N m/rad]."""
    mode: Literal["voltage", "current", "torque"] = "voltage"
    armature: float = 0.0
    """J_a of the rotor, seen through the gear [kg m^2]."""
    offset_torque: float = 0.0
    """[N m]"""
    sine_torque: float = 0.0
    """[N m]; -m g l for a pendulum that hangs down at q = 0."""
    cosine_torque: float = 0.0
    """[N m]"""
    torque_constant: float = 0.0
    """[N m/A]"""
    resistance: float = 1.0
    """[Ohm]"""
    derivative: float = 0.0
    """[s/rad], [A s/rad] or [N m s/rad]."""
    max_output: float = float("inf")
    """Of the duty, [A] or [N m]."""
    max_goal_rate: float = float("inf")
    """[rad/s]"""
    sample_time: float = 1e-3
    """[s]"""
    delay: float = 0.0
    """From measurement to command [s]."""
    encoder_step: float = 0.0
    """Resolution of the measurement [rad]; 0: exact."""

    def simulate(
        self,
        friction: Any,
        goal: float | tuple[ArrayLike, ArrayLike],
        duration: float,
        *,
        supply_voltage: float | tuple[ArrayLike, ArrayLike] = 12.0,
        external_torque: float | tuple[ArrayLike, ArrayLike] = 0.0,
        position: float = 0.0,
        velocity: float = 0.0,
        method: Literal["sdirk2", "backward-euler"] = "sdirk2",
        step: float = 1e-3,
        output_interval: float = 1e-3,
    ) -> Columns:
        """Moves it over a duration [s] with a scalar model as `friction`: named arrays in SI units.

        `goal` [rad], `supply_voltage` [V] and `external_torque` [N m] are numbers or (times [s], values). `step` [s] is an
        upper bound: a whole number of steps fits into a sample.
        """
        servo = asdict(self) | {
            "goal": _signal(goal, "goal"),
            "supply_voltage": _signal(supply_voltage, "supply_voltage"),
            "external_torque": _signal(external_torque, "external_torque"),
            "position": position,
            "velocity": velocity,
        }
        integrator = {"method": method, "duration": duration, "step": min(step, duration)}
        output = {"interval": output_interval}
        return simulate({"model": friction, "servo": servo, "integrator": integrator, "output": output})
