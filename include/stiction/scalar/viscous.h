// Viscous friction, linear or a power of the speed.
#pragma once

#include <cmath>

#include "stiction/scalar/memoryless.h"

namespace stiction::scalar {

template <class Real>
struct ViscousParams {
  Real viscous{};    // F_v [N (s/m)^δ], ≥ 0
  Real exponent{1};  // δ [-], in [0.1, 10]
};

/// Viscous friction (Olsson et al. 1998, eqs. 2 and 3).
///   F = F_v |v|^δ sgn v
/// δ < 1 has an infinite slope at rest, δ > 1 none. It never holds a load: the body creeps.
template <class Real>
struct BasicViscous : Memoryless<BasicViscous<Real>, ViscousParams<Real>, Real> {
  using Base = Memoryless<BasicViscous<Real>, ViscousParams<Real>, Real>;
  using Base::Base;
  using typename Base::Params;

  static constexpr Range exponents{0.1, 10, true, true, "in [0.1, 10]"};
  static constexpr Info info{"viscous", "Viscous friction, linear or power law", "F = F_v |v|^δ sgn v",
                             "Olsson et al. 1998, eqs. 2 and 3"};
  static constexpr std::array<Field<Params, Real>, 2> fields{{
      {"viscous", &Params::viscous, "N (s/m)^δ", size_or_zero, required, "F_v, viscous coefficient"},
      {"exponent", &Params::exponent, "-", exponents, 1.0, "δ, power of the speed"},
  }};

  Real resistance(Real velocity) const noexcept {
    using std::abs;
    // F = F_v |v|^δ sgn v
    return params_.exponent == Real(1) ? params_.viscous * velocity
                                       : params_.viscous * power(Real(abs(velocity)), params_.exponent) * sgn(velocity);
  }
  static constexpr bool scale_free = true;  // no characteristic velocity: solvers take that of the motion
  Real velocity_scale() const noexcept { return Real(1e-6); }

  /// dF/dv at rest, for δ = 1.
  Real damping_at_rest() const noexcept { return params_.viscous; }

 private:
  using Base::params_;
};

using Viscous = BasicViscous<double>;
static_assert(Model<Viscous>);
STICTION_REGISTERED(Viscous);

}  // namespace stiction::scalar
