// Viscous friction, linear or a power of the speed.
#pragma once

#include <cmath>

#include "stiction/scalar/memoryless.h"

namespace stiction::scalar {

/// Viscous friction (Olsson et al. 1998, eqs. 2 and 3).
///   F = F_v |v|^δ sgn v
/// δ < 1 has an infinite slope at rest, δ > 1 none. It never holds a load: the body creeps.
template <class Real>
struct BasicViscous : Memoryless<BasicViscous<Real>, Real> {
  struct Params {
    Real viscous{};    // F_v [N (s/m)^δ], ≥ 0
    Real exponent{1};  // δ [-], in [0.1, 10]
  };
  using Base = Memoryless<BasicViscous<Real>, Real>;
  using typename Base::State;

  static constexpr Range exponents{0.1, 10, true, true, "in [0.1, 10]"};
  static constexpr Info info{"viscous", "Viscous friction, linear or power law", "F = F_v |v|^δ sgn v",
                             "Olsson et al. 1998, eqs. 2 and 3"};
  static constexpr std::array<Field<Params, Real>, 2> fields{{
      {"viscous", &Params::viscous, "N (s/m)^δ", size_or_zero, required, "F_v, viscous coefficient"},
      {"exponent", &Params::exponent, "-", exponents, 1.0, "δ, power of the speed"},
  }};

  Params params;

  static std::optional<Problem> check(const Params& p) noexcept { return first_problem(p, fields); }
#if defined(__cpp_exceptions)
  static BasicViscous make(const Params& p) { return BasicViscous(checked<BasicViscous>(p)); }
#endif
  /// For parameters that `check` has passed.
  explicit BasicViscous(const Params& p) noexcept : params(p) {}

  Real resistance(Real velocity) const noexcept {
    using std::abs;
    // F = F_v |v|^δ sgn v
    return params.exponent == Real(1) ? params.viscous * velocity
                                      : params.viscous * power(Real(abs(velocity)), params.exponent) * sgn(velocity);
  }
  static constexpr bool scale_free = true;  // no characteristic velocity: solvers take that of the motion
  Real velocity_scale() const noexcept { return Real(1e-6); }

  /// dF/dv at rest, for δ = 1.
  Real damping_at_rest() const noexcept { return params.viscous; }
};

using Viscous = BasicViscous<double>;
static_assert(Model<Viscous>);
STICTION_REGISTERED(Viscous);

}  // namespace stiction::scalar
