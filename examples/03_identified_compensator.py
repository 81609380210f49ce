"""From an identified model to a better servo: as 03_identified_compensator.cpp.

    03_identified_compensator.py [model.toml]
"""

import math
import pathlib
import sys

from stiction import control, scalar, sim


def follow(model: scalar.Model, inertia: float, compensate: bool) -> tuple[float, float]:
    """Follows sin t for three periods; (rms, largest) error of the last two [rad]."""
    dt, settled, end = 1e-3, 6.3, 18.85
    encoder = control.Encoder(counts=20000)
    estimator = control.VelocityEstimator(corner=300)
    pid = control.Pid(proportional=6.21, integral=62.1, derivative=0.207, min_output=-2, max_output=2)
    compensator = control.Compensator(model)  # whatever model was identified
    servo = sim.SampledBody(scalar.preset("olsson-1998-table2"), 0.0023)  # the hardware
    total, count, largest, i = 0.0, 0, 0.0, 0
    while i * dt < end:
        t = i * dt
        position = encoder.read(servo.position)
        velocity = estimator.step(position, dt)
        # Friction along the wanted motion: no noise, no delay.
        friction = compensator.step(math.cos(t), dt)
        feed_forward = inertia * -math.sin(t) + (friction if compensate else 0.0)
        servo.hold(pid.step(math.sin(t) - position, math.cos(t) - velocity, feed_forward, dt), dt)
        if t > settled:
            off = abs(servo.position - math.sin(t + dt))
            largest = max(largest, off)
            total += off * off
            count += 1
        i += 1
    return math.sqrt(total / count), largest


path = sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent / "models/servo.toml"
model, mass = scalar.load_model(str(path))
if mass is None:
    sys.exit("the file has no [body] with a mass")
without, compensated = follow(model, mass, False), follow(model, mass, True)
print("without compensation: %5.2f mrad rms, %5.2f mrad at most" % (1e3 * without[0], 1e3 * without[1]))
print("with compensation:    %5.2f mrad rms, %5.2f mrad at most" % (1e3 * compensated[0], 1e3 * compensated[1]))
raise SystemExit(0 if compensated[0] < without[0] / 3 else 1)
