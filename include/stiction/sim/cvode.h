// The accurate solver: SUNDIALS' CVODE (variable-order BDF with root finding) behind plain functions.
#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "stiction/export.h"
#include "stiction/sim/report.h"

namespace stiction::sim {

/// dy/dt = rate(t, y), with guard functions: the solver stops when one falls through zero. All functions may throw.
struct OdeProblem {
  std::function<void(double t, std::span<const double> y, std::span<double> dydt)> rate;
  std::size_t guard_count = 0;
  std::function<void(double t, std::span<const double> y, std::span<double> values)> guards;
  /// Optional: solves (1 − γ ∂rate/∂y) x = b in place, to exploit the structure of the Jacobian. Otherwise a dense one
  /// is computed by finite differences.
  std::function<void(double t, std::span<const double> y, double gamma, std::span<double> b)> newton = {};
  std::vector<double> scale;  // magnitude of each state: sets absolute tolerances and Jacobian increments
  double relative_tolerance = 1e-9;
  double absolute_tolerance = 0;                              // times each scale; 0: a thousandth of the relative one
  double max_step = std::numeric_limits<double>::infinity();  // [s]
  int max_order = 5;                                          // 1 to 5
};

class STICTION_EXPORT Cvode {
 public:
  Cvode(OdeProblem problem, double time, std::vector<double> start);
  ~Cvode();
  Cvode(Cvode&&) noexcept;
  Cvode& operator=(Cvode&&) noexcept;

  /// One internal step towards `end`, never beyond it. Returns the guard that fell through zero, if one did. After a
  /// SolverFailure `time` and `y` are those of the last successful step.
  std::optional<int> step(double end);
  /// The solution within the last step.
  void interpolate(double time, std::span<double> y) const;
  /// Restarts after an event or a jump of the input.
  void restart(double time, std::span<const double> y);

  [[nodiscard]] double time() const noexcept;
  [[nodiscard]] std::span<const double> y() const noexcept;
  [[nodiscard]] long steps_taken() const noexcept;

  struct Memory;

 private:
  std::unique_ptr<Memory> memory_;
};

}  // namespace stiction::sim
