// The models of Bliman and Sorine: linear systems in the distance covered, so friction that does not know the speed.
#pragma once

#include <cmath>

#include "stiction/scalar/coupled.h"

namespace stiction::scalar {

/// Bliman and Sorine's model of first order (Olsson et al. 1998, eq. 16); Dahl's with α = 1 and σ = f₁/ε.
///   dx₁/dt = (f₁ v − |v| x₁)/ε        F = x₁ + F_v v
template <class Real>
struct BasicBlimanSorine1 {
  struct Params {
    Real force{};     // f₁ [N], > 0
    Real distance{};  // ε [m], > 0
    Real viscous{};   // F_v [N s/m], ≥ 0
  };
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

  Params params;

  static std::optional<Problem> check(const Params& p) noexcept { return first_problem(p, fields); }
#if defined(__cpp_exceptions)
  static BasicBlimanSorine1 make(const Params& p) { return BasicBlimanSorine1(checked<BasicBlimanSorine1>(p)); }
#endif
  /// For parameters that `check` has passed.
  explicit BasicBlimanSorine1(const Params& p) noexcept : params(p) {}

  static constexpr std::array<Real, 1> pack(const State& state) noexcept { return {state.x1}; }
  static constexpr State unpack(const std::array<Real, 1>& values, const State&) noexcept { return {values[0]}; }

  State rate(State state, Real velocity) const noexcept {
    using std::abs;
    // dx₁/dt = (f₁ v − |v| x₁)/ε
    return {(params.force * velocity - abs(velocity) * state.x1) / params.distance};
  }
  Real force(State state, Real velocity) const noexcept { return state.x1 + params.viscous * velocity; }

  /// Exact for any motion in one direction.
  State advance(State state, Real velocity, Real dt) const noexcept {
    return {relaxed(state.x1, params.force, params.distance, velocity * elapsed(dt))};
  }
  Solved<State, Real> step(State state, Real velocity, Real dt) const noexcept {
    const State next = advance(state, velocity, dt);
    return {force(next, velocity), velocity, next};
  }

  /// The coupled step has one root: F rises with the displacement.
  Solved<State, Real> solve(State state, Real free_velocity, Real mobility, Real dt, Real velocity) const noexcept {
    return implicit_solve(*this, state, free_velocity, mobility, dt, velocity);
  }
  Solved<State, Real> solve(State state, Real free_velocity, Real mobility, Real dt) const noexcept {
    return solve(state, free_velocity, mobility, dt, free_velocity);
  }
  Solved<State, Real> implicit(State state, Real w, Real dt) const noexcept {
    const State next{implicitly_relaxed(state.x1, params.force, params.distance, w * dt)};
    return {force(next, w), w, next};
  }
  static constexpr bool one_root(Real, Real) noexcept { return true; }
  Real root_resolution(State, Real dt) const noexcept { return params.distance / dt / Real(256); }

  State at_rest(Real load) const noexcept { return {clip(load, -params.force, params.force)}; }
  std::array<Real, 1> typical() const noexcept { return {params.force}; }
  Real velocity_scale() const noexcept { return params.distance; }  // one build-up in a second

  /// Elastic energy S = x₁² ε/(2 f₁) [J].
  Real energy(State state) const noexcept { return square(state.x1) * params.distance / (Real(2) * params.force); }
  /// F v − dS/dt = |v| x₁²/f₁ + F_v v² [W].
  Real dissipated_power(State state, Real velocity) const noexcept {
    using std::abs;
    return abs(velocity) * square(state.x1) / params.force + params.viscous * square(velocity);
  }

  /// Small motions of a mass: ω = √(f₁/(ε m)), damped by the viscous term alone.
  Linearised<Real> linearised(Real mass) const noexcept {
    using std::sqrt;
    const Real stiffness = params.force / params.distance;
    return {sqrt(stiffness / mass), params.viscous / (Real(2) * sqrt(mass * stiffness))};
  }

  /// dx/dt = (f v − |v| x)/ε over a displacement: x + (f sgn v − x)(1 − e^(−|displacement|/ε))
  static Real relaxed(Real x, Real f, Real distance, Real displacement) noexcept {
    using std::abs;
    const Real goal = displacement < Real(0) ? -f : f;
    const Real next = x + (goal - x) * decay(Real(abs(displacement) / distance));
    return x < goal ? clip(next, x, goal) : clip(next, goal, x);
  }
  /// The same by implicit Euler: x⁺ = (x + f displacement/ε)/(1 + |displacement|/ε)
  static Real implicitly_relaxed(Real x, Real f, Real distance, Real displacement) noexcept {
    using std::abs;
    const Real way = displacement / distance;
    return x + (f * way - abs(way) * x) / (Real(1) + abs(way));
  }
};

/// Bliman and Sorine's model of second order (Olsson et al. 1998, eq. 17): a fast and a slow first-order model in
/// parallel, the slow one with the wrong sign, which leaves a peak at break-away.
///   dx₁/dt = (f₁ v − |v| x₁)/(η ε)      dx₂/dt = (−f₂ v − |v| x₂)/ε      F = x₁ + x₂ + F_v v
/// From zero states the excess of the peak is half of what it is after a reversal.
template <class Real>
struct BasicBlimanSorine2 {
  struct Params {
    Real force_1{};   // f₁ [N], > f₂
    Real force_2{};   // f₂ [N], > 0
    Real ratio{};     // η [-], in [0.001, 0.999]
    Real distance{};  // ε [m], > 0
    Real viscous{};   // F_v [N s/m], ≥ 0
  };
  struct State {
    Real x1{};  // [N]; |x₁| ≤ f₁
    Real x2{};  // [N]; |x₂| ≤ f₂
    friend constexpr bool operator==(const State&, const State&) = default;
  };
  using First = BasicBlimanSorine1<Real>;

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

  Params params;

  static std::optional<Problem> check(const Params& p) noexcept {
    const auto problem = first_problem(p, fields);
    return problem || p.force_1 > p.force_2 ? problem : Problem{"force_1", plain(p.force_1), "> force_2"};
  }
#if defined(__cpp_exceptions)
  static BasicBlimanSorine2 make(const Params& p) { return BasicBlimanSorine2(checked<BasicBlimanSorine2>(p)); }
#endif
  /// For parameters that `check` has passed.
  explicit BasicBlimanSorine2(const Params& p) noexcept : params(p) {}

  static constexpr std::array<Real, 2> pack(const State& state) noexcept { return {state.x1, state.x2}; }
  static constexpr State unpack(const std::array<Real, 2>& values, const State&) noexcept {
    return {values[0], values[1]};
  }

  State rate(State state, Real velocity) const noexcept {
    using std::abs;
    const Real speed = abs(velocity);
    // dx₁/dt = (f₁ v − |v| x₁)/(η ε)      dx₂/dt = (−f₂ v − |v| x₂)/ε
    return {(params.force_1 * velocity - speed * state.x1) / fast_distance(),
            (-params.force_2 * velocity - speed * state.x2) / params.distance};
  }
  Real force(State state, Real velocity) const noexcept { return state.x1 + state.x2 + params.viscous * velocity; }

  /// Exact for any motion in one direction.
  State advance(State state, Real velocity, Real dt) const noexcept {
    const Real displacement = velocity * elapsed(dt);
    return {First::relaxed(state.x1, params.force_1, fast_distance(), displacement),
            First::relaxed(state.x2, -params.force_2, params.distance, displacement)};
  }
  Solved<State, Real> step(State state, Real velocity, Real dt) const noexcept {
    const State next = advance(state, velocity, dt);
    return {force(next, velocity), velocity, next};
  }

  Solved<State, Real> solve(State state, Real free_velocity, Real mobility, Real dt, Real velocity) const noexcept {
    return implicit_solve(*this, state, free_velocity, mobility, dt, velocity);
  }
  Solved<State, Real> solve(State state, Real free_velocity, Real mobility, Real dt) const noexcept {
    return solve(state, free_velocity, mobility, dt, free_velocity);
  }
  Solved<State, Real> implicit(State state, Real w, Real dt) const noexcept {
    const State next{First::implicitly_relaxed(state.x1, params.force_1, fast_distance(), w * dt),
                     First::implicitly_relaxed(state.x2, -params.force_2, params.distance, w * dt)};
    return {force(next, w), w, next};
  }
  /// F falls behind its peak by no more than (f₂ + |x₂|)/ε ≤ 2 f₂/ε for each metre: one root while
  /// mobility·dt²·2 f₂/ε < 1.
  bool one_root(Real mobility, Real dt) const noexcept {
    return Real(2) * mobility * square(dt) * params.force_2 < params.distance;
  }
  Real root_resolution(State, Real dt) const noexcept { return fast_distance() / dt / Real(256); }

  /// The least states that carry a load without motion.
  State at_rest(Real load) const noexcept { return {clip(load, -params.force_1, params.force_1), Real(0)}; }
  /// The states after sliding for long: (f₁, −f₂) sgn v. Starting from there, a reversal shows the full peak.
  State steady_state(Real velocity) const noexcept {
    return {sgn(velocity) * params.force_1, -sgn(velocity) * params.force_2};
  }
  std::array<Real, 2> typical() const noexcept { return {params.force_1, params.force_2}; }
  Real velocity_scale() const noexcept { return fast_distance(); }  // one build-up in a second

  /// F v less what the fast part stores, and less what the slow one gives back:  |v| (x₁²/f₁ − x₂²/f₂) + F_v v² with
  /// S = (η ε x₁²/f₁ − ε x₂²/f₂)/2 [W]. S is not a storage function, though the model is dissipative for f₁ > f₂.
  Real dissipated_power(State state, Real velocity) const noexcept {
    using std::abs;
    return abs(velocity) * (square(state.x1) / params.force_1 - square(state.x2) / params.force_2) +
           params.viscous * square(velocity);
  }

  /// Small motions of a mass (eqs. 27 and 28): ω = √((f₁ − η f₂)/(η ε m)),  ζ = (F_v/2) √(η ε/(m (f₁ − η f₂))).
  Linearised<Real> linearised(Real mass) const noexcept {
    using std::sqrt;
    const Real stiffness = (params.force_1 - params.ratio * params.force_2) / fast_distance();
    return {sqrt(stiffness / mass), params.viscous / (Real(2) * sqrt(mass * stiffness))};
  }
  /// The distance from a reversal to the peak: η ε/(1 − η) ln(f₁/(η f₂)) [m].
  Real peak_distance() const noexcept {
    using std::log;
    return fast_distance() / (Real(1) - params.ratio) * log(params.force_1 / (params.ratio * params.force_2));
  }

 private:
  Real fast_distance() const noexcept { return params.ratio * params.distance; }
};

using BlimanSorine1 = BasicBlimanSorine1<double>;
using BlimanSorine2 = BasicBlimanSorine2<double>;
static_assert(Model<BlimanSorine1> && Model<BlimanSorine2>);
STICTION_REGISTERED(BlimanSorine1);
STICTION_REGISTERED(BlimanSorine2);

}  // namespace stiction::scalar
