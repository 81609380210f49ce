// Static friction above the Coulomb level, with an immediate drop once the body moves.
#pragma once

#include "stiction/scalar/set_valued.h"

namespace stiction::scalar {

/// Stiction with Coulomb and viscous friction (Olsson et al. 1998, eq. 4; Fig. 5 c).
///   v = 0:  F = load while |load| ≤ F_S           v ≠ 0:  F = F_C sgn v + F_v v
template <class Real>
struct BasicStiction : SetValued<BasicStiction<Real>, Real> {
  struct Params {
    Real coulomb_force{};  // F_C [N], ≥ 0
    Real static_force{};   // F_S [N], ≥ F_C
    Real viscous{};        // F_v [N s/m], ≥ 0
  };
  using Base = SetValued<BasicStiction<Real>, Real>;
  using typename Base::State;

  static constexpr Info info{"stiction", "Stiction with Coulomb and viscous friction",
                             "F = F_C sgn v + F_v v;  v = 0: F = load while |load| <= F_S",
                             "Olsson et al. 1998, eq. 4"};
  static constexpr std::array<Field<Params, Real>, 3> fields{{
      {"coulomb_force", &Params::coulomb_force, "N", size_or_zero, required, "F_C, sliding friction"},
      {"static_force", &Params::static_force, "N", size_or_zero, required, "F_S >= F_C, break-away force"},
      {"viscous", &Params::viscous, "N s/m", size_or_zero, 0.0, "F_v, viscous coefficient"},
  }};

  Params params;

  static std::optional<Problem> check(const Params& p) noexcept {
    const auto problem = first_problem(p, fields);
    return problem ? problem : problem_below("static_force", p.static_force, p.coulomb_force, ">= coulomb_force");
  }
#if defined(__cpp_exceptions)
  static BasicStiction make(const Params& p) { return BasicStiction(checked<BasicStiction>(p)); }
#endif
  /// For parameters that `check` has passed.
  explicit BasicStiction(const Params& p) noexcept : params(p) {}

  // F = F_C + F_v |v|
  Real sliding_force(Real speed, Real) const noexcept { return params.coulomb_force + params.viscous * speed; }
  Real breakaway_force(Real) const noexcept { return params.static_force; }
  static constexpr bool scale_free = true;  // no characteristic velocity: solvers take that of the motion
  Real velocity_scale() const noexcept { return Real(1e-3); }  // the law is linear: any scale will do
};

using Stiction = BasicStiction<double>;
static_assert(Switching<Stiction>);
STICTION_REGISTERED(Stiction);

}  // namespace stiction::scalar
