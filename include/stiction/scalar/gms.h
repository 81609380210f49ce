// Generalized Maxwell-Slip: parallel springs that slip one after the other, each lagging behind the Stribeck curve.
#pragma once

#include <cmath>
#include <cstdint>

#include "stiction/scalar/elements.h"

namespace stiction::scalar {

template <class Real>
struct GmsParams {
  Elements<Real> stiffness{};  // kᵢ [N/m], > 0
  Elements<Real> share{};      // αᵢ [-], > 0, of sum 1
  Real attraction{};           // C [N/s], > 0
  Real coulomb_force{};        // F_C [N], > 0
  Real static_force{};         // F_S [N], ≥ F_C
  Real stribeck_velocity{};    // v_S [m/s], > 0
  Real stribeck_exponent{2};   // δ [-], in [0.5, 2]
  Real viscous{};              // F_v [N s/m], ≥ 0
};

/// Generalized Maxwell-Slip friction (Al-Bender, Lampaert and Swevers 2005): N elements in parallel, F = Σ Fᵢ + F_v v.
///   stick: dFᵢ/dt = kᵢ v                              until |Fᵢ| reaches αᵢ s(v), in the direction of motion
///   slip:  dFᵢ/dt = sgn(v) C (αᵢ − |Fᵢ|/s(v))         until the velocity changes its sign: then all stick
/// with s(v) = F_C + (F_S − F_C) exp(−|v/v_S|^δ) and Σ αᵢ = 1.
template <class Real>
struct BasicGms : MaxwellModel<BasicGms<Real>, GmsParams<Real>, Real> {
  using Base = MaxwellModel<BasicGms<Real>, GmsParams<Real>, Real>;
  using Base::Base;
  using Base::curve;
  using Base::order;
  using Base::states_in_use;
  using typename Base::Params;
  struct State {
    std::array<Real, order> force{};  // Fᵢ [N]
    std::uint32_t slipping = 0;       // bit i: element i slips
    int direction = 0;                // in which it slips
    friend constexpr bool operator==(const State&, const State&) = default;
  };

  static constexpr Info info{
      "gms", "Generalized Maxwell-Slip: presliding with memory, Stribeck effect and lag",
      "stick: dFi/dt = ki v until |Fi| = αi s(v);  slip: dFi/dt = sgn(v) C (αi - |Fi|/s(v)) until v = 0;  "
      "F = sum Fi + F_v v",
      "Al-Bender, Lampaert and Swevers 2005"};
  using Rows = StribeckFields<Params, Real>;
  static constexpr std::array<Field<Params, Real>, 6> fields{{
      {"attraction", &Params::attraction, "N/s", positive_size, required,
       "C, how fast a slipping element follows s(v)"},
      Rows::coulomb_force,
      Rows::static_force,
      Rows::stribeck_velocity,
      Rows::stribeck_exponent,
      Rows::viscous,
  }};
  static constexpr std::array<ListField<Params, Real, order>, 2> lists{{
      {"stiffness", &Params::stiffness, "N/m", positive_size, element_count, "ki, stiffness of each element"},
      {"share", &Params::share, "-", positive_size, "as many as stiffness, of sum 1",
       "αi, share of each element in s(v)"},
  }};
  static constexpr std::size_t guard_count = order + 1;
  static constexpr std::array<const char*, 1> mode_names{"slipping"};

  static std::optional<Problem> problem(const Params& p) noexcept {
    if (auto problem = problem_unlike("share", p.share, p.stiffness, "as many as stiffness")) {
      return problem;
    }
    const Real sum = sum_of(p.share);
    const Real slack = sum_tolerance<Real>();
    if (!(sum > Real(1) - slack && sum < Real(1) + slack)) {
      return Problem{"share", plain(sum), "a list of sum 1"};
    }
    return problem_of_levels(p.coulomb_force, p.static_force);
  }

  static constexpr State unpack(const std::array<Real, order>& values, const State& state) noexcept {
    return {values, state.slipping, state.direction};
  }
  static constexpr std::array<double, 1> modes(const State& state) noexcept {
    return {state.slipping == 0 ? 0.0 : state.direction * static_cast<double>(state.slipping)};
  }

  State rate(const State& state, Real velocity) const noexcept {
    const Real s = curve(velocity);
    const Real direction = Real(state.direction);
    State result = state;
    for (std::size_t i = 0; i < states_in_use(); ++i) {
      // stick: kᵢ v      slip: sgn(v) C (αᵢ − |Fᵢ|/s)
      result.force[i] = slips(state, i)
                            ? direction * params_.attraction * (params_.share[i] - direction * state.force[i] / s)
                            : params_.stiffness[i] * velocity;
    }
    return result;
  }

  Real force(const State& state, Real velocity) const noexcept {
    Real sum = params_.viscous * velocity;
    for (std::size_t i = 0; i < states_in_use(); ++i) {
      sum += state.force[i];
    }
    return sum;
  }

  /// Exact for a constant velocity.
  State advance(State state, Real velocity, Real step) const noexcept {
    const Real dt = elapsed(step);
    using std::abs;
    state = after_reversal(state, velocity);
    const int direction = state.direction;
    if (direction == 0) {
      state.force[0] += velocity * dt;  // at rest nothing changes; a NaN propagates
      return state;
    }
    const Real s = curve(velocity);
    const Real remaining = Real(1) - decay(Real(params_.attraction * dt / s));
    for (std::size_t i = 0; i < states_in_use(); ++i) {
      const auto next =
          element_after(Real(direction) * state.force[i], slips(state, i),
                        Real(params_.stiffness[i] * abs(velocity) * dt), Real(params_.share[i] * s), remaining);
      state.force[i] = Real(direction) * next.along;
      state.slipping |= next.slips ? bit(i) : 0U;
    }
    return state;
  }
  /// One element over a step, along the motion: it is stretched up to its limit, or its difference from the limit
  /// decays to the fraction `remaining`.
  struct Element {
    Real along;
    bool slips;
  };
  static Element element_after(Real along, bool slips, Real stretch, Real limit, Real remaining) noexcept {
    const Real stuck = along + stretch;
    const bool fades = slips || along > limit;
    const bool arrives = stuck >= limit;  // false for NaN, which propagates
    return {fades ? limit + (along - limit) * remaining : (arrives ? limit : stuck), fades || arrives};
  }
  /// Positive inside the mode: for each element the margin to its limit, and last the speed of slipping.
  std::array<Real, guard_count> guards(const State& state, Real velocity, Real) const noexcept {
    std::array<Real, guard_count> room{};
    room.fill(Real(1));
    const Real s = curve(velocity);
    const Real direction = sgn(velocity);
    for (std::size_t i = 0; i < states_in_use(); ++i) {
      if (!slips(state, i)) {
        room[i] = params_.share[i] * s - direction * state.force[i];
      }
    }
    if (state.slipping != 0) {
      room[order] = Real(state.direction) * velocity;
    }
    return room;
  }
  State transition(State state, int guard) const noexcept {
    if (guard == static_cast<int>(order)) {
      state.slipping = 0;
      state.direction = 0;
      return state;
    }
    const auto i = static_cast<std::size_t>(guard);
    state.direction = state.force[i] < Real(0) ? -1 : 1;
    state.slipping |= bit(i);
    return state;
  }

  /// Body and elements in one implicit step. At v⁺ = 0 the slipping elements stick: their force may have any value
  /// between the limits from both sides, so that a body can come to rest.
  Solved<State, Real> solve(const State& state, const CoupledStep<Real>& step) const noexcept {
    const Real gain = step.gain();
    if (!can_step(step) || is_nan(force(state, step.velocity))) {
      State bad = state;
      bad.force[0] = not_a_number<Real>();
      return {bad.force[0], bad.force[0], bad};
    }
    const auto forwards = implicit(state, Real(0), step.dt, 1);
    const auto backwards = implicit(state, Real(0), step.dt, -1);
    const Real holding_force = step.free_velocity / gain;
    if (gain > Real(0) && backwards.force < holding_force && holding_force < forwards.force) {
      const Real share = (holding_force - backwards.force) / (forwards.force - backwards.force);
      State at_rest{};
      for (std::size_t i = 0; i < states_in_use(); ++i) {
        at_rest.force[i] = backwards.state.force[i] + share * (forwards.state.force[i] - backwards.state.force[i]);
      }
      return {holding_force, Real(0), at_rest};
    }
    return implicit_solve(*this, state, step);
  }
  /// The implicit Euler step at the new velocity w.
  Solved<State, Real> implicit(const State& state, Real w, Real dt) const noexcept {
    return implicit(state, w, dt, w > Real(0) ? 1 : (w < Real(0) ? -1 : 0));
  }
  Real reach(std::size_t i) const noexcept { return params_.share[i] * params_.coulomb_force / params_.stiffness[i]; }

  /// Every element carries its share of the load, at most of F_S.
  State at_rest(Real load) const noexcept {
    const Real held = clip(load, -params_.static_force, params_.static_force);
    State state;
    for (std::size_t i = 0; i < states_in_use(); ++i) {
      state.force[i] = params_.share[i] * held;
    }
    return state;
  }
  std::array<Real, order> typical() const noexcept {
    std::array<Real, order> sizes{};
    for (std::size_t i = 0; i < states_in_use(); ++i) {
      sizes[i] = params_.share[i] * params_.static_force;
    }
    return sizes;
  }

  /// Small motions of a mass: k₀ = Σ kᵢ, damped by the viscous term alone.
  Linearised<Real> linearised(Real mass) const noexcept {
    using std::sqrt;
    const Real stiffness = sum_of(params_.stiffness);
    return {sqrt(stiffness / mass), params_.viscous / (Real(2) * sqrt(mass * stiffness))};
  }

 private:
  using Base::params_;

  static constexpr std::uint32_t bit(std::size_t i) noexcept { return std::uint32_t{1} << i; }
  static constexpr bool slips(const State& state, std::size_t i) noexcept { return (state.slipping & bit(i)) != 0; }

  /// The state with all elements stuck, if the velocity has changed its sign.
  static State after_reversal(State state, Real velocity) noexcept {
    const int direction = velocity > Real(0) ? 1 : (velocity < Real(0) ? -1 : 0);
    if (direction != state.direction) {
      state.slipping = 0;
      state.direction = direction;
    }
    return state;
  }

  Solved<State, Real> implicit(const State& state, Real w, Real dt, int direction) const noexcept {
    State next = state;
    if (direction != state.direction) {
      next.slipping = 0;
      next.direction = direction;
    }
    const Real s = curve(w);
    const Real pull = params_.attraction * dt;
    for (std::size_t i = 0; i < states_in_use(); ++i) {
      const Real limit = params_.share[i] * s;
      const Real along = Real(direction) * state.force[i];
      // slip: F⁺ = (F + dt C α)/(1 + dt C/s)
      const Real followed = (along + pull * params_.share[i]) / (Real(1) + pull / s);
      const Real stuck = along + Real(direction) * params_.stiffness[i] * dt * w;
      if (direction == 0) {
        next.force[i] = state.force[i] + params_.stiffness[i] * dt * w;  // a NaN propagates
      } else if (slips(next, i)) {
        next.force[i] = Real(direction) * followed;
      } else if (stuck < limit) {
        next.force[i] = Real(direction) * stuck;
      } else {
        next.force[i] = Real(direction) * (followed > limit ? followed : limit);  // s(v) may have fallen below F
        next.slipping |= bit(i);
      }
    }
    return {force(next, w), w, next};
  }
};

using Gms = BasicGms<double>;
static_assert(Switching<Gms>);
STICTION_REGISTERED(Gms);

}  // namespace stiction::scalar
