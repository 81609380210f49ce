// Friction that falls from its static to its Coulomb level with increasing speed; the same or different in both
// directions.
#pragma once

#include "stiction/scalar/set_valued.h"
#include "stiction/scalar/stribeck_curve.h"

namespace stiction::scalar {

/// The exponents in use for the Stribeck curve.
inline constexpr Range stribeck_exponents{0.5, 2, true, true, "in [0.5, 2]"};

/// Checks the levels of a Stribeck curve: F_S must not be below F_C, nor so far above it that F_C is lost in rounding.
template <class Real>
constexpr std::optional<Problem> problem_of_levels(const Real& coulomb_force, const Real& static_force,
                                                   const char* field = "static_force",
                                                   const char* at_least = ">= coulomb_force",
                                                   const char* at_most = "<= 1e6 coulomb_force") noexcept {
  const auto problem = problem_below(field, static_force, coulomb_force, at_least);
  return problem || static_force <= Real(1e6) * coulomb_force ? problem : Problem{field, plain(static_force), at_most};
}

/// The parameters of a Stribeck curve and of viscous friction, as rows for the `fields` of the models that have them.
template <class Params, class Real>
struct StribeckFields {
  using Row = Field<Params, Real>;
  static constexpr Row coulomb_force{"coulomb_force", &Params::coulomb_force,       "N", positive_size,
                                     required,        "F_C, friction at high speed"};
  static constexpr Row static_force{
      "static_force", &Params::static_force, "N", positive_size, required, "F_S >= F_C, largest friction at rest"};
  static constexpr Row stribeck_velocity{
      "stribeck_velocity", &Params::stribeck_velocity, "m/s", positive_size, required, "v_S, speed of the drop"};
  static constexpr Row stribeck_exponent{
      "stribeck_exponent", &Params::stribeck_exponent, "-", stribeck_exponents, 2.0, "δ, shape of the drop"};
  static constexpr Row viscous{"viscous", &Params::viscous, "N s/m", size_or_zero, 0.0, "F_v, viscous coefficient"};
};

template <class Real>
struct StribeckParams {
  Real coulomb_force{};       // F_C [N], > 0
  Real static_force{};        // F_S [N], ≥ F_C
  Real stribeck_velocity{};   // v_S [m/s], > 0
  Real stribeck_exponent{2};  // δ [-], in [0.5, 2]
  Real viscous{};             // F_v [N s/m], ≥ 0
};

/// Stribeck friction (Olsson et al. 1998, eqs. 5 and 6, with the sign of v on the first term; Fig. 5 d).
///   v ≠ 0:  F = g(v) sgn v + F_v v,   g(v) = F_C + (F_S − F_C) exp(−|v/v_S|^δ)
///   v = 0:  F = load while |load| ≤ F_S
template <class Real>
struct BasicStribeck : SetValued<BasicStribeck<Real>, StribeckParams<Real>, Real> {
  using Base = SetValued<BasicStribeck<Real>, StribeckParams<Real>, Real>;
  using Base::Base;
  using typename Base::Params;

  static constexpr Info info{
      "stribeck", "Stribeck friction, set-valued at rest",
      "F = [F_C + (F_S - F_C) exp(-|v/v_S|^δ)] sgn v + F_v v;  v = 0: F = load while |load| <= F_S",
      "Olsson et al. 1998, eqs. 5 and 6"};
  using Rows = StribeckFields<Params, Real>;
  static constexpr std::array<Field<Params, Real>, 5> fields{{
      Rows::coulomb_force,
      Rows::static_force,
      Rows::stribeck_velocity,
      Rows::stribeck_exponent,
      Rows::viscous,
  }};

  static std::optional<Problem> problem(const Params& p) noexcept {
    return problem_of_levels(p.coulomb_force, p.static_force);
  }

  /// g(v), without the viscous term.
  StribeckCurve<Real> curve() const noexcept {
    return {params_.coulomb_force, params_.static_force, params_.stribeck_velocity, params_.stribeck_exponent};
  }
  // F = g(v) + F_v |v|
  Real sliding_force(Real speed, Real) const noexcept { return curve()(speed) + params_.viscous * speed; }
  Real breakaway_force(Real) const noexcept { return params_.static_force; }
  Real velocity_scale() const noexcept { return curve().velocity_scale(); }

 private:
  using Base::params_;
};

template <class Real>
struct AsymmetricStribeckParams {
  Real coulomb_force_plus{};        // F_C [N], > 0
  Real static_force_plus{};         // F_S [N], ≥ F_C
  Real stribeck_velocity_plus{};    // v_S [m/s], > 0
  Real stribeck_exponent_plus{2};   // δ [-], in [0.5, 2]
  Real viscous_plus{};              // F_v [N s/m], ≥ 0
  Real coulomb_force_minus{};       // F_C [N], > 0
  Real static_force_minus{};        // F_S [N], ≥ F_C
  Real stribeck_velocity_minus{};   // v_S [m/s], > 0
  Real stribeck_exponent_minus{2};  // δ [-], in [0.5, 2]
  Real viscous_minus{};             // F_v [N s/m], ≥ 0
};

/// Stribeck friction with a separate curve for each direction, as in drives with gears and seals.
template <class Real>
struct BasicAsymmetricStribeck : SetValued<BasicAsymmetricStribeck<Real>, AsymmetricStribeckParams<Real>, Real> {
  using Base = SetValued<BasicAsymmetricStribeck<Real>, AsymmetricStribeckParams<Real>, Real>;
  using Base::Base;
  using typename Base::Params;

  static constexpr Info info{"asymmetric-stribeck", "Stribeck friction with its own curve for each direction",
                             "as stribeck, with the parameters *_plus for v > 0 and *_minus for v < 0",
                             "Olsson et al. 1998, eqs. 5 and 6"};
  static constexpr std::array<Field<Params, Real>, 10> fields{{
      {"coulomb_force_plus", &Params::coulomb_force_plus, "N", positive_size, required, "F_C for positive velocity"},
      {"static_force_plus", &Params::static_force_plus, "N", positive_size, required,
       "F_S >= F_C for positive velocity"},
      {"stribeck_velocity_plus", &Params::stribeck_velocity_plus, "m/s", positive_size, required,
       "v_S for positive velocity"},
      {"stribeck_exponent_plus", &Params::stribeck_exponent_plus, "-", stribeck_exponents, 2.0,
       "δ for positive velocity"},
      {"viscous_plus", &Params::viscous_plus, "N s/m", size_or_zero, 0.0, "F_v for positive velocity"},
      {"coulomb_force_minus", &Params::coulomb_force_minus, "N", positive_size, required, "F_C for negative velocity"},
      {"static_force_minus", &Params::static_force_minus, "N", positive_size, required,
       "F_S >= F_C for negative velocity"},
      {"stribeck_velocity_minus", &Params::stribeck_velocity_minus, "m/s", positive_size, required,
       "v_S for negative velocity"},
      {"stribeck_exponent_minus", &Params::stribeck_exponent_minus, "-", stribeck_exponents, 2.0,
       "δ for negative velocity"},
      {"viscous_minus", &Params::viscous_minus, "N s/m", size_or_zero, 0.0, "F_v for negative velocity"},
  }};

  static std::optional<Problem> problem(const Params& p) noexcept {
    const auto plus = problem_of_levels(p.coulomb_force_plus, p.static_force_plus, "static_force_plus",
                                        ">= coulomb_force_plus", "<= 1e6 coulomb_force_plus");
    return plus ? plus
                : problem_of_levels(p.coulomb_force_minus, p.static_force_minus, "static_force_minus",
                                    ">= coulomb_force_minus", "<= 1e6 coulomb_force_minus");
  }

  /// g(v) for one direction, without the viscous term.
  StribeckCurve<Real> curve(Real direction) const noexcept {
    return direction < Real(0) ? StribeckCurve<Real>{params_.coulomb_force_minus, params_.static_force_minus,
                                                     params_.stribeck_velocity_minus, params_.stribeck_exponent_minus}
                               : StribeckCurve<Real>{params_.coulomb_force_plus, params_.static_force_plus,
                                                     params_.stribeck_velocity_plus, params_.stribeck_exponent_plus};
  }
  // F = g±(v) + F_v± |v|
  Real sliding_force(Real speed, Real direction) const noexcept {
    return curve(direction)(speed) + (direction < Real(0) ? params_.viscous_minus : params_.viscous_plus) * speed;
  }
  Real breakaway_force(Real direction) const noexcept { return curve(direction).peak(); }
  Real velocity_scale() const noexcept {
    return params_.stribeck_velocity_plus < params_.stribeck_velocity_minus ? params_.stribeck_velocity_plus
                                                                            : params_.stribeck_velocity_minus;
  }

 private:
  using Base::params_;
};

using Stribeck = BasicStribeck<double>;
using AsymmetricStribeck = BasicAsymmetricStribeck<double>;
static_assert(Switching<Stribeck> && Switching<AsymmetricStribeck>);
STICTION_REGISTERED(Stribeck);
STICTION_REGISTERED(AsymmetricStribeck);

}  // namespace stiction::scalar
