"""Compensators, observers, adaptation, the friction detector, and passivity of loops."""

from ._core import control as _control
from ._core.control import *  # noqa: F401,F403

__all__ = [name for name in dir(_control) if not name.startswith("_")]
