// Coulomb friction, alone or with a viscous term.
#pragma once

#include "stiction/scalar/set_valued.h"

namespace stiction::scalar {

template <class Real>
struct CoulombParams {
  Real coulomb_force{};  // F_C [N], ≥ 0 (μ times the normal force)
  Real viscous{};        // F_v [N s/m], ≥ 0
};

/// Coulomb friction (Olsson et al. 1998, eq. 1; Fig. 5 a and b).
///   v ≠ 0:  F = F_C sgn v + F_v v          v = 0:  F = clip(load, −F_C, F_C)
template <class Real>
struct BasicCoulomb : SetValued<BasicCoulomb<Real>, CoulombParams<Real>, Real> {
  using Base = SetValued<BasicCoulomb<Real>, CoulombParams<Real>, Real>;
  using Base::Base;
  using typename Base::Params;
  using typename Base::State;

  static constexpr Info info{"coulomb", "Coulomb friction, set-valued at rest",
                             "F = F_C sgn v + F_v v;  v = 0: F = clip(load, -F_C, F_C)", "Olsson et al. 1998, eq. 1"};
  static constexpr std::array<Field<Params, Real>, 2> fields{{
      {"coulomb_force", &Params::coulomb_force, "N", size_or_zero, required, "F_C, friction at rest and sliding"},
      {"viscous", &Params::viscous, "N s/m", size_or_zero, 0.0, "F_v, viscous coefficient"},
  }};

  // F = F_C + F_v |v|
  Real sliding_force(Real speed, Real) const noexcept { return params_.coulomb_force + params_.viscous * speed; }
  Real breakaway_force(Real) const noexcept { return params_.coulomb_force; }
  static constexpr bool scale_free = true;  // no characteristic velocity: solvers take that of the motion
  Real velocity_scale() const noexcept { return Real(1e-3); }  // the law is linear: any scale will do

  /// In closed form; the solution is unique, whatever the present velocity. With h = mobility·dt:
  ///   |v_free| ≤ h F_C:  v⁺ = 0, F = v_free/h        otherwise  v⁺ = (v_free − h F_C sgn v_free)/(1 + h F_v)
  Solved<State, Real> solve(State state, const CoupledStep<Real>& step) const noexcept {
    using std::abs;
    if (!can_step(step)) {
      return {not_a_number<Real>(), not_a_number<Real>(), state};
    }
    const Real free_velocity = step.free_velocity;
    const Real gain = step.gain();
    const Real excess = abs(free_velocity) - gain * params_.coulomb_force;
    if (excess <= Real(0)) {
      return {gain > Real(0) ? free_velocity / gain : Real(0), Real(0), State{Mode::stick}};
    }
    const Real speed = excess / (Real(1) + gain * params_.viscous);
    const Real direction = sgn(free_velocity);
    return {direction * sliding_force(speed, direction), direction * speed, Base::mode_at(free_velocity)};
  }

 private:
  using Base::params_;
};

using Coulomb = BasicCoulomb<double>;
static_assert(Switching<Coulomb>);
STICTION_REGISTERED(Coulomb);

}  // namespace stiction::scalar
