"""Friction cones, and whether three fingers can hold a ball: as 06_friction_cones.cpp."""

import numpy as np

from stiction import spatial

cone = spatial.CircularCone(0.5)
for f in np.array([[1, 1, 4], [3, 1, 4]]):
    print("force (%g, %g, %g): margin %.6f N, nearest (%.6f, %.6f, %.6f)" % (*f, cone.margin(f), *cone.project(f)))

# The friction that a pyramid allows, over that of the cone, in its worst direction
phi = 2 * np.pi * np.arange(360) / 360
directions = np.stack([np.cos(phi), np.sin(phi), 0 * phi], axis=1)
for sides in (4, 8, 16):
    pyramid = spatial.Pyramid(0.5, sides)
    least = np.min(pyramid.friction_support(directions, 1) / cone.friction_support(directions, 1))
    print("%2d sides: at least %.4f of the friction" % (sides, least))

phi = 2 * np.pi * np.arange(3) / 3
points = np.stack([np.cos(phi), np.sin(phi), 0 * phi], axis=1)
for count in (2, 3):
    generators = spatial.wrench_generators(points[:count], -points[:count], 0.5, torsion=0.05, sides=8)
    answer = spatial.force_closure(generators)
    print("%d soft fingers: %s, margin %.6f"
          % (count, "hold any load" if answer.closed else "do not hold every load", answer.margin))
raise SystemExit(0 if answer.closed else 1)
