# Written by python/make_stubs.py from the extension: do not edit.
"""Many contacts of one body: friction cones, grasps, static friction."""

from collections.abc import Sequence
from typing import Literal

import numpy as np
import numpy.typing as npt
from numpy.typing import ArrayLike

class Cone:
    """A friction cone. Forces are (dimension,) or rows of them; of circular and box cones and pyramids (x, y, normal), of elliptic and MuJoCo's (normal, tangential ...)."""
    def contains(self, f: ArrayLike, tolerance: float = 0.0) -> bool | npt.NDArray[np.bool_]:
        """Within a distance [N] of a force of the cone."""
    @property
    def dimension(self) -> int:
        """Of its forces: 1, 3, 4 or 6."""
    def dual_margin(self, f: ArrayLike) -> float | npt.NDArray[np.float64]:
        """The same of the dual cone."""
    @property
    def edges(self) -> npt.NDArray[np.float64]:
        """Of a pyramid, (edges, dimension); none for round cones."""
    def friction_support(self, direction: ArrayLike, normal: float) -> float | npt.NDArray[np.float64]:
        """sup d.f over the friction under a normal force [N]."""
    def margin(self, f: ArrayLike) -> float | npt.NDArray[np.float64]:
        """Distance to the boundary [N]: positive inside, negative outside."""
    def project(self, f: ArrayLike, weights: ArrayLike | None = None) -> npt.NDArray[np.float64]:
        """The nearest force of the cone."""
    def project_dual(self, f: ArrayLike) -> npt.NDArray[np.float64]:
        """The nearest vector of the dual cone."""
    def project_polar(self, f: ArrayLike) -> npt.NDArray[np.float64]:
        """The nearest vector of the polar cone."""
    def section_support(self, direction: ArrayLike, normal: float) -> float | npt.NDArray[np.float64]:
        """sup d.f over forces with a normal part up to `normal` [N]."""
    def support(self, direction: ArrayLike) -> float | npt.NDArray[np.float64]:
        """sup d.f over the cone: 0 or inf."""

class Declaration:
    """Whether contacts do what they were declared to do."""
    @property
    def contact(self) -> int | None:
        """The first that does something else; None: none by itself."""
    @property
    def right(self) -> bool:
        """Whether all do."""

class ForceClosure:
    """Whether every load can be resisted, with a proof."""
    @property
    def closed(self) -> bool:
        """Whether every load can be resisted."""
    @property
    def converged(self) -> bool:
        """Whether the margin is exact to rounding."""
    @property
    def direction(self) -> npt.NDArray[np.float64]:
        """If not closed: no generator pushes against it, (6,)."""
    @property
    def margin(self) -> float:
        """Closed: the hull holds a ball of this radius. Else <= 0."""
    @property
    def rank(self) -> int:
        """Of the generators: 6 where they span all loads."""
    @property
    def rounds(self) -> int:
        """Of the search."""

class FrictionPolygon:
    """The friction polygon as a sum of forces along its corners."""
    def __init__(self, sides: int) -> None:
        ...
    def compose(self, b: ArrayLike) -> npt.NDArray[np.float64]:
        """The sum of b_i times the corners."""
    def corner(self, i: int) -> npt.NDArray[np.float64]:
        """Number i, (2,), for mu N = 1."""
    def decompose(self, friction: ArrayLike) -> tuple[int, float, float]:
        """(corner i, b_i, b_(i+1)), both b >= 0."""
    def needed(self, friction: ArrayLike) -> float:
        """The least mu N whose polygon holds it [N]."""
    @property
    def scale(self) -> float:
        """Distance of its corners, for mu N = 1."""
    @property
    def sides(self) -> int:
        """How many."""

class LinearProgram:
    """Least cost.x subject to row_lower <= A x <= row_upper, lower <= x <= upper."""
    @property
    def cost(self) -> npt.NDArray[np.float64]:
        """Of x."""
    @property
    def lower(self) -> npt.NDArray[np.float64]:
        """Of x."""
    @property
    def matrix(self) -> npt.NDArray[np.float64]:
        """A, dense."""
    @property
    def row_lower(self) -> npt.NDArray[np.float64]:
        """Of A x."""
    @property
    def row_upper(self) -> npt.NDArray[np.float64]:
        """Of A x."""
    @property
    def upper(self) -> npt.NDArray[np.float64]:
        """Of x."""
    def violation(self, x: ArrayLike) -> tuple[float, float]:
        """(absolute, relative): how far x is from being feasible."""

class Solution:
    """The motion that balances the load with the least energy."""
    @property
    def converged(self) -> bool:
        """Whether the status is 'converged'."""
    @property
    def declaration(self) -> Declaration:
        """Whether declared contacts were right."""
    @property
    def gap(self) -> float:
        """The objective is at most this above the least one [J]."""
    @property
    def iterations(self) -> int:
        """Of the solver."""
    @property
    def motion(self) -> npt.NDArray[np.float64]:
        """(translation [m], rotation [rad]), (6,)"""
    @property
    def multiplier(self) -> npt.NDArray[np.float64]:
        """y (6,), which proves the gap: no energy is below y.F - y.G y/2 - (friction's largest work along y)."""
    @property
    def objective(self) -> float:
        """[J]"""
    @property
    def status(self) -> Literal['converged', 'max_iterations', 'still_sliding', 'not_definite', 'not_finite']:
        """'converged'; 'max_iterations' or 'still_sliding' with the best motion found; 'not_definite' or 'not_finite' without a motion."""

class StaticDynamic:
    """Two coefficients: mu_s at rest, mu_d while sliding."""
    def __init__(self, mu_s: float, mu_d: float) -> None:
        ...
    def coefficient(self, slip_speed: float, rest_speed: float = 0.0) -> float:
        """mu_d above the rest speed [m/s], mu_s at and below it."""
    @property
    def mu_d(self) -> float:
        """While sliding [-]."""
    @property
    def mu_s(self) -> float:
        """At rest [-]."""
    def sliding_friction(self, velocity: ArrayLike, normal_force: float) -> npt.NDArray[np.float64]:
        """On the body that slides, (2,) [N]."""

class StaticFriction:
    """Static friction of a body with up to `capacity` contacts, with exact cones, or with pyramids of an even number of sides. A copy or a pickle has the problem that is set, and starts afresh: it remembers no solution."""
    def __init__(self, capacity: int, sides: int = 0) -> None:
        ...
    @property
    def capacity(self) -> int:
        """Room for so many contacts."""
    @property
    def contacts(self) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64], npt.NDArray[np.bool_]]:
        """Of the last solution: (friction (n, 3) [N], torque about the normal (n,) [N m], slides (n,))."""
    def forget(self) -> None:
        """The next solution does not start from the last one."""
    def set(self, arm: ArrayLike, normal: ArrayLike, normal_force: ArrayLike, friction: ArrayLike, wrench: ArrayLike, gradient: ArrayLike, mass: ArrayLike, length: float = 1.0, *, dynamic_friction: ArrayLike | None = None, u: ArrayLike | None = None, friction_v: ArrayLike | None = None, torsion: ArrayLike | None = None, declared: Sequence[Literal['nothing', 'sticks', 'slides']] | None = None, key: ArrayLike | None = None) -> None:
        """arm (n, 3) [m] from the centre of mass; unit normals into the body (n, 3); normal_force (n,) [N]; friction mu (n,); the load's wrench (6,) and its gradient (6, 6); mass matrix (6, 6); length [m]. Also dynamic_friction, u (n, 3), friction_v, torsion [m], declared ('nothing', 'sticks', 'slides') and key (by default 0 to n - 1), by keyword; None is the same as leaving one out."""
    def solve(self, metric: Literal['stiffness', 'mass'] = 'stiffness', gap: float = 1e-09, max_iterations: int = 100, polish: int = 0, warm: bool = True) -> Solution:
        """The motion that balances the load with the least energy in the metric. gap [-]: relative, 1e-12 to 1e-3; polish: iterations after convergence, for contacts that carry little load; warm: from the last solution."""
    def verdict(self, exactly: bool = False, metric: Literal['stiffness', 'mass'] = 'stiffness', gap: float = 1e-09, max_iterations: int = 100, polish: int = 0, warm: bool = True) -> Verdict:
        """Can friction hold the load? exactly: the factor to the gap, else only until that is decided. metric: energy of the stiffness or of the mass; gap [-]: relative, 1e-12 to 1e-3; polish: iterations after convergence, for contacts that carry little load; warm: from the last solution."""
    @property
    def verdict_friction(self) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """What proves the last verdict's factor: (friction (n, 3) [N], torque about the normal (n,) [N m]) that balances so many times the load."""

class Verdict:
    """Whether friction can hold the load."""
    @property
    def converged(self) -> bool:
        """The factor is known to the gap that was asked for."""
    @property
    def critical_ratio(self) -> float:
        """All coefficients times this are just enough."""
    @property
    def declaration(self) -> Declaration:
        """Whether declared contacts were right."""
    @property
    def factor(self) -> float:
        """Friction holds at least this share of the load ..."""
    @property
    def factor_limit(self) -> float:
        """... and at most this."""
    @property
    def holds(self) -> bool:
        """Whether the status is 'holds'."""
    @property
    def iterations(self) -> int:
        """Of the solver."""
    @property
    def mechanism(self) -> npt.NDArray[np.float64]:
        """The virtual motion (6,) that proves factor_limit: what friction can do against it at most, over the load's work along it."""
    @property
    def motion(self) -> npt.NDArray[np.float64]:
        """(translation [m], rotation [rad]), (6,), along which no friction resists; 0 at rank 6."""
    @property
    def proven(self) -> bool:
        """Whether the status is 'holds' or 'slips'."""
    @property
    def rank(self) -> int:
        """Of all friction wrenches: 6 where friction can resist every motion."""
    @property
    def status(self) -> Literal['holds', 'slips', 'unproven', 'not_finite']:
        """'holds' or 'slips', by a certificate; 'unproven' where iterations or digits ran out; 'not_finite' where the free motion is not."""

class BoxCone(Cone):
    """|f_x| <= mu_x f_z, |f_y| <= mu_y f_z"""
    def __init__(self, mu_x: float, mu_y: float) -> None:
        ...

class CircularCone(Cone):
    """sqrt(f_x^2 + f_y^2) <= mu f_z"""
    def __init__(self, mu: float) -> None:
        ...
    @property
    def half_angle(self) -> float:
        """[rad]"""
    @property
    def mu(self) -> float:
        """Coefficient of friction [-]."""
    def ray(self, phi: float) -> npt.NDArray[np.float64]:
        """(mu cos phi, mu sin phi, 1)"""

class EllipticCone(Cone):
    """f_1^2 >= sum (f_(i+1)/mu_i)^2, the normal force first."""
    def __init__(self, mu: Sequence[float]) -> None:
        """2 coefficients [-], 3 with torsion [m], 5 with rolling [m]."""

class MujocoPyramid(Cone):
    """MuJoCo's pyramid: sum |f_(i+1)|/mu_i <= f_1."""
    def __init__(self, mu: Sequence[float]) -> None:
        """2 coefficients [-], 3 with torsion [m], 5 with rolling [m]."""

class Pyramid(Cone):
    """A pyramid of n sides inside or around the circular cone."""
    def __init__(self, mu: float, sides: int = 4, inscribed: bool = True) -> None:
        ...

def force_closure(generators: ArrayLike) -> ForceClosure:
    """Of wrenches (k, 6)."""

def frame(normal: ArrayLike, x_normal: bool = False) -> npt.NDArray[np.float64]:
    """A right-handed contact frame (3, 3), its unit axes in rows, z along the normal, or x as in MuJoCo."""

def linear_program(form: Literal['published', 'six-row'], sides: int, critical_ratio: bool, arm: ArrayLike, normal: ArrayLike, normal_force: ArrayLike, friction: ArrayLike, wrench: ArrayLike, gradient: ArrayLike, mass: ArrayLike, length: float = 1.0, *, dynamic_friction: ArrayLike | None = None, u: ArrayLike | None = None, friction_v: ArrayLike | None = None, torsion: ArrayLike | None = None, declared: Sequence[Literal['nothing', 'sticks', 'slides']] | None = None, key: ArrayLike | None = None) -> LinearProgram:
    """The LP of static friction, 'published' or 'six-row', for any LP solver."""

def wrench_generators(points: ArrayLike, normals: ArrayLike, mu: ArrayLike, torsion: ArrayLike = 0.0, centre: ArrayLike | None = None, length: float = 1.0, sides: int = 8) -> npt.NDArray[np.float64]:
    """Wrenches (k, 6), force and torque/length, whose positive combinations are what contacts at points (n, 3) [m] with normals into the body (n, 3) can exert; torsion [m] makes soft fingers."""
