"""A mass pulled through a spring at constant speed, with two kinds of friction: as 02_stick_slip.cpp."""

import math

from stiction import scalar, sim

PULL_SPEED = 0.1  # [m/s]


def count_slips(model: scalar.Model) -> int:
    """Prints when each slip begins."""
    duration = 30.0
    run = sim.body(model, 1.0, duration, spring_stiffness=2.0, anchor=([0, duration], [0, PULL_SPEED * duration]),
                   output_interval=0.005)
    fast = run["velocity"] >= PULL_SPEED / 2
    starts = run["time"][1:][fast[1:] & ~fast[:-1]]
    print(f"{model.name}:" + "".join("  %.2f s" % t for t in starts))
    return len(starts)


curve = dict(coulomb_force=1, static_force=1.5, stribeck_velocity=1e-3, viscous=0.4)
lugre = scalar.LuGre(stiffness=1e5, damping=math.sqrt(1e5), **curve)
stribeck = scalar.Stribeck(**curve)
slips = count_slips(lugre)
raise SystemExit(0 if slips > 0 and slips == count_slips(stribeck) else 1)
