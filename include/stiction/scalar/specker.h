// The smooth friction law that block-diagram simulators use: peak at a break-away velocity, no sticking.
#pragma once

#include <cmath>

#include "stiction/scalar/memoryless.h"

namespace stiction::scalar {

/// Friction after Specker et al. (2014), also Simscape's rotational and translational friction.
///   F = √(2e) (F_S − F_C) exp(−(v/v_St)²) v/v_St + F_C tanh(v/v_C) + F_v v,   v_St = √2 v_b,   v_C = v_b/10
/// It reaches F_S at the break-away velocity v_b. It never holds a load: the body creeps.
template <class Real>
struct BasicSpecker : Memoryless<BasicSpecker<Real>, Real> {
  struct Params {
    Real coulomb_force{};       // F_C [N], > 0
    Real static_force{};        // F_S [N], ≥ F_C
    Real breakaway_velocity{};  // v_b [m/s], > 0
    Real viscous{};             // F_v [N s/m], ≥ 0
  };
  using Base = Memoryless<BasicSpecker<Real>, Real>;
  using typename Base::State;

  static constexpr Info info{"specker", "Smooth friction with a break-away velocity (Specker, Simscape)",
                             "F = sqrt(2e) (F_S - F_C) exp(-(v/v_St)^2) v/v_St + F_C tanh(v/v_C) + F_v v;  "
                             "v_St = sqrt(2) v_b, v_C = v_b/10",
                             "Specker et al. 2014"};
  static constexpr std::array<Field<Params, Real>, 4> fields{{
      {"coulomb_force", &Params::coulomb_force, "N", positive_size, required, "F_C, friction at high speed"},
      {"static_force", &Params::static_force, "N", positive_size, required, "F_S >= F_C, height of the peak"},
      {"breakaway_velocity", &Params::breakaway_velocity, "m/s", positive_size, required, "v_b, speed of the peak"},
      {"viscous", &Params::viscous, "N s/m", size_or_zero, 0.0, "F_v, viscous coefficient"},
  }};

  Params params;

  static std::optional<Problem> check(const Params& p) noexcept {
    const auto problem = first_problem(p, fields);
    return problem ? problem : problem_below("static_force", p.static_force, p.coulomb_force, ">= coulomb_force");
  }
#if defined(__cpp_exceptions)
  static BasicSpecker make(const Params& p) { return BasicSpecker(checked<BasicSpecker>(p)); }
#endif
  /// For parameters that `check` has passed.
  explicit BasicSpecker(const Params& p) noexcept : params(p) {}

  Real resistance(Real velocity) const noexcept {
    using std::tanh;
    const Real ratio = velocity / stribeck_velocity();
    // F = √(2e) (F_S − F_C) exp(−(v/v_St)²) v/v_St + F_C tanh(v/v_C) + F_v v
    const Real bell = Real(1) - decay(square(ratio));
    const Real peak = bell == Real(0) ? Real(0) : bell * ratio;  // 0·∞ at absurd speeds
    return Real(sqrt_2e) * (params.static_force - params.coulomb_force) * peak +
           params.coulomb_force * tanh(velocity / coulomb_velocity()) + params.viscous * velocity;
  }
  Real velocity_scale() const noexcept { return coulomb_velocity(); }

  /// dF/dv at rest: √(2e) (F_S − F_C)/v_St + F_C/v_C + F_v.
  Real damping_at_rest() const noexcept {
    return Real(sqrt_2e) * (params.static_force - params.coulomb_force) / stribeck_velocity() +
           params.coulomb_force / coulomb_velocity() + params.viscous;
  }

 private:
  static constexpr double sqrt_2e = 2.3316439815971242;

  Real stribeck_velocity() const noexcept { return Real(1.4142135623730951) * params.breakaway_velocity; }
  Real coulomb_velocity() const noexcept { return params.breakaway_velocity / Real(10); }
};

using Specker = BasicSpecker<double>;
static_assert(Model<Specker>);
STICTION_REGISTERED(Specker);

}  // namespace stiction::scalar
