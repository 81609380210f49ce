// Dither and knocker: small forces that keep a contact from sticking.
#pragma once

#include <cmath>
#include <optional>

#include "stiction/control/sample.h"
#include "stiction/math.h"

namespace stiction::control {

/// A periodic force. A step gives its mean over dt, so that the impulse over a full period is exact for every step
/// size: sampled dither does not push the body to one side.
template <class Real, class Shape>
struct Dither {
  struct Params {
    Real amplitude{};  // A [N], ≥ 0
    Real period{};     // T [s], > 0
  };
  struct State {
    Real phase{};  // in [0, 1)
    friend constexpr bool operator==(const State&, const State&) = default;
  };
  static constexpr std::array<Field<Params, Real>, 2> fields{{
      {"amplitude", &Params::amplitude, "N", non_negative, required, "A"},
      {"period", &Params::period, "s", positive, required, "T"},
  }};

  Params params;
  State state{};

  static std::optional<Problem> check(const Params& p) noexcept { return first_problem(p, fields); }
#if defined(__cpp_exceptions)
  static Dither make(const Params& p) { return Dither(checked<Dither>(p)); }
#endif
  /// For parameters that `check` has passed.
  explicit Dither(const Params& p) noexcept : params(p) {}

  /// The force to hold for dt. NaN, and no change of state, if dt is negative or not finite.
  Real step(Real dt) noexcept {
    if (!usable(dt)) {
      return unknown<Real>;
    }
    using std::floor;
    const Real turns = dt / params.period;
    const Real end = state.phase + turns;
    const Real after = end - floor(end);
    // mean = A (S(φ⁺) − S(φ))/(φ⁺ − φ), with S the periodic integral of the shape
    const Real mean =
        turns > Real(0) ? (Shape::integral(after) - Shape::integral(state.phase)) / turns : Shape::value(state.phase);
    state.phase = after;
    return params.amplitude * mean;
  }
};

/// A sin(2π t/T)
template <class Real>
struct SineShape {
  static constexpr Real two_pi = Real(6.28318530717958647692);
  static Real value(Real phase) noexcept {
    using std::sin;
    return sin(two_pi * phase);
  }
  static Real integral(Real phase) noexcept {
    using std::cos;
    return (Real(1) - cos(two_pi * phase)) / two_pi;
  }
};

/// A in the first half of each period, −A in the second.
template <class Real>
struct SquareShape {
  static Real value(Real phase) noexcept { return phase < Real(0.5) ? Real(1) : Real(-1); }
  static Real integral(Real phase) noexcept { return phase < Real(0.5) ? phase : Real(1) - phase; }
};

template <class Real>
using BasicSineDither = Dither<Real, SineShape<Real>>;
template <class Real>
using BasicSquareDither = Dither<Real, SquareShape<Real>>;

/// Short pulses in the direction in which the control signal has changed since the last pulse; none if it has not.
/// Unlike with dither, pulses do not cancel each other, and the actuator rests in between.
template <class Real>
struct BasicKnocker {
  struct Params {
    Real amplitude{};  // A [N], ≥ 0
    Real period{};     // T [s], > 0, from one pulse to the next
    Real width{};      // τ [s], > 0 and at most T
  };
  struct State {
    Real elapsed{};    // since the last pulse was due [s]
    Real left{};       // remaining time of the current pulse [s]
    Real direction{};  // of the current pulse: −1, 0 or 1
    Real control{};    // the control signal at its start
    bool started = false;
    friend constexpr bool operator==(const State&, const State&) = default;
  };
  static constexpr std::array<Field<Params, Real>, 3> fields{{
      {"amplitude", &Params::amplitude, "N", non_negative, required, "A"},
      {"period", &Params::period, "s", positive, required, "T, from one pulse to the next"},
      {"width", &Params::width, "s", positive, required, "τ <= T, length of a pulse"},
  }};

  Params params;
  State state{};

  static std::optional<Problem> check(const Params& p) noexcept {
    const auto problem = first_problem(p, fields);
    return problem ? problem : problem_below("period", p.period, p.width, ">= width");
  }
#if defined(__cpp_exceptions)
  static BasicKnocker make(const Params& p) { return BasicKnocker(checked<BasicKnocker>(p)); }
#endif
  /// For parameters that `check` has passed.
  explicit BasicKnocker(const Params& p) noexcept : params(p) {}

  /// The force to add to the control signal for dt: its mean over dt, so that each pulse has the impulse A τ, even if
  /// it is shorter than dt. Pulses start at samples, at most one at each. NaN, and no change of state, for a sample
  /// that is not finite.
  Real step(Real control, Real dt) noexcept {
    if (!usable(dt, control)) {
      return unknown<Real>;
    }
    if (!state.started) {
      state = {Real(0), Real(0), Real(0), control, true};
    } else if (state.elapsed >= params.period) {
      using std::floor;
      state.elapsed -= params.period * floor(state.elapsed / params.period);
      state.left = params.width;
      state.direction = sgn(Real(control - state.control));
      state.control = control;
    }
    const Real active = state.left < dt ? state.left : dt;
    state.left -= active;
    state.elapsed += dt;
    return dt > Real(0) ? params.amplitude * state.direction * (active / dt) : Real(0);
  }
};

using SineDither = BasicSineDither<double>;
using SquareDither = BasicSquareDither<double>;
using Knocker = BasicKnocker<double>;

}  // namespace stiction::control
