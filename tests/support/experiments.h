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

/// Olsson et al. 1998, Figs. 7 and 8: a shaft under a sinusoidal torque a little above break-away.
template <class Model>
sim::Trajectory sine_torque_on(const Model& model, sim::Options options) {
  options.duration = 25;
  options.output_interval = 0.025;
  return sim::simulate(model, {.mass = table2_inertia}, {sim::Signal(sim::Sine{0.4, 1})}, options);
}
inline sim::Trajectory sine_torque(const sim::Options& options) { return sine_torque_on(table2_lugre(), options); }

/// Fig. 11: a torque that swells from 0 to twice the amplitude and back, four times.
template <class Model>
sim::Trajectory one_sided_torque_on(const Model& model, double amplitude, sim::Options options) {
  options.duration = 8 * std::numbers::pi;
  options.output_interval = options.duration / 200;
  const sim::Sine torque{amplitude, 1, -std::numbers::pi / 2, amplitude};
  return sim::simulate(model, {.mass = table2_inertia}, {sim::Signal(torque)}, options);
}

/// Fig. 2: pushed from rest by a force that rises for that long.
template <class Model>
sim::Trajectory push_at_rate(const Model& model, double mass, double rate, double duration, int rows) {
  return sim::simulate(model, {.mass = mass}, {sim::Signal(sim::Ramp{0, rate * duration, 0, duration})},
                       {.duration = duration, .output_interval = duration / rows});
}

/// Fig. 9: one way, after sliding the other way for long. The time is the share of the distance.
inline sim::Trajectory after_reversal(const scalar::BlimanSorine2& model, double distance,
                                      const sim::Options& options) {
  return sim::drive(model, sim::Signal(distance), options, model.steady_state(-1));
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
