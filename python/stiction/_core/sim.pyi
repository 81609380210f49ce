# Written by python/make_stubs.py from the extension: do not edit.
"""Simulation."""

import os
from collections.abc import Sequence
from typing import Literal, overload

import numpy as np
import numpy.typing as npt
from numpy.typing import ArrayLike

from stiction import results as _results

from . import planar as _planar
from . import scalar as _scalar
class MovingArm:
    """An arm with friction in both joints, in fixed steps."""
    def __init__(self, arm: TwoLinkArm, friction_1: _scalar.Model, friction_2: _scalar.Model) -> None:
        ...
    @property
    def position(self) -> npt.NDArray[np.float64]:
        """q (2,) [rad]: the first joint's from the horizontal, the second's from link 1."""
    @position.setter
    def position(self, value: ArrayLike) -> None: ...
    def step(self, torque: ArrayLike, dt: float) -> npt.NDArray[np.float64]:
        """Moves on by dt [s] under torques (2,) [N m]; gives the friction of both joints (2,) [N m]."""
    @property
    def velocity(self) -> npt.NDArray[np.float64]:
        """(2,) [rad/s]"""
    @velocity.setter
    def velocity(self, value: ArrayLike) -> None: ...

class PlanarSteps:
    """A rigid body on a patch in steps of any length: velocity and friction at the end of a step are found together (backward Euler). A copy or a pickle has the motion, but not the report of the last step."""
    @overload
    def __init__(self, model: _planar.Reduced, mass: float, inertia: float, *, contacts: int = 1, carried: bool = False, at: ArrayLike = ...) -> None:
        """mass [kg], inertia about the centre of mass [kg m^2]; `contacts` equal patches, whose origin is at `at` [m]: a place, or with `carried` from the centre of mass."""
    @overload
    def __init__(self, model: _planar.Distributed, mass: float, inertia: float, *, contacts: int = 1, carried: bool = False, at: ArrayLike = ...) -> None:
        ...
    @property
    def angle(self) -> float:
        """[rad]"""
    @angle.setter
    def angle(self, value: float) -> None: ...
    @property
    def error(self) -> float:
        """By how much the last step missed its equations [m/s]."""
    @property
    def iterations(self) -> int:
        """Of the last step."""
    @property
    def position(self) -> npt.NDArray[np.float64]:
        """Of the centre of mass (2,) [m]."""
    @position.setter
    def position(self, value: ArrayLike) -> None: ...
    def step(self, load: ArrayLike, normal_force: float, dt: float) -> npt.NDArray[np.float64]:
        """Moves on by dt [s] under a load (3,) at the centre of mass, gravity included, and the normal force of one contact [N]; gives the wrench (3,) of one contact, at the patch's origin. NaN, with `error`: it could not be taken."""
    @property
    def velocity(self) -> npt.NDArray[np.float64]:
        """Of the centre of mass (3,) [m/s, m/s, rad/s]."""
    @velocity.setter
    def velocity(self, value: ArrayLike) -> None: ...

class SampledBody:
    """A mass [kg] with friction as a sampled controller meets it: the force is held from one sample to the next (SDIRK2)."""
    def __init__(self, model: _scalar.Model, mass: float) -> None:
        ...
    def hold(self, force: float, dt: float, substeps: int = 1, *, motor: float = 0.0) -> None:
        """Moves on by dt [s] under a constant force [N], and one of a motor [N], which a gear transmits."""
    @property
    def mass(self) -> float:
        """[kg]"""
    @property
    def model(self) -> _scalar.Model:
        """The friction."""
    @property
    def position(self) -> float:
        """[m]"""
    @position.setter
    def position(self, value: float) -> None: ...
    @property
    def state(self) -> _scalar.State:
        """Of the friction."""
    @property
    def velocity(self) -> float:
        """[m/s]"""
    @velocity.setter
    def velocity(self, value: float) -> None: ...

class TwoLinkArm:
    """Two rigid links in a vertical plane: M(q) dv/dt + C(q, v) v + G(q) = torque - friction."""
    def __init__(self, *, length_1: float, mass_1: float, centre_1: float, inertia_1: float, mass_2: float, centre_2: float, inertia_2: float, gravity: float = 0.0) -> None:
        """Lengths and centres of mass [m] from their joints, masses [kg], inertias about the centres [kg m^2], gravity [m/s^2] along -y."""
    def acceleration(self, q: ArrayLike, v: ArrayLike, torque: ArrayLike) -> npt.NDArray[np.float64]:
        """dv/dt (2,) [rad/s^2] under torques less friction."""
    def coriolis(self, q: ArrayLike, v: ArrayLike, w: ArrayLike) -> npt.NDArray[np.float64]:
        """C(q, v) w (2,) [N m]"""
    def gravity_torque(self, q: ArrayLike) -> npt.NDArray[np.float64]:
        """G(q) (2,) [N m]"""
    def kinetic_energy(self, q: ArrayLike, v: ArrayLike) -> float:
        """[J]"""
    def mass_matrix(self, q: ArrayLike) -> npt.NDArray[np.float64]:
        """M(q) (2, 2) [kg m^2]"""
    def mobility(self, q: ArrayLike) -> npt.NDArray[np.float64]:
        """Its inverse."""
    def potential_energy(self, q: ArrayLike) -> float:
        """[J]"""

def advise(model: _scalar.Model, mass: float, step: float, speed: float | None = None) -> _results.Advice:
    """What to expect of a model on a mass [kg] under fixed steps [s]: stable, creeping, passive, and which scheme."""

def body(model: _scalar.Model, mass: float, duration: float, *, force: float | tuple[ArrayLike, ArrayLike] = 0.0, method: Literal['cvode', 'sdirk2', 'backward-euler', 'explicit-euler', 'semi-implicit-euler', 'runge-kutta-4', 'midpoint'] = 'cvode', step: float = 0.001, output_interval: float = 0.001, tolerance: float = 1e-09, position: float = 0.0, velocity: float = 0.0, spring_stiffness: float = 0.0, spring_damping: float = 0.0, anchor: float | tuple[ArrayLike, ArrayLike] = 0.0, state: _scalar.State | None = None, normal: float | tuple[ArrayLike, ArrayLike] = 1.0, max_steps: int = 100000000, motor: float | tuple[ArrayLike, ArrayLike] = 0.0) -> _results.Columns:
    """A mass [kg] with friction over a duration [s]: named arrays. Force [N], anchor of the spring [m] and normal load are numbers or (times [s], values), as is the motor's force [N], which a gear transmits to the mass. A run that needs more than max_steps is refused."""

def drive(model: _scalar.Model, velocity: float | tuple[ArrayLike, ArrayLike], duration: float, *, method: Literal['cvode', 'sdirk2', 'backward-euler', 'explicit-euler', 'semi-implicit-euler', 'runge-kutta-4', 'midpoint'] = 'cvode', step: float = 0.001, output_interval: float = 0.001, tolerance: float = 1e-09, state: _scalar.State | None = None, normal: float | tuple[ArrayLike, ArrayLike] = 1.0, max_steps: int = 100000000) -> _results.Columns:
    """Friction under an imposed velocity [m/s], a number or (times [s], values): named arrays. Methods cvode, and midpoint: exact steps of the friction at the velocity in the middle of each."""

def methods(of: Literal['body', 'two_bodies', 'drive'] = 'body') -> list[str]:
    """Names of the integrators that body, two_bodies or drive offers."""

def run_file(path: str | os.PathLike[str]) -> _results.Columns:
    """Runs a scenario file."""

def run_text(text: str, folder: str | os.PathLike[str] = '.') -> _results.Columns:
    """Runs a scenario given as TOML text."""

def two_bodies(model: _scalar.Model, mass: Sequence[float], duration: float, *, force_1: float | tuple[ArrayLike, ArrayLike] = 0.0, force_2: float | tuple[ArrayLike, ArrayLike] = 0.0, method: Literal['cvode', 'sdirk2', 'backward-euler', 'explicit-euler', 'semi-implicit-euler', 'runge-kutta-4', 'midpoint'] = 'cvode', step: float = 0.001, output_interval: float = 0.001, tolerance: float = 1e-09, position: Sequence[float] = ..., velocity: Sequence[float] = ..., state: _scalar.State | None = None, normal: float | tuple[ArrayLike, ArrayLike] = 1.0, max_steps: int = 100000000) -> _results.Columns:
    """Two masses [kg] with friction between them, as a block on a moving table: named arrays. Forces [N] from the ground are numbers or (times [s], values); methods cvode, sdirk2 and backward-euler."""
