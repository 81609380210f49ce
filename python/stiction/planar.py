"""Friction of contact patches: limit surfaces, slip, and models of many bristles or of three states.

Twists are (v_x, v_y, spin) [m/s, m/s, rad/s] and wrenches (f_x, f_y, torque) [N, N, N m], at the centre of pressure.

>>> from stiction import planar
>>> patch = planar.Patch.disc(0.01)
>>> patch.wrench([1.0, 0.0, 0.0]).round(6) + 0.0  # sliding along x, for mu f_N = 1
array([-1.,  0.,  0.])
>>> planar.slip(patch, load=[1.0, 0.5, 0.001], friction=2.0).slips
False
"""

from ._core import planar as _planar
from ._core.planar import *  # noqa: F401,F403

__all__ = [name for name in dir(_planar) if not name.startswith("_")]
