// The Stribeck curve g(v): how sliding friction falls from its static to its Coulomb level as a surface film builds up.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

#include "stiction/math.h"

namespace stiction::scalar {

/// g(v) = F_C + (F_S − F_C) exp(−|v/v_S|^δ)      (Olsson et al. 1998, eq. 6 without its viscous term; always > 0)
template <class Real>
struct StribeckCurve {
  Real coulomb_force;      // F_C [N]
  Real static_force;       // F_S [N]
  Real stribeck_velocity;  // v_S [m/s]
  Real stribeck_exponent;  // δ [-]

  Real operator()(Real velocity) const noexcept {
    // F_S − (F_S − F_C)(1 − exp(−|v/v_S|^δ)): exactly F_S at rest
    return static_force - (static_force - coulomb_force) * decay(power(velocity));
  }

  /// dg/dv; at v = 0 the limit from the right, which is not finite for δ < 1.
  Real slope(Real velocity) const noexcept {
    using std::abs;
    // g' = −(F_S − F_C) δ/v_S |v/v_S|^(δ−1) exp(−|v/v_S|^δ) sgn v
    const Real ratio = abs(velocity) * (Real(1) / stribeck_velocity);  // loop-invariant division
    const Real magnitude = (static_force - coulomb_force) * stribeck_exponent / stribeck_velocity *
                           stiction::power(ratio, Real(stribeck_exponent - Real(1))) *
                           (Real(1) - decay(power(velocity)));
    return velocity < Real(0) ? magnitude : -magnitude;
  }

  /// The largest value, g(0).
  Real peak() const noexcept { return static_force; }

  /// An upper bound of max over v of  F_S/g − 1 + F_S |v g'|/g², which decides whether the coupled step has one root.
  /// |v g'| = (F_S − F_C) δ y exp(−y) ≤ (F_S − F_C) δ / e.
  Real steepness() const noexcept {
    const Real drop = static_force - coulomb_force;
    const Real inverse_e = Real(0.36787944117144233);
    return drop / coulomb_force + static_force * drop * stribeck_exponent * inverse_e / square(coulomb_force);
  }

  /// Whether the curve falls within less than an octave of speeds, so that a search by octaves could step over the
  /// fall.
  bool is_steep() const noexcept { return stribeck_exponent > Real(2); }
  /// Speeds about the fall between which |v/v_S|^δ grows fourfold, from 4⁻⁴ to 4³: as fine as octaves are for δ = 2.
  std::array<Real, 8> steep_speeds() const noexcept {
    const Real factor = stiction::power(Real(2), Real(Real(2) / stribeck_exponent));
    std::array<Real, 8> speeds{};
    speeds[4] = stribeck_velocity;
    for (std::size_t i = 0; i < 4; ++i) {
      speeds[3 - i] = speeds[4 - i] / factor;
    }
    for (std::size_t i = 5; i < 8; ++i) {
      speeds[i] = speeds[i - 1] * factor;
    }
    return speeds;
  }

  /// The speed over which the curve changes: for large exponents it falls within a part of v_S.
  Real velocity_scale() const noexcept {
    return stribeck_exponent > Real(2) ? stribeck_velocity * Real(2) / stribeck_exponent : stribeck_velocity;
  }

 private:
  /// |v/v_S|^δ; the usual δ = 2 needs no pow.
  Real power(Real velocity) const noexcept {
    using std::abs;
    const Real ratio = abs(velocity) * (Real(1) / stribeck_velocity);  // loop-invariant division
    if constexpr (std::is_floating_point_v<Real>) {
      return stribeck_exponent == Real(2) ? ratio * ratio : stiction::power(ratio, stribeck_exponent);
    } else {
      return stiction::power(ratio, stribeck_exponent);  // differentiable in δ
    }
  }
};

}  // namespace stiction::scalar
