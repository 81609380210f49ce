"""Friction models of one axis: every one of the library's, alone and for n contacts in one call."""

from ._core import scalar as _scalar
from ._core.scalar import *  # noqa: F401,F403

__all__ = [name for name in dir(_scalar) if not name.startswith("_")]
