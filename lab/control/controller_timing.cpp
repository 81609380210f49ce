#include "controller_timing.h"

#include <array>
#include <cmath>

#include "stiction/control/adaptive.h"
#include "stiction/control/compensator.h"
#include "stiction/control/pid.h"
#include "stiction/scalar/presets.h"

namespace stiction::lab {

std::vector<ControllerTiming> time_controllers(long calls, double max_seconds) {
  constexpr double dt = 1e-3;
  const auto friction = scalar::preset::olsson_table2();
  const auto coulomb_friction = scalar::preset::table2_coulomb();
  std::array<double, inputs> velocity{};
  std::array<double, inputs> position{};
  for (std::size_t i = 0; i < inputs; ++i) {
    const auto x = static_cast<double>(i);
    velocity[i] = 0.05 * std::sin(0.013 * x) * std::sin(0.0017 * x);
    position[i] = (i == 0 ? 0 : position[i - 1]) + dt * velocity[i];
  }
  using Harmonic = control::BasicAdaptiveCompensator<double, control::HarmonicRegressor<double>>;
  auto pid = control::Pid::make({.proportional = 6.21, .integral = 62.1, .derivative = 0.207, .max_output = 1});
  auto estimator = control::VelocityEstimator::make({.corner = 300});
  auto coulomb = control::CoulombCompensator::make(coulomb_friction, {.saturation_velocity = 0.005});
  auto lugre = control::Compensator<scalar::LuGre>::make(friction);
  auto observer = control::LuGreObserver::make(friction, {.gain = 0.05});
  auto adaptive = control::AdaptiveCompensator::make(
      friction, {.mass = scalar::preset::olsson_table2_mass, .adaptation = 300, .gain = 0.05});
  auto harmonic =
      Harmonic::make(friction, {.mass = scalar::preset::olsson_table2_mass, .adaptation = 300, .gain = 0.05});
  auto state = coulomb_friction.at_rest(0);
  double u = 0;
  const auto row = [&](const char* name, auto&& call) {
    return ControllerTiming{name, timed(calls, max_seconds, call)};
  };
  return {
      row("coulomb model",
          [&](std::size_t i) {
            state = coulomb_friction.advance(state, velocity[i], dt);
            return coulomb_friction.force(state, velocity[i]);
          }),
      row("Pid", [&](std::size_t i) { return pid.step(-position[i], -velocity[i], dt); }),
      row("VelocityEstimator", [&](std::size_t i) { return estimator.step(position[i], dt); }),
      row("CoulombCompensator", [&](std::size_t i) { return coulomb.step(velocity[i], dt); }),
      row("Compensator<LuGre>", [&](std::size_t i) { return lugre.step(velocity[i], dt); }),
      row("LuGreObserver", [&](std::size_t i) { return observer.step(velocity[i], position[i], dt); }),
      row("AdaptiveCompensator", [&](std::size_t i) { return adaptive.step(velocity[i], position[i], 0.1, dt); }),
      row("the same over a turn", [&](std::size_t i) { return harmonic.step(velocity[i], position[i], 0.0, 0.1, dt); }),
      row("estimator, adaptive, Pid",
          [&](std::size_t i) {
            const double v = estimator.step(position[i], dt);
            u = pid.step(-position[i], -v, adaptive.step(v, position[i], u, dt), dt);
            return u;
          }),
  };
}

}  // namespace stiction::lab
