"""Many contacts of one body: friction cones of all kinds, force closure, and static friction with a certificate."""

from ._core import spatial as _spatial
from ._core.spatial import *  # noqa: F401,F403

__all__ = [name for name in dir(_spatial) if not name.startswith("_")]
