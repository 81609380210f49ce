# Written by python/make_stubs.py from the extension: do not edit.
"""Simulation."""

from collections.abc import Callable, Iterator
from typing import Any, Optional, overload

import numpy as np
from numpy.typing import ArrayLike

from . import planar, scalar

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

def advise(model: scalar.Model, mass: float, step: float, speed: Optional[float] = None) -> dict:
    """What to expect of a model on a mass [kg] under fixed steps [s]: stable, creeping, passive, and which scheme."""

def body(model: scalar.Model, mass: float, duration: float, *, force: Any = 0.0, method: str = 'cvode', step: float = 0.001, output_interval: float = 0.001, tolerance: float = 1e-09, position: float = 0.0, velocity: float = 0.0, spring_stiffness: float = 0.0, spring_damping: float = 0.0, anchor: Any = 0.0, state: Any = None, normal: Any = 1.0) -> dict:
    """A mass [kg] with friction over a duration [s]: named arrays. Force [N], anchor of the spring [m] and normal load are numbers or (times [s], values)."""

def drive(model: scalar.Model, velocity: Any, duration: float, *, method: str = 'cvode', step: float = 0.001, output_interval: float = 0.001, tolerance: float = 1e-09, state: Any = None, normal: Any = 1.0) -> dict:
    """Friction under an imposed velocity [m/s], a number or (times [s], values): named arrays."""

def methods() -> list[str]:
    """Names of the integrators."""

def run_file(path: str) -> dict:
    """Runs a scenario file."""

def run_text(text: str, folder: str = '.') -> dict:
    """Runs a scenario given as TOML text."""
