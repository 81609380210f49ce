// Friction of all contacts as unit balls and segments, the sweeps over them, and the solver's step-length rules.
#pragma once

#include "segments.h"

namespace stiction::spatial {

/// Friction wrenches of all contacts, grouped by dimension: segments, discs and balls.
struct Friction {
  Segments segments;
  Balls<2> discs;
  Balls<3> balls;

  Friction(std::size_t capacity, int sides)
      : segments(sides > 0 ? capacity * static_cast<std::size_t>(sides / 2 + 1) : 0),
        discs(sides > 0 ? 0 : capacity),
        balls(sides > 0 ? 0 : capacity) {}

  template <class Each>
  void each(const Each& call) noexcept {
    call(segments);
    call(discs);
    call(balls);
  }
};

/// The sweeps over all contacts, which dominate the cost of a solution.
struct Sweeps {
  void (*set_multipliers)(Friction& friction, double c) noexcept;
  void (*start_near)(Friction& friction, double c) noexcept;
  void (*evaluate_bounds)(Friction& friction, const Vector6& y, Sums& sums) noexcept;
  void (*evaluate)(Friction& friction, const Step& step, const Vector6& y, Sums& sums) noexcept;
  void (*predict)(Friction& friction, const Vector6& y_end, StepLimits& limits) noexcept;
  void (*prepare_correction)(Friction& friction, double c, double share, Vector6& right) noexcept;
  void (*correct)(Friction& friction, const Vector6& dy, StepLimits& limits) noexcept;
  void (*newton_step_per_contact)(Friction& friction, double c, const Vector6& y) noexcept;
  void (*centre_on)(Friction& friction, double c, const Vector6& y) noexcept;
  void (*rotate)(Friction& friction, const Matrix6& transposed_basis) noexcept;
  /// Σ ω |W|/d: the sum of the absolute entries of W, averaged over the d columns of each contact.
  double (*size_of_columns)(const Friction& friction) noexcept;
  Vector6 (*remove_known)(Friction& friction, const Matrix6& inverse_metric, double radius) noexcept;
  Matrix6 (*projection_matrix)(const Friction& friction) noexcept;
  void (*project)(Friction& friction, const Vector6& z, bool first, Projection& sums) noexcept;
};
STICTION_TABLE(Sweeps, sweeps)

/// Fraction-to-boundary rule: the fraction of the largest feasible step that is taken. It decreases to 0.8 as that step
/// gets short, so that no contact is left too close to the boundary. The second value is for safeguarded steps.
inline constexpr double fraction_to_boundary = 0.995, safe_fraction_to_boundary = 0.9;
/// A step below this fraction of the full Newton step is short. `solve` then lets every contact take its own Newton
/// step; `verdict` restarts from a centred point after several short steps in a row.
inline constexpr double short_step = 0.05;
/// From this iteration on steps are safeguarded: each only reduces c to a fifth, without the second-order correction
/// (for pyramids in `solve`: to a tenth, with it). Slower, but robust where corrected directions fail. In `solve` this
/// holds for pyramids only; cones restart from the centre instead.
inline constexpr int iterations_before_safeguard = 15;

/// Target of the corrector. `centre`: Mehrotra's choice of the next c, from the complementarity that the predictor
/// (c = 0) would reach. `share`: the fraction of the second-order correction to apply; 0 if the predictor is short.
struct Target {
  double centre, share;
};
inline Target safeguarded_target(double centre) noexcept { return {0.2 * centre, 0}; }
inline Step step_along(const StepLimits& limits, double share = fraction_to_boundary) noexcept {
  const auto of = [share](double longest) { return std::min(1.0, std::min(share, 0.8 + 0.195 * longest) * longest); };
  return {of(limits.longest.primal), of(limits.longest.dual)};
}
inline Target next_target(const StepLimits& limits, double centre) noexcept {
  const Step step = step_along(limits);
  const double ratio = std::clamp(limits.centre_at(step) / centre, 0.0, 1.0);
  return {centre * std::clamp(ratio * ratio * ratio, 1e-6, 0.9), std::min(step.primal, step.dual) > 0.1 ? 1.0 : 0.0};
}

}  // namespace stiction::spatial
