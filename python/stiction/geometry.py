"""Meshes of solids, signed distance fields and point shells. Lengths in metres."""

from ._core import geometry as _geometry
from ._core.geometry import *  # noqa: F401,F403

__all__ = [name for name in dir(_geometry) if not name.startswith("_")]
