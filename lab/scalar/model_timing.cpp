#include "model_timing.h"

#include <array>
#include <cmath>

#include "stiction/scalar/presets.h"
#include "stiction/sim/measure.h"

namespace stiction::lab {
namespace {

constexpr double dt = 1e-3;

template <class M>
ModelTiming timing_of(const M& model, double mass, long calls, double max_seconds) {
  std::array<double, inputs> velocity{};
  std::array<double, inputs> push{};
  const double breakaway = sim::breakaway_force(model);
  const double load = breakaway > 0 ? 1.5 * breakaway : model.force(model.at_rest(0), 0.05);
  for (std::size_t i = 0; i < inputs; ++i) {
    const auto x = static_cast<double>(i);
    velocity[i] = 0.05 * std::sin(0.013 * x) * std::sin(0.0017 * x);
    push[i] = load * std::sin(0.02 * x);
  }
  ModelTiming timing;
  timing.model = M::info.name;
  auto state = model.at_rest(0);
  timing.step = timed(calls, max_seconds, [&](std::size_t i) {
    const auto next = model.step(state, velocity[i], dt);
    state = next.state;
    return next.force;
  });
  state = model.at_rest(0);
  double v = 0;
  timing.solve = timed(calls, max_seconds, [&](std::size_t i) {
    const auto next =
        model.solve(state, {.free_velocity = v + dt / mass * push[i], .mobility = 1 / mass, .velocity = v, .dt = dt});
    state = next.state;
    v = next.velocity;
    return next.force;
  });
  return timing;
}

}  // namespace

std::vector<ModelTiming> time_models(long calls, double max_seconds, const std::function<void()>& check) {
  std::vector<ModelTiming> all;
  scalar::for_each_model([&]<class M>(std::type_identity<M>) {
    if (check) {
      check();
    }
    if (const scalar::Preset* preset = scalar::comparison_preset(scalar::TableOf<M>::value)) {
      all.push_back(timing_of(*preset->make().template as<M>(), preset->mass, calls, max_seconds));
    }
  });
  return all;
}

}  // namespace stiction::lab
