// Velocity from sampled positions.
#pragma once

#include <cmath>
#include <optional>

#include "stiction/control/sample.h"
#include "stiction/math.h"

namespace stiction::control {

/// The backward difference of positions through a first-order filter.
///   dv̂/dt = ω (v − v̂),   v = (x − x_last)/dt
/// Exact for a position that is linear between two samples, for every dt.
template <class Real>
struct BasicVelocityEstimator {
  struct Params {
    Real corner = Real(infinity);  // ω [rad/s], > 0; inf: the plain difference
  };
  struct State {
    Real position{};  // of the last sample [m]
    Real velocity{};  // v̂ [m/s]
    Real waited{};    // time since that sample, if those in between were invalid [s]
    bool started = false;
    friend constexpr bool operator==(const State&, const State&) = default;
  };
  static constexpr std::array<Field<Params, Real>, 1> fields{{
      {"corner", &Params::corner, "rad/s", positive_or_infinite, infinity, "ω, corner of the filter (inf: no filter)"},
  }};

  Params params;
  State state{};

  static std::optional<Problem> check(const Params& p) noexcept { return first_problem(p, fields); }
#if defined(__cpp_exceptions)
  static BasicVelocityEstimator make(const Params& p) {
    return BasicVelocityEstimator(checked<BasicVelocityEstimator>(p));
  }
#endif
  /// For parameters that `check` has passed.
  explicit BasicVelocityEstimator(const Params& p) noexcept : params(p) {}

  /// The velocity at this sample, dt after the last one; 0 at the first. A position that is not finite gives NaN and is
  /// skipped: the next difference refers to the last valid one.
  Real step(Real position, Real dt) noexcept {
    if (!usable(dt, position)) {
      state.waited += usable(dt) ? dt : Real(0);
      return unknown<Real>;
    }
    const Real elapsed = state.waited + dt;
    if (state.started && elapsed > Real(0)) {
      // v̂⁺ = v̂ + (Δx/dt − v̂)(1 − e^(−ω dt))
      state.velocity += ((position - state.position) / elapsed - state.velocity) * decay(Real(params.corner * elapsed));
    }
    state.position = position;
    state.waited = Real(0);
    state.started = true;
    return state.velocity;
  }
};

using VelocityEstimator = BasicVelocityEstimator<double>;

}  // namespace stiction::control
