"""Friction that holds: models, simulation, identification and control from NumPy.

Units are SI, angles in radians. A scalar model returns the resistance F of ``m dv/dt = u - F``; planar and spatial
models return the wrench on the body. ``stiction.plot`` and ``stiction.mujoco`` are imported when they are asked for.
Models, states, patches and results are values: they can be pickled, copied, compared, and shown.

>>> import pickle
>>> from stiction import scalar
>>> model = scalar.preset("olsson-1998-table2")
>>> pickle.loads(pickle.dumps(model)) == model
True
>>> scalar.LuGre(stiffness=-1, damping=1, coulomb_force=1, static_force=1, stribeck_velocity=1)
Traceback (most recent call last):
ValueError: stiffness = -1: must be in [1e-15, 1e15]
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
