// Bristles whose steady curve is the friction of a gear.
#pragma once

#include "stiction/scalar/elasto_plastic.h"
#include "stiction/scalar/gear.h"
#include "stiction/scalar/lugre.h"

namespace stiction::scalar {

/// A bristle model whose g(v) is the dry friction f of a gear. A bristle needs g > 0: its two levels are at least
/// 1e-6 of the friction at rest, and 1e-15 N.
template <class Self, class Params, class Plain, class Real>
struct GearBristle : GearModel<Self, Params, Plain, Real> {
  using Base = GearModel<Self, Params, Plain, Real>;
  using Base::Base;
  using typename Base::Levels;
  using typename Base::State;

  /// The implicit Euler step at the new velocity w, under what the gear transmits in `state`.
  Solved<State, Real> implicit(const State& state, Real w, Real dt) const noexcept {
    const auto next = this->at(state).implicit(Base::part_of(state), w, dt);
    return {next.force, next.velocity, {next.state, state.transmitted}};
  }
  /// Elastic energy σ₀ z²/2 [J].
  Real energy(const State& state) const noexcept { return this->at(state).energy(Base::part_of(state)); }
  /// 4 f − σ₁(v)|v| with nothing transmitted: dissipative where it is positive [N].
  Real dissipativity_margin(Real velocity) const noexcept {
    return this->with(this->budget({})).dissipativity_margin(velocity);
  }
  /// The state after sliding at this velocity for long, under what the gear transmits in `state`.
  State steady_state(const State& state, Real velocity) const noexcept {
    return {this->at(state).steady_state(velocity), state.transmitted};
  }
  Real steady_force(const State& state, Real velocity) const noexcept { return this->at(state).steady_force(velocity); }

 protected:
  static constexpr Levels positive_levels(const Levels& levels) noexcept {
    const Real least = levels.static_force * Real(1e-6) < Real(1e-15) ? Real(1e-15) : levels.static_force * Real(1e-6);
    const Real coulomb = levels.coulomb_force < least ? least : levels.coulomb_force;
    return {coulomb, levels.static_force < coulomb ? coulomb : levels.static_force};
  }
};

template <class Real>
struct GearLuGreParams {
  Real stiffness{};                         // σ₀ [N/m], > 0
  Real damping{};                           // σ₁ [N s/m], ≥ 0
  Real coulomb_force{};                     // f₀ [N], ≥ 0
  Real stribeck_force{};                    // f_s [N], ≥ 0
  Real motor_gain{};                        // k_m [-], ≥ 0
  Real external_gain{};                     // k_e [-], ≥ 0
  Real motor_stribeck_gain{};               // k_ms [-], ≥ 0
  Real external_stribeck_gain{};            // k_es [-], ≥ 0
  Real motor_quadratic_gain{};              // q_m [1/N], ≥ 0
  Real external_quadratic_gain{};           // q_e [1/N], ≥ 0
  Real stribeck_velocity = Real(infinity);  // v_S [m/s], > 0; finite if there is anything that falls with speed
  Real stribeck_exponent{2};                // α [-], in [0.5, 100]
  Real viscous{};                           // b [N s/m], ≥ 0
  Real damping_velocity = Real(infinity);   // v_d [m/s], > 0; inf: constant σ₁
};

/// LuGre with the friction of a gear as g(v): presliding and frictional lag of a gear.
///   ż = v − σ₀ |v| z / f(v, τ_m, τ_e)      F = σ₀ z + σ₁(v) ż + b v
template <class Real>
struct BasicGearLuGre : GearBristle<BasicGearLuGre<Real>, GearLuGreParams<Real>, BasicLuGre<Real>, Real> {
  using Plain = BasicLuGre<Real>;
  using Base = GearBristle<BasicGearLuGre<Real>, GearLuGreParams<Real>, Plain, Real>;
  using Base::Base;
  using typename Base::Levels;
  using Params = GearLuGreParams<Real>;

  static constexpr Info info{"gear-lugre", "LuGre bristle with the friction of a gear as g(v)",
                             "dz/dt = v - σ0 |v| z / f;  F = σ0 z + σ1(v) dz/dt + b v;  f as of gear;  "
                             "σ1(v) = σ1 exp(-(v/v_d)^2)",
                             "Duclusaud and Passault 2025, with the bristle of Canudas de Wit et al. 1995"};
  using Rows = GearFields<Params, Real>;
  static constexpr std::array<Field<Params, Real>, 14> fields{{
      {"stiffness", &Params::stiffness, "N/m", positive_size, required, "σ0, presliding stiffness"},
      {"damping", &Params::damping, "N s/m", size_or_zero, required, "σ1, damping of the bristle"},
      Rows::coulomb_force,
      Rows::stribeck_force,
      Rows::motor_gain,
      Rows::external_gain,
      Rows::motor_stribeck_gain,
      Rows::external_stribeck_gain,
      Rows::motor_quadratic_gain,
      Rows::external_quadratic_gain,
      Rows::stribeck_velocity,
      Rows::stribeck_exponent,
      Rows::viscous,
      {"damping_velocity", &Params::damping_velocity, "m/s", size_or_infinite, infinity,
       "v_d, speed above which the damping fades (inf: never)"},
  }};

  /// LuGre at these levels.
  Plain plain(const Levels& levels) const noexcept {
    const auto& p = this->params();
    const Levels g = Base::positive_levels(levels);
    return Plain({p.stiffness, p.damping, g.coulomb_force, g.static_force, this->stribeck_velocity(),
                  p.stribeck_exponent, p.viscous, p.damping_velocity});
  }
};

template <class Real>
struct GearElastoPlasticParams {
  Real stiffness{};                         // σ₀ [N/m], > 0
  Real damping{};                           // σ₁ [N s/m], ≥ 0
  Real coulomb_force{};                     // f₀ [N], ≥ 0
  Real stribeck_force{};                    // f_s [N], ≥ 0
  Real motor_gain{};                        // k_m [-], ≥ 0
  Real external_gain{};                     // k_e [-], ≥ 0
  Real motor_stribeck_gain{};               // k_ms [-], ≥ 0
  Real external_stribeck_gain{};            // k_es [-], ≥ 0
  Real motor_quadratic_gain{};              // q_m [1/N], ≥ 0
  Real external_quadratic_gain{};           // q_e [1/N], ≥ 0
  Real stribeck_velocity = Real(infinity);  // v_S [m/s], > 0; finite if there is anything that falls with speed
  Real stribeck_exponent{2};                // α [-], in [0.5, 100]
  Real viscous{};                           // b [N s/m], ≥ 0
  Real damping_velocity = Real(infinity);   // v_d [m/s], > 0; inf: constant σ₁
  Real elastic_share = Real(0.7);           // σ₀ z_ba/C [-], in [0.001, 0.999]
};

/// Elasto-plastic friction with that of a gear as g(v): a true elastic range, which grows with the load.
///   ż = v (1 − α(z, v) z/z_ss)     z_ss = f(v, τ_m, τ_e) sgn(v)/σ₀     F = σ₀ z + σ₁(v) ż + b v
template <class Real>
struct BasicGearElastoPlastic
    : GearBristle<BasicGearElastoPlastic<Real>, GearElastoPlasticParams<Real>, BasicElastoPlastic<Real>, Real> {
  using Plain = BasicElastoPlastic<Real>;
  using Base = GearBristle<BasicGearElastoPlastic<Real>, GearElastoPlasticParams<Real>, Plain, Real>;
  using Base::Base;
  using typename Base::Levels;
  using Params = GearElastoPlasticParams<Real>;

  static constexpr Info info{"gear-elasto-plastic", "Elasto-plastic friction with that of a gear as g(v)",
                             "dz/dt = v (1 - α(z,v) z/z_ss),  z_ss = f sgn(v)/σ0,  F = σ0 z + σ1(v) dz/dt + b v;  "
                             "f as of gear",
                             "Duclusaud and Passault 2025, with the bristle of Dupont et al. 2002"};
  using Rows = GearFields<Params, Real>;
  static constexpr std::array<Field<Params, Real>, 15> fields{{
      {"stiffness", &Params::stiffness, "N/m", positive_size, required, "σ0, presliding stiffness"},
      {"damping", &Params::damping, "N s/m", size_or_zero, required, "σ1, damping of the bristle"},
      Rows::coulomb_force,
      Rows::stribeck_force,
      Rows::motor_gain,
      Rows::external_gain,
      Rows::motor_stribeck_gain,
      Rows::external_stribeck_gain,
      Rows::motor_quadratic_gain,
      Rows::external_quadratic_gain,
      Rows::stribeck_velocity,
      Rows::stribeck_exponent,
      Rows::viscous,
      {"damping_velocity", &Params::damping_velocity, "m/s", size_or_infinite, infinity,
       "v_d, speed above which the damping fades (inf: never)"},
      {"elastic_share", &Params::elastic_share, "-", inner_shares, 0.7,
       "σ0 z_ba/C, elastic part of the presliding range; C: dry friction at high speed"},
  }};

  /// Elasto-plastic friction at these levels.
  Plain plain(const Levels& levels) const noexcept {
    const auto& p = this->params();
    const Levels g = Base::positive_levels(levels);
    return Plain({p.stiffness, p.damping, g.coulomb_force, g.static_force, this->stribeck_velocity(),
                  p.stribeck_exponent, p.viscous, p.damping_velocity, p.elastic_share});
  }
};

using GearLuGre = BasicGearLuGre<double>;
using GearElastoPlastic = BasicGearElastoPlastic<double>;
static_assert(Geared<GearLuGre> && Geared<GearElastoPlastic>);
STICTION_REGISTERED(GearLuGre);
STICTION_REGISTERED(GearElastoPlastic);

}  // namespace stiction::scalar
