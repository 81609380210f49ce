// Coulomb friction, alone or with a viscous term.
#pragma once

#include "stiction/scalar/set_valued.h"

namespace stiction::scalar {

/// Coulomb friction (Olsson et al. 1998, eq. 1; Fig. 5 a and b).
///   v ≠ 0:  F = F_C sgn v + F_v v          v = 0:  F = clip(load, −F_C, F_C)
template <class Real>
struct BasicCoulomb : SetValued<BasicCoulomb<Real>, Real> {
  struct Params {
    Real coulomb_force{};  // F_C [N], ≥ 0 (μ times the normal force)
    Real viscous{};        // F_v [N s/m], ≥ 0
  };
  using Base = SetValued<BasicCoulomb<Real>, Real>;
  using typename Base::State;

  static constexpr Info info{"coulomb", "Coulomb friction, set-valued at rest",
                             "F = F_C sgn v + F_v v;  v = 0: F = clip(load, -F_C, F_C)", "Olsson et al. 1998, eq. 1"};
  static constexpr std::array<Field<Params, Real>, 2> fields{{
      {"coulomb_force", &Params::coulomb_force, "N", size_or_zero, required, "F_C, friction at rest and sliding"},
      {"viscous", &Params::viscous, "N s/m", size_or_zero, 0.0, "F_v, viscous coefficient"},
  }};

  Params params;

  static std::optional<Problem> check(const Params& p) noexcept { return first_problem(p, fields); }
#if defined(__cpp_exceptions)
  static BasicCoulomb make(const Params& p) { return BasicCoulomb(checked<BasicCoulomb>(p)); }
#endif
  /// For parameters that `check` has passed.
  explicit BasicCoulomb(const Params& p) noexcept : params(p) {}

  // F = F_C + F_v |v|
  Real sliding_force(Real speed, Real) const noexcept { return params.coulomb_force + params.viscous * speed; }
  Real breakaway_force(Real) const noexcept { return params.coulomb_force; }
  static constexpr bool scale_free = true;  // no characteristic velocity: solvers take that of the motion
  Real velocity_scale() const noexcept { return Real(1e-3); }  // the law is linear: any scale will do

  /// A clip; there is one solution, whatever the present velocity. With h = mobility·dt:
  ///   |v_free| ≤ h F_C:  v⁺ = 0, F = v_free/h        otherwise  v⁺ = (v_free − h F_C sgn v_free)/(1 + h F_v)
  Solved<State, Real> solve(State state, Real free_velocity, Real mobility, Real dt, Real velocity) const noexcept {
    using std::abs;
    if (!can_step(free_velocity, mobility, dt, velocity)) {
      return {not_a_number<Real>(), not_a_number<Real>(), state};
    }
    const Real gain = mobility * dt;
    const Real excess = abs(free_velocity) - gain * params.coulomb_force;
    if (excess <= Real(0)) {
      return {gain > Real(0) ? free_velocity / gain : Real(0), Real(0), State{Mode::stick}};
    }
    const Real speed = excess / (Real(1) + gain * params.viscous);
    const Real direction = sgn(free_velocity);
    return {direction * sliding_force(speed, direction), direction * speed, Base::mode_at(free_velocity)};
  }
  Solved<State, Real> solve(State state, Real free_velocity, Real mobility, Real dt) const noexcept {
    return solve(state, free_velocity, mobility, dt, free_velocity);
  }
};

using Coulomb = BasicCoulomb<double>;
static_assert(Switching<Coulomb>);
STICTION_REGISTERED(Coulomb);

}  // namespace stiction::scalar
