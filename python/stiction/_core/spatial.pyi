# Written by python/make_stubs.py from the extension: do not edit.
"""Many contacts of one body: friction cones, grasps, static friction."""

from collections.abc import Callable, Iterator
from typing import Any, Optional, overload

import numpy as np
from numpy.typing import ArrayLike

from . import planar, scalar

class Cone:
    """A friction cone. Forces are (dimension,) or rows of them; of circular and box cones and pyramids (x, y, normal), of elliptic and MuJoCo's (normal, tangential ...)."""
    def contains(self, f: Any, tolerance: float = 0.0) -> Any:
        """Within a distance [N] of a force of the cone."""
    @property
    def dimension(self) -> int:
        ...
    def dual_margin(self, f: Any) -> Any:
        ...
    @property
    def edges(self) -> np.ndarray:
        """Of a pyramid, (edges, dimension); none for round cones."""
    def friction_support(self, direction: Any, normal: float) -> Any:
        """sup d.f over the friction under a normal force [N]."""
    def margin(self, f: Any) -> Any:
        """Distance to the boundary [N]: positive inside, negative outside."""
    def project(self, f: Any, weights: Any = None) -> np.ndarray:
        """The nearest force of the cone."""
    def project_dual(self, f: Any) -> np.ndarray:
        """The nearest vector of the dual cone."""
    def project_polar(self, f: Any) -> np.ndarray:
        """The nearest vector of the polar cone."""
    def section_support(self, direction: Any, normal: float) -> Any:
        """sup d.f over forces with a normal part up to `normal` [N]."""
    def support(self, direction: Any) -> Any:
        """sup d.f over the cone: 0 or inf."""

class Declaration:
    """Whether contacts do what they were declared to do."""
    @property
    def contact(self) -> Optional[int]:
        """The first that does something else; None: none by itself."""
    @property
    def right(self) -> bool:
        ...

class ForceClosure:
    """Whether every load can be resisted, with a proof."""
    @property
    def closed(self) -> bool:
        ...
    @property
    def converged(self) -> bool:
        ...
    @property
    def direction(self) -> np.ndarray:
        """If not closed: no generator pushes against it, (6,)."""
    @property
    def margin(self) -> float:
        """Closed: the hull holds a ball of this radius. Else <= 0."""
    @property
    def rank(self) -> int:
        ...
    @property
    def rounds(self) -> int:
        ...

class FrictionPolygon:
    """The friction polygon as a sum of forces along its corners."""
    def __init__(self, sides: int) -> None:
        ...
    def compose(self, b: Any) -> np.ndarray:
        """The sum of b_i times the corners."""
    def corner(self, i: int) -> np.ndarray:
        ...
    def decompose(self, friction: Any) -> tuple:
        """(corner i, b_i, b_(i+1)), both b >= 0."""
    def needed(self, friction: Any) -> float:
        """The least mu N whose polygon holds it [N]."""
    @property
    def scale(self) -> float:
        ...
    @property
    def sides(self) -> int:
        ...

class LinearProgram:
    """Least cost.x subject to row_lower <= A x <= row_upper, lower <= x <= upper."""
    @property
    def cost(self) -> np.ndarray:
        ...
    @property
    def lower(self) -> np.ndarray:
        ...
    @property
    def matrix(self) -> np.ndarray:
        """A, dense."""
    @property
    def row_lower(self) -> np.ndarray:
        ...
    @property
    def row_upper(self) -> np.ndarray:
        ...
    @property
    def upper(self) -> np.ndarray:
        ...
    def violation(self, x: Any) -> tuple:
        """(absolute, relative): how far x is from being feasible."""

class Solution:
    """The motion that balances the load with the least energy."""
    @property
    def converged(self) -> bool:
        ...
    @property
    def declaration(self) -> Declaration:
        ...
    @property
    def gap(self) -> float:
        """The objective is at most this above the least one [J]."""
    @property
    def iterations(self) -> int:
        ...
    @property
    def motion(self) -> np.ndarray:
        """(translation [m], rotation [rad]), (6,)"""
    @property
    def multiplier(self) -> np.ndarray:
        """y (6,), which proves the gap: no energy is below y.F - y.G y/2 - (friction's largest work along y)."""
    @property
    def objective(self) -> float:
        """[J]"""
    @property
    def status(self) -> str:
        """'converged'; 'max_iterations' or 'still_sliding' with the best motion found; 'not_definite' or 'not_finite' without a motion."""

class StaticDynamic:
    """Two coefficients: mu_s at rest, mu_d while sliding."""
    def __init__(self, mu_s: float, mu_d: float) -> None:
        ...
    def coefficient(self, slip_speed: float, rest_speed: float = 0.0) -> float:
        ...
    @property
    def mu_d(self) -> float:
        ...
    @property
    def mu_s(self) -> float:
        ...
    def sliding_friction(self, velocity: Any, normal_force: float) -> np.ndarray:
        """On the body that slides, (2,) [N]."""

class StaticFriction:
    """Static friction of a body with up to `capacity` contacts, with exact cones, or with pyramids of an even number of sides."""
    def __init__(self, capacity: int, sides: int = 0) -> None:
        ...
    @property
    def capacity(self) -> int:
        ...
    @property
    def contacts(self) -> tuple:
        """Of the last solution: (friction (n, 3) [N], torque about the normal (n,) [N m], slides (n,))."""
    def forget(self) -> None:
        """The next solution does not start from the last one."""
    def set(self, arm: Any, normal: Any, normal_force: Any, friction: Any, wrench: Any, gradient: Any, mass: Any, length: float = 1.0, **kwargs: Any) -> None:
        """arm (n, 3) [m] from the centre of mass; unit normals into the body (n, 3); normal_force (n,) [N]; friction mu (n,); the load's wrench (6,) and its gradient (6, 6); mass matrix (6, 6); length [m]. Also dynamic_friction, u (n, 3), friction_v, torsion [m], declared ('nothing', 'sticks', 'slides') and key (by default 0 to n - 1), by keyword; None is the same as leaving one out."""
    def solve(self, metric: str = 'stiffness', gap: float = 1e-09, max_iterations: int = 100, polish: int = 0, warm: bool = True) -> Solution:
        ...
    def verdict(self, exactly: bool = False, metric: str = 'stiffness', gap: float = 1e-09, max_iterations: int = 100, polish: int = 0, warm: bool = True) -> Verdict:
        ...
    @property
    def verdict_friction(self) -> tuple:
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
        ...
    @property
    def factor(self) -> float:
        """Friction holds at least this share of the load ..."""
    @property
    def factor_limit(self) -> float:
        """... and at most this."""
    @property
    def holds(self) -> bool:
        ...
    @property
    def iterations(self) -> int:
        ...
    @property
    def mechanism(self) -> np.ndarray:
        """The virtual motion (6,) that proves factor_limit: what friction can do against it at most, over the load's work along it."""
    @property
    def motion(self) -> np.ndarray:
        """(6,)"""
    @property
    def proven(self) -> bool:
        """Whether the status is 'holds' or 'slips'."""
    @property
    def rank(self) -> int:
        ...
    @property
    def status(self) -> str:
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
        ...
    def ray(self, phi: float) -> np.ndarray:
        """(mu cos phi, mu sin phi, 1)"""

class EllipticCone(Cone):
    """f_1^2 >= sum (f_(i+1)/mu_i)^2, the normal force first."""
    def __init__(self, mu: list[float]) -> None:
        """2 coefficients [-], 3 with torsion [m], 5 with rolling [m]."""

class MujocoPyramid(Cone):
    """MuJoCo's pyramid: sum |f_(i+1)|/mu_i <= f_1."""
    def __init__(self, mu: list[float]) -> None:
        """2 coefficients [-], 3 with torsion [m], 5 with rolling [m]."""

class Pyramid(Cone):
    """A pyramid of n sides inside or around the circular cone."""
    def __init__(self, mu: float, sides: int = 4, inscribed: bool = True) -> None:
        ...

def force_closure(generators: Any) -> ForceClosure:
    """Of wrenches (k, 6)."""

def frame(normal: Any, x_normal: bool = False) -> np.ndarray:
    """A right-handed contact frame (3, 3), its unit axes in rows, z along the normal, or x as in MuJoCo."""

def linear_program(form: str, sides: int, critical_ratio: bool, arm: Any, normal: Any, normal_force: Any, friction: Any, wrench: Any, gradient: Any, mass: Any, length: float = 1.0, **kwargs: Any) -> LinearProgram:
    """The LP of static friction, 'published' or 'six-row', for any LP solver."""

def wrench_generators(points: Any, normals: Any, mu: Any, torsion: Any = 0.0, centre: Any = None, length: float = 1.0, sides: int = 8) -> np.ndarray:
    """Wrenches (k, 6), force and torque/length, whose positive combinations are what contacts at points (n, 3) [m] with normals into the body (n, 3) can exert; torsion [m] makes soft fingers."""
