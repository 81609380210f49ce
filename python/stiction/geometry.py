"""Meshes of solids, signed distance fields and point shells. Lengths in metres.

>>> from stiction import geometry
>>> mesh = geometry.box([0.1, 0.2, 0.3])
>>> print(f"{mesh.volume:.3f} m^3, {len(mesh.triangles)} triangles")
0.006 m^3, 12 triangles
>>> field = geometry.DistanceField(mesh, resolution=64)
>>> print(f"{field.value([0.0, 0.0, 0.149]):.4f} m")  # inside
-0.0010 m
"""

from ._core import geometry as _geometry
from ._core.geometry import *  # noqa: F401,F403

__all__ = [name for name in dir(_geometry) if not name.startswith("_")]
