# Written by python/make_stubs.py from the extension: do not edit.
"""6-DoF haptic rendering with static friction."""

import os

import numpy as np
import numpy.typing as npt
from numpy.typing import ArrayLike

from stiction import results as _results

class Renderer:
    """One cycle after the other."""
    def contacts(self) -> _results.Contacts:
        """Those of the last cycle, as arrays; forces on the part [N]."""
    def reset_pose(self, position: ArrayLike, quaternion: ArrayLike | None = None) -> None:
        """Puts the part, and the hand, somewhere, at rest."""
    def step(self, position: ArrayLike, quaternion: ArrayLike | None = None, forces: bool = True) -> _results.Cycle:
        """A cycle with the hand there: position [m], unit quaternion (w, x, y, z). Wrenches are force [N] and torque [N m]: coupling on the part, output on the hand."""

class Scene:
    """Parts, friction and a hand, prepared for rendering."""
    def __init__(self, source: str | os.PathLike[str] | None = None, *, text: str | None = None, cache: str | os.PathLike[str] | None = None) -> None:
        """The name of a built-in scene or a TOML file, or its text. cache: folder for fields and shells."""
    @property
    def centre(self) -> npt.NDArray[np.float64]:
        """Where the hand holds the part, in its frame [m]."""
    @property
    def duration(self) -> float:
        """Of the hand's motion [s]."""
    @property
    def from_cache(self) -> int:
        """How many fields and shells came from the cache."""
    def insertability(self, tolerance: float = 0.001, max_force: float = ..., max_friction: float = 2.0, sweep: int = 9, resolution: float = 0.01) -> _results.Insertability:
        """The largest friction with which the part arrives: a sweep, then bisection. Lengths [m], forces [N]."""
    def renderer(self) -> Renderer:
        """A renderer that the caller steps."""
    def run(self, duration: float | None = None, every: int = 1) -> _results.HapticRun:
        """The hand's motion as fast as it goes: named arrays, one row for every so many cycles. SI units; phase is 0 free, 1 held, 2 slides, 3 fault."""

def built_in_scenes() -> list[str]:
    """Names of the scenes that need no files."""
