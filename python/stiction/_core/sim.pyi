# Written by python/make_stubs.py from the extension: do not edit.
"""Simulation."""

from collections.abc import Callable, Iterator
from typing import Any, Optional, overload

import numpy as np
from numpy.typing import ArrayLike

from . import planar, scalar

class Columns(dict):
    """Named arrays of a run. solver: what finished it; note: why that is not what was asked for, or what to mind; steps: how many it took."""
    note: str
    solver: str
    steps: int

class MovingArm:
    """An arm with friction in both joints, in fixed steps."""
    def __init__(self, arm: TwoLinkArm, friction_1: scalar.Model, friction_2: scalar.Model) -> None:
        ...
    @property
    def position(self) -> np.ndarray:
        """q (2,) [rad]: the first joint's from the horizontal, the second's from link 1."""
    @position.setter
    def position(self, value: Any) -> None: ...
    def step(self, torque: Any, dt: float) -> np.ndarray:
        """Moves on by dt [s] under torques (2,) [N m]; gives the friction of both joints (2,) [N m]."""
    @property
    def velocity(self) -> np.ndarray:
        """(2,) [rad/s]"""
    @velocity.setter
    def velocity(self, value: Any) -> None: ...

class PlanarSteps:
    """A rigid body on a patch in steps of any length: velocity and friction at the end of a step are found together (backward Euler)."""
    @overload
    def __init__(self, model: planar.Reduced, mass: float, inertia: float, *, contacts: int = 1, carried: bool = False, at: Any = [0.0, 0.0]) -> None:
        """mass [kg], inertia about the centre of mass [kg m^2]; `contacts` equal patches, whose origin is at `at` [m]: a place, or with `carried` from the centre of mass."""
    @overload
    def __init__(self, model: planar.Distributed, mass: float, inertia: float, *, contacts: int = 1, carried: bool = False, at: Any = [0.0, 0.0]) -> None:
        ...
    @property
    def angle(self) -> float:
        """[rad]"""
    @angle.setter
    def angle(self, value: Any) -> None: ...
    @property
    def error(self) -> float:
        """By how much the last step missed its equations [m/s]."""
    @property
    def iterations(self) -> int:
        ...
    @property
    def position(self) -> np.ndarray:
        """Of the centre of mass (2,) [m]."""
    @position.setter
    def position(self, value: Any) -> None: ...
    def step(self, load: Any, normal_force: float, dt: float) -> np.ndarray:
        """Moves on by dt [s] under a load (3,) at the centre of mass, gravity included, and the normal force of one contact [N]; gives the wrench (3,) of one contact, at the patch's origin. NaN, with `error`: it could not be taken."""
    @property
    def velocity(self) -> np.ndarray:
        """Of the centre of mass (3,) [m/s, m/s, rad/s]."""
    @velocity.setter
    def velocity(self, value: Any) -> None: ...

class SampledBody:
    """A mass [kg] with friction as a sampled controller meets it: the force is held from one sample to the next (SDIRK2)."""
    def __init__(self, model: scalar.Model, mass: float) -> None:
        ...
    def hold(self, force: float, dt: float, substeps: int = 1) -> None:
        """Moves on by dt [s] under a constant force [N]."""
    @property
    def position(self) -> float:
        """[m]"""
    @position.setter
    def position(self, value: Any) -> None: ...
    @property
    def velocity(self) -> float:
        """[m/s]"""
    @velocity.setter
    def velocity(self, value: Any) -> None: ...

class TwoLinkArm:
    """Two rigid links in a vertical plane: M(q) dv/dt + C(q, v) v + G(q) = torque - friction."""
    def __init__(self, *, length_1: float, mass_1: float, centre_1: float, inertia_1: float, mass_2: float, centre_2: float, inertia_2: float, gravity: float = 0.0) -> None:
        """Lengths and centres of mass [m] from their joints, masses [kg], inertias about the centres [kg m^2], gravity [m/s^2] along -y."""
    def acceleration(self, q: Any, v: Any, torque: Any) -> np.ndarray:
        """dv/dt (2,) [rad/s^2] under torques less friction."""
    def coriolis(self, q: Any, v: Any, w: Any) -> np.ndarray:
        """C(q, v) w (2,) [N m]"""
    def gravity_torque(self, q: Any) -> np.ndarray:
        """G(q) (2,) [N m]"""
    def kinetic_energy(self, q: Any, v: Any) -> float:
        """[J]"""
    def mass_matrix(self, q: Any) -> np.ndarray:
        """M(q) (2, 2) [kg m^2]"""
    def mobility(self, q: Any) -> np.ndarray:
        """Its inverse."""
    def potential_energy(self, q: Any) -> float:
        """[J]"""

def advise(model: scalar.Model, mass: float, step: float, speed: Optional[float] = None) -> dict:
    """What to expect of a model on a mass [kg] under fixed steps [s]: stable, creeping, passive, and which scheme."""

def body(model: scalar.Model, mass: float, duration: float, *, force: Any = 0.0, method: str = 'cvode', step: float = 0.001, output_interval: float = 0.001, tolerance: float = 1e-09, position: float = 0.0, velocity: float = 0.0, spring_stiffness: float = 0.0, spring_damping: float = 0.0, anchor: Any = 0.0, state: Any = None, normal: Any = 1.0, max_steps: int = 100000000) -> dict:
    """A mass [kg] with friction over a duration [s]: named arrays. Force [N], anchor of the spring [m] and normal load are numbers or (times [s], values). A run that needs more than max_steps is refused."""

def drive(model: scalar.Model, velocity: Any, duration: float, *, method: str = 'cvode', step: float = 0.001, output_interval: float = 0.001, tolerance: float = 1e-09, state: Any = None, normal: Any = 1.0, max_steps: int = 100000000) -> dict:
    """Friction under an imposed velocity [m/s], a number or (times [s], values): named arrays. Methods cvode, and midpoint: exact steps of the friction at the velocity in the middle of each."""

def methods(of: str = 'body') -> list[str]:
    """Names of the integrators that body, two_bodies or drive offers."""

def run_file(path: str) -> dict:
    """Runs a scenario file."""

def run_text(text: str, folder: str = '.') -> dict:
    """Runs a scenario given as TOML text."""

def two_bodies(model: scalar.Model, mass: list[float[2]], duration: float, *, force_1: Any = 0.0, force_2: Any = 0.0, method: str = 'cvode', step: float = 0.001, output_interval: float = 0.001, tolerance: float = 1e-09, position: list[float[2]] = [0.0, 0.0], velocity: list[float[2]] = [0.0, 0.0], state: Any = None, normal: Any = 1.0, max_steps: int = 100000000) -> dict:
    """Two masses [kg] with friction between them, as a block on a moving table: named arrays. Forces [N] from the ground are numbers or (times [s], values); methods cvode, sdirk2 and backward-euler."""
