"""6-DoF haptic rendering with static friction: scenes run headless, or step by step.

Positions [m], unit quaternions (w, x, y, z), wrenches (6,) [N, N m].

>>> from stiction import haptics
>>> "peg-and-hole" in haptics.built_in_scenes()
True
>>> scene = haptics.Scene("peg-and-hole")  # doctest: +SKIP
>>> cycle = scene.renderer().step(position=[0.0, 0.0, 0.1])  # doctest: +SKIP
"""

from ._core import haptics as _haptics
from ._core.haptics import *  # noqa: F401,F403

__all__ = [name for name in dir(_haptics) if not name.startswith("_")]
