"""Friction models from recordings: N, m, kg, or N m, rad, kg m^2.

>>> import numpy as np
>>> import stiction
>>> v = np.linspace(0.005, 0.5, 40)
>>> fit = stiction.identify({"velocity": v, "torque": 1 + 0.4 * v + 0.5 * np.exp(-((v / 0.02) ** 2))}, model="stribeck")
>>> print(f"F_C = {fit.parameters['coulomb_force']:.3f} N, F_v = {fit.parameters['viscous']:.3f} N s/m")
F_C = 1.000 N, F_v = 0.400 N s/m
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _core
from ._core.identification import identifiable, plan
from ._core.scalar import Model
from ._logs import tables_of
from ._values import table, value
from .results import Channel, EstimateRow, FitRow, MotionReport, Recording, Sweep

__all__ = ["Estimate", "Fit", "identifiable", "identify", "inspect", "plan", "read_log"]


@value
@dataclass(frozen=True)
class Estimate:
    """One parameter: its value with a 95 % interval, and whether the data tell it at all."""

    name: str
    unit: str
    value: float
    deviation: float
    interval: tuple[float, float]
    determined: bool


@value
@dataclass(frozen=True, eq=False, repr=False)
class Fit:
    """A model with its parameters, how sure they are, and how well it follows the recordings."""

    name: str
    model: Model
    mass: float
    estimates: dict[str, Estimate]
    nuisance: dict[str, Estimate]
    correlation: npt.NDArray[np.float64]
    channels: list[Channel]
    steady: npt.NDArray[np.float64]
    warnings: list[str]
    refusal: str
    explained: float
    excess: float
    held_out_excess: float
    samples: int
    outliers: int
    steps: int
    #: How a model driven by the measured motion predicts, and what was found in the log; None for the other drives.
    motion: MotionReport | None = None
    others: list[Fit] = field(default_factory=list)

    def __repr__(self) -> str:
        rows = {name: f"{e.value:.6g} {e.unit}, {e.interval[0]:.6g} to {e.interval[1]:.6g}" + ("" if e.determined else ": not determined")
                for name, e in self.estimates.items()}
        return table(f"{self.name} explains {100 * self.explained:.4g} % of {self.samples} samples"
                     + (f", but {self.refusal}" if self.refusal else ""), rows)

    @property
    def ok(self) -> bool:
        """Whether the model is fit for use; `refusal` says why not."""
        return not self.refusal

    @property
    def parameters(self) -> dict[str, float]:
        """Values by name."""
        return {name: estimate.value for name, estimate in self.estimates.items()}

    @property
    def intervals(self) -> dict[str, tuple[float, float]]:
        """95 % intervals by name."""
        return {name: estimate.interval for name, estimate in self.estimates.items()}

    def plot(self, axes: Any = None) -> Any:
        """Measured and predicted signals, and the steady friction; see stiction.plot.fit."""
        from . import plot

        return plot.fit(self, axes)


def _fit(row: FitRow) -> Fit:
    def by_name(rows: list[EstimateRow]) -> dict[str, Estimate]:
        return {item["name"]: Estimate(**item) for item in rows}

    rest: dict[str, Any] = {key: item for key, item in row.items() if key not in ("estimates", "nuisance")}
    return Fit(**rest, estimates=by_name(row["estimates"]), nuisance=by_name(row["nuisance"]))


def read_log(path: Any, columns: Mapping[str, str] | None = None, units: Mapping[str, str] | None = None,
             torque_constant: float | None = None) -> tuple[list[Recording], list[Sweep], list[str]]:
    """(recordings, sweeps, notes) of a log, as `identify` takes them.

    `path` is a file: text with columns in any usual dialect, ``.mat`` (of level 7.3 where the package was built with libmatio),
    ``.npz``, ``.parquet`` (with pandas or pyarrow) or ``.mcap`` (with mcap: each joint of a JointState, or the one that
    ``columns["joint"]`` names); or a data frame of pandas or polars, a structured array, or a mapping of arrays.

    Columns are recognised by the words of their names, such as ``q``, ``present_position``, ``joint_1_effort``, and
    units by brackets or ends of names. `columns` names others, ``{"torque": "u"}``; `units` converts,
    ``{"position": "deg"}``, also with a number, ``{"position": "0.00153rad"}``; with `torque_constant` [N m/A] the torque
    is the current times this. The notes say what was taken for what.
    """
    recordings: list[Recording] = []
    sweeps: list[Sweep] = []
    notes: list[str] = []
    names = dict(columns or {})
    for part, name in tables_of(path, names.pop("joint", None)):
        if isinstance(part, str):
            more, tables, said = _core.identification.read_log(part, names, dict(units or {}), torque_constant)
        else:
            more, tables, said = _core.identification.read_columns(part, name, names, dict(units or {}), torque_constant)
        recordings += more
        sweeps += tables
        notes += said
    return recordings, sweeps, notes


def inspect(log: Any, columns: Mapping[str, str] | None = None, units: Mapping[str, str] | None = None,
            torque_constant: float | None = None) -> dict[str, Any]:
    """What is in a log, before anything is fitted, and which friction models it can support.

    Takes what `read_log` takes. The result has ``clock`` (rate, jitter, gaps, and the ratio of the change of position to
    the integral of the velocity), ``signals`` by role (range, noise, quantisation step, saturation), ``motion`` (directions,
    rest, speeds, reversals), ``linear_fit``, which every other model must beat, ``support`` (for each effect whether the
    log can show it, why, and what to record), ``warnings``, ``advice``, and the arrays ``time``, ``position``,
    ``velocity`` and ``torque`` that this stands on.

    >>> import numpy as np
    >>> from stiction import identification
    >>> t = np.arange(0, 20, 5e-3)
    >>> found = identification.inspect({"t": t, "q": np.sin(t), "tau": 0.3 * np.sign(np.cos(t))})
    >>> [row["effect"] for row in found["support"] if row["supported"]][:2]
    ['Coulomb friction', 'viscous friction']
    """
    names = dict(columns or {})
    tables = tables_of(log, names.pop("joint", None))
    if len(tables) != 1:
        raise ValueError("the log has several joints: name one with columns={'joint': NAME}; there are "
                         + ", ".join(name for _, name in tables))
    part, name = tables[0]
    if isinstance(part, str):
        return _core.identification.inspect_log(part, names, dict(units or {}), torque_constant)
    return _core.identification.inspect_columns(part, name, names, dict(units or {}), torque_constant)


_RECORDING = ("name", "time", "torque", "position", "velocity", "external", "velocity_reference", "position_reference")
_TABLE = ("name", "velocity", "torque", "deviation")
_KNOWN = {*_RECORDING, *_TABLE}
_NEEDED = (("time", "torque", "position"), ("velocity", "torque"))


def _columns(data: Any) -> dict[str, Any]:
    """The columns of a mapping, a data frame or a structured array."""
    if isinstance(data, Mapping):
        return dict(data)
    if isinstance(data, np.ndarray) and data.dtype.names:
        return {name: data[name] for name in data.dtype.names}
    if hasattr(data, "columns") and hasattr(data, "__getitem__"):
        return {str(name): np.asarray(data[name]) for name in data.columns}
    raise TypeError("data: must be a path, a data frame, a mapping of arrays, or a list of these")


def identify(data: Any, model: str = "auto", *, drive: str = "auto", mass: float | None = None, stribeck_exponent: float = 2.0,
             max_samples: int = 40_000, held_out: bool = True, columns: Mapping[str, str] | None = None,
             units: Mapping[str, str] | None = None, progress: Callable[[float], None] | None = None) -> Fit:
    """Fits a friction model to recordings of an axis.

    `data` is a file that `read_log` takes, a data frame, a mapping of arrays, or a list of these. One with a column ``time`` [s] is a
    recording: ``torque`` (or force, what drives the axis) and ``position``, and where there is one
    ``velocity_reference`` or ``position_reference``. One without is a table of steady friction: ``velocity``,
    ``torque`` and, where known, ``deviation``. N, m, kg, or N m, rad, kg m^2.

    `drive` says what moves the model: the logged "torque", the "loop" with its reference, or the measured "motion", which
    needs neither a clean torque nor a known loop and compares the torque instead; then ``velocity`` (measured) and
    ``external`` (known torque beside drive and friction) are used as well, and `Fit.motion` reports the error on the last
    30 % beside that of Coulomb + viscous friction. "auto": the motion where simulating the axis is refused.

    `model` is a name of `identifiable()`, or "auto" for the one with the least held-out error; `mass` is given where
    it is known. `columns` names other columns, e.g. ``{"torque": "u"}``; `units` converts those of files.

    A key of a mapping that is none of these is an error. Of data frames and structured arrays, which often have more
    columns, those that are not used are named in the fit's `warnings`. `progress` is called with the share of the
    largest effort that is spent; Ctrl-C stops the search.
    """
    if isinstance(data, (str, os.PathLike)) or isinstance(data, Mapping) or not isinstance(data, Iterable) \
            or hasattr(data, "columns") or isinstance(data, np.ndarray):
        data = [data]
    recordings: list[dict[str, Any]] = []
    sweeps: list[dict[str, Any]] = []
    notes: list[str] = []
    for part in data:
        if isinstance(part, (str, os.PathLike)):
            more, tables, _ = read_log(part, columns, units)
            recordings += map(dict, more)
            sweeps += map(dict, tables)
            continue
        given_columns = _columns(part)
        if not isinstance(part, Mapping) and not columns and not any(set(needed) <= set(given_columns) for needed in _NEEDED):
            more, tables, said = read_log(part, None, units)  # a frame with the names of a robot or a drive
            recordings += map(dict, more)
            sweeps += map(dict, tables)
            notes += said
            continue
        rows = dict(given_columns)
        for wanted, given in (columns or {}).items():
            if given not in given_columns:
                raise ValueError(f"there is no column '{given}'; there are {', '.join(given_columns)}")
            rows[wanted] = given_columns[given]
            if given not in _KNOWN:
                rows.pop(given, None)
        if not isinstance(part, Mapping):
            known = _RECORDING if "time" in rows else _TABLE
            unused = [name for name in rows if name not in known]
            if unused:
                notes.append(f"columns that were not used: {', '.join(unused)}")
            rows = {name: values for name, values in rows.items() if name in known}
        (recordings if "time" in rows else sweeps).append(rows)
    fits = [_fit(row) for row in _core.identification.identify(
        recordings, sweeps, model, drive, mass, stribeck_exponent, max_samples, held_out, progress)]
    for fit in fits:
        fit.warnings.extend(notes)
    best = fits[0]
    best.others.extend(fits[1:])
    return best
