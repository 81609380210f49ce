# Written by python/make_stubs.py from the extension: do not edit.
"""Meshes of solids, distance fields, point shells. Metres."""

import os
from typing import Literal

import numpy as np
import numpy.typing as npt
from numpy.typing import ArrayLike

from stiction import results as _results

class DistanceField:
    """The signed distance to a closed mesh, negative inside; points are (3,) or (n, 3) [m]."""
    def __init__(self, mesh: Mesh, resolution: float = 256.0, band: float = 4.0, cache: str | os.PathLike[str] | None = None) -> None:
        """resolution: cells along the longest side; band: cells in which it is exact; cache: a folder to keep it in."""
    def at(self, points: ArrayLike) -> tuple[float | npt.NDArray[np.float64], npt.NDArray[np.float64], bool | npt.NDArray[np.bool_]]:
        """(value [m], gradient, exact)"""
    @property
    def band(self) -> float:
        """[m]"""
    @property
    def bytes(self) -> int:
        """In memory."""
    def clearance(self, points: ArrayLike) -> float | npt.NDArray[np.float64]:
        """A radius [m] around each point in which the value is nowhere negative."""
    @property
    def spacing(self) -> float:
        """[m]"""
    def value(self, points: ArrayLike) -> float | npt.NDArray[np.float64]:
        """[m]: in the band the distance, elsewhere a lower bound with its sign."""

class Mesh:
    """Triangles of a solid, counter-clockwise as seen from outside."""
    def __add__(self, arg0: Mesh) -> Mesh:
        ...
    def __init__(self, vertices: ArrayLike, triangles: ArrayLike) -> None:
        """(n, 3) [m], within 1e9 m, and (m, 3) indices; at least one triangle."""
    @property
    def area(self) -> float:
        """[m^2]"""
    @property
    def bounds(self) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """(low, high) [m]"""
    def checked(self) -> tuple[Mesh, str]:
        """(the mesh, repaired, what was changed). ValueError if it does not bound a solid."""
    @property
    def closed(self) -> bool:
        """Whether it bounds a solid without holes."""
    def mass_properties(self, density: float) -> tuple[float, npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """(mass [kg], centre [m], inertia (3, 3) [kg m^2]) for a density [kg/m^3]."""
    def moved(self, offset: ArrayLike) -> Mesh:
        """Elsewhere, by an offset (3,) [m]."""
    def rotated(self, axis: ArrayLike, angle: float) -> Mesh:
        """About a unit axis by an angle [rad]."""
    def save(self, path: str | os.PathLike[str]) -> None:
        """As .stl or .ply."""
    @property
    def triangles(self) -> npt.NDArray[np.uint32]:
        """Indices of vertices (m, 3), a view."""
    @property
    def vertices(self) -> npt.NDArray[np.float64]:
        """(n, 3) [m], a view."""
    @property
    def volume(self) -> float:
        """[m^3]"""

class PointShell:
    """Points all over a mesh, in levels from coarse to fine."""
    def __init__(self, mesh: Mesh, points: int = 8000, levels: int = 8, seed: int = 1, cache: str | os.PathLike[str] | None = None) -> None:
        ...
    def __len__(self) -> int:
        ...
    @property
    def levels(self) -> npt.NDArray[np.uint32]:
        """The coarsest level that has each point, (n,)."""
    @property
    def normals(self) -> npt.NDArray[np.float64]:
        """(n, 3), outwards, a view."""
    @property
    def positions(self) -> npt.NDArray[np.float64]:
        """(n, 3) [m], a view."""
    @property
    def spacing(self) -> npt.NDArray[np.float64]:
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
        """About the origin [m]."""
    @staticmethod
    def block(size: ArrayLike, rounding: float = 0.0) -> Solid:
        """A box about the origin with these sides (3,) and rounded edges [m]."""
    @property
    def box(self) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """The corners of a box that holds it [m]."""
    def distance(self, p: ArrayLike) -> float:
        """Negative inside [m]."""
    def meshed(self, spacing: float, adaptivity: float = 0.0) -> Mesh:
        """Its surface, from samples `spacing` apart [m]."""
    def moved(self, offset: ArrayLike) -> Solid:
        """Elsewhere, by an offset (3,) [m]."""
    @staticmethod
    def pipe(path: ArrayLike, radius: float) -> Solid:
        """Along straight pieces (n, 3) [m], with round ends and bends."""
    @staticmethod
    def rod(radius: float, length: float, rounding: float = 0.0) -> Solid:
        """A cylinder along z about the origin, with rounded edges [m]."""
    def rotated(self, axis: ArrayLike, angle: float) -> Solid:
        """About a unit axis by an angle [rad]."""

class TriangleTree:
    """The exact distance from points to a mesh."""
    def __init__(self, mesh: Mesh) -> None:
        ...
    def closest(self, points: ArrayLike) -> tuple[float | npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """(distance [m], nearest point [m])"""

def block_with_hole(size: ArrayLike, hole_radius: float, sectors: int = 64, rings: int = 1) -> Mesh:
    """A box with a round hole along z [m]."""

def box(size: ArrayLike, divisions: int = 1) -> Mesh:
    """About the origin, with these sides (3,) [m] and so many squares along each."""

def corner(size: float, thickness: float, walls: int) -> Mesh:
    """A floor (z <= 0) with 1 to 3 walls: x <= 0, y <= 0, x >= size. Lengths inside, and the thickness [m]."""

def cylinder(radius: float, length: float, sectors: int = 64, rings: int = 1) -> Mesh:
    """Along z about the origin, with so many sides [m]."""

def load_mesh(path: str | os.PathLike[str]) -> Mesh:
    """From .stl, .obj or .ply, as it is; `checked` says whether it bounds a solid."""

def rounded_box(size: ArrayLike, radius: float, divisions: int = 8) -> Mesh:
    """A box whose edges are rounded with a radius [m]."""

def scene(name: Literal['cube-and-corner', 'door', 'engine-bay', 'peg-and-hole']) -> _results.SceneParts:
    """Two parts: fixed, moving, shell_moves, moving_at [m]."""

def sphere(radius: float, cuts: int = 4) -> Mesh:
    """An icosahedron whose triangles are cut in four so many times, on a sphere [m]."""

def tube(path: ArrayLike, radius: float, sectors: int = 24) -> Mesh:
    """A round bar along straight pieces (n, 3) [m]."""
