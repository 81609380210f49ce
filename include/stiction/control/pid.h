// PI and PID control with output limits and anti-windup.
#pragma once

#include <cmath>
#include <optional>

#include "stiction/control/velocity_estimator.h"
#include "stiction/math.h"

namespace stiction::control {

///   u = K_p e + I + K_d de/dt + feed-forward,   limited to [min_output, max_output], held until the next sample
///   dI/dt = K_i e                                inside the limits
///   dI/dt = K_i e + (u_limited − u)/T_t          outside (back-calculation); T_t = 0: I is clamped to the limit of u
template <class Real>
struct BasicPid {
  struct Params {
    Real proportional{};                      // K_p [N/m]; on velocity [N s/m]
    Real integral{};                          // K_i [N/(m s)]; on velocity [N/m]
    Real derivative{};                        // K_d [N s/m]; on velocity [N s²/m]
    Real derivative_corner = Real(infinity);  // of the derivative filter, if the rate is not given [rad/s], > 0
    Real tracking_time{};                     // T_t [s], ≥ 0
    Real min_output = Real(-infinity);        // [N]
    Real max_output = Real(infinity);         // [N], ≥ min_output
  };
  struct State {
    Real integral{};                                     // I [N]
    typename BasicVelocityEstimator<Real>::State error;  // its filtered difference
    friend constexpr bool operator==(const State&, const State&) = default;
  };
  static constexpr std::array<Field<Params, Real>, 7> fields{{
      {"proportional", &Params::proportional, "N/m", finite, required, "K_p"},
      {"integral", &Params::integral, "N/(m s)", finite, 0.0, "K_i"},
      {"derivative", &Params::derivative, "N s/m", finite, 0.0, "K_d"},
      {"derivative_corner", &Params::derivative_corner, "rad/s", positive_or_infinite, infinity,
       "corner of the derivative filter, if the rate is not given"},
      {"tracking_time", &Params::tracking_time, "s", non_negative, 0.0, "T_t, anti-windup (0: at once)"},
      {"min_output", &Params::min_output, "N", any_number, -infinity, "lower limit of the output"},
      {"max_output", &Params::max_output, "N", any_number, infinity, "upper limit of the output"},
  }};

  Params params;
  State state{};

  static std::optional<Problem> check(const Params& p) noexcept {
    const auto problem = first_problem(p, fields);
    return problem ? problem : problem_below("max_output", p.max_output, p.min_output, ">= min_output");
  }
#if defined(__cpp_exceptions)
  static BasicPid make(const Params& p) { return BasicPid(checked<BasicPid>(p)); }
#endif
  /// For parameters that `check` has passed.
  explicit BasicPid(const Params& p) noexcept : params(p) {}

  /// The output for an error and its rate, to be held for dt. A feed-forward, e.g. of friction, belongs inside the
  /// limits, so that anti-windup accounts for the saturation of the actuator. NaN, and no change of state, for a sample
  /// that is not finite.
  Real step(Real error, Real error_rate, Real feed_forward, Real dt) noexcept {
    if (!usable(dt, error, error_rate, feed_forward)) {
      return unknown<Real>;
    }
    const Real direct = params.proportional * error + params.derivative * error_rate + feed_forward;
    const Real unlimited = direct + state.integral;
    const Real output = clip(unlimited, params.min_output, params.max_output);
    const Real growth = params.integral * error;  // K_i e
    if (params.tracking_time == Real(0)) {
      state.integral = clip(state.integral + growth * dt, params.min_output - direct, params.max_output - direct);
    } else if (output == unlimited) {
      state.integral += growth * dt;
    } else {
      // dI/dt = (u_limited − direct + T_t K_i e − I)/T_t is linear in I: I⁺ = I + (steady − I)(1 − e^(−dt/T_t))
      const Real steady = output - direct + params.tracking_time * growth;
      state.integral += (steady - state.integral) * decay(Real(dt / params.tracking_time));
    }
    return output;
  }
  Real step(Real error, Real error_rate, Real dt) noexcept { return step(error, error_rate, Real(0), dt); }

  /// If the rate is not known: with the filtered difference of the error.
  Real step(Real error, Real dt) noexcept {
    BasicVelocityEstimator<Real> rate({params.derivative_corner});
    rate.state = state.error;
    const Real error_rate = rate.step(error, dt);
    state.error = rate.state;
    return step(error, error_rate, Real(0), dt);
  }
};

using Pid = BasicPid<double>;

}  // namespace stiction::control
