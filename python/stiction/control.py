"""Compensators, observers, adaptation, the friction detector, and passivity of loops.

A controller keeps its state; `copy` is a snapshot. `step` takes one sample, `run` a recording.

>>> from stiction import control
>>> pid = control.Pid(proportional=2.0, integral=10.0)
>>> pid.step(error=0.1, error_rate=0.0, feed_forward=0.5, dt=1e-3)  # [N]
0.7
>>> pid
Pid(proportional=2.0, integral=10.0, derivative=0.0, derivative_corner=float('inf'), tracking_time=0.0, \
min_output=float('-inf'), max_output=float('inf'))
"""

from ._core import control as _control
from ._core.control import *  # noqa: F401,F403

__all__ = [name for name in dir(_control) if not name.startswith("_")]
