// Elasto-plastic friction: LuGre with a truly elastic range, so that vibration below break-away causes no drift.
#pragma once

#include <cmath>

#include "stiction/scalar/coupled.h"
#include "stiction/scalar/lugre.h"

namespace stiction::scalar {

/// A bristle that is elastic up to z_ba and settles on a curve g(v) beyond, for any curves the user brings.
///   ż = v (1 − α(z, v) z/z_ss)      z_ss = g(v) sgn(v)/σ₀      F = σ₀ z + σ₁(v) ż + f(v)
///   α = 0 where sgn z ≠ sgn v or |z| ≤ z_ba;   1 where |z| ≥ |z_ss|;
///   ½ + ½ sin(π (|z| − (|z_ss| + z_ba)/2)/(|z_ss| − z_ba)) between
template <class Real, class Curve, class Damping, class Viscous>
struct PlasticBristle : BristleBase<PlasticBristle<Real, Curve, Damping, Viscous>, Real, Curve, Damping, Viscous> {
  using Base = BristleBase<PlasticBristle<Real, Curve, Damping, Viscous>, Real, Curve, Damping, Viscous>;
  using Base::curve;
  using Base::damping;
  using Base::stiffness;
  using Base::viscous;
  using typename Base::State;

  Real elastic_deflection;  // z_ba [m], > 0, below min g/σ₀

  PlasticBristle(Real sigma_0, Real z_ba, Curve g, Damping sigma_1, Viscous f) noexcept
      : Base{sigma_0, std::move(g), std::move(sigma_1), std::move(f)}, elastic_deflection(z_ba) {}

  State rate(State state, Real velocity) const noexcept {
    const Real settled = curve(velocity) / stiffness;
    const Real along = velocity < Real(0) ? -state.bristle : state.bristle;
    // ż = v (1 − α z/z_ss)
    return {velocity * slope(Real(settled - along), settled)};
  }
  Real force(State state, Real velocity) const noexcept {
    // F = σ₀ z + σ₁(v) ż + f(v)
    return stiffness * state.bristle + damping(velocity) * rate(state, velocity).bristle + viscous(velocity);
  }

  /// For a constant velocity: exact in the elastic range and beyond z_ss; in between, fourth order in steps of at
  /// most 1/16 of the plastic range, accurate to 5e-7 of it.
  State advance(State state, Real velocity, Real dt) const noexcept {
    using std::abs;
    const Real settled = curve(velocity) / stiffness;
    const Real along = velocity < Real(0) ? -state.bristle : state.bristle;
    const Real next = along_after(along, abs(velocity) * elapsed(dt), settled);
    return {velocity < Real(0) ? -next : next};
  }
  Solved<State, Real> step(State state, Real velocity, Real dt) const noexcept {
    const State next = advance(state, velocity, dt);
    return {force(next, velocity), velocity, next};
  }

  /// The implicit Euler step at the new velocity w: z⁺ = z + dt w (1 − α(z⁺, w) z⁺/z_ss), which has one root z⁺.
  Solved<State, Real> implicit(State state, Real w, Real dt) const noexcept {
    using std::abs;
    const Real settled = curve(w) / stiffness;
    const Real along = w < Real(0) ? -state.bristle : state.bristle;
    const Real travel = abs(w) * dt;
    const ImplicitStep next = implicit_along(along, travel, settled);
    const Real z = w < Real(0) ? -next.along : next.along;
    // Whichever has the smaller rounding error
    const Real rate = next.mostly_settled ? (z - state.bristle) / dt : w * next.slope;
    return {stiffness * z + damping(w) * rate + viscous(w), w, {z}};
  }
  static constexpr bool one_root(Real, Real) noexcept { return false; }
  Real root_resolution(State state, Real dt) const noexcept {
    using std::abs;
    return this->finest_of((elastic_deflection + abs(state.bristle)) / dt);
  }

  // The parts of `advance`, without branches, so that a batch can process many joints at once.

  /// A path along the motion: elastic up to z_ba, then plastic, where u increases from 0 at z_ba to 1 at z_ss, or back
  /// to the curve from above.
  struct Path {
    Real along, travel, settled;  // start, length and z_ss [m]
    Real start, plastic_travel;   // start and length of what follows the elastic part [m]
    Real ratio;                   // ρ = z_ba/z_ss
    Real u;                       // at the start of the plastic part
    Real steps, step, tail;  // number of Runge-Kutta steps, their length and the remaining length, over z_ss − z_ba
  };
  Path path_of(Real along, Real travel, Real settled) const noexcept {
    const bool from_elastic = !(along > elastic_deflection);
    const Real elastic = from_elastic ? elastic_deflection - along : Real(0);
    const Real start = from_elastic ? elastic_deflection : along;
    const Real plastic_travel = travel - elastic;
    const Real width = settled - elastic_deflection;
    const Real total = plastic_travel / width;
    const Real stepped = total < Real(64) ? total : Real(64);
    const Real steps = plastic_steps(stepped);
    const bool plastic = plastic_travel > Real(0) && !(start >= settled);
    return {along,
            travel,
            settled,
            start,
            plastic_travel,
            elastic_deflection / settled,
            (start - elastic_deflection) / width,
            plastic ? steps : Real(0),
            stepped / steps,
            total - stepped};
  }
  /// du/ds = 1 − α(u) (ρ + (1 − ρ) u), one Runge-Kutta step.
  static Real plastic_step(Real h, Real ratio, Real u) noexcept {
    const auto speed = [&](Real at) {
      const Real inside = at < Real(1) ? at : Real(1);
      return Real(1) - plastic_share(inside) * (ratio + (Real(1) - ratio) * inside);
    };
    const Real k1 = speed(u);
    const Real k2 = speed(u + h / Real(2) * k1);
    const Real k3 = speed(u + h / Real(2) * k2);
    const Real k4 = speed(u + h * k3);
    return u + h / Real(6) * (k1 + Real(2) * (k2 + k3) + k4);
  }
  /// The deflection at the end, with u after the Runge-Kutta steps.
  Real end_of(const Path& path, Real u) const noexcept {
    const bool elastic = !(path.along > elastic_deflection) && !(path.plastic_travel > Real(0));
    if (elastic || !(path.travel > Real(0))) {
      return path.along + path.travel;  // at rest nothing changes, to the last bit; a NaN propagates
    }
    if (path.start >= path.settled) {
      return path.start - (path.start - path.settled) * decay(Real(path.plastic_travel / path.settled));
    }
    // Near the end α = 1:  d(1 − u)/ds = −(1 − ρ)(1 − u)
    const Real inside = u < Real(1) ? u : Real(1);
    const Real last = inside + (Real(1) - inside) * decay(Real((Real(1) - path.ratio) * path.tail));
    const Real next = elastic_deflection + (path.settled - elastic_deflection) * last;
    return path.settled < next ? path.settled : next;  // a NaN propagates
  }

 private:
  /// 1 − α z/z_ss as a function of the gap z_ss − z along the motion, so that it is accurate to the last digit where z
  /// is almost settled:  1 − α = sin²(π/2 · gap/(z_ss − z_ba)).
  Real slope(Real gap, Real settled) const noexcept {
    const Real plastic = settled - elastic_deflection;
    if (gap >= plastic) {
      return Real(1);
    }
    if (gap <= Real(0)) {
      return gap / settled;
    }
    const Real elastic_share = square(sin_pi(Real(gap / plastic / Real(2))));
    return elastic_share + (Real(1) - elastic_share) * gap / settled;
  }
  /// α over the plastic range, u from 0 to 1.
  static Real plastic_share(Real u) noexcept { return Real(0.5) + Real(0.5) * sin_pi(Real(u - Real(0.5))); }
  /// Number of steps of at most 1/16 of the plastic range for this travel (over that range): 1 to 128.
  static Real plastic_steps(Real travel) noexcept {
    return clip(Real(std::ceil(16 * plain(travel))), Real(1), Real(128));
  }

  Real along_after(Real along, Real travel, Real settled) const noexcept {
    if (!(along > elastic_deflection) && !(travel > elastic_deflection - along)) {
      return along + travel;
    }
    const Path path = path_of(along, travel, settled);
    Real u = path.u;
    for (int i = 0; Real(i) < path.steps; ++i) {
      u = plastic_step(path.step, path.ratio, u);
    }
    return end_of(path, u);
  }

  /// z⁺ along the motion, and 1 − α z⁺/z_ss. `mostly_settled`: more than half of the gap to z_ss has been covered.
  struct ImplicitStep {
    Real along, slope;
    bool mostly_settled;
  };
  ImplicitStep implicit_along(Real along, Real travel, Real settled) const noexcept {
    const Real elastic = along + travel;
    if (!(elastic > elastic_deflection)) {
      return {elastic, Real(1), false};
    }
    const Real gap = settled - along;
    // The gap after the step for α = 1; a lower α leaves a smaller one
    const Real simple = gap / (Real(1) + travel / settled);
    Real remaining = simple;
    if (gap > Real(0)) {
      const Real plastic = settled - elastic_deflection;
      const auto residual = [&](Real next) { return next - gap + travel * slope(next, settled); };
      const Real low = travel < gap ? gap - travel : Real(0);
      const Real high = simple < plastic ? simple : plastic;
      remaining = root_in(Bracket<Real>{low, residual(low), high, residual(high)}, Real(0), residual);
    }
    using std::abs;
    const bool mostly_settled = Real(2) * abs(remaining) < abs(gap);
    const Real slope_there = slope(remaining, settled);
    return {mostly_settled ? settled - remaining : along + travel * slope_there, slope_there, mostly_settled};
  }
};

template <class Real>
struct ElastoPlasticParams {
  Real stiffness{};                        // σ₀ [N/m], > 0
  Real damping{};                          // σ₁ [N s/m], ≥ 0
  Real coulomb_force{};                    // F_C [N], > 0
  Real static_force{};                     // F_S [N], ≥ F_C
  Real stribeck_velocity{};                // v_S [m/s], > 0
  Real stribeck_exponent{2};               // δ [-], in [0.5, 2]
  Real viscous{};                          // F_v [N s/m], ≥ 0
  Real damping_velocity = Real(infinity);  // v_d [m/s], > 0; inf: constant σ₁
  Real elastic_share = Real(0.7);          // σ₀ z_ba/F_C [-], in [0.001, 0.999]
};

/// Elasto-plastic friction (Dupont et al. 2002) with LuGre's Stribeck curve and damping.
///   ż = v (1 − α(z, v) z/z_ss(v))     z_ss = g(v) sgn(v)/σ₀     g(v) = F_C + (F_S − F_C) exp(−|v/v_S|^δ)
///   F = σ₀ z + σ₁(v) ż + F_v v
template <class Real>
struct BasicElastoPlastic : PlasticBristle<Real, StribeckCurve<Real>, FadingDamping<Real>, LinearViscous<Real>>,
                            Parameters<BasicElastoPlastic<Real>, ElastoPlasticParams<Real>> {
  using Base = PlasticBristle<Real, StribeckCurve<Real>, FadingDamping<Real>, LinearViscous<Real>>;
  using Params = ElastoPlasticParams<Real>;

  static constexpr Info info{
      "elasto-plastic", "Elasto-plastic friction: LuGre without drift under vibration",
      "dz/dt = v (1 - α(z,v) z/z_ss(v)),  z_ss = g(v) sgn(v)/σ0,  F = σ0 z + σ1(v) dz/dt + F_v v",
      "Dupont et al. 2002"};
  using Rows = StribeckFields<Params, Real>;
  static constexpr std::array<Field<Params, Real>, 9> fields{{
      {"stiffness", &Params::stiffness, "N/m", positive_size, required, "σ0, presliding stiffness"},
      {"damping", &Params::damping, "N s/m", size_or_zero, required, "σ1, damping of the bristle"},
      Rows::coulomb_force,
      Rows::static_force,
      Rows::stribeck_velocity,
      Rows::stribeck_exponent,
      Rows::viscous,
      {"damping_velocity", &Params::damping_velocity, "m/s", size_or_infinite, infinity,
       "v_d, speed above which the damping fades (inf: never)"},
      {"elastic_share", &Params::elastic_share, "-", inner_shares, 0.7,
       "σ0 z_ba/F_C, elastic part of the presliding range"},
  }};

  static std::optional<Problem> problem(const Params& p) noexcept {
    return problem_of_levels(p.coulomb_force, p.static_force);
  }

  /// For parameters that `check` has passed.
  explicit BasicElastoPlastic(const Params& p) noexcept
      : Base{p.stiffness,
             p.elastic_share * (p.coulomb_force / p.stiffness),
             {p.coulomb_force, p.static_force, p.stribeck_velocity, p.stribeck_exponent},
             {p.damping, p.damping_velocity},
             {p.viscous}},
        Parameters<BasicElastoPlastic, Params>(p) {}

  /// The largest deflection that can be reached from rest, F_S/σ₀ [m].
  Real largest_deflection() const noexcept { return params_.static_force / params_.stiffness; }
  /// Small motions of a mass: as for LuGre.
  Linearised<Real> linearised(Real mass) const noexcept {
    using std::sqrt;
    return {sqrt(params_.stiffness / mass),
            (params_.damping + params_.viscous) / (Real(2) * sqrt(mass * params_.stiffness))};
  }

 private:
  using Parameters<BasicElastoPlastic, Params>::params_;
};

using ElastoPlastic = BasicElastoPlastic<double>;
static_assert(Model<ElastoPlastic>);
STICTION_REGISTERED(ElastoPlastic);

}  // namespace stiction::scalar
