#include "any_model.h"
#include "stiction/sim/any_model.h"

namespace stiction::sim {

Trajectory simulate(const scalar::AnyModel& model, const Body& body, const Load& load, const Options& options,
                    std::span<const double> states) {
  return std::visit(
      [&](const auto& chosen) { return simulate(chosen, body, load, options, initial_state(chosen, states)); }, model);
}

}  // namespace stiction::sim
