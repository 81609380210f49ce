# Written by python/make_stubs.py from the extension: do not edit.
"""Friction of contact patches: the wrench of a twist."""

import os
from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from numpy.typing import ArrayLike

from stiction import results as _results

class Distributed:
    """A patch of many bristles. A state z is an array (2, points) [m] and a value: calls return a new one. With out=z they write it there instead, to save the copy."""
    def __init__(self, friction: Friction, patch: Patch) -> None:
        ...
    def __len__(self) -> int:
        ...
    def advance(self, z: ArrayLike, twist: ArrayLike, dt: float, *, out: npt.NDArray[np.float64] | None = None) -> npt.NDArray[np.float64]:
        """The state after dt [s] at a constant twist."""
    def euler_step(self, z: ArrayLike, twist: ArrayLike, normal_force: float, dt: float, bounded: bool = False, *, out: npt.NDArray[np.float64] | None = None) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """The authors' explicit step, to reproduce their numbers."""
    @property
    def friction(self) -> Friction:
        """As it was given."""
    def rate(self, z: ArrayLike, twist: ArrayLike, normal_force: float) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """(dz/dt, wrench), for ODE solvers."""
    def run(self, z: ArrayLike, twists: ArrayLike, normal_force: ArrayLike, dt: float, *, out: npt.NDArray[np.float64] | None = None) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """`step` for each row of twists (n, 3) in turn: (wrenches (n, 3), state)."""
    @property
    def shares(self) -> npt.NDArray[np.float64]:
        """Of the normal force, of sum 1, a view."""
    def solve(self, z: ArrayLike, free_twist: ArrayLike, mobility: ArrayLike, normal_force: float, dt: float, twist: ArrayLike | None = None) -> Solved:
        """Body and friction together, over dt [s]: for the twist (3,) at the end of the step without friction, and the mobility (3, 3), the acceleration that a unit wrench gives the body. `twist`, at the start of the step, picks the root where there are several. `wrench, twist, state = model.solve(state, ...)`, with a new state."""
    def state(self) -> npt.NDArray[np.float64]:
        """Bristles that are not bent."""
    def step(self, z: ArrayLike, twist: ArrayLike, normal_force: float, dt: float, *, out: npt.NDArray[np.float64] | None = None) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """(wrench, state) after dt [s] at a constant twist."""
    def with_shares(self, shares: ArrayLike) -> Distributed:
        """Another distribution of the normal force over the same points, of sum 1."""
    def wrench(self, z: ArrayLike, twist: ArrayLike, normal_force: float) -> npt.NDArray[np.float64]:
        """(3,) [N, N, N m]"""

class Friction:
    """Friction of a patch per newton of normal force (Waltersson and Karayiannidis, Table I). By keyword:
    stiffness [1/m]: σ0, stiffness of the bristles; in [1e-2, 1e10]
    damping [s/m]: σ1, damping of the bristles; in [0, 1e8]
    viscous [s/m]: σ2, viscous coefficient; in [0, 1e8]; default 0
    coulomb [-]: μ_C, coefficient at high speed; in [1e-5, 1e3]
    static [-]: μ_S >= μ_C, largest coefficient at rest; in [1e-5, 1e3]
    stribeck_exponent [-]: γ, shape of the drop; in [0.5, 2]; default 2
    stribeck_velocity [m/s]: v_s, speed of the drop; in [1e-9, 1e3]
    elastic_share [-]: s_ba, share of the largest deflection without creep; in [0.001, 0.999]; default 0.9
    elasto_plastic: else LuGre, which creeps; default True"""
    fields: tuple[_results.Field, ...]
    def __init__(self, *, stiffness: float, damping: float, coulomb: float, static_level: float, stribeck_velocity: float, viscous: float = ..., stribeck_exponent: float = ..., elastic_share: float = ..., elasto_plastic: bool = ...) -> None:
        ...
    @property
    def coulomb(self) -> float:
        """μ_C, coefficient at high speed [-]; in [1e-5, 1e3]."""
    @property
    def damping(self) -> float:
        """σ1, damping of the bristles [s/m]; in [0, 1e8]."""
    @property
    def elastic_share(self) -> float:
        """s_ba, share of the largest deflection without creep [-]; in [0.001, 0.999]."""
    @property
    def elasto_plastic(self) -> bool:
        """Else LuGre, which creeps."""
    @property
    def static_level(self) -> float:
        """μ_S >= μ_C, largest coefficient at rest [-]; in [1e-5, 1e3]."""
    @property
    def stiffness(self) -> float:
        """σ0, stiffness of the bristles [1/m]; in [1e-2, 1e10]."""
    @property
    def stribeck_exponent(self) -> float:
        """γ, shape of the drop [-]; in [0.5, 2]."""
    @property
    def stribeck_velocity(self) -> float:
        """v_s, speed of the drop [m/s]; in [1e-9, 1e3]."""
    @property
    def viscous(self) -> float:
        """σ2, viscous coefficient [s/m]; in [0, 1e8]."""
    @staticmethod
    def waltersson_p0() -> Friction:
        """The paper's set without Stribeck effect."""
    @staticmethod
    def waltersson_p1() -> Friction:
        """The paper's set with it."""

class FrozenStiffness:
    """A patch whose stiffness does not follow the normal force while it sticks. It keeps its state."""
    def __init__(self, friction: Friction, patch: Patch, cells: int = 24) -> None:
        ...
    def press(self, normal_force: float) -> None:
        """Before each step under another load [N]."""
    def step(self, twist: ArrayLike, dt: float) -> npt.NDArray[np.float64]:
        """The wrench after dt [s] at a constant twist."""

class LimitEllipsoid:
    """The ellipsoid w' B^-1 w = 1 for mu f_N = 1."""
    def error(self, patch: Patch, directions: int = 2000) -> _results.EllipsoidError:
        """How far it is from the surface of a patch."""
    @staticmethod
    def fitted(patch: Patch, free_axes: bool = True, directions: int = 2000) -> LimitEllipsoid:
        """With the least error of the wrench."""
    @property
    def matrix(self) -> npt.NDArray[np.float64]:
        """B (3, 3)"""
    @staticmethod
    def of_radius(torque_radius: float) -> LimitEllipsoid:
        """Semi-axes 1, 1, r [m]."""
    def pushed(self, arm: ArrayLike, velocity: ArrayLike) -> npt.NDArray[np.float64]:
        """The twist of a body whose point at `arm` [m] is taken along."""
    def slip(self, load: ArrayLike, friction: float) -> Slip:
        """As `slip` of a patch; the twist has another scale: load . twist = factor."""
    def wrench(self, twist: ArrayLike) -> npt.NDArray[np.float64]:
        """-B v/sqrt(v' B v), of one twist or many."""

class Patch:
    """Where the normal force of a contact acts. Twists (v_x, v_y, spin) and wrenches (f_x, f_y, torque) are taken at its centre of pressure; a wrench is what friction exerts on the moving body."""
    def __len__(self) -> int:
        ...
    def authors_wrench(self, twist: ArrayLike) -> npt.NDArray[np.float64]:
        """The same with the rule of the paper's code."""
    @property
    def centre_of_pressure(self) -> npt.NDArray[np.float64]:
        """(2,) [m]"""
    @staticmethod
    def disc(radius: float, rings: int = 4, sectors: int = 9, pressure: Callable[[float], float] | None = None) -> Patch:
        """A disc [m] by Gauss points; pressure(share of the radius), even unless given."""
    @property
    def forceless_centre_of_rotation(self) -> npt.NDArray[np.float64]:
        """About which a rotation gives no force, from the centre of pressure [m]."""
    @staticmethod
    def function(pressure: Callable[[float, float], float], low: ArrayLike, high: ArrayLike, columns: int = 32, rows: int = 32, samples: int = 8) -> Patch:
        """Any pressure(x, y) over a box from `low` to `high` [m]."""
    @staticmethod
    def grid(pressure: ArrayLike, width: float, height: float, corner: ArrayLike | None = None) -> Patch:
        """Constant pressure in each cell of a grid, any factor: the first row is the top, with the largest y, as in an image and in files, columns from the left; width and height of a cell [m]; lower left corner [m]."""
    def limit_surface(self, azimuth: int = 72, elevation: int = 36) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """(twists, wrenches), each (elevation, azimuth, 3), over all directions of motion, for mu f_N = 1."""
    @property
    def mean_square_radius(self) -> float:
        """u [m^2]"""
    def moved(self, by: ArrayLike) -> Patch:
        """The same patch elsewhere [m]."""
    @staticmethod
    def paper(name: Literal['square', 'circle', 'line', 'gradient-line', 'gradient-line-x', 'non-convex-1', 'non-convex-2'], n: int = 21, side: float = 0.02) -> Patch:
        """The masks of Waltersson and Karayiannidis, n x n cells over a square of a side [m]."""
    @staticmethod
    def points(x: ArrayLike, y: ArrayLike, share: ArrayLike) -> Patch:
        """Points [m] that carry shares of the normal force, any factor. One point takes no torque."""
    @staticmethod
    def polygon(loops: Sequence[ArrayLike], columns: int = 32, rows: int = 32, pressure: Callable[[float, float], float] | None = None) -> Patch:
        """A polygon of closed loops, each (k, 2) [m], by the odd-even rule; loops may be holes, and may cross."""
    @property
    def radius(self) -> float:
        """The farthest point's distance [m]."""
    @staticmethod
    def rectangle(width: float, height: float, columns: int = 6, rows: int = 6, pressure: Callable[[float, float], float] | None = None) -> Patch:
        """A rectangle [m] by Gauss points; pressure(x, y), even unless given."""
    def scaled(self, factor: float) -> Patch:
        """The same patch, larger or smaller."""
    @property
    def share(self) -> npt.NDArray[np.float64]:
        """Of the normal force, of sum 1, a view."""
    @property
    def torque_radius(self) -> float:
        """r: torque of a pure rotation for mu f_N = 1 [m]."""
    def wrench(self, twist: ArrayLike, rule: Literal['exact', 'midpoint', 'bilinear'] = 'exact') -> npt.NDArray[np.float64]:
        """The limit surface: the wrench of Coulomb friction for mu f_N = 1, of one twist (3,) or of many (n, 3). NaN shows in its row."""
    @property
    def x(self) -> npt.NDArray[np.float64]:
        """Of its points, from the centre of pressure [m], a view."""
    @property
    def y(self) -> npt.NDArray[np.float64]:
        """The same along y [m]."""

class Reduced:
    """A patch with three states z (3,): x, y [m] and rotation [m^2]; or n patches of the same model, (n, 3). A state is a value: calls return a new one. NaN in a state or a twist shows in its row."""
    def __init__(self, friction: Friction, patch: Patch, surface: Literal['table', 'ellipsoid', 'angles', 'axisymmetric'] = 'table', cells: int | None = None) -> None:
        """surface: 'table', 'ellipsoid' (no table), 'angles' (the paper's) or 'axisymmetric' (discs)."""
    def advance(self, z: ArrayLike, twist: ArrayLike, dt: float) -> npt.NDArray[np.float64]:
        """The state after dt [s] at a constant twist."""
    def euler_step(self, z: ArrayLike, twist: ArrayLike, normal_force: float, dt: float, bounded: bool = False) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """The authors' explicit step, to reproduce their numbers."""
    @property
    def friction(self) -> Friction:
        """As it was given."""
    @property
    def mean_square_radius(self) -> float:
        """[m^2]"""
    def rate(self, z: ArrayLike, twist: ArrayLike) -> npt.NDArray[np.float64]:
        """dz/dt, for ODE solvers."""
    def resized(self, torque_radius: float, mean_square_radius: float) -> Reduced:
        """The same shape in another size [m], [m^2]."""
    def solve(self, z: ArrayLike, free_twist: ArrayLike, mobility: ArrayLike, normal_force: float, dt: float, twist: ArrayLike | None = None) -> Solved:
        """Body and friction together, over dt [s]: for the twist (3,) at the end of the step without friction, and the mobility (3, 3), the acceleration that a unit wrench gives the body. `twist`, at the start of the step, picks the root where there are several. `wrench, twist, state = model.solve(state, ...)`, with a new state."""
    def state(self) -> npt.NDArray[np.float64]:
        """The state at rest without load, (3,)."""
    def step(self, z: ArrayLike, twist: ArrayLike, normal_force: ArrayLike, dt: float) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """(wrench, state) after dt [s]."""
    def surface(self, v: ArrayLike) -> npt.NDArray[np.float64]:
        """h: (f_x, f_y, torque/r) for mu f_N = 1 of a motion (v_x, v_y, r spin), one or many."""
    @property
    def torque_radius(self) -> float:
        """[m]"""
    def wrench(self, z: ArrayLike, twist: ArrayLike, normal_force: ArrayLike) -> npt.NDArray[np.float64]:
        """(f_x, f_y, torque) [N, N, N m]"""

class ReducedBatch:
    """Many patches with three states each, in columns: states, twists and wrenches are (3, n). States are a value: `step` returns new ones, or with out=states writes them there and copies nothing."""
    def __init__(self, surfaces: Sequence[SurfaceTable], friction: Friction | Sequence[Friction], torque_radius: ArrayLike, mean_square_radius: ArrayLike, surface: ArrayLike = 0) -> None:
        """surfaces: SurfaceTables; friction: one for all, or a list of n; torque_radius (n,) [m]; mean_square_radius (n,) [m^2]; surface: which of the tables, (n,) or one for all."""
    def __len__(self) -> int:
        ...
    def resize(self, patch: int, torque_radius: float, mean_square_radius: float) -> None:
        """Gives a patch, by its number, another size of the same shape [m], [m^2]."""
    def states(self) -> npt.NDArray[np.float64]:
        """States at rest without load, (3, n)."""
    def step(self, states: npt.NDArray[np.float64], twists: npt.NDArray[np.float64], normal_forces: npt.NDArray[np.float64], dt: float, *, out: npt.NDArray[np.float64] | None = None, wrench_out: npt.NDArray[np.float64] | None = None) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """(wrenches, states), both (3, n), after dt [s] at constant twists (3, n) under normal forces (n,) [N]. NaN shows in its own patch. out and wrench_out: arrays for the results; out may be the states."""

class ReducedBatchF:
    """Many patches with three states each, in columns: states, twists and wrenches are (3, n). States are a value: `step` returns new ones, or with out=states writes them there and copies nothing."""
    def __init__(self, surfaces: Sequence[SurfaceTable], friction: Friction | Sequence[Friction], torque_radius: ArrayLike, mean_square_radius: ArrayLike, surface: ArrayLike = 0) -> None:
        """surfaces: SurfaceTables; friction: one for all, or a list of n; torque_radius (n,) [m]; mean_square_radius (n,) [m^2]; surface: which of the tables, (n,) or one for all."""
    def __len__(self) -> int:
        ...
    def resize(self, patch: int, torque_radius: float, mean_square_radius: float) -> None:
        """Gives a patch, by its number, another size of the same shape [m], [m^2]."""
    def states(self) -> npt.NDArray[np.float32]:
        """States at rest without load, (3, n)."""
    def step(self, states: npt.NDArray[np.float32], twists: npt.NDArray[np.float32], normal_forces: npt.NDArray[np.float32], dt: float, *, out: npt.NDArray[np.float32] | None = None, wrench_out: npt.NDArray[np.float32] | None = None) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
        """(wrenches, states), both (3, n), after dt [s] at constant twists (3, n) under normal forces (n,) [N]. NaN shows in its own patch. out and wrench_out: arrays for the results; out may be the states."""

class Slip:
    """What a load does to a patch."""
    @property
    def factor(self) -> float:
        """The load times this is on the limit surface."""
    @property
    def gap(self) -> float:
        """Proven: the true factor is in [factor (1 - gap), factor]."""
    @property
    def proven(self) -> bool:
        """Whether the gap is at most 1e-9."""
    @property
    def rounds(self) -> int:
        """Directions of motion that were tried."""
    @property
    def slips(self) -> bool:
        """Whether the patch moves."""
    @property
    def twist(self) -> npt.NDArray[np.float64]:
        """Direction of the motion that starts there."""

class SoftFinger:
    """A soft finger: p ~ [1 - (rho/a)^k]^(1/k), a = reach f_N^(1/3) [m]."""
    def __init__(self, reach: float, exponent: float = 2.0, per_newton: bool = False, largest: float = ...) -> None:
        """reach [m/N^(1/3)]; exponent k, or k per newton; largest radius [m]."""
    def mean_square_radius(self, normal_force: float) -> float:
        """[m^2]"""
    def power(self, normal_force: float) -> float:
        """k"""
    def radius(self, normal_force: float) -> float:
        """[m]"""
    def torque_radius(self, normal_force: float) -> float:
        """[m]"""

class SoftFingerModel:
    """A soft finger under a changing load, with three states z (3,)."""
    def __init__(self, friction: Friction, finger: SoftFinger, max_force: float) -> None:
        """For loads up to max_force [N]."""
    def step(self, z: ArrayLike, twist: ArrayLike, normal_force: float, dt: float) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """Presses the finger with the normal force [N], then (wrench, state) after dt [s]."""

class Solved(tuple[npt.NDArray[np.float64], npt.NDArray[np.float64], npt.NDArray[np.float64]]):
    """What a coupled step of a patch gives: twist = free_twist + dt mobility @ wrench. Unpacks to wrench, twist, state."""
    @property
    def converged(self) -> bool:
        """Whether the equation of the step is met."""
    @property
    def iterations(self) -> int:
        """That the step took."""
    @property
    def residual(self) -> float:
        """By how much the equation of the step is missed [m/s]."""
    @property
    def state(self) -> npt.NDArray[np.float64]:
        """At the end of the step."""
    @property
    def twist(self) -> npt.NDArray[np.float64]:
        """At the end of the step, (3,) [m/s, m/s, rad/s]."""
    @property
    def wrench(self) -> npt.NDArray[np.float64]:
        """Of friction, (3,) [N, N, N m]: the mean over the step."""

class SurfaceTable:
    """The limit surface of a patch as a table, which batches of patches share."""
    def __call__(self, v: ArrayLike) -> npt.NDArray[np.float64]:
        """(f_x, f_y, torque/r) for mu f_N = 1 of a motion (v_x, v_y, r spin), one or many."""
    def __init__(self, patch: Patch, cells: int = 24) -> None:
        ...
    @property
    def cells(self) -> int:
        """Along each side of its faces."""
    def gradient(self, v: ArrayLike) -> npt.NDArray[np.float64]:
        """dh_i/dv_j (3, 3)"""

def hold_normals(w: ArrayLike, velocity: ArrayLike) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """(free twist, mobility) for `solve`, of a patch whose n contact points keep their normal velocity at zero. w = J M^-1 J' and velocity = J q', with the rows of J for the twist (x, y, spin), then for the normal velocities."""

def holds(patch: Patch, load: ArrayLike, friction: float) -> bool:
    """Whether the patch stays at rest; quicker than `slip`."""

def load_patch(path: str | os.PathLike[str]) -> Patch:
    """The [patch] of a TOML file, also from a CSV or PNG image beside it."""

def parse_patch(text: str) -> Patch:
    """The same from text."""

def pushed(patch: Patch, friction: float, contact: ArrayLike, normal: ArrayLike, velocity: ArrayLike, coefficient: float = ...) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64], Literal['sticks', 'slides', 'parts']]:
    """A body that rests on the patch and is pushed slowly at a point [m] along a velocity [m/s]: (twist, load of the pusher, 'sticks', 'slides' or 'parts')."""

def slip(patch: Patch, load: ArrayLike, friction: float) -> Slip:
    """Does a patch with friction = mu f_N [N] slip under a load (f_x, f_y, torque) on the body, and which way?"""

def slip_factors(patch: Patch, loads: ArrayLike, friction: float) -> npt.NDArray[np.float64]:
    """The same for many loads (n, 3): (n, 4) with factor and twist; at 1 and below it slips. A load that is not finite gives a row of NaN."""

def soft_finger_pressure(radius: float, exponent: float) -> Callable[[float, float], float]:
    """The pressure(x, y) of a soft finger, for Patch.function."""

def twist_at(twist: ArrayLike, start: ArrayLike, end: ArrayLike) -> npt.NDArray[np.float64]:
    """The same motion, seen at another point [m]."""

def wrench_at(wrench: ArrayLike, start: ArrayLike, end: ArrayLike) -> npt.NDArray[np.float64]:
    """The same forces, with the torque about another point [m]."""
