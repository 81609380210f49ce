"""Friction of contact patches: limit surfaces, slip under loads, and dynamic friction with many bristles or three states."""

from ._core import planar as _planar
from ._core.planar import *  # noqa: F401,F403

__all__ = [name for name in dir(_planar) if not name.startswith("_")]
