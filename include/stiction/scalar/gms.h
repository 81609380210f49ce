// Generalized Maxwell-Slip: parallel springs that slip one after the other, each lagging behind the Stribeck curve.
#pragma once

#include <cmath>
#include <cstdint>

#include "stiction/scalar/coupled.h"
#include "stiction/scalar/elements.h"
#include "stiction/scalar/stribeck.h"

namespace stiction::scalar {

/// Generalized Maxwell-Slip friction (Al-Bender, Lampaert and Swevers 2005): N elements in parallel, F = Σ Fᵢ + F_v v.
///   stick: dFᵢ/dt = kᵢ v                              until |Fᵢ| reaches αᵢ s(v), in the direction of motion
///   slip:  dFᵢ/dt = sgn(v) C (αᵢ − |Fᵢ|/s(v))         until the velocity changes its sign: then all stick
/// with s(v) = F_C + (F_S − F_C) exp(−|v/v_S|^δ) and Σ αᵢ = 1.
template <class Real>
struct BasicGms {
  struct Params {
    Elements<Real> stiffness{};  // kᵢ [N/m], > 0
    Elements<Real> share{};      // αᵢ [-], > 0, of sum 1
    Real attraction{};           // C [N/s], > 0
    Real coulomb_force{};        // F_C [N], > 0
    Real static_force{};         // F_S [N], ≥ F_C
    Real stribeck_velocity{};    // v_S [m/s], > 0
    Real stribeck_exponent{2};   // δ [-], in [0.5, 2]
    Real viscous{};              // F_v [N s/m], ≥ 0
  };
  static constexpr std::size_t order = max_elements;
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
  static constexpr std::array<Field<Params, Real>, 6> fields{{
      {"attraction", &Params::attraction, "N/s", positive_size, required,
       "C, how fast a slipping element follows s(v)"},
      {"coulomb_force", &Params::coulomb_force, "N", positive_size, required, "F_C, friction at high speed"},
      {"static_force", &Params::static_force, "N", positive_size, required, "F_S >= F_C, largest friction at rest"},
      {"stribeck_velocity", &Params::stribeck_velocity, "m/s", positive_size, required, "v_S, speed of the drop"},
      {"stribeck_exponent", &Params::stribeck_exponent, "-", stribeck_exponents, 2.0, "δ, shape of the drop"},
      {"viscous", &Params::viscous, "N s/m", size_or_zero, 0.0, "F_v, viscous coefficient"},
  }};
  static constexpr std::array<ListField<Params, Real, order>, 2> lists{{
      {"stiffness", &Params::stiffness, "N/m", positive_size, element_count, "ki, stiffness of each element"},
      {"share", &Params::share, "-", positive_size, "as many as stiffness, of sum 1",
       "αi, share of each element in s(v)"},
  }};
  static constexpr std::array<const char*, order> state_names = element_force_names;
  static constexpr std::size_t guard_count = order + 1;
  static constexpr std::array<const char*, 1> mode_names{"slipping"};

  Params params;
  StribeckCurve<Real> curve;  // s(v)

  static std::optional<Problem> check(const Params& p) noexcept {
    if (auto problem = first_problem(p, fields)) {
      return problem;
    }
    if (auto problem = first_problem(p, lists)) {
      return problem;
    }
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
#if defined(__cpp_exceptions)
  static BasicGms make(const Params& p) { return BasicGms(checked<BasicGms>(p)); }
#endif
  /// For parameters that `check` has passed.
  explicit BasicGms(const Params& p) noexcept
      : params(p), curve{p.coulomb_force, p.static_force, p.stribeck_velocity, p.stribeck_exponent} {}

  std::size_t states_in_use() const noexcept { return params.stiffness.size; }
  static constexpr std::array<Real, order> pack(const State& state) noexcept { return state.force; }
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
                            ? direction * params.attraction * (params.share[i] - direction * state.force[i] / s)
                            : params.stiffness[i] * velocity;
    }
    return result;
  }

  Real force(const State& state, Real velocity) const noexcept {
    Real sum = params.viscous * velocity;
    for (std::size_t i = 0; i < states_in_use(); ++i) {
      sum += state.force[i];
    }
    return sum;
  }

  /// Exact for a constant velocity.
  State advance(State state, Real velocity, Real step) const noexcept {
    const Real dt = elapsed(step);
    using std::abs;
    state = turned(state, velocity);
    const int direction = state.direction;
    if (direction == 0) {
      state.force[0] += velocity * dt;  // at rest nothing changes; NaN shows
      return state;
    }
    const Real s = curve(velocity);
    const Real left = Real(1) - decay(Real(params.attraction * dt / s));
    for (std::size_t i = 0; i < states_in_use(); ++i) {
      const auto next = element_after(Real(direction) * state.force[i], slips(state, i),
                                      Real(params.stiffness[i] * abs(velocity) * dt), Real(params.share[i] * s), left);
      state.force[i] = Real(direction) * next.along;
      state.slipping |= next.slips ? bit(i) : 0U;
    }
    return state;
  }
  /// One element over a step, seen along the motion: it is stretched up to its limit, or what it is off the limit fades
  /// to the share `left`.
  struct Element {
    Real along;
    bool slips;
  };
  static Element element_after(Real along, bool slips, Real stretch, Real limit, Real left) noexcept {
    const Real stuck = along + stretch;
    const bool fades = slips || along > limit;
    const bool arrives = stuck >= limit;  // NaN does not, and shows
    return {fades ? limit + (along - limit) * left : (arrives ? limit : stuck), fades || arrives};
  }
  Solved<State, Real> step(const State& state, Real velocity, Real dt) const noexcept {
    const State next = advance(state, velocity, dt);
    return {force(next, velocity), velocity, next};
  }

  /// Positive inside the mode: for each element the room to its limit, and last the speed of slipping.
  std::array<Real, guard_count> guards(const State& state, Real velocity, Real) const noexcept {
    std::array<Real, guard_count> room{};
    room.fill(Real(1));
    const Real s = curve(velocity);
    const Real direction = sgn(velocity);
    for (std::size_t i = 0; i < states_in_use(); ++i) {
      if (!slips(state, i)) {
        room[i] = params.share[i] * s - direction * state.force[i];
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

  /// Body and elements in one implicit step. At v⁺ = 0 the slipping elements stick: their force may lie anywhere
  /// between the two sides, so that a body can come to rest.
  Solved<State, Real> solve(const State& state, Real free_velocity, Real mobility, Real dt,
                            Real velocity) const noexcept {
    const Real gain = mobility * dt;
    if (!can_step(free_velocity, mobility, dt, velocity) || is_nan(force(state, velocity))) {
      State bad = state;
      bad.force[0] = not_a_number<Real>();
      return {bad.force[0], bad.force[0], bad};
    }
    const auto forwards = implicit(state, Real(0), dt, 1);
    const auto backwards = implicit(state, Real(0), dt, -1);
    const Real wanted = free_velocity / gain;
    if (gain > Real(0) && backwards.force < wanted && wanted < forwards.force) {
      const Real share = (wanted - backwards.force) / (forwards.force - backwards.force);
      State at_rest{};
      for (std::size_t i = 0; i < states_in_use(); ++i) {
        at_rest.force[i] = backwards.state.force[i] + share * (forwards.state.force[i] - backwards.state.force[i]);
      }
      return {wanted, Real(0), at_rest};
    }
    return implicit_solve(*this, state, free_velocity, mobility, dt, velocity);
  }
  Solved<State, Real> solve(const State& state, Real free_velocity, Real mobility, Real dt) const noexcept {
    return solve(state, free_velocity, mobility, dt, free_velocity);
  }
  /// The implicit Euler step at the new velocity w.
  Solved<State, Real> implicit(const State& state, Real w, Real dt) const noexcept {
    return implicit(state, w, dt, w > Real(0) ? 1 : (w < Real(0) ? -1 : 0));
  }
  static constexpr bool one_root(Real, Real) noexcept { return false; }
  Real root_resolution(const State&, Real dt) const noexcept {
    Real shortest = Real(params.stribeck_velocity) * dt;
    for (std::size_t i = 0; i < states_in_use(); ++i) {
      const Real reach = params.share[i] * params.coulomb_force / params.stiffness[i];
      shortest = reach < shortest ? reach : shortest;
    }
    return shortest / dt / Real(256);  // dt > 0: without time there is nothing to solve
  }

  /// Every element carries its share of a load; of F_S beyond break-away.
  State at_rest(Real load) const noexcept {
    const Real held = clip(load, -params.static_force, params.static_force);
    State state;
    for (std::size_t i = 0; i < states_in_use(); ++i) {
      state.force[i] = params.share[i] * held;
    }
    return state;
  }
  std::array<Real, order> typical() const noexcept {
    std::array<Real, order> sizes{};
    for (std::size_t i = 0; i < states_in_use(); ++i) {
      sizes[i] = params.share[i] * params.static_force;
    }
    return sizes;
  }
  Real velocity_scale() const noexcept { return params.stribeck_velocity; }

  /// Elastic energy S = Σ Fᵢ²/(2 kᵢ) [J].
  Real energy(const State& state) const noexcept { return elastic_energy(state.force, params.stiffness); }
  /// F v − dS/dt [W]. Never negative for a constant s(v); with a Stribeck curve nothing is proven.
  Real dissipated_power(const State& state, Real velocity) const noexcept {
    return force(state, velocity) * velocity -
           elastic_power(state.force, rate(state, velocity).force, params.stiffness);
  }

  /// Small motions of a mass: k₀ = Σ kᵢ, damped by the viscous term alone.
  Linearised<Real> linearised(Real mass) const noexcept {
    using std::sqrt;
    const Real stiffness = sum_of(params.stiffness);
    return {sqrt(stiffness / mass), params.viscous / (Real(2) * sqrt(mass * stiffness))};
  }
  Real steady_force(Real velocity) const noexcept {
    return sgn(velocity) * curve(velocity) + params.viscous * velocity;
  }

 private:
  static constexpr std::uint32_t bit(std::size_t i) noexcept { return std::uint32_t{1} << i; }
  static constexpr bool slips(const State& state, std::size_t i) noexcept { return (state.slipping & bit(i)) != 0; }

  /// The state with all elements stuck, if the velocity has changed its sign.
  static State turned(State state, Real velocity) noexcept {
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
    const Real pull = params.attraction * dt;
    for (std::size_t i = 0; i < states_in_use(); ++i) {
      const Real limit = params.share[i] * s;
      const Real along = Real(direction) * state.force[i];
      // slip: F⁺ = (F + dt C α)/(1 + dt C/s)
      const Real followed = (along + pull * params.share[i]) / (Real(1) + pull / s);
      const Real stuck = along + Real(direction) * params.stiffness[i] * dt * w;
      if (direction == 0) {
        next.force[i] = state.force[i] + params.stiffness[i] * dt * w;  // NaN shows
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
