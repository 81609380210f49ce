// What the accurate runs of one body and of two have in common: friction under a load, switches of the contact, scales.
#pragma once

#include "stiction/scalar/any_model.h"
#include "stiction/sim/hybrid.h"
#include "stiction/sim/steps.h"
#include "stiction/sim/trajectory.h"

namespace stiction::sim {

using scalar::AnyState;
using scalar::ModelView;

/// The force on a body under a load, with all forces of the model multiplied by the normal load.
double friction_under_load(const ModelView& model, const AnyState& friction, double velocity, double load,
                           double normal) noexcept;

/// Scales of the states x, v, q and of the friction, and a bound on the step: a short load peak beyond break-away must
/// not be stepped over, and a delay must reach back to steps already taken, close enough for linear interpolation.
/// Scales of length and velocity are those of the friction if it has its own, otherwise of the motion: no unit is
/// preferred.
OdeProblem scaled_problem(const ModelView& model, const MotionScale& motion, double time_scale,
                          double relative_tolerance);

/// Takes the transitions of guards that are already negative: a body that stops under too large a load reverses.
void settle(const ModelView& model, AnyState& friction, double& velocity, double load) noexcept;

/// Evaluates an input from the left at the end of a segment, where it may jump.
struct Segment {
  double end = 0;
  [[nodiscard]] double clamp(double t) const noexcept { return std::min(t, std::nextafter(end, 0.0)); }
  /// Start of a step of length h, such that its end stays inside.
  [[nodiscard]] double start_of(double t, double h) const noexcept { return std::min(t, clamp(end) - h); }
};

/// The friction with its continuous states from a solver's vector.
AnyState with_states(const AnyState& mode, std::span<const double> values) noexcept;
/// The rates of the continuous states, into a solver's vector.
void write_rate(const ModelView& model, const AnyState& friction, double velocity, std::span<double> dydt) noexcept;

/// An integer number of steps, with rows at multiples of the step.
struct FixedGrid {
  explicit FixedGrid(const Options& options)
      : h(options.step),
        steps(static_cast<std::size_t>(std::llround(options.duration / options.step))),
        stride(
            std::max<std::size_t>(1, static_cast<std::size_t>(std::llround(options.output_interval / options.step)))) {}
  [[nodiscard]] double time(std::size_t i) const noexcept { return static_cast<double>(i) * h; }
  [[nodiscard]] bool row_after(std::size_t i) const noexcept { return (i + 1) % stride == 0 || i + 1 == steps; }
  /// When to check whether to continue: often enough for slow models, rarely enough to cost nothing.
  [[nodiscard]] static bool asks_before(std::size_t i) noexcept { return i % 256 == 0; }

  double h;
  std::size_t steps;
  std::size_t stride;
};

/// The friction states at t = 0 must be finite.
void require_valid_state(const ModelView& model, const AnyState& friction);
/// The state with these numbers, or as the model starts where there are none. Throws InvalidParameter unless there are
/// as many as the model has.
AnyState initial_state(const ModelView& model, std::span<const double> states);

}  // namespace stiction::sim
