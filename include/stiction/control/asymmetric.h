// Coulomb and viscous friction that depend on the direction of motion: compensation, and identification online.
#pragma once

#include <cmath>

#include "stiction/control/sample.h"
#include "stiction/math.h"

namespace stiction::control {

/// Friction parameters for each direction.
template <class Real>
struct BasicDirectionalFriction {
  Real coulomb_plus{};   // F_C [N] for v > 0
  Real viscous_plus{};   // F_v [N s/m]
  Real coulomb_minus{};  // for v < 0, both as magnitudes
  Real viscous_minus{};
  friend constexpr bool operator==(const BasicDirectionalFriction&, const BasicDirectionalFriction&) = default;
};

/// A static compensator for velocity control (Canudas de Wit, Åström and Braun 1987).
///   F̂ = share (F_C± s(v) + F_v± v),   s(v) = v/v_s limited to ±1,   ± the sign of v
template <class Real>
struct BasicAsymmetricCompensator {
  using Friction = BasicDirectionalFriction<Real>;
  struct Params {
    Real coulomb_plus{};         // [N], ≥ 0
    Real viscous_plus{};         // [N s/m], ≥ 0
    Real coulomb_minus{};        // [N], ≥ 0
    Real viscous_minus{};        // [N s/m], ≥ 0
    Real saturation_velocity{};  // v_s [m/s], > 0
    Real share{1};               // [-], in [0, 2]; above 1: over-compensation
  };

  static constexpr Range shares{0, 2, true, true, "in [0, 2]"};
  static constexpr std::array<Field<Params, Real>, 6> fields{{
      {"coulomb_plus", &Params::coulomb_plus, "N", non_negative, required, "F_C for v > 0"},
      {"viscous_plus", &Params::viscous_plus, "N s/m", non_negative, 0.0, "F_v for v > 0"},
      {"coulomb_minus", &Params::coulomb_minus, "N", non_negative, required, "F_C for v < 0"},
      {"viscous_minus", &Params::viscous_minus, "N s/m", non_negative, 0.0, "F_v for v < 0"},
      {"saturation_velocity", &Params::saturation_velocity, "m/s", positive, required, "v_s, where s(v) reaches 1"},
      {"share", &Params::share, "-", shares, 1.0, "share of the friction that is compensated"},
  }};

  Params params;

  static std::optional<Problem> check(const Params& p) noexcept { return first_problem(p, fields); }
#if defined(__cpp_exceptions)
  static BasicAsymmetricCompensator make(const Params& p) {
    return BasicAsymmetricCompensator(checked<BasicAsymmetricCompensator>(p));
  }
#endif
  /// For parameters that `check` has passed.
  explicit BasicAsymmetricCompensator(const Params& p) noexcept : params(p) {}

  /// With the friction of the parameters.
  Real force(Real velocity) const noexcept {
    return force(velocity, {params.coulomb_plus, params.viscous_plus, params.coulomb_minus, params.viscous_minus});
  }
  /// With another friction, e.g. the current estimate.
  Real force(Real velocity, const Friction& friction) const noexcept {
    const bool forward = velocity > Real(0);
    const Real s = clip(Real(velocity / params.saturation_velocity), Real(-1), Real(1));
    // F̂ = share (F_C± s(v) + F_v± v)
    return params.share * ((forward ? friction.coulomb_plus : friction.coulomb_minus) * s +
                           (forward ? friction.viscous_plus : friction.viscous_minus) * velocity);
  }
  /// The slope of F̂ at standstill, in the steeper direction [N s/m]. Standstill is unstable if it exceeds the sum of
  /// the loop's velocity gain and the drive's own damping.
  Real slope_at_rest() const noexcept {
    const Real plus = params.coulomb_plus / params.saturation_velocity + params.viscous_plus;
    const Real minus = params.coulomb_minus / params.saturation_velocity + params.viscous_minus;
    return params.share * (plus > minus ? plus : minus);
  }
};

/// Estimates the four parameters from command and velocity by recursive least squares, separately for each direction.
///   u − J dv/dt = F_C± sgn(v) + F_v± v,   both sides through the filter 1/(τ s + 1): nothing is differentiated
/// A direction is updated only after 8 τ of motion in it faster than v_min: by then the transient of the reversal has
/// decayed in the filters. Old data are forgotten with the time constant `memory`; forgetting stops without excitation.
template <class Real>
struct BasicAsymmetricIdentifier {
  using Friction = BasicDirectionalFriction<Real>;
  struct Params {
    Real inertia{};                // J [kg], > 0
    Real min_velocity{};           // v_min [m/s], > 0
    Real filter_time{};            // τ [s], > 0
    Real memory = Real(infinity);  // [s], > 0, or inf: all data have equal weight
    Real coulomb_deviation{1};     // standard deviation of the initial guess of F_C over that of the data [-], > 0
    Real viscous_deviation{1};     // the same for F_v [s/m], > 0
  };
  /// One direction: (F_C, F_v) and its covariance, for measurement noise of unit variance.
  struct Direction {
    Real coulomb{}, viscous{};
    Real p11{}, p12{}, p22{};
    friend constexpr bool operator==(const Direction&, const Direction&) = default;
  };
  struct State {
    Direction plus{}, minus{};
    Real last_velocity{};
    Real filtered_effort{};    // of u − J dv/dt [N]
    Real filtered_velocity{};  // [m/s]
    Real in_direction{};       // time since the last reversal or stop [s]; its sign is the direction
    bool started = false;
    friend constexpr bool operator==(const State&, const State&) = default;

    Friction friction() const noexcept { return {plus.coulomb, plus.viscous, minus.coulomb, minus.viscous}; }
  };

  static constexpr std::array<Field<Params, Real>, 6> fields{{
      {"inertia", &Params::inertia, "kg", positive, required, "J, mass or inertia of the drive"},
      {"min_velocity", &Params::min_velocity, "m/s", positive, required, "v_min, below which samples are ignored"},
      {"filter_time", &Params::filter_time, "s", positive, required, "τ, of the filter on both sides"},
      {"memory", &Params::memory, "s", positive_or_infinite, infinity,
       "time constant with which old data are forgotten"},
      {"coulomb_deviation", &Params::coulomb_deviation, "-", positive, 1.0,
       "standard deviation of the first guess of F_C"},
      {"viscous_deviation", &Params::viscous_deviation, "s/m", positive, 1.0,
       "standard deviation of the first guess of F_v"},
  }};

  Params params;

  static std::optional<Problem> check(const Params& p) noexcept { return first_problem(p, fields); }
#if defined(__cpp_exceptions)
  static BasicAsymmetricIdentifier make(const Params& p) {
    return BasicAsymmetricIdentifier(checked<BasicAsymmetricIdentifier>(p));
  }
#endif
  /// For parameters that `check` has passed.
  explicit BasicAsymmetricIdentifier(const Params& p) noexcept : params(p) {}

  State start(const Friction& guess = {}) const noexcept {
    const Real p11 = square(params.coulomb_deviation);
    const Real p22 = square(params.viscous_deviation);
    State state;
    state.plus = {guess.coulomb_plus, guess.viscous_plus, p11, Real(0), p22};
    state.minus = {guess.coulomb_minus, guess.viscous_minus, p11, Real(0), p22};
    return state;
  }

  /// `force` was constant since the last sample; `velocity` is measured now. A sample that is not finite, or with dt =
  /// 0, changes nothing.
  State step(State state, Real force, Real velocity, Real dt) const noexcept {
    using std::abs;
    if (!usable(dt, force, velocity) || !(dt > Real(0))) {
      return state;
    }
    if (!state.started) {
      state.started = true;
      state.last_velocity = velocity;
      state.filtered_effort = force;
      state.filtered_velocity = velocity;
      return state;
    }
    const Real share = decay(Real(dt / params.filter_time));
    const Real effort = force - params.inertia * (velocity - state.last_velocity) / dt;
    const Real middle = (velocity + state.last_velocity) / Real(2);
    state.filtered_effort += share * (effort - state.filtered_effort);
    state.filtered_velocity += share * (middle - state.filtered_velocity);
    state.last_velocity = velocity;
    const Real direction = abs(velocity) > params.min_velocity ? sgn(velocity) : Real(0);
    state.in_direction =
        direction * state.in_direction > Real(0) ? state.in_direction + direction * dt : direction * dt;
    if (state.in_direction > Real(8) * params.filter_time) {
      state.plus = learned(state.plus, state.filtered_effort, state.filtered_velocity, dt);
    } else if (state.in_direction < -Real(8) * params.filter_time) {
      state.minus = learned(state.minus, -state.filtered_effort, -state.filtered_velocity, dt);
    }
    return state;
  }

 private:
  /// effort = F_C + F_v speed: one step of recursive least squares with forgetting.
  Direction learned(Direction d, Real effort, Real speed, Real dt) const noexcept {
    const Real g1 = d.p11 + d.p12 * speed;
    const Real g2 = d.p12 + d.p22 * speed;
    const Real innovation = effort - d.coulomb - d.viscous * speed;
    const Real scale = Real(1) / (Real(1) + g1 + g2 * speed);
    d.coulomb += g1 * scale * innovation;
    d.viscous += g2 * scale * innovation;
    d.p11 -= g1 * g1 * scale;
    d.p12 -= g1 * g2 * scale;
    d.p22 -= g2 * g2 * scale;
    // Forgetting increases the covariance, up to that of the initial guess.
    const Real growth = Real(1) + dt / params.memory;
    if (d.p11 * growth <= square(params.coulomb_deviation) && d.p22 * growth <= square(params.viscous_deviation)) {
      d.p11 *= growth;
      d.p12 *= growth;
      d.p22 *= growth;
    }
    return d;
  }
};

using DirectionalFriction = BasicDirectionalFriction<double>;
using AsymmetricCompensator = BasicAsymmetricCompensator<double>;
using AsymmetricIdentifier = BasicAsymmetricIdentifier<double>;

}  // namespace stiction::control
