# Written by python/make_stubs.py from the extension: do not edit.
"""Friction in one implicit step with the joints and contacts of an engine."""

from collections.abc import Callable, Iterator
from typing import Any, Optional, overload

import numpy as np
from numpy.typing import ArrayLike

from . import planar, scalar

class CoupledJoints:
    """n axes with friction, coupled through the inverse mass matrix W:  v+ = v_free - dt W F."""
    def __init__(self, models: list[scalar.Model]) -> None:
        ...
    def __len__(self) -> int:
        ...
    @property
    def residual(self) -> float:
        """Of the last step [rad/s]."""
    def rest_under(self, load: Any) -> None:
        """Puts every axis to rest under its load."""
    def step(self, free_velocity: Any, mobility: Any, velocity: Any, dt: float) -> np.ndarray:
        """Moves the states on by dt [s]; the friction of each axis (n,), for W (n, n)."""
    def step_uncoupled(self, velocity: Any, dt: float) -> np.ndarray:
        """Without the load: the friction at the present velocity."""
    @property
    def sweeps(self) -> int:
        ...

class CoupledPatch:
    """A patch between two bodies:  v+ = v_free + dt A w,  with the 3 x 3 mobility A of the contact."""
    def __init__(self, friction: planar.Friction, patch: planar.Patch) -> None:
        ...
    def reset(self) -> None:
        """As after the contact was lost."""
    @property
    def residual(self) -> float:
        """Of the last step [m/s]."""
    def step(self, free_twist: Any, mobility: Any, normal_force: float, dt: float) -> np.ndarray:
        """Moves the state on by dt [s]; the wrench (3,) on the body whose twist it is."""
