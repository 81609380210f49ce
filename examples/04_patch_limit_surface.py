"""A contact patch in the shape of an L and its limit surface: as 04_patch_limit_surface.cpp."""

import numpy as np

from stiction import planar

corners = np.array([[0, 0], [0.04, 0], [0.04, 0.01], [0.01, 0.01], [0.01, 0.03], [0, 0.03]])  # [m]
patch = planar.Patch.polygon([corners], 40, 30)
centre = 1e3 * patch.centre_of_pressure
print("centre of pressure (%.4f, %.4f) mm, torque radius %.4f mm" % (*centre, 1e3 * patch.torque_radius))

twists = np.array([[1, 0, 0], [0, 0, 1], [0.01, 0.01, 1]])
for twist, wrench in zip(twists, patch.wrench(twists)):  # for mu f_N = 1
    print("moving (%g, %g, %g): friction %.6f N, %.6f N, %.6f N mm" % (*twist, *(wrench * [1, 1, 1e3])))

load = [1.0, 0.5, 0.008]  # at the centre of pressure [N], [N m]
friction = 0.4 * 5  # mu f_N [N]
answer = planar.slip(patch, load, friction)
print("%s: %.6f times the load would just slip, along (%.4f, %.4f, %.4f)"
      % ("slips" if answer.slips else "holds", answer.factor, *answer.twist))

ellipsoid = planar.LimitEllipsoid.fitted(patch)
error = ellipsoid.error(patch)
print("the nearest ellipsoid is off by %.4f of mu f_N, at most %.4f" % (error["wrench_rms"], error["wrench_largest"]))
raise SystemExit(0 if answer.proven and error["wrench_rms"] > 0.01 else 1)
