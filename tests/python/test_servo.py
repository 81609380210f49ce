"""The servo: what its parameters become, and that it is the scenario's servo."""

import numpy as np
import pytest

from stiction import scalar, sim

FRICTION = scalar.Stribeck(coulomb_force=0.10, static_force=0.16, stribeck_velocity=0.2, viscous=0.08)
SERVO = sim.Servo(inertia=0.011, armature=0.012, sine_torque=-0.736, torque_constant=1.6, resistance=3.5, proportional=2.5)


def test_holds_exactly_a_little_short_of_its_goal():
    run = SERVO.simulate(FRICTION, goal=1.0, duration=2.0)
    assert run["velocity"][-1] == 0
    assert 0.9 < run["position"][-1] < 1.0
    assert run["friction"][-1] == pytest.approx(run["motor_torque"][-1] + run["external_torque"][-1], abs=1e-12)


def test_takes_signals_as_times_and_values():
    times = np.linspace(0, 1, 11)
    run = SERVO.simulate(FRICTION, goal=(times, np.sin(times)), duration=1.0, supply_voltage=([0, 1], [12, 6]))
    row = {"type": "table", "times": list(times), "values": list(np.sin(times))}
    parameters = {"inertia": 0.011, "armature": 0.012, "sine_torque": -0.736, "torque_constant": 1.6, "resistance": 3.5}
    same = sim.simulate(
        {
            "model": FRICTION,
            "servo": parameters
            | {"proportional": 2.5, "goal": row, "supply_voltage": {"type": "table", "times": [0, 1], "values": [12, 6]}},
            "integrator": {"duration": 1.0, "step": 1e-3},
            "output": {"interval": 1e-3},
        }
    )
    assert np.array_equal(run["position"], same["position"])
    assert np.ptp(run["position"]) > 0.3


@pytest.mark.parametrize(
    "change, message",
    [
        ({"inertia": -1.0}, "servo.inertia = -1: must be > 0 and finite"),
        ({"mode": "volts"}, "must be one of voltage, current, torque"),
        ({"delay": float("nan")}, "servo.delay = nan: must be in"),
        ({"torque_constant": 0.0}, "servo.torque_constant = 0: must be > 0"),
    ],
)
def test_says_what_is_wrong(change, message):
    import dataclasses

    with pytest.raises(ValueError, match=message.replace("[", r"\[")):
        dataclasses.replace(SERVO, **change).simulate(FRICTION, goal=1.0, duration=1.0)


def test_refuses_signals_of_other_shapes():
    with pytest.raises(TypeError, match="goal: must be a number"):
        SERVO.simulate(FRICTION, goal=[0, 1], duration=1.0)
    with pytest.raises(ValueError, match="same length"):
        SERVO.simulate(FRICTION, goal=([0, 1], [0, 1, 2]), duration=1.0)
