"""A robot joint with LuGre friction under a PD controller at 1 kHz: as 01_joint_with_lugre.cpp."""

import math

from stiction import scalar

DT = 1e-3  # [s]
INERTIA = 0.0023  # [kg m^2]


def joint_friction() -> scalar.LuGre:
    """Olsson et al. 1998, Table 2: a servo."""
    return scalar.LuGre(stiffness=260, damping=0.6, coulomb_force=0.28, static_force=0.33, stribeck_velocity=0.01,
                        viscous=0.0176)


def tracking_error(compensated: bool) -> float:
    """Follows a slow sine for two periods; returns the largest error of the last half period [rad]."""
    joint = scalar.Friction(joint_friction())  # what the joint has
    believed = scalar.Friction(joint_friction())  # what the controller believes
    position = velocity = worst = 0.0
    for i in range(2000):
        t = i * DT
        goal = 0.2 * (1 - math.cos(2 * math.pi * t))
        goal_velocity = 0.2 * 2 * math.pi * math.sin(2 * math.pi * t)

        # The controller: PD, and the friction that its model expects at the wanted velocity.
        torque = 4.0 * (goal - position) + 0.1 * (goal_velocity - velocity)
        if compensated:
            torque += believed.step(goal_velocity, DT)

        # The joint: body and friction in one coupled step.
        _, velocity = joint.solve(velocity + DT / INERTIA * torque, 1 / INERTIA, DT, velocity)
        position += DT * velocity
        if t >= 1.5:
            worst = max(worst, abs(goal - position))
    return worst


plain, compensated = tracking_error(False), tracking_error(True)
print("largest error without compensation: %.4f rad" % plain)
print("largest error with compensation:    %.4f rad" % compensated)
raise SystemExit(0 if compensated < plain else 1)
