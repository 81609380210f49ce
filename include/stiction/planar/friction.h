// The friction of a contact patch per newton of normal force: the amended LuGre law, and its elasto-plastic form.
#pragma once

#include <array>
#include <optional>

#include "stiction/problem.h"
#include "stiction/scalar/stribeck_curve.h"

namespace stiction::planar {

/// Waltersson and Karayiannidis, Table I. A bristle z per unit of normal force:
///   dz/dt = v − β z σ₀ |v| / g(|v|),   f = (σ₀ z + σ₁ dz/dt + σ₂ v) f_N,   g(v) = μ_C + (μ_S − μ_C) exp(−|v/v_s|^γ)
/// β = 1: LuGre. Elasto-plastic: β = 0 up to a share of the largest deflection, so that small loads cause no creep.
struct Friction {
  double stiffness = 0;          // σ₀ [1/m], in [1e-2, 1e10]
  double damping = 0;            // σ₁ [s/m], in [0, 1e8]
  double viscous = 0;            // σ₂ [s/m], in [0, 1e8]
  double coulomb = 0;            // μ_C [-], in [1e-5, 1e3]
  double static_level = 0;       // μ_S [-], from μ_C to 100 μ_C, in [1e-5, 1e3]
  double stribeck_exponent = 2;  // γ [-], in [0.5, 2]
  double stribeck_velocity = 0;  // v_s [m/s], in [1e-9, 1e3]
  double elastic_share = 0.9;    // s_ba [-], in [0.001, 0.999]: share of the largest deflection without creep
  bool elasto_plastic = true;

  [[nodiscard]] scalar::StribeckCurve<double> curve() const noexcept {
    return {coulomb, static_level, stribeck_velocity, stribeck_exponent};
  }
  friend bool operator==(const Friction&, const Friction&) = default;
};

// Ranges in which all models work, also in single precision, for every combination of extreme values.
inline constexpr Range stiffnesses{1e-2, 1e10, true, true, "in [1e-2, 1e10]"};
inline constexpr Range dampings{0, 1e8, true, true, "in [0, 1e8]"};
inline constexpr Range coefficients{1e-5, 1e3, true, true, "in [1e-5, 1e3]"};
inline constexpr Range exponents{0.5, 2, true, true, "in [0.5, 2]"};
inline constexpr Range stribeck_velocities{1e-9, 1e3, true, true, "in [1e-9, 1e3]"};
inline constexpr Range elastic_shares{1e-3, 0.999, true, true, "in [0.001, 0.999]"};
inline constexpr std::array<Field<Friction, double>, 8> friction_fields{{
    {"stiffness", &Friction::stiffness, "1/m", stiffnesses, required, "σ0, stiffness of the bristles"},
    {"damping", &Friction::damping, "s/m", dampings, required, "σ1, damping of the bristles"},
    {"viscous", &Friction::viscous, "s/m", dampings, 0.0, "σ2, viscous coefficient"},
    {"coulomb", &Friction::coulomb, "-", coefficients, required, "μ_C, coefficient at high speed"},
    {"static", &Friction::static_level, "-", coefficients, required, "μ_S >= μ_C, largest coefficient at rest"},
    {"stribeck_exponent", &Friction::stribeck_exponent, "-", exponents, 2.0, "γ, shape of the drop"},
    {"stribeck_velocity", &Friction::stribeck_velocity, "m/s", stribeck_velocities, required, "v_s, speed of the drop"},
    {"elastic_share", &Friction::elastic_share, "-", elastic_shares, 0.9,
     "s_ba, share of the largest deflection without creep"},
}};

/// A negative normal force means no contact and counts as 0; a NaN propagates. One instruction.
template <class Real>
constexpr Real in_contact(Real normal_force) noexcept {
  return normal_force < 0 ? Real(0) : normal_force;
}

inline std::optional<Problem> check(const Friction& friction) noexcept {
  if (const auto problem = first_problem(friction, friction_fields)) {
    return problem;
  }
  if (friction.static_level < friction.coulomb) {
    return Problem{"static", friction.static_level, ">= coulomb"};
  }
  if (friction.static_level > 100 * friction.coulomb) {  // in single precision g is then accurate to 1e-5
    return Problem{"static", friction.static_level, "<= 100 coulomb"};
  }
  return std::nullopt;
}

/// The paper's two sets (Table I): p = 0 without and p = 1 with Stribeck effect and viscous friction.
namespace preset {
constexpr Friction waltersson_p0() noexcept { return {1e6, 8e2, 0, 1, 1, 2, 1e-3, 0.9, true}; }
constexpr Friction waltersson_p1() noexcept { return {1e6, 8e2, 0.2, 1, 1.2, 2, 1e-3, 0.9, true}; }
}  // namespace preset

}  // namespace stiction::planar
