"""Friction models of one axis: every one of the library's, alone and for n contacts in one call.

A model is parameters and pure functions; a state is a value. Force [N], velocity [m/s], mass [kg]; or N m, rad/s, kg m^2.

>>> from stiction import scalar
>>> friction = scalar.LuGre(stiffness=1e5, damping=316, coulomb_force=1, static_force=1.5, stribeck_velocity=1e-3)
>>> state = friction.at_rest(load=0.5)
>>> force, velocity, state = friction.solve(state, free_velocity=5e-4, mobility=1.0, dt=1e-3, velocity=0.0)
>>> print(f"{force:.6f} N hold the load")
0.500000 N hold the load
>>> friction
LuGre(stiffness=100000.0, damping=316.0, coulomb_force=1.0, static_force=1.5, stribeck_velocity=0.001, stribeck_exponent=2.0, \
viscous=0.0, damping_velocity=float('inf'))
"""

from ._core import scalar as _scalar
from ._core.scalar import *  # noqa: F401,F403

__all__ = [name for name in dir(_scalar) if not name.startswith("_")]
