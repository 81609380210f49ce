// The cost of one call of each model, for `stiction bench` and the table of capabilities.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "../call_timing.h"

namespace stiction::lab {

struct ModelTiming {
  std::string model;
  CallTiming step;   // friction under a velocity that is given: slow reversals and slides, dt = 1 ms
  CallTiming solve;  // the coupled step of a body that is pushed back and forth beyond break-away, dt = 1 ms
};

/// All models of the registry with their parameters of the comparison set. A row ends early after `max_seconds`.
/// `check` is called before each model.
std::vector<ModelTiming> time_models(long calls, double max_seconds, const std::function<void()>& check = {});

}  // namespace stiction::lab
