// The cost of one step of each controller, for `stiction bench`.
#pragma once

#include <string>
#include <vector>

#include "../call_timing.h"

namespace stiction::lab {

struct ControllerTiming {
  std::string controller;
  CallTiming step;  // of a servo that slowly reverses and slides, dt = 1 ms
};

/// The first row is the Coulomb model, as in the table of models. A row ends early after `max_seconds`.
std::vector<ControllerTiming> time_controllers(long calls, double max_seconds);

}  // namespace stiction::lab
