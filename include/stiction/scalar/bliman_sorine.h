// The models of Bliman and Sorine: linear systems in the distance covered, so friction does not depend on the speed.
#pragma once

#include <cmath>

#include "stiction/scalar/coupled.h"

namespace stiction::scalar {

/// dx/dt = (f v − |v| x)/ε over a displacement: x + (f sgn v − x)(1 − e^(−|displacement|/ε))
template <class Real>
Real relaxed(Real x, Real f, Real distance, Real displacement) noexcept {
  using std::abs;
  const Real steady = displacement < Real(0) ? -f : f;
  const Real next = x + (steady - x) * decay(Real(abs(displacement) / distance));
  return x < steady ? clip(next, x, steady) : clip(next, steady, x);
}

/// The same by implicit Euler: x⁺ = (x + f displacement/ε)/(1 + |displacement|/ε)
template <class Real>
Real implicitly_relaxed(Real x, Real f, Real distance, Real displacement) noexcept {
  using std::abs;
  const Real s = displacement / distance;
  return x + (f * s - abs(s) * x) / (Real(1) + abs(s));
}

template <class Real>
struct BlimanSorine1Params {
  Real force{};     // f₁ [N], > 0
  Real distance{};  // ε [m], > 0
  Real viscous{};   // F_v [N s/m], ≥ 0
};

/// Bliman and Sorine's model of first order (Olsson et al. 1998, eq. 16); Dahl's with α = 1 and σ = f₁/ε.
///   dx₁/dt = (f₁ v − |v| x₁)/ε        F = x₁ + F_v v
template <class Real>
struct BasicBlimanSorine1 : ImplicitModel<BasicBlimanSorine1<Real>, BlimanSorine1Params<Real>, Real> {
  using Base = ImplicitModel<BasicBlimanSorine1<Real>, BlimanSorine1Params<Real>, Real>;
  using Base::Base;
  using typename Base::Params;
  struct State {
    Real x1{};  // [N]; |x₁| ≤ f₁ is an invariant set
    friend constexpr bool operator==(const State&, const State&) = default;
  };

  static constexpr Info info{"bliman-sorine-1", "Bliman and Sorine, first order: Coulomb friction with presliding",
                             "dx1/dt = (f1 v - |v| x1)/ε,  F = x1 + F_v v", "Olsson et al. 1998, eq. 16"};
  static constexpr std::array<Field<Params, Real>, 3> fields{{
      {"force", &Params::force, "N", positive_size, required, "f1, friction after sliding for long"},
      {"distance", &Params::distance, "m", positive_size, required, "ε, distance over which friction builds up"},
      {"viscous", &Params::viscous, "N s/m", size_or_zero, 0.0, "F_v, viscous coefficient"},
  }};
  static constexpr std::size_t order = 1;
  static constexpr std::array<const char*, 1> state_names{"x1"};

  static constexpr std::array<Real, 1> pack(const State& state) noexcept { return {state.x1}; }
  static constexpr State unpack(const std::array<Real, 1>& values, const State&) noexcept { return {values[0]}; }

  State rate(State state, Real velocity) const noexcept {
    using std::abs;
    // dx₁/dt = (f₁ v − |v| x₁)/ε
    return {(params_.force * velocity - abs(velocity) * state.x1) / params_.distance};
  }
  Real force(State state, Real velocity) const noexcept { return state.x1 + params_.viscous * velocity; }

  /// Exact for any motion in one direction.
  State advance(State state, Real velocity, Real dt) const noexcept {
    return {relaxed(state.x1, params_.force, params_.distance, velocity * elapsed(dt))};
  }
  Solved<State, Real> implicit(State state, Real w, Real dt) const noexcept {
    const State next{implicitly_relaxed(state.x1, params_.force, params_.distance, w * dt)};
    return {force(next, w), w, next};
  }
  /// F increases with the displacement.
  static constexpr bool one_root(Real, Real) noexcept { return true; }
  Real root_resolution(State, Real dt) const noexcept { return params_.distance / dt / Real(256); }

  State at_rest(Real load) const noexcept { return {clip(load, -params_.force, params_.force)}; }
  std::array<Real, 1> typical() const noexcept { return {params_.force}; }
  Real velocity_scale() const noexcept { return params_.distance; }  // build-up distance covered in one second

  /// Elastic energy S = x₁² ε/(2 f₁) [J].
  Real energy(State state) const noexcept { return square(state.x1) * params_.distance / (Real(2) * params_.force); }
  /// F v − dS/dt = |v| x₁²/f₁ + F_v v² [W].
  Real dissipated_power(State state, Real velocity) const noexcept {
    using std::abs;
    return abs(velocity) * square(state.x1) / params_.force + params_.viscous * square(velocity);
  }

  /// Small motions of a mass: ω = √(f₁/(ε m)), damped by the viscous term alone.
  Linearised<Real> linearised(Real mass) const noexcept {
    using std::sqrt;
    const Real stiffness = params_.force / params_.distance;
    return {sqrt(stiffness / mass), params_.viscous / (Real(2) * sqrt(mass * stiffness))};
  }

 private:
  using Base::params_;
};

template <class Real>
struct BlimanSorine2Params {
  Real force_1{};   // f₁ [N], > f₂
  Real force_2{};   // f₂ [N], > 0
  Real ratio{};     // η [-], in [0.001, 0.999]
  Real distance{};  // ε [m], > 0
  Real viscous{};   // F_v [N s/m], ≥ 0
};

/// Bliman and Sorine's model of second order (Olsson et al. 1998, eq. 17): a fast and a slow first-order model in
/// parallel, the slow one with negative sign, which produces a peak at break-away.
///   dx₁/dt = (f₁ v − |v| x₁)/(η ε)      dx₂/dt = (−f₂ v − |v| x₂)/ε      F = x₁ + x₂ + F_v v
/// Starting from zero states, the overshoot of the peak is half of that after a reversal.
template <class Real>
struct BasicBlimanSorine2 : ImplicitModel<BasicBlimanSorine2<Real>, BlimanSorine2Params<Real>, Real> {
  using Base = ImplicitModel<BasicBlimanSorine2<Real>, BlimanSorine2Params<Real>, Real>;
  using Base::Base;
  using typename Base::Params;
  struct State {
    Real x1{};  // [N]; |x₁| ≤ f₁
    Real x2{};  // [N]; |x₂| ≤ f₂
    friend constexpr bool operator==(const State&, const State&) = default;
  };

  static constexpr Info info{"bliman-sorine-2", "Bliman and Sorine, second order: presliding and a stiction peak",
                             "dx1/dt = (f1 v - |v| x1)/(η ε),  dx2/dt = (-f2 v - |v| x2)/ε,  F = x1 + x2 + F_v v",
                             "Olsson et al. 1998, eq. 17"};
  static constexpr std::array<Field<Params, Real>, 5> fields{{
      {"force_1", &Params::force_1, "N", positive_size, required,
       "f1 > force_2; f1 - f2 is friction after sliding for long"},
      {"force_2", &Params::force_2, "N", positive_size, required, "f2, of the slow part, which makes the peak"},
      {"ratio", &Params::ratio, "-", inner_shares, required, "η, distance of the fast part over that of the slow one"},
      {"distance", &Params::distance, "m", positive_size, required, "ε, distance over which the peak fades"},
      {"viscous", &Params::viscous, "N s/m", size_or_zero, 0.0, "F_v, viscous coefficient"},
  }};
  static constexpr std::size_t order = 2;
  static constexpr std::array<const char*, 2> state_names{"x1", "x2"};

  static std::optional<Problem> problem(const Params& p) noexcept {
    return p.force_1 > p.force_2 ? std::nullopt
                                 : std::optional<Problem>({"force_1", plain(p.force_1), "> force_2", false});
  }

  static constexpr std::array<Real, 2> pack(const State& state) noexcept { return {state.x1, state.x2}; }
  static constexpr State unpack(const std::array<Real, 2>& values, const State&) noexcept {
    return {values[0], values[1]};
  }

  State rate(State state, Real velocity) const noexcept {
    using std::abs;
    const Real speed = abs(velocity);
    // dx₁/dt = (f₁ v − |v| x₁)/(η ε)      dx₂/dt = (−f₂ v − |v| x₂)/ε
    return {(params_.force_1 * velocity - speed * state.x1) / fast_distance(),
            (-params_.force_2 * velocity - speed * state.x2) / params_.distance};
  }
  Real force(State state, Real velocity) const noexcept { return state.x1 + state.x2 + params_.viscous * velocity; }

  /// Exact for any motion in one direction.
  State advance(State state, Real velocity, Real dt) const noexcept {
    const Real displacement = velocity * elapsed(dt);
    return {relaxed(state.x1, params_.force_1, fast_distance(), displacement),
            relaxed(state.x2, -params_.force_2, params_.distance, displacement)};
  }
  Solved<State, Real> implicit(State state, Real w, Real dt) const noexcept {
    const State next{implicitly_relaxed(state.x1, params_.force_1, fast_distance(), w * dt),
                     implicitly_relaxed(state.x2, -params_.force_2, params_.distance, w * dt)};
    return {force(next, w), w, next};
  }
  /// Beyond its peak F falls by at most (f₂ + |x₂|)/ε ≤ 2 f₂/ε per metre: one root while
  /// mobility·dt²·2 f₂/ε < 1.
  bool one_root(Real mobility, Real dt) const noexcept {
    return Real(2) * mobility * square(dt) * params_.force_2 < params_.distance;
  }
  Real root_resolution(State, Real dt) const noexcept { return fast_distance() / dt / Real(256); }

  /// The smallest states that carry a load without motion.
  State at_rest(Real load) const noexcept { return {clip(load, -params_.force_1, params_.force_1), Real(0)}; }
  /// The states after sliding for long: (f₁, −f₂) sgn v. Starting from there, a reversal shows the full peak.
  State steady_state(Real velocity) const noexcept {
    return {sgn(velocity) * params_.force_1, -sgn(velocity) * params_.force_2};
  }
  std::array<Real, 2> typical() const noexcept { return {params_.force_1, params_.force_2}; }
  Real velocity_scale() const noexcept { return fast_distance(); }  // build-up distance covered in one second

  /// F v less the power stored by the fast part and released by the slow one:  |v| (x₁²/f₁ − x₂²/f₂) + F_v v² with
  /// S = (η ε x₁²/f₁ − ε x₂²/f₂)/2 [W]. S is not a storage function, though the model is dissipative for f₁ > f₂.
  Real dissipated_power(State state, Real velocity) const noexcept {
    using std::abs;
    return abs(velocity) * (square(state.x1) / params_.force_1 - square(state.x2) / params_.force_2) +
           params_.viscous * square(velocity);
  }

  /// Small motions of a mass (eqs. 27 and 28): ω = √((f₁ − η f₂)/(η ε m)),  ζ = (F_v/2) √(η ε/(m (f₁ − η f₂))).
  Linearised<Real> linearised(Real mass) const noexcept {
    using std::sqrt;
    const Real stiffness = (params_.force_1 - params_.ratio * params_.force_2) / fast_distance();
    return {sqrt(stiffness / mass), params_.viscous / (Real(2) * sqrt(mass * stiffness))};
  }
  /// The distance from a reversal to the peak: η ε/(1 − η) ln(f₁/(η f₂)) [m].
  Real peak_distance() const noexcept {
    using std::log;
    return fast_distance() / (Real(1) - params_.ratio) * log(params_.force_1 / (params_.ratio * params_.force_2));
  }

 private:
  using Base::params_;

  Real fast_distance() const noexcept { return params_.ratio * params_.distance; }
};

using BlimanSorine1 = BasicBlimanSorine1<double>;
using BlimanSorine2 = BasicBlimanSorine2<double>;
static_assert(Model<BlimanSorine1> && Model<BlimanSorine2>);
STICTION_REGISTERED(BlimanSorine1);
STICTION_REGISTERED(BlimanSorine2);

}  // namespace stiction::scalar
