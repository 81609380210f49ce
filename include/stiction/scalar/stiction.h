// Static friction above the Coulomb level, with an immediate drop once the body moves.
#pragma once

#include "stiction/scalar/set_valued.h"

namespace stiction::scalar {

template <class Real>
struct StictionParams {
  Real coulomb_force{};  // F_C [N], ≥ 0
  Real static_force{};   // F_S [N], ≥ F_C
  Real viscous{};        // F_v [N s/m], ≥ 0
};

/// Stiction with Coulomb and viscous friction (Olsson et al. 1998, eq. 4; Fig. 5 c).
///   v = 0:  F = load while |load| ≤ F_S           v ≠ 0:  F = F_C sgn v + F_v v
template <class Real>
struct BasicStiction : SetValued<BasicStiction<Real>, StictionParams<Real>, Real> {
  using Base = SetValued<BasicStiction<Real>, StictionParams<Real>, Real>;
  using Base::Base;
  using typename Base::Params;

  static constexpr Info info{"stiction", "Stiction with Coulomb and viscous friction",
                             "F = F_C sgn v + F_v v;  v = 0: F = load while |load| <= F_S",
                             "Olsson et al. 1998, eq. 4"};
  static constexpr std::array<Field<Params, Real>, 3> fields{{
      {"coulomb_force", &Params::coulomb_force, "N", size_or_zero, required, "F_C, sliding friction"},
      {"static_force", &Params::static_force, "N", size_or_zero, required, "F_S >= F_C, break-away force"},
      {"viscous", &Params::viscous, "N s/m", size_or_zero, 0.0, "F_v, viscous coefficient"},
  }};

  static std::optional<Problem> problem(const Params& p) noexcept {
    return problem_below("static_force", p.static_force, p.coulomb_force, ">= coulomb_force");
  }

  // F = F_C + F_v |v|
  Real sliding_force(Real speed, Real) const noexcept { return params_.coulomb_force + params_.viscous * speed; }
  Real breakaway_force(Real) const noexcept { return params_.static_force; }
  static constexpr bool scale_free = true;  // no characteristic velocity: solvers take that of the motion
  Real velocity_scale() const noexcept { return Real(1e-3); }  // the law is linear: any scale will do
  // w + gain (F_C + F_v w) = free_speed
  Real sliding_speed(Real free_speed, Real gain, Real) const noexcept {
    const Real excess = free_speed - gain * params_.coulomb_force;
    return excess > Real(0) ? excess / (Real(1) + gain * params_.viscous) : Real(0);
  }

 private:
  using Base::params_;
};

using Stiction = BasicStiction<double>;
static_assert(Switching<Stiction>);
STICTION_REGISTERED(Stiction);

}  // namespace stiction::scalar
