// What a run of two bodies with friction between them gives (two_bodies.h).
#pragma once

#include <vector>

namespace stiction::sim {

struct PairTrajectory {
  std::vector<double> time, position_1, velocity_1, position_2, velocity_2, friction;
  bool diverged = false;  // a value was no longer finite: the columns end before it
  long steps = 0;
};

}  // namespace stiction::sim
