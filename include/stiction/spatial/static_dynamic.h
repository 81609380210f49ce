// Static and dynamic friction: one coefficient at rest, one while sliding.
#pragma once

#include "stiction/spatial/cones.h"

namespace stiction::spatial {

/// |f_t| ≤ μ_s f_n at rest;  f_t = −μ_d f_n v/|v| while sliding
template <class Real = double>
struct StaticDynamic {
  using Params = StaticDynamic;
  Real mu_s, mu_d;  // [-], μ_s ≥ μ_d ≥ 0

  static constexpr std::optional<Problem> check(const Params& pair) noexcept {
    constexpr std::array<Field<StaticDynamic, Real>, 2> fields{
        {{"mu_s", &StaticDynamic::mu_s, "-", non_negative, required, "coefficient of friction at rest"},
         {"mu_d", &StaticDynamic::mu_d, "-", non_negative, required, "coefficient of friction while sliding"}}};
    if (const auto problem = first_problem(pair, fields)) {
      return problem;
    }
    return problem_below("mu_s", pair.mu_s, pair.mu_d, ">= mu_d");
  }
#if defined(__cpp_exceptions)
  static StaticDynamic make(const Params& params) { return checked<StaticDynamic>(params); }
#endif

  /// Speeds up to `rest_speed` [m/s] count as rest; a NaN propagates.
  [[nodiscard]] Real coefficient(Real slip_speed, Real rest_speed = Real(0)) const noexcept {
    return slip_speed <= rest_speed ? mu_s : slip_speed > rest_speed ? mu_d : slip_speed;
  }
  [[nodiscard]] CircularCone<Real> at_rest() const noexcept { return {mu_s}; }
  [[nodiscard]] CircularCone<Real> moving() const noexcept { return {mu_d}; }
  [[nodiscard]] CircularCone<Real> cone(Real slip_speed, Real rest_speed = Real(0)) const noexcept {
    return {coefficient(slip_speed, rest_speed)};
  }

  /// Friction on the body that slides over the other one with this velocity. Zero at zero velocity, where any force in
  /// the static cone may act.
  [[nodiscard]] Vector<Real, 2> sliding_friction(const Vector<Real, 2>& velocity, Real normal_force) const noexcept {
    const Real speed = norm(velocity);
    return speed == Real(0) ? Vector<Real, 2>{} : scaled(-mu_d * normal_force / speed, velocity);
  }
};

}  // namespace stiction::spatial
