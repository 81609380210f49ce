"""What calls of the package return where it is more than a number, an array or an object: named arrays of a run, and
dictionaries whose keys are known. Type checkers know them by these names; SI units unless something else is said.

>>> from stiction import control, scalar
>>> features = control.bliman_sorine_features(scalar.preset("table2-bliman-sorine-2"))
>>> sorted(features)
['kinetic_force', 'peak_distance', 'peak_force', 'settling_distance']
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypedDict

import numpy as np
import numpy.typing as npt

from ._values import same, table, value

if TYPE_CHECKING:
    from ._core.geometry import Mesh
    from ._core.scalar import BlimanSorine2, Model

Array = npt.NDArray[np.float64]


@value
class Columns(dict[str, npt.NDArray[np.float64]]):
    """Named arrays of a run, one row for each time of output, in SI units."""

    #: What finished the run.
    solver: str = ""
    #: Why that is not what was asked for, or what to mind.
    note: str = ""
    #: How many steps it took.
    steps: int = 0

    def _parts(self) -> dict[str, Any]:
        return {"arrays": dict(self), "solver": self.solver, "note": self.note, "steps": self.steps}

    @classmethod
    def _remake(cls, parts: dict[str, Any]) -> Columns:
        made = cls(parts["arrays"])
        made.solver, made.note, made.steps = parts["solver"], parts["note"], parts["steps"]
        return made

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Columns) and same(self._parts(), other._parts())

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = None  # as every dictionary

    def __repr__(self) -> str:
        rows = len(next(iter(self.values()), ()))
        note = f"; {self.note}" if self.note else ""
        return table(f"{rows} rows by {self.solver}, {self.steps} steps{note}", dict(self))


class Field(TypedDict):
    """A parameter of a model."""

    name: str
    unit: str
    range: str
    default: float | int | None
    meaning: str


class Preset(TypedDict):
    """A published parameter set; `mass` is in kg, or kg m^2 of a rotary axis."""

    name: str
    model: Model
    axis: Literal["linear", "rotary"]
    mass: float
    source: str


class DirectionalFriction(TypedDict):
    """Coulomb [N] and viscous friction [N s/m] forwards and backwards."""

    coulomb_plus: float
    viscous_plus: float
    coulomb_minus: float
    viscous_minus: float


class BlimanSorineFeatures(TypedDict):
    """Of the loop after a reversal: forces [N] and distances [m]."""

    kinetic_force: float
    peak_force: float
    peak_distance: float
    settling_distance: float


class BlimanSorineFit(TypedDict):
    """A model from a slow loop, or None and the verdict that says why."""

    verdict: str
    model: BlimanSorine2 | None
    disagreement: float
    half_loops: int


class EllipsoidError(TypedDict):
    """How far an ellipsoid is from a limit surface, over mu f_N: of the wrench of a motion, and of the load that slips."""

    wrench_rms: float
    wrench_largest: float
    load_rms: float
    load_largest: float


class SceneParts(TypedDict):
    """Two parts of a scene; the moving one starts at `moving_at` (3,) [m]."""

    fixed: Mesh
    moving: Mesh
    shell_moves: bool
    moving_at: Array


class Cycle(TypedDict):
    """One haptic cycle: pose of the part, wrenches (6,) [N, N m] of the coupling on the part and on the hand, contacts."""

    phase: Literal["free", "held", "slides", "fault"]
    position: Array
    quaternion: Array
    motion: Array
    coupling: Array
    output: Array
    contacts: int
    touching: int
    sliding: int
    separating: int
    deepest: float
    microseconds: float


class Contacts(TypedDict):
    """Contacts of a cycle: positions [m], normals and forces [N] (n, 3), depths [m], and which of them slide."""

    position: Array
    normal: Array
    normal_force: Array
    friction: Array
    depth: Array
    slides: npt.NDArray[np.bool_]


class HapticRun(TypedDict):
    """A run of a scene, a row for each cycle that is kept; phase is 0 free, 1 held, 2 slides, 3 fault."""

    time: Array
    hand_position: Array
    hand_quaternion: Array
    position: Array
    quaternion: Array
    coupling: Array
    output: Array
    contacts: Array
    sliding: Array
    deepest: Array
    phase: Array
    microseconds: Array


class InsertionTrial(TypedDict):
    """Whether a part arrived with some friction [-], the largest force on the hand [N], the distance that was left [m]."""

    friction: float
    inserted: bool
    force: float
    distance: float


class Insertability(TypedDict):
    """The largest friction with which the part arrived, and the least with which it did not; None: there is none."""

    insertable: float | None
    not_insertable: float | None
    trials: list[InsertionTrial]


class Scheme(TypedDict):
    """What one integrator would do with a model at a step; `largest_step` [s] is stable."""

    method: str
    stable: bool
    largest_step: float
    creeps: bool
    reason: str


class Advice(TypedDict):
    """What to expect of a model on a mass under fixed steps: stiffness [N/m], damping [N s/m], forces [N]."""

    recommended: str
    recommended_step: float
    reason: str
    stiffness: float
    damping: float
    breakaway: float
    sliding_force: float
    creeps: bool
    passive: bool
    passive_reason: str
    schemes: list[Scheme]


class Recording(TypedDict, total=False):
    """A recording of an axis as `stiction.identify` takes it; time [s], torque or force [N], position [m], and the one
    reference that there is. The name, time, torque and position are always there."""

    name: str
    time: Array
    torque: Array
    position: Array
    velocity_reference: Array
    position_reference: Array


class Sweep(TypedDict, total=False):
    """A table of steady friction: velocity [m/s], torque or force [N], and where known its deviation."""

    name: str
    velocity: Array
    torque: Array
    deviation: Array


class PlannedRun(TypedDict):
    """What to run on an axis: a reference over time [s]."""

    name: str
    mode: Literal["torque", "velocity"]
    time: Array
    reference: Array


class Channel(TypedDict):
    """A signal of a recording beside what the fitted model predicts."""

    recording: str
    quantity: str
    drive: str
    time: Array
    measured: Array
    predicted: Array
    noise: float
    residual: float
    autocorrelation: float
    residual_noise: float
    correction: float


class EstimateRow(TypedDict):
    """A parameter of a fit, for `stiction.identification.Estimate`."""

    name: str
    unit: str
    value: float
    deviation: float
    interval: tuple[float, float]
    determined: bool


class MotionStep(TypedDict):
    """A step from simple to rich: rms error on blocks that were left out, and whether they support it."""

    model: str
    unknowns: int
    error: float
    supported: bool


class Finding(TypedDict):
    """A remark on a log, with its number."""

    name: str
    value: float
    unit: str
    text: str


class MotionTrack(TypedDict):
    """A recording with the torque that is predicted from its motion, and what is left for friction."""

    recording: str
    time: Array
    position: Array
    velocity: Array
    torque: Array
    predicted: Array
    friction: Array
    held_out: npt.NDArray[np.bool_]


class MotionReport(TypedDict):
    """Of a fit that the measured motion drives: errors on the last 30 % [N] or [N m], `corner` of the filter [Hz]."""

    held_out_error: float
    coulomb_viscous_error: float
    constant_error: float
    noise: float
    corner: float
    measured_velocity: bool
    sign_width: float
    steps: list[MotionStep]
    findings: list[Finding]
    undetermined: dict[str, str]
    tracks: list[MotionTrack]


class FitRow(TypedDict):
    """A fit, for `stiction.identification.Fit`."""

    name: str
    model: Model
    mass: float
    estimates: list[EstimateRow]
    nuisance: list[EstimateRow]
    correlation: Array
    channels: list[Channel]
    steady: Array
    warnings: list[str]
    refusal: str
    explained: float
    excess: float
    held_out_excess: float
    samples: int
    outliers: int
    steps: int
    motion: MotionReport | None


class ExperimentRow(TypedDict):
    """An experiment, for `stiction.reproduction.Experiment`."""

    id: str
    title: str
    source: str


class ClaimRow(TypedDict):
    """A claim of an experiment, for `stiction.reproduction.Claim`."""

    name: str
    source: str
    published: float
    measured: float
    unit: str
    relation: str
    tolerance: float
    holds: bool
    expect: Literal["reproduced", "refuted", "info"]
    reason: str
    ok: bool


class Series(TypedDict):
    """A line of a figure: columns x and y of a table, by number."""

    table: str
    x: int
    y: int
    label: str
    style: str


class Figure(TypedDict):
    """A figure of an experiment."""

    name: str
    title: str
    x_label: str
    y_label: str
    x_log: bool
    y_log: bool
    series: list[Series]


class ReproductionRow(TypedDict):
    """What an experiment computed, for `stiction.reproduction.Reproduction`."""

    id: str
    title: str
    source: str
    claims: list[ClaimRow]
    tables: dict[str, dict[str, Array | list[str]]]
    figures: list[Figure]
    notes: str
