"""Many contacts of one body: friction cones, grasps, and static friction.

Forces are on the body [N]; positions [m] and torques [N m] are about its centre of mass.

>>> import numpy as np
>>> from stiction import spatial
>>> spatial.CircularCone(0.5).margin([1.0, 0.0, 4.0]) > 0  # inside
True
>>> solver = spatial.StaticFriction(capacity=1)
>>> solver.set(arm=[[0, 0, 0]], normal=[[0, 0, 1]], normal_force=10, friction=0.5, wrench=[2, 0, 0, 0, 0, 0],
...            gradient=-1000 * np.eye(6), mass=np.eye(6))
>>> solver.verdict().status
'holds'
"""

from ._core import spatial as _spatial
from ._core.spatial import *  # noqa: F401,F403

__all__ = [name for name in dir(_spatial) if not name.startswith("_")]
