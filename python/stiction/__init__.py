"""Friction that holds: models, simulation, identification and control from NumPy.

Units are SI, angles in radians. A scalar model returns the resistance F of ``m dv/dt = u - F``; planar and spatial
models return the wrench on the body. ``stiction.plot`` and ``stiction.mujoco`` are imported when they are asked for.
"""

from . import _core
from ._arrays import check_arrays

check_arrays(_core)  # before any number goes through it

from . import _calls, _values

_calls.equip(_core)
_values.equip(_core)

from . import control, geometry, haptics, planar, scalar, sim, spatial
from ._core import __version__
from .reproduction import experiments, reproduce
from .identification import identify
from .sim import simulate

__all__ = ["__version__", "control", "experiments", "geometry", "haptics", "identify", "planar", "reproduce", "scalar", "sim",
           "simulate", "spatial"]
