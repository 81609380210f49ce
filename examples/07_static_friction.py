"""A cube in a corner with a hundred contacts on its three faces: as 07_static_friction.cpp."""

import numpy as np
import numpy.typing as npt

from stiction import spatial


def contacts() -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Points on the faces x, y and z = -5 cm of a cube, spread by whole-number arithmetic."""
    random, arm, normal = 1, [], []

    def following() -> float:
        nonlocal random
        random = (random * 1664525 + 1013904223) % 2**32
        return 0.1 * (random / 4294967296.0) - 0.05  # [m]

    for i in range(100):
        a, b = following(), following()
        arm.append([(-0.05, a, b), (a, -0.05, b), (a, b, -0.05)][i % 3])
        normal.append(np.eye(3)[i % 3])
    return np.array(arm), np.array(normal)


arm, normal = contacts()
solver = spatial.StaticFriction(len(arm))
held = moved = False
for size in (0.5, 1.0, 2.0):
    solver.set(arm=arm, normal=normal, normal_force=0.1, friction=0.4,
               wrench=[size, size, 0.5 * size, 0, 0, 0.02 * size],  # of all but friction [N], [N m]
               gradient=np.diag([-1000.0] * 3 + [-2.5] * 3),  # of the coupling [N/m], [N m/rad]
               mass=np.diag([0.5] * 3 + [0.5 * 0.001] * 3), length=0.05)
    verdict = solver.verdict(exactly=True)
    solution = solver.solve()
    _, _, slides = solver.contacts
    print("load %g: %s, friction needs %.6f of what it has; moves %.6f um, %d of %d contacts slide"
          % (size, "held" if verdict.holds else "not held", verdict.critical_ratio,
             1e6 * np.linalg.norm(solution.motion[:3]), slides.sum(), len(arm)))
    held, moved = held or verdict.holds, moved or not verdict.holds
raise SystemExit(0 if held and moved else 1)
