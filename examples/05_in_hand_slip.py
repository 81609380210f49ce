"""A box between two fingers that loosen and tighten their grip: as 05_in_hand_slip.cpp."""

import math
import pathlib

import numpy as np

import stiction

text = (pathlib.Path(__file__).parent / "scenarios/in_hand_slip.toml").read_text()
run = stiction.sim.run_text(text.replace("duration = 2.0", "duration = 1.0"))
speed = np.abs(run["vy"])
for i in range(0, len(speed), 20):
    print("%.2f s: grip %.2f N, fallen %.4f mm, turned %.4f deg"
          % (run["time"][i], run["normal_force"][i], -1e3 * run["y"][i], 180 / math.pi * run["angle"][i]))
fastest, held = speed.max(), (speed < 1e-3).sum()
print("slips at up to %.4f m/s; at rest in %d of %d rows" % (fastest, held, len(speed)))
raise SystemExit(0 if fastest > 1e-3 and held > 0 else 1)
