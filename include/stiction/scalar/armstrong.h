// Armstrong's seven-parameter model: a spring in stick, and sliding friction that lags and grows with the time at rest.
#pragma once

#include <cmath>

#include "stiction/scalar/delay_line.h"
#include "stiction/scalar/set_valued.h"

namespace stiction::scalar {

template <class Real>
struct ArmstrongParams {
  Real stiffness{};          // σ₀ [N/m], > 0
  Real coulomb_force{};      // F_C [N], > 0
  Real viscous{};            // F_v [N s/m], ≥ 0
  Real static_excess{};      // F_S,∞ [N], ≥ 0, above F_C
  Real stribeck_velocity{};  // v_S [m/s], > 0
  Real lag{};                // τ_L [s], ≥ 0
  Real dwell_time{};         // γ [s], > 0
};

/// Armstrong's model (Olsson et al. 1998, eqs. 7 to 9). Here F_S is the excess of the static force over F_C.
///   stick: F = σ₀ (x − x₀)
///   slip:  F = [F_C + F_S(γ, t_d)/(1 + (v(t − τ_L)/v_S)²)] sgn v + F_v v
///   F_S(γ, t_d) = F_S,a + (F_S,∞ − F_S,a) t_d/(t_d + γ)
/// t_d is the time spent in stick, F_S,a the Stribeck term at the end of the last slip. Slip ends when v passes zero;
/// x₀ is chosen such that F does not jump. Stick ends when |σ₀ (x − x₀)| reaches F_C + F_S(γ, t_d). Initially the
/// body has rested for long: F_S = F_S,∞.
template <class Real>
struct BasicArmstrong : ModelBase<BasicArmstrong<Real>, ArmstrongParams<Real>, Real> {
  using Base = ModelBase<BasicArmstrong<Real>, ArmstrongParams<Real>, Real>;
  using Base::Base;
  using typename Base::Params;
  static constexpr std::size_t samples = 128;
  struct State {
    Real displacement{};  // x − x₀ in stick [m]
    Real dwell{};         // t_d [s]
    Real clock{};         // [s]
    Real deficit{};       // F_S,∞ − F_S,a in stick, F_S,∞ − F_S(γ, t_d) in slip [N]
    Mode mode = Mode::stick;
    DelayLine<Real, samples> past{};  // of the velocity
    friend constexpr bool operator==(const State&, const State&) = default;
  };

  static constexpr Info info{
      "armstrong", "Armstrong's seven parameters: stick spring, lag and rising static friction",
      "stick: F = σ0 (x - x0);  slip: F = [F_C + F_S(γ,t_d)/(1 + (v(t-τ_L)/v_S)^2)] sgn v + F_v v;  "
      "F_S(γ,t_d) = F_Sa + (F_Sinf - F_Sa) t_d/(t_d + γ)",
      "Olsson et al. 1998, eqs. 7 to 9"};
  static constexpr std::array<Field<Params, Real>, 7> fields{{
      {"stiffness", &Params::stiffness, "N/m", positive_size, required, "σ0, stiffness in stick"},
      {"coulomb_force", &Params::coulomb_force, "N", positive_size, required, "F_C, friction at high speed"},
      {"viscous", &Params::viscous, "N s/m", size_or_zero, 0.0, "F_v, viscous coefficient"},
      {"static_excess", &Params::static_excess, "N", size_or_zero, required,
       "F_Sinf, break-away above F_C after a long rest"},
      {"stribeck_velocity", &Params::stribeck_velocity, "m/s", positive_size, required, "v_S, speed of the drop"},
      {"lag", &Params::lag, "s", size_or_zero, 0.0, "τ_L, by which the Stribeck term follows the velocity"},
      {"dwell_time", &Params::dwell_time, "s", positive_size, required,
       "γ, in which half the static excess is regained"},
  }};
  static constexpr std::size_t order = 3;
  static constexpr std::size_t guard_count = 2;
  static constexpr std::array<const char*, 3> state_names{"displacement", "dwell", "clock"};
  static constexpr std::array<const char*, 1> mode_names{"mode"};

  static constexpr std::array<Real, 3> pack(const State& state) noexcept {
    return {state.displacement, state.dwell, state.clock};
  }
  static constexpr State unpack(const std::array<Real, 3>& values, State state) noexcept {
    state.displacement = values[0];
    state.dwell = values[1];
    state.clock = values[2];
    return state;
  }
  static constexpr std::array<double, 1> modes(const State& state) noexcept { return {plain_mode(state.mode)}; }
  Real delay() const noexcept { return params_.lag; }

  State rate(const State& state, Real velocity) const noexcept {
    const bool stuck = state.mode == Mode::stick;
    State result;
    result.displacement = stuck ? velocity : Real(0);
    result.dwell = Real(stuck ? 1 : 0);
    result.clock = Real(1);
    return result;
  }

  Real force(const State& state, Real velocity) const noexcept {
    using std::abs;
    return state.mode == Mode::stick ? params_.stiffness * state.displacement + Real(0) * velocity
                                     : direction_of(state) * sliding_force(state, Real(direction_of(state) * velocity));
  }

  /// The velocity is taken as the mean over the step.
  State advance(State state, Real velocity, Real step) const noexcept {
    const Real dt = elapsed(step);
    if (state.past.count == 0) {
      state.past.push(state.clock, velocity, Real(0));
    }
    if (state.mode != Mode::stick && !(direction_of(state) * velocity > Real(0))) {
      state = stuck_from(state);
    }
    if (dt > Real(0)) {
      state.past.push(state.clock + dt / Real(2), velocity, spacing());
    }
    if (state.mode == Mode::stick) {
      const auto margin = [&](Real t) {
        return breakaway_force(state, t) - sgn(velocity) * params_.stiffness * (state.displacement + velocity * t);
      };
      if (margin(dt) < Real(0)) {
        const Real when = margin(Real(0)) > Real(0)
                              ? root_in(Bracket<Real>{Real(0), margin(Real(0)), dt, margin(dt)}, Real(0), margin)
                              : Real(0);
        state.dwell += when;
        state = slipping_from(state, velocity > Real(0) ? Mode::slip_plus : Mode::slip_minus);
      } else {
        state.displacement += velocity * dt;
        state.dwell += dt;
      }
    }
    state.clock += dt;
    return state;
  }
  /// Records the velocity at the state's clock, for solvers that integrate the states themselves.
  State record(State state, Real velocity) const noexcept {
    state.past.push(state.clock, velocity, spacing());
    return state;
  }

  /// Stick: the margin to break-away in both directions. Slip: the speed.
  std::array<Real, 2> guards(const State& state, Real velocity, Real) const noexcept {
    if (state.mode == Mode::stick) {
      const Real level = breakaway_force(state, Real(0));
      return {level - params_.stiffness * state.displacement, level + params_.stiffness * state.displacement};
    }
    return {direction_of(state) * velocity, Real(1)};
  }
  State transition(const State& state, int guard) const noexcept {
    return state.mode != Mode::stick ? stuck_from(state)
                                     : slipping_from(state, guard == 0 ? Mode::slip_plus : Mode::slip_minus);
  }

  /// v⁺ = v_free − mobility·dt·F with F in the law at the end of the step.
  Solved<State, Real> solve(State state, const CoupledStep<Real>& step) const noexcept {
    if (!can_step(step) || is_nan(state.displacement)) {
      state.displacement = not_a_number<Real>();
      return {state.displacement, state.displacement, state};
    }
    const Real free_velocity = step.free_velocity;
    const Real velocity = step.velocity;
    const Real dt = step.dt;
    const Real gain = step.gain();
    if (state.past.count == 0) {
      state.past.push(state.clock, velocity, Real(0));
    }
    state.clock += dt;
    if (state.mode != Mode::stick) {
      const Real speed = sliding_speed(state, free_velocity, gain, velocity);
      if (speed > Real(0)) {
        return slid(state, speed);
      }
      state = stuck_from(state);
    }
    // w (1 + gain σ₀ dt) = v_free − gain σ₀ (x − x₀)
    const Real w =
        (free_velocity - gain * params_.stiffness * state.displacement) / (Real(1) + gain * params_.stiffness * dt);
    State stuck = state;
    stuck.displacement += dt * w;
    stuck.dwell += dt;
    const Real pull = params_.stiffness * stuck.displacement;
    const Real level = breakaway_force(stuck, Real(0));
    if (pull > level || pull < -level) {
      const State slipping = slipping_from(stuck, pull > Real(0) ? Mode::slip_plus : Mode::slip_minus);
      if (const Real speed = sliding_speed(slipping, free_velocity, gain, velocity); speed > Real(0)) {
        return slid(slipping, speed);
      }
    }
    return {pull, w, record(stuck, w)};
  }

  State at_rest(Real load) const noexcept {
    const Real level = params_.coulomb_force + params_.static_excess;
    State state;
    state.displacement = clip(load, -level, level) / params_.stiffness;
    return state;
  }
  std::array<Real, 3> typical() const noexcept {
    return {params_.coulomb_force / params_.stiffness, params_.dwell_time, Real(1)};
  }
  Real velocity_scale() const noexcept { return params_.stribeck_velocity; }

  /// The force that ends the stick a time t from now, F_C + F_S(γ, t_d + t) [N].
  Real breakaway_force(const State& state, Real t) const noexcept {
    return params_.coulomb_force + params_.static_excess - state.deficit * waiting(state.dwell + t);
  }
  /// Elastic energy of the stick spring [J].
  Real energy(const State& state) const noexcept {
    return state.mode == Mode::stick ? params_.stiffness * square(state.displacement) / Real(2) : Real(0);
  }
  /// 0 in stick, F v in slip [W].
  Real dissipated_power(const State& state, Real velocity) const noexcept {
    return state.mode == Mode::stick ? Real(0) * velocity : force(state, velocity) * velocity;
  }
  /// Small motions of a mass in stick: ω = √(σ₀/m), no damping.
  Linearised<Real> linearised(Real mass) const noexcept {
    using std::sqrt;
    return {sqrt(params_.stiffness / mass), Real(0)};
  }

 private:
  using Base::params_;

  static constexpr Real direction_of(const State& state) noexcept { return Real(static_cast<int>(state.mode)); }
  Real spacing() const noexcept { return params_.lag / Real(samples - 2); }
  /// γ/(t_d + γ)
  Real waiting(Real dwell) const noexcept { return params_.dwell_time / (dwell + params_.dwell_time); }

  /// F_S(γ, t_d)/(1 + (v(t − τ_L)/v_S)²)
  Real stribeck_term(const State& state, Real velocity) const noexcept {
    const Real late =
        params_.lag > Real(0) ? state.past.at(state.clock - params_.lag, state.clock, velocity) : velocity;
    return (params_.static_excess - state.deficit) / (Real(1) + square(Real(late / params_.stribeck_velocity)));
  }
  Real sliding_force(const State& state, Real speed) const noexcept {
    return params_.coulomb_force + stribeck_term(state, Real(direction_of(state) * speed)) + params_.viscous * speed;
  }
  Real sliding_speed(const State& state, Real free_velocity, Real gain, Real velocity) const noexcept {
    const Real direction = direction_of(state);
    return speed_reached(Real(direction * free_velocity), gain, Real(direction * velocity),
                         Real(params_.stribeck_velocity / Real(64)),
                         [&](Real speed) { return sliding_force(state, speed); });
  }
  Solved<State, Real> slid(const State& state, Real speed) const noexcept {
    const Real w = direction_of(state) * speed;
    return {direction_of(state) * sliding_force(state, speed), w, record(state, w)};
  }

  State slipping_from(State state, Mode mode) const noexcept {
    state.deficit = state.deficit * waiting(state.dwell);
    state.mode = mode;
    state.displacement = Real(0);
    return state;
  }
  /// F is continuous from slip to stick; reduced by rounding to just inside the break-away level.
  State stuck_from(State state) const noexcept {
    const Real term = stribeck_term(state, Real(0));
    state.displacement = direction_of(state) * (params_.coulomb_force + term) / params_.stiffness * Real(1 - 1e-14);
    state.deficit = params_.static_excess - term;
    state.dwell = Real(0);
    state.mode = Mode::stick;
    return state;
  }
};

using Armstrong = BasicArmstrong<double>;
static_assert(Switching<Armstrong>);
STICTION_REGISTERED(Armstrong);

}  // namespace stiction::scalar
