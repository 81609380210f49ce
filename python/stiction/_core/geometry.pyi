# Written by python/make_stubs.py from the extension: do not edit.
"""Meshes of solids, distance fields, point shells. Metres."""

from collections.abc import Callable, Iterator
from typing import Any, Optional, overload

import numpy as np
from numpy.typing import ArrayLike

from . import planar, scalar

class DistanceField:
    """The signed distance to a closed mesh, negative inside; points are (3,) or (n, 3) [m]."""
    def __init__(self, mesh: Mesh, resolution: float = 256.0, band: float = 4.0, cache: Any = None) -> None:
        """resolution: cells along the longest side; band: cells in which it is exact; cache: a folder to keep it in."""
    def at(self, points: Any) -> tuple:
        """(value [m], gradient, exact)"""
    @property
    def band(self) -> float:
        """[m]"""
    @property
    def bytes(self) -> int:
        ...
    def clearance(self, points: Any) -> Any:
        """A radius [m] around each point in which the value is nowhere negative."""
    @property
    def spacing(self) -> float:
        """[m]"""
    def value(self, points: Any) -> Any:
        """[m]: in the band the distance, elsewhere a lower bound with its sign."""

class Mesh:
    """Triangles of a solid, counter-clockwise as seen from outside."""
    def __add__(self, arg0: Mesh) -> Mesh:
        ...
    def __init__(self, vertices: Any, triangles: Any) -> None:
        """(n, 3) [m], within 1e9 m, and (m, 3) indices; at least one triangle."""
    @property
    def area(self) -> float:
        """[m^2]"""
    @property
    def bounds(self) -> tuple:
        """(low, high) [m]"""
    def checked(self) -> tuple:
        """(the mesh, repaired, what was changed). ValueError if it does not bound a solid."""
    @property
    def closed(self) -> bool:
        ...
    def mass_properties(self, density: float) -> tuple:
        """(mass [kg], centre [m], inertia (3, 3) [kg m^2]) for a density [kg/m^3]."""
    def moved(self, offset: Any) -> Mesh:
        ...
    def rotated(self, axis: Any, angle: float) -> Mesh:
        """About a unit axis by an angle [rad]."""
    def save(self, path: str) -> None:
        """As .stl or .ply."""
    @property
    def triangles(self) -> np.ndarray:
        ...
    @property
    def vertices(self) -> np.ndarray:
        """(n, 3) [m]"""
    @property
    def volume(self) -> float:
        """[m^3]"""

class PointShell:
    """Points all over a mesh, in levels from coarse to fine."""
    def __init__(self, mesh: Mesh, points: int = 8000, levels: int = 8, seed: int = 1, cache: Any = None) -> None:
        ...
    def __len__(self) -> int:
        ...
    @property
    def levels(self) -> np.ndarray:
        """The coarsest level that has each point, (n,)."""
    @property
    def normals(self) -> np.ndarray:
        """(n, 3), outwards"""
    @property
    def positions(self) -> np.ndarray:
        """(n, 3) [m]"""
    @property
    def spacing(self) -> np.ndarray:
        """Of each level [m]."""

class Solid:
    """A solid by its distance function; + joins, - cuts, & keeps what is in both."""
    def __add__(self, arg0: Solid) -> Solid:
        ...
    def __and__(self, arg0: Solid) -> Solid:
        ...
    def __sub__(self, arg0: Solid) -> Solid:
        ...
    @staticmethod
    def ball(radius: float) -> Solid:
        ...
    @staticmethod
    def block(size: Any, rounding: float = 0.0) -> Solid:
        ...
    @property
    def box(self) -> tuple:
        """The corners of a box that holds it [m]."""
    def distance(self, p: Any) -> float:
        """Negative inside [m]."""
    def meshed(self, spacing: float, adaptivity: float = 0.0) -> Mesh:
        """Its surface, from samples `spacing` apart [m]."""
    def moved(self, offset: Any) -> Solid:
        ...
    @staticmethod
    def pipe(path: Any, radius: float) -> Solid:
        """Along straight pieces (n, 3) [m], with round ends and bends."""
    @staticmethod
    def rod(radius: float, length: float, rounding: float = 0.0) -> Solid:
        ...
    def rotated(self, axis: Any, angle: float) -> Solid:
        ...

class TriangleTree:
    """The exact distance from points to a mesh."""
    def __init__(self, mesh: Mesh) -> None:
        ...
    def closest(self, points: Any) -> tuple:
        """(distance [m], nearest point [m])"""

def block_with_hole(size: Any, hole_radius: float, sectors: int = 64, rings: int = 1) -> Mesh:
    ...

def box(size: Any, divisions: int = 1) -> Mesh:
    ...

def corner(size: float, thickness: float, walls: int) -> Mesh:
    """A floor (z <= 0) with 1 to 3 walls: x <= 0, y <= 0, x >= size. Lengths inside, and the thickness [m]."""

def cylinder(radius: float, length: float, sectors: int = 64, rings: int = 1) -> Mesh:
    ...

def load_mesh(path: str) -> Mesh:
    """From .stl, .obj or .ply, as it is; `checked` says whether it bounds a solid."""

def rounded_box(size: Any, radius: float, divisions: int = 8) -> Mesh:
    ...

def scene(name: str) -> dict:
    """Two parts: fixed, moving, shell_moves, moving_at [m]."""

def sphere(radius: float, cuts: int = 4) -> Mesh:
    ...

def tube(path: Any, radius: float, sectors: int = 24) -> Mesh:
    ...
