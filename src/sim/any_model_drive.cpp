#include "any_model.h"
#include "stiction/sim/any_model.h"

namespace stiction::sim {

Trajectory drive(const scalar::AnyModel& model, const Signal& velocity, const Options& options,
                 std::span<const double> states, const Signal& normal) {
  return std::visit(
      [&](const auto& chosen) { return drive(chosen, velocity, options, initial_state(chosen, states), normal); },
      model);
}

Trajectory no_rows(const scalar::AnyModel& model) {
  return std::visit([](const auto& chosen) { return detail::empty_trajectory(chosen, {}, infinity); }, model);
}

}  // namespace stiction::sim
