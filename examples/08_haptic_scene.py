"""A peg is set on a bracket, dragged along and lifted, as a hand would feel it: as 08_haptic_scene.cpp."""

import pathlib

from stiction import haptics

run = haptics.Scene(pathlib.Path(__file__).parent / "scenes/peg_on_bracket.toml").run()
for k in range(0, len(run["time"]), 250):
    print("%.2f s: %3d contacts, force on the hand %7.3f %7.3f %7.3f N"
          % (run["time"][k], run["contacts"][k], *run["output"][k, :3]))
held, slides = (run["phase"] == 1).sum(), (run["phase"] == 2).sum()
print("held in %d cycles, sliding in %d of %d" % (held, slides, len(run["time"])))
raise SystemExit(0 if held > 0 and slides > 0 else 1)
