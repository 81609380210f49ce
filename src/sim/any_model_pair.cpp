#include "any_model.h"
#include "stiction/sim/any_model.h"
#include "stiction/sim/two_bodies.h"

namespace stiction::sim {

PairTrajectory simulate(const scalar::AnyModel& model, const Body& body_1, const Body& body_2, const Load& load_1,
                        const Load& load_2, const Options& options, std::span<const double> states) {
  return std::visit(
      [&](const auto& chosen) {
        return simulate(chosen, body_1, body_2, load_1, load_2, options, initial_state(chosen, states));
      },
      model);
}

}  // namespace stiction::sim
