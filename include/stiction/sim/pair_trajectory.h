// Result of a simulation of two bodies with friction between them (two_bodies.h).
#pragma once

#include <vector>

#include "stiction/sim/report.h"

namespace stiction::sim {

struct PairTrajectory : RunReport {
  std::vector<double> time, position_1, velocity_1, position_2, velocity_2, friction;
};

}  // namespace stiction::sim
