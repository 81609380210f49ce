// Logs of the servo of Table 2 that another program made, for identification.
#pragma once

#include "stiction/identify/data.h"

namespace stiction::lab {

/// A: friction at 48 constant velocities. B: 4 s of torque below break-away at 2 kHz. C: 20 s of a velocity loop with
/// reversals at 1 kHz. Noise of 5 µrad on the position and 2 mN m on the torque. [N m, rad, s]
identify::Data reference_logs();

}  // namespace stiction::lab
