// Karnopp's model: a band of velocities counts as rest, so that a simulation need not hit zero.
#pragma once

#include <cmath>

#include "stiction/scalar/set_valued.h"
#include "stiction/scalar/stribeck.h"

namespace stiction::scalar {

template <class Real>
struct KarnoppParams {
  Real coulomb_force{};       // F_C [N], > 0
  Real static_force{};        // F_S [N], ≥ F_C and F(DV)
  Real zero_velocity{};       // DV [m/s], > 0
  Real viscous{};             // F_v [N s/m], ≥ 0
  Real stribeck_velocity{};   // v_S [m/s], ≥ 0; 0: no Stribeck effect
  Real stribeck_exponent{2};  // δ [-], in [0.5, 2]
};

/// Karnopp friction (Olsson et al. 1998, Section 3). Sliding friction is F(v) = g(v) sgn v + F_v v, with g(v) = F_C, or
/// a Stribeck curve where v_S > 0.
///   at rest: v = 0, F = load while |load| ≤ F_S; beyond, the velocity becomes ±DV and the body slides
///   sliding: F(v) until |v| falls to DV; then the velocity becomes 0
/// `Original`: inside |v| < DV the body keeps its momentum but does not move: F = clip(load, ±F_S), m dv/dt = load − F.
/// There break-away comes late, by the time the momentum needs to reach m·DV.
template <class Real, bool Original>
struct BasicKarnopp : ModelBase<BasicKarnopp<Real, Original>, KarnoppParams<Real>, Real> {
  using Base = ModelBase<BasicKarnopp<Real, Original>, KarnoppParams<Real>, Real>;
  using Base::Base;
  using typename Base::Params;
  struct State {
    Mode mode = Mode::stick;
    friend constexpr bool operator==(const State&, const State&) = default;
  };

  static constexpr Info info{
      Original ? "karnopp-original" : "karnopp",
      Original ? "Karnopp friction as published: momentum gathers inside the band of zero velocity"
               : "Karnopp friction: a band of velocities counts as rest",
      Original ? "|v| < DV: dx/dt = 0, F = clip(load, ±F_S);  else F = g(v) sgn v + F_v v"
               : "rest: F = load while |load| <= F_S, then v = ±DV;  |v| > DV: F = g(v) sgn v + F_v v, at DV v = 0",
      "Olsson et al. 1998, Section 3 (Karnopp 1985)"};
  using Rows = StribeckFields<Params, Real>;
  static constexpr std::array<Field<Params, Real>, 6> fields{{
      Rows::coulomb_force,
      {"static_force", &Params::static_force, "N", positive_size, required, "F_S >= F_C, break-away force"},
      {"zero_velocity", &Params::zero_velocity, "m/s", positive_size, required, "DV, speed below which the body rests"},
      Rows::viscous,
      {"stribeck_velocity", &Params::stribeck_velocity, "m/s", size_or_zero, 0.0,
       "v_S, speed of the drop from F_S to F_C (0: none)"},
      Rows::stribeck_exponent,
  }};
  static constexpr bool follows_load = true;  // momentum gathers under it
  static constexpr std::size_t order = 0;
  static constexpr std::size_t guard_count = 2;
  static constexpr std::array<const char*, 0> state_names{};
  static constexpr std::array<const char*, 1> mode_names{"mode"};

  static std::optional<Problem> problem(const Params& p) noexcept {
    if (auto levels = problem_of_levels(p.coulomb_force, p.static_force)) {
      return levels;
    }
    if (p.stribeck_velocity > Real(0) && !positive_size.holds(p.stribeck_velocity)) {
      return Problem{"stribeck_velocity", plain(p.stribeck_velocity), "0, or in [1e-15, 1e15]"};
    }
    return problem_below("static_force", p.static_force, BasicKarnopp(p).sliding_force(p.zero_velocity),
                         ">= the sliding friction at zero_velocity");
  }

  static constexpr std::array<Real, 0> typical() noexcept { return {}; }
  static constexpr std::array<Real, 0> pack(State) noexcept { return {}; }
  static constexpr State unpack(const std::array<Real, 0>&, State state) noexcept { return state; }
  static constexpr std::array<double, 1> modes(State state) noexcept { return {plain_mode(state.mode)}; }
  Real velocity_scale() const noexcept { return params_.zero_velocity; }

  constexpr State rate(State, Real) const noexcept { return {}; }
  constexpr State at_rest(Real) const noexcept { return {}; }
  /// The mode for a velocity.
  State advance(State, Real velocity, Real) const noexcept {
    const Real band = params_.zero_velocity;
    return {!(velocity < band) ? Mode::slip_plus : (!(velocity > -band) ? Mode::slip_minus : Mode::stick)};
  }

  /// Sliding friction at a speed > 0: g(v) + F_v |v|.
  Real sliding_force(Real speed) const noexcept {
    const StribeckCurve<Real> curve{params_.coulomb_force, params_.static_force, params_.stribeck_velocity,
                                    params_.stribeck_exponent};
    return (params_.stribeck_velocity > Real(0) ? curve(speed) : params_.coulomb_force) + params_.viscous * speed;
  }
  Real breakaway_force(Real) const noexcept { return params_.static_force; }

  /// Sliding friction; 0 inside the band, where the load decides: see the overload with a load.
  Real force(State, Real velocity) const noexcept {
    using std::abs;
    return abs(velocity) < params_.zero_velocity
               ? Real(0)
               : sgn(velocity) * sliding_force(Real(abs(velocity))) + Real(0) * velocity;
  }
  Real force(State state, Real velocity, Real load) const noexcept {
    using std::abs;
    return state.mode == Mode::stick ? clip(load, -params_.static_force, params_.static_force)
                                     : direction_of(state) * sliding_force(Real(abs(velocity)));
  }
  Real dissipated_power(State state, Real velocity) const noexcept { return force(state, velocity) * velocity; }

  static constexpr bool held(State state) noexcept { return !Original && state.mode == Mode::stick; }
  /// The jumps between rest and ±DV.
  Real velocity_after(State state, Real velocity) const noexcept {
    if (Original) {
      return velocity;
    }
    if (state.mode == Mode::stick) {
      return Real(0);
    }
    const Real along = direction_of(state) * velocity;
    return direction_of(state) * (along > params_.zero_velocity ? along : params_.zero_velocity);
  }
  /// The velocity at which the position changes.
  Real output_velocity(State state, Real velocity) const noexcept {
    return state.mode == Mode::stick ? Real(0) * velocity : velocity;
  }

  std::array<Real, 2> guards(State state, Real velocity, Real load) const noexcept {
    if (state.mode != Mode::stick) {
      return {direction_of(state) * velocity - params_.zero_velocity, Real(1)};
    }
    return Original ? std::array<Real, 2>{params_.zero_velocity - velocity, params_.zero_velocity + velocity}
                    : std::array<Real, 2>{params_.static_force - load, params_.static_force + load};
  }
  constexpr State transition(State state, int guard) const noexcept {
    if (state.mode != Mode::stick) {
      return {Mode::stick};
    }
    return {guard == 0 ? Mode::slip_plus : Mode::slip_minus};
  }

  /// The coupled step. If the velocity jumps by DV, v⁺ = v_free − mobility·dt·F holds except for that jump.
  Solved<State, Real> solve(State state, const CoupledStep<Real>& step) const noexcept {
    if (!can_step(step)) {
      return {not_a_number<Real>(), not_a_number<Real>(), state};
    }
    const Real free_velocity = step.free_velocity;
    const Real gain = step.gain();
    if (gain == Real(0)) {
      const State next = advance(state, free_velocity, step.dt);
      return {force(next, free_velocity), free_velocity, next};
    }
    if (state.mode != Mode::stick) {
      const Real direction = direction_of(state);
      const Real speed = sliding_speed(direction * free_velocity, gain, direction * step.velocity);
      if (speed > params_.zero_velocity) {
        return {direction * sliding_force(speed), direction * speed, state};
      }
      return come_to_rest(free_velocity, gain, direction * speed);
    }
    return Original ? gather_momentum(free_velocity, gain, load_of_step(step))
                    : hold_or_break_away(free_velocity, gain);
  }

 private:
  using Base::params_;

  static constexpr Real direction_of(State state) noexcept { return Real(static_cast<int>(state.mode)); }

  Real sliding_speed(Real free_speed, Real gain, Real speed) const noexcept {
    return speed_reached(free_speed, gain, speed, Real(params_.zero_velocity / Real(64)),
                         [this](Real w) { return sliding_force(w); });
  }

  Solved<State, Real> come_to_rest(Real free_velocity, Real gain, Real slow) const noexcept {
    const Real holding_force = gain > Real(0) ? (free_velocity - slow) / gain : Real(0);
    return {clip(holding_force, -params_.static_force, params_.static_force), Original ? slow : Real(0), {Mode::stick}};
  }
  Solved<State, Real> hold_or_break_away(Real free_velocity, Real gain) const noexcept {
    using std::abs;
    const Real push = sgn(free_velocity);
    if (abs(free_velocity) <= gain * params_.static_force) {
      return {gain > Real(0) ? free_velocity / gain : Real(0), Real(0), {Mode::stick}};
    }
    const Real band = params_.zero_velocity;
    const Real speed = sliding_speed(abs(free_velocity) + band, gain, band);
    return {push * sliding_force(speed), push * speed, {push > Real(0) ? Mode::slip_plus : Mode::slip_minus}};
  }
  Solved<State, Real> gather_momentum(Real free_velocity, Real gain, Real load) const noexcept {
    const Real friction = clip(load, -params_.static_force, params_.static_force);
    const Real momentum = free_velocity - gain * friction;
    return {friction, momentum, advance({}, momentum, Real(0))};
  }
};

using Karnopp = BasicKarnopp<double, false>;
using KarnoppOriginal = BasicKarnopp<double, true>;
static_assert(Sticking<Karnopp> && Sticking<KarnoppOriginal>);
STICTION_REGISTERED(Karnopp);
STICTION_REGISTERED(KarnoppOriginal);

}  // namespace stiction::scalar
