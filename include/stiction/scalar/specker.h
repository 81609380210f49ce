// The smooth friction law that block-diagram simulators use: peak at a break-away velocity, no sticking.
#pragma once

#include <cmath>

#include "stiction/scalar/memoryless.h"

namespace stiction::scalar {

template <class Real>
struct SpeckerParams {
  Real coulomb_force{};       // F_C [N], > 0
  Real static_force{};        // F_S [N], ≥ F_C
  Real breakaway_velocity{};  // v_b [m/s], > 0
  Real viscous{};             // F_v [N s/m], ≥ 0
};

/// Friction after Specker et al. (2014), also Simscape's rotational and translational friction.
///   F = √(2e) (F_S − F_C) exp(−(v/v_St)²) v/v_St + F_C tanh(v/v_C) + F_v v,   v_St = √2 v_b,   v_C = v_b/10
/// It reaches F_S at the break-away velocity v_b. It never holds a load: the body creeps.
template <class Real>
struct BasicSpecker : Memoryless<BasicSpecker<Real>, SpeckerParams<Real>, Real> {
  using Base = Memoryless<BasicSpecker<Real>, SpeckerParams<Real>, Real>;
  using Base::Base;
  using typename Base::Params;

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

  static std::optional<Problem> problem(const Params& p) noexcept {
    return problem_below("static_force", p.static_force, p.coulomb_force, ">= coulomb_force");
  }

  Real resistance(Real velocity) const noexcept {
    using std::tanh;
    const Real ratio = velocity / stribeck_velocity();
    // F = √(2e) (F_S − F_C) exp(−(v/v_St)²) v/v_St + F_C tanh(v/v_C) + F_v v
    const Real bell = Real(1) - decay(square(ratio));
    const Real peak = bell == Real(0) ? Real(0) : bell * ratio;  // avoids 0·∞ at extreme speeds
    return Real(sqrt_2e) * (params_.static_force - params_.coulomb_force) * peak +
           params_.coulomb_force * tanh(velocity / coulomb_velocity()) + params_.viscous * velocity;
  }
  Real velocity_scale() const noexcept { return coulomb_velocity(); }

  /// dF/dv at rest: √(2e) (F_S − F_C)/v_St + F_C/v_C + F_v.
  Real damping_at_rest() const noexcept {
    return Real(sqrt_2e) * (params_.static_force - params_.coulomb_force) / stribeck_velocity() +
           params_.coulomb_force / coulomb_velocity() + params_.viscous;
  }

 private:
  using Base::params_;

  static constexpr double sqrt_2e = 2.3316439815971242;

  Real stribeck_velocity() const noexcept { return Real(1.4142135623730951) * params_.breakaway_velocity; }
  Real coulomb_velocity() const noexcept { return params_.breakaway_velocity / Real(10); }
};

using Specker = BasicSpecker<double>;
static_assert(Model<Specker>);
STICTION_REGISTERED(Specker);

}  // namespace stiction::scalar
