// Runs the accurate solver over inputs that jump and contacts that switch, and samples the solution on the way.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "stiction/sim/cvode.h"

namespace stiction::sim {

struct HybridSystem {
  OdeProblem ode;
  /// A new segment of smooth inputs begins: adapt y to them (a jump of the load may break the contact away).
  std::function<void(double start, double end, std::span<double> y)> begin_segment;
  /// A step has been taken; what a delay needs can be remembered here. Optional.
  std::function<void(double time, std::span<const double> y)> on_step = {};
  /// A guard has fallen through zero: change y and the mode behind `ode`.
  std::function<void(double time, std::span<double> y, int guard)> on_guard;
  /// A sample of the solution; false ends the run.
  std::function<bool(double time, std::span<const double> y)> on_row;
};

/// Integrates from t = 0 through the ends of the segments (rising, the last is the end of the run), with a row at every
/// multiple of `row_interval` and at the end. Returns the number of steps taken.
long integrate(const HybridSystem& system, std::vector<double> y, std::span<const double> segment_ends,
               double row_interval);

}  // namespace stiction::sim
