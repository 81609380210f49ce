// How a run starts, for the sources of any_model.h.
#pragma once

#include <algorithm>
#include <span>

#include "stiction/sim/line.h"

namespace stiction::sim {

/// Throws InvalidParameter unless there are none, or as many as the model has.
template <class M>
typename M::State initial_state(const M& model, std::span<const double> states) {
  if (!states.empty() && states.size() != scalar::states_in_use(model)) {
    throw InvalidParameter(
        Problem{"states", static_cast<double>(states.size()), "as many as the model has, or none", true});
  }
  const auto rest = model.at_rest(0);
  auto values = M::pack(rest);
  for (std::size_t i = 0; i < std::min(states.size(), values.size()); ++i) {
    values[i] = states[i];
  }
  return M::unpack(values, rest);
}

}  // namespace stiction::sim
