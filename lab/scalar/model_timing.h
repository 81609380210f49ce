// What one call of each model costs, for `stiction bench` and the table of capabilities.
#pragma once

#include <string>
#include <vector>

namespace stiction::lab {

/// Time of one call [ns]. Calls are timed in groups of 16, with steady_clock around each group and the time of an empty
/// group taken off. `worst` is the slowest group over 16: it also holds whatever else the machine did meanwhile.
struct CallTiming {
  double median = 0;
  double rare = 0;  // exceeded by one group in a thousand
  double worst = 0;
  long calls = 0;
};

struct ModelTiming {
  std::string model;
  std::string call;  // "step", or "advance + force" where the model has none
  CallTiming step;   // friction under a velocity that is given: slow reversals and slides, dt = 1 ms
  CallTiming solve;  // the coupled step of a body that is pushed to and fro beyond break-away, dt = 1 ms
};

/// All models of the registry with their parameters of the comparison set. A row ends early after `most_seconds`.
std::vector<ModelTiming> time_models(long calls, double most_seconds);

}  // namespace stiction::lab
