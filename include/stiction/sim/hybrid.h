// Integrates hybrid systems with the accurate solver: inputs that jump, contacts that switch. Samples the solution. If
// the solver fails, fallback methods take over.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "stiction/export.h"
#include "stiction/sim/cvode.h"
#include "stiction/sim/trajectory.h"

namespace stiction::sim {

/// Coupled implicit steps of the same system, with their states in four slots; slot 0 is the current state.
struct CoupledSteps {
  std::function<void(std::span<const double> y)> start;  // slot 0 from the solver's states and the current mode
  std::function<void(std::size_t from, std::size_t to, double time, double h)> step;
  std::function<void(std::size_t slot, std::span<double> y)> get;
  std::function<void(std::size_t slot, std::span<const double> y)> put;  // the continuous states only
  std::function<void(std::size_t slot)> accept;                          // into slot 0 and the mode that `ode` uses
  std::function<bool(std::size_t a, std::size_t b)> switched;            // whether a contact differs between two slots
};

struct HybridSystem {
  OdeProblem ode;
  /// A new segment of smooth inputs begins: adapt y to them (a jump of the load may break the contact away).
  std::function<void(double start, double end, std::span<double> y)> begin_segment;
  /// A step was taken: record history for delays here. Optional.
  std::function<void(double time, std::span<const double> y)> on_step = {};
  /// A guard has fallen through zero: change y and the mode that `ode` uses.
  std::function<void(double time, std::span<double> y, int guard)> on_guard;
  /// A sample of the solution; false ends the run.
  std::function<bool(double time, std::span<const double> y)> on_row;
  CoupledSteps coupled;
};

/// Integrates from t = 0 through the ends of the segments (increasing, the last is the end of the run), with a row at
/// every multiple of the output interval and at the end. If CVODE's error test or Newton iteration fails for good, or
/// its steps become too short to finish, it is restarted, then restarted with orders 1 and 2 and coarser absolute
/// tolerances; then the coupled steps finish the run, with error control by step doubling. The report says so. Throws
/// SolverFailure if max_steps is exceeded.
STICTION_EXPORT void integrate(const HybridSystem& system, std::vector<double> y, std::span<const double> segment_ends,
                               const Options& options, RunReport& report);

}  // namespace stiction::sim
