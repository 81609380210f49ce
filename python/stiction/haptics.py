"""6-DoF haptic rendering with static friction: scenes run headless, or step by step."""

from ._core import haptics as _haptics
from ._core.haptics import *  # noqa: F401,F403

__all__ = [name for name in dir(_haptics) if not name.startswith("_")]
