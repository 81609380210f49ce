// The experiments of the stored reference results, as this library runs them.
#pragma once

#include <numbers>

#include "stiction/sim/line.h"
#include "support/models.h"

namespace stiction::test {

/// Pushed up, down and up again, always below break-away.
inline sim::Trajectory presliding(sim::Options options) {
  options.duration = 71.25;
  options.output_interval = 0.114;
  const sim::Table push{{0, 14.25, 42.75, 71.25}, {0, 1.425, -1.425, 1.425}};
  return sim::simulate(standard_lugre(), {.mass = 1}, {sim::Signal(push)}, options);
}

/// Olsson et al. 1998, Fig. 8: a shaft under a sinusoidal torque a little above break-away.
inline sim::Trajectory sine_torque(sim::Options options) {
  options.duration = 25;
  options.output_interval = 0.025;
  return sim::simulate(table2_lugre(), {.mass = table2_inertia}, {sim::Signal(sim::Sine{0.4, 1})}, options);
}

/// A mass pulled through a soft spring: stick-slip.
inline sim::Trajectory stick_slip(sim::Options options) {
  options.duration = 60;
  options.output_interval = 0.06;
  const sim::Spring spring{.stiffness = 2, .anchor = sim::Ramp{0, 100, 0, 1000}};
  return sim::simulate(standard_lugre(), {.mass = 1}, {.spring = spring}, options);
}

/// The velocity rises through zero in 20 s.
inline sim::Trajectory velocity_ramp(const scalar::LuGre& model, double fastest, sim::Options options) {
  options.duration = 20;
  options.output_interval = 0.01;
  return sim::drive(model, sim::Ramp{-fastest, fastest, 0, 20}, options, model.steady_state(-fastest));
}

/// Four periods of an oscillating velocity that never reverses.
inline sim::Trajectory lag(double frequency, sim::Options options) {
  options.duration = 8 * std::numbers::pi / frequency;
  options.output_interval = options.duration / 800;
  const auto model = standard_lugre();
  return sim::drive(model, sim::Sine{1.5e-3, frequency, 0, 2e-3}, options, model.steady_state(2e-3));
}

}  // namespace stiction::test
