# Written by python/make_stubs.py from the extension: do not edit.
"""Friction of contact patches: the wrench of a twist."""

from collections.abc import Callable, Iterator
from typing import Any, Optional, overload

import numpy as np
from numpy.typing import ArrayLike

from . import scalar

class Distributed:
    """A patch of many bristles. A state z is an array (2, points) [m] and a value: calls return a new one. With out=z they write it there instead, to save the copy."""
    def __init__(self, friction: Friction, patch: Patch) -> None:
        ...
    def __len__(self) -> int:
        ...
    def advance(self, z: Any, twist: Any, dt: float, *, out: Any = None) -> np.ndarray:
        """The state after dt [s] at a constant twist."""
    def euler_step(self, z: Any, twist: Any, normal_force: float, dt: float, bounded: bool = False, *, out: Any = None) -> tuple:
        """The authors' explicit step, to reproduce their numbers."""
    @property
    def friction(self) -> Friction:
        ...
    def rate(self, z: Any, twist: Any, normal_force: float) -> tuple:
        """(dz/dt, wrench), for ODE solvers."""
    def run(self, z: Any, twists: Any, normal_force: Any, dt: float, *, out: Any = None) -> tuple:
        """`step` for each row of twists (n, 3) in turn: (wrenches (n, 3), state)."""
    @property
    def shares(self) -> np.ndarray:
        ...
    def solve(self, z: Any, free_twist: Any, mobility: Any, normal_force: float, dt: float, twist: Any = None) -> Solved:
        """Body and friction together, over dt [s]: for the twist (3,) at the end of the step without friction, and the mobility (3, 3), the acceleration that a unit wrench gives the body. `twist`, at the start of the step, picks the root where there are several. `wrench, twist, state = model.solve(state, ...)`, with a new state."""
    def state(self) -> np.ndarray:
        """Bristles that are not bent."""
    def step(self, z: Any, twist: Any, normal_force: float, dt: float, *, out: Any = None) -> tuple:
        """(wrench, state) after dt [s] at a constant twist."""
    def with_shares(self, shares: Any) -> Distributed:
        """Another distribution of the normal force over the same points, of sum 1."""
    def wrench(self, z: Any, twist: Any, normal_force: float) -> np.ndarray:
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
    def __init__(self, **kwargs: Any) -> None:
        ...
    @property
    def coulomb(self) -> float:
        ...
    @property
    def damping(self) -> float:
        ...
    @property
    def elastic_share(self) -> float:
        ...
    @property
    def elasto_plastic(self) -> bool:
        ...
    @property
    def static_level(self) -> float:
        ...
    @property
    def stiffness(self) -> float:
        ...
    @property
    def stribeck_exponent(self) -> float:
        ...
    @property
    def stribeck_velocity(self) -> float:
        ...
    @property
    def viscous(self) -> float:
        ...
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
    def step(self, twist: Any, dt: float) -> np.ndarray:
        """The wrench after dt [s] at a constant twist."""

class LimitEllipsoid:
    """The ellipsoid w' B^-1 w = 1 for mu f_N = 1."""
    def error(self, patch: Patch, directions: int = 2000) -> dict:
        """How far it is from the surface of a patch."""
    @staticmethod
    def fitted(patch: Patch, free_axes: bool = True, directions: int = 2000) -> LimitEllipsoid:
        """With the least error of the wrench."""
    @property
    def matrix(self) -> np.ndarray:
        """B (3, 3)"""
    @staticmethod
    def of_radius(torque_radius: float) -> LimitEllipsoid:
        """Semi-axes 1, 1, r [m]."""
    def pushed(self, arm: Any, velocity: Any) -> np.ndarray:
        """The twist of a body whose point at `arm` [m] is taken along."""
    def slip(self, load: Any, friction: float) -> Slip:
        ...
    def wrench(self, twist: Any) -> np.ndarray:
        """-B v/sqrt(v' B v), of one twist or many."""

class Patch:
    """Where the normal force of a contact acts. Twists (v_x, v_y, spin) and wrenches (f_x, f_y, torque) are taken at its centre of pressure; a wrench is what friction exerts on the moving body."""
    def __len__(self) -> int:
        ...
    def authors_wrench(self, twist: Any) -> np.ndarray:
        """The same with the rule of the paper's code."""
    @property
    def centre_of_pressure(self) -> np.ndarray:
        """(2,) [m]"""
    @staticmethod
    def disc(radius: float, rings: int = 4, sectors: int = 9, pressure: Any = None) -> Patch:
        """A disc [m] by Gauss points; pressure(share of the radius), even unless given."""
    @property
    def forceless_centre_of_rotation(self) -> np.ndarray:
        """About which a rotation gives no force, from the centre of pressure [m]."""
    @staticmethod
    def function(pressure: Callable[[float, float], float], low: Any, high: Any, columns: int = 32, rows: int = 32, samples: int = 8) -> Patch:
        """Any pressure(x, y) over a box from `low` to `high` [m]."""
    @staticmethod
    def grid(pressure: Any, width: float, height: float, corner: Any = None) -> Patch:
        """Constant pressure in each cell of a grid, any factor: the first row is the top, with the largest y, as in an image and in files, columns from the left; width and height of a cell [m]; lower left corner [m]."""
    def limit_surface(self, azimuth: int = 72, elevation: int = 36) -> tuple:
        """(twists, wrenches), each (elevation, azimuth, 3), over all directions of motion, for mu f_N = 1."""
    @property
    def mean_square_radius(self) -> float:
        """u [m^2]"""
    def moved(self, by: Any) -> Patch:
        """The same patch elsewhere [m]."""
    @staticmethod
    def paper(name: str, n: int = 21, side: float = 0.02) -> Patch:
        """The masks of Waltersson and Karayiannidis, n x n cells over a square of a side [m]."""
    @staticmethod
    def points(x: Any, y: Any, share: Any) -> Patch:
        """Points [m] that carry shares of the normal force, any factor. One point takes no torque."""
    @staticmethod
    def polygon(loops: list[Any], columns: int = 32, rows: int = 32, pressure: Any = None) -> Patch:
        """A polygon of closed loops, each (k, 2) [m], by the odd-even rule; loops may be holes, and may cross."""
    @property
    def radius(self) -> float:
        """The farthest point's distance [m]."""
    @staticmethod
    def rectangle(width: float, height: float, columns: int = 6, rows: int = 6, pressure: Any = None) -> Patch:
        """A rectangle [m] by Gauss points; pressure(x, y), even unless given."""
    def scaled(self, factor: float) -> Patch:
        """The same patch, larger or smaller."""
    @property
    def share(self) -> np.ndarray:
        """Of the normal force, of sum 1."""
    @property
    def torque_radius(self) -> float:
        """r: torque of a pure rotation for mu f_N = 1 [m]."""
    def wrench(self, twist: Any, rule: str = 'exact') -> np.ndarray:
        """The limit surface: the wrench of Coulomb friction for mu f_N = 1, of one twist (3,) or of many (n, 3). NaN shows in its row."""
    @property
    def x(self) -> np.ndarray:
        """Of its points, from the centre of pressure [m]."""
    @property
    def y(self) -> np.ndarray:
        ...

class Reduced:
    """A patch with three states z (3,): x, y [m] and rotation [m^2]; or n patches of the same model, (n, 3). A state is a value: calls return a new one. NaN in a state or a twist shows in its row."""
    def __init__(self, friction: Friction, patch: Patch, surface: str = 'table', cells: Optional[int] = None) -> None:
        """surface: 'table', 'ellipsoid' (no table), 'angles' (the paper's) or 'axisymmetric' (discs)."""
    def advance(self, z: Any, twist: Any, dt: float) -> np.ndarray:
        """The state after dt [s] at a constant twist."""
    def euler_step(self, z: Any, twist: Any, normal_force: float, dt: float, bounded: bool = False) -> tuple:
        """The authors' explicit step, to reproduce their numbers."""
    @property
    def friction(self) -> Friction:
        ...
    @property
    def mean_square_radius(self) -> float:
        """[m^2]"""
    def rate(self, z: Any, twist: Any) -> np.ndarray:
        """dz/dt, for ODE solvers."""
    def resized(self, torque_radius: float, mean_square_radius: float) -> Reduced:
        """The same shape in another size [m], [m^2]."""
    def solve(self, z: Any, free_twist: Any, mobility: Any, normal_force: float, dt: float, twist: Any = None) -> Solved:
        """Body and friction together, over dt [s]: for the twist (3,) at the end of the step without friction, and the mobility (3, 3), the acceleration that a unit wrench gives the body. `twist`, at the start of the step, picks the root where there are several. `wrench, twist, state = model.solve(state, ...)`, with a new state."""
    def state(self) -> np.ndarray:
        """The state at rest without load, (3,)."""
    def step(self, z: Any, twist: Any, normal_force: Any, dt: float) -> tuple:
        """(wrench, state) after dt [s]."""
    def surface(self, v: Any) -> np.ndarray:
        """h: (f_x, f_y, torque/r) for mu f_N = 1 of a motion (v_x, v_y, r spin), one or many."""
    @property
    def torque_radius(self) -> float:
        """[m]"""
    def wrench(self, z: Any, twist: Any, normal_force: Any) -> np.ndarray:
        """(f_x, f_y, torque) [N, N, N m]"""

class ReducedBatch:
    """Many patches with three states each, in columns: states, twists and wrenches are (3, n). States are a value: `step` returns new ones, or with out=states writes them there and copies nothing."""
    def __init__(self, surfaces: list[SurfaceTable], friction: Any, torque_radius: Any, mean_square_radius: Any, surface: Any = 0) -> None:
        """surfaces: SurfaceTables; friction: one for all, or a list of n; torque_radius (n,) [m]; mean_square_radius (n,) [m^2]; surface: which of the tables, (n,) or one for all."""
    def __len__(self) -> int:
        ...
    def resize(self, patch: int, torque_radius: float, mean_square_radius: float) -> None:
        ...
    def states(self) -> np.ndarray:
        """States at rest without load, (3, n)."""
    def step(self, states: Any, twists: Any, normal_forces: Any, dt: float, *, out: Any = None, wrench_out: Any = None) -> tuple:
        """(wrenches, states), both (3, n), after dt [s] at constant twists (3, n) under normal forces (n,) [N]. NaN shows in its own patch. out and wrench_out: arrays for the results; out may be the states."""

class ReducedBatchF:
    """Many patches with three states each, in columns: states, twists and wrenches are (3, n). States are a value: `step` returns new ones, or with out=states writes them there and copies nothing."""
    def __init__(self, surfaces: list[SurfaceTable], friction: Any, torque_radius: Any, mean_square_radius: Any, surface: Any = 0) -> None:
        """surfaces: SurfaceTables; friction: one for all, or a list of n; torque_radius (n,) [m]; mean_square_radius (n,) [m^2]; surface: which of the tables, (n,) or one for all."""
    def __len__(self) -> int:
        ...
    def resize(self, patch: int, torque_radius: float, mean_square_radius: float) -> None:
        ...
    def states(self) -> np.ndarray:
        """States at rest without load, (3, n)."""
    def step(self, states: Any, twists: Any, normal_forces: Any, dt: float, *, out: Any = None, wrench_out: Any = None) -> tuple:
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
        ...
    @property
    def rounds(self) -> int:
        ...
    @property
    def slips(self) -> bool:
        ...
    @property
    def twist(self) -> np.ndarray:
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
    def step(self, z: Any, twist: Any, normal_force: float, dt: float) -> tuple:
        """Presses the finger with the normal force [N], then (wrench, state) after dt [s]."""

class Solved:
    """What a coupled step of a patch gives: twist = free_twist + dt mobility @ wrench. Unpacks to wrench, twist, state."""
    def __iter__(self) -> Iterator:
        ...
    @property
    def converged(self) -> bool:
        """Whether the equation of the step is met."""
    @property
    def iterations(self) -> int:
        ...
    @property
    def residual(self) -> float:
        """By how much the equation of the step is missed [m/s]."""
    @property
    def state(self) -> np.ndarray:
        """At the end of the step."""
    @property
    def twist(self) -> np.ndarray:
        """At the end of the step, (3,) [m/s, m/s, rad/s]."""
    @property
    def wrench(self) -> np.ndarray:
        """Of friction, (3,) [N, N, N m]: the mean over the step."""

class SurfaceTable:
    """The limit surface of a patch as a table, which batches of patches share."""
    def __call__(self, v: Any) -> np.ndarray:
        """(f_x, f_y, torque/r) for mu f_N = 1 of a motion (v_x, v_y, r spin), one or many."""
    def __init__(self, patch: Patch, cells: int = 24) -> None:
        ...
    @property
    def cells(self) -> int:
        ...
    def gradient(self, v: Any) -> np.ndarray:
        """dh_i/dv_j (3, 3)"""

def hold_normals(w: Any, velocity: Any) -> tuple:
    """(free twist, mobility) for `solve`, of a patch whose n contact points keep their normal velocity at zero. w = J M^-1 J' and velocity = J q', with the rows of J for the twist (x, y, spin), then for the normal velocities."""

def holds(patch: Patch, load: Any, friction: float) -> bool:
    """Whether the patch stays at rest; quicker than `slip`."""

def load_patch(path: str) -> Patch:
    """The [patch] of a TOML file, also from a CSV or PNG image beside it."""

def parse_patch(text: str) -> Patch:
    """The same from text."""

def pushed(patch: Patch, friction: float, contact: Any, normal: Any, velocity: Any, coefficient: float = ...) -> tuple:
    """A body that rests on the patch and is pushed slowly at a point [m] along a velocity [m/s]: (twist, load of the pusher, 'sticks', 'slides' or 'parts')."""

def slip(patch: Patch, load: Any, friction: float) -> Slip:
    """Does a patch with friction = mu f_N [N] slip under a load (f_x, f_y, torque) on the body, and which way?"""

def slip_factors(patch: Patch, loads: Any, friction: float) -> np.ndarray:
    """The same for many loads (n, 3): (n, 4) with factor and twist; at 1 and below it slips. A load that is not finite gives a row of NaN."""

def soft_finger_pressure(radius: float, exponent: float) -> Callable[[float, float], float]:
    """The pressure(x, y) of a soft finger, for Patch.function."""

def twist_at(twist: Any, start: Any, end: Any) -> np.ndarray:
    """The same motion, seen at another point [m]."""

def wrench_at(wrench: Any, start: Any, end: Any) -> np.ndarray:
    """The same forces, with the torque about another point [m]."""
