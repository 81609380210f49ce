// The LuGre model: presliding, stiction, Stribeck effect, frictional lag and varying break-away force from one state.
#pragma once

#include <cmath>

#include "stiction/scalar/bristle.h"
#include "stiction/scalar/stribeck.h"

namespace stiction::scalar {

/// σ₁(v) = σ₁ exp(−(v/v_d)²)   (Olsson et al. 1998, eq. 22); constant for v_d = ∞
template <class Real>
struct FadingDamping {
  Real at_rest;          // σ₁ [N s/m]
  Real fading_velocity;  // v_d [m/s]

  Real operator()(Real velocity) const noexcept {
    return constant() ? at_rest : at_rest * (Real(1) - decay(square(Real(velocity / fading_velocity))));
  }
  bool constant() const noexcept { return !(fading_velocity < Real(infinity)); }
};

/// f(v) = F_v v
template <class Real>
struct LinearViscous {
  Real coefficient;  // F_v [N s/m]
  Real operator()(Real velocity) const noexcept { return coefficient * velocity; }
};

template <class Real>
struct LuGreParams {
  Real stiffness{};                        // σ₀ [N/m], > 0
  Real damping{};                          // σ₁ [N s/m], ≥ 0
  Real coulomb_force{};                    // F_C [N], > 0
  Real static_force{};                     // F_S [N], ≥ F_C
  Real stribeck_velocity{};                // v_S [m/s], > 0
  Real stribeck_exponent{2};               // δ [-], in [0.5, 2]
  Real viscous{};                          // F_v [N s/m], ≥ 0
  Real damping_velocity = Real(infinity);  // v_d [m/s], > 0; inf: constant σ₁
};

/// LuGre friction with a Stribeck curve (Olsson et al. 1998, eqs. 20 to 22).
///   ż = v − σ₀ |v| z / g(v)        g(v) = F_C + (F_S − F_C) exp(−|v/v_S|^δ)
///   F = σ₀ z + σ₁(v) ż + F_v v     σ₁(v) = σ₁ exp(−(v/v_d)²)
/// The dynamics are `Bristle`'s; this adds the named parameters and closed-form properties.
template <class Real>
struct BasicLuGre : Bristle<Real, StribeckCurve<Real>, FadingDamping<Real>, LinearViscous<Real>>,
                    Parameters<BasicLuGre<Real>, LuGreParams<Real>> {
  using Base = Bristle<Real, StribeckCurve<Real>, FadingDamping<Real>, LinearViscous<Real>>;
  using Params = LuGreParams<Real>;

  static constexpr Info info{"lugre", "LuGre bristle model",
                             "dz/dt = v - σ0 |v| z / g(v);  F = σ0 z + σ1(v) dz/dt + F_v v;  "
                             "g = F_C + (F_S - F_C) exp(-|v/v_S|^δ);  σ1(v) = σ1 exp(-(v/v_d)^2)",
                             "Olsson et al. 1998, eqs. 20 to 22"};
  using Rows = StribeckFields<Params, Real>;
  static constexpr std::array<Field<Params, Real>, 8> fields{{
      {"stiffness", &Params::stiffness, "N/m", positive_size, required, "σ0, presliding stiffness"},
      {"damping", &Params::damping, "N s/m", size_or_zero, required, "σ1, damping of the bristle"},
      Rows::coulomb_force,
      Rows::static_force,
      Rows::stribeck_velocity,
      Rows::stribeck_exponent,
      Rows::viscous,
      {"damping_velocity", &Params::damping_velocity, "m/s", size_or_infinite, infinity,
       "v_d, speed above which the damping fades (inf: never)"},
  }};

  static std::optional<Problem> problem(const Params& p) noexcept {
    return problem_of_levels(p.coulomb_force, p.static_force);
  }

  /// For parameters that `check` has passed.
  explicit BasicLuGre(const Params& p) noexcept
      : Base{p.stiffness,
             {p.coulomb_force, p.static_force, p.stribeck_velocity, p.stribeck_exponent},
             {p.damping, p.damping_velocity},
             {p.viscous}},
        Parameters<BasicLuGre, Params>(p) {}

  /// The largest deflection that can be reached from rest, F_S/σ₀ [m].
  Real largest_deflection() const noexcept { return params_.static_force / params_.stiffness; }

  /// Small motions of a mass on the bristle (eqs. 27 and 29): ω = √(σ₀/m),  ζ = (σ₁ + F_v)/(2 √(m σ₀)).
  Linearised<Real> linearised(Real mass) const noexcept {
    using std::sqrt;
    return {sqrt(params_.stiffness / mass),
            (params_.damping + params_.viscous) / (Real(2) * sqrt(mass * params_.stiffness))};
  }

  /// For constant σ₁, a speed below which eq. 30 always holds: 4 F_C/σ₁ [m/s].
  Real dissipative_speed() const noexcept { return Real(4) * params_.coulomb_force / params_.damping; }

  /// The damping velocity v_d below which eq. 22 makes the model dissipative at every speed: 4 √(2e) F_C/σ₁ [m/s].
  Real largest_dissipative_damping_velocity() const noexcept {
    return Real(4 * 2.3316439815971242) * params_.coulomb_force / params_.damping;
  }

  /// For constant σ₁, the viscous coefficient that is necessary and sufficient for dissipativity (Barabanov and Ortega
  /// 2000): σ₁ (F_S − F_C)/F_C [N s/m].
  Real min_dissipative_viscous() const noexcept {
    return params_.damping * (params_.static_force - params_.coulomb_force) / params_.coulomb_force;
  }

 private:
  using Parameters<BasicLuGre, Params>::params_;
};

using LuGre = BasicLuGre<double>;
static_assert(Model<LuGre>);
STICTION_REGISTERED(LuGre);

}  // namespace stiction::scalar
