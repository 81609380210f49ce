// An observer for the bristle deflection of LuGre friction, and the resulting friction estimate.
#pragma once

#include <cmath>
#include <optional>

#include "stiction/control/sample.h"
#include "stiction/scalar/lugre.h"

namespace stiction::control {

/// Friction observer (Olsson et al. 1998, Section 6).
///   dẑ/dt = v − θ σ₀ |v| ẑ/g(v) − k e          F̂ = s (σ₀ ẑ + σ₁(v) dẑ/dt + F_v v)
/// v is the measured velocity, e the error of the loop, measured minus desired: a velocity with k in 1/m, or a position
/// with k in 1/s. Add F̂ to the output of the linear controller.
template <class Real>
struct BasicLuGreObserver {
  struct Params {
    Real gain{};       // k [1/m] for a velocity error, [1/s] for a position error, ≥ 0
    Real scale{1};     // s [-], ≥ 0: multiplies all forces of the model; above 1 over-, below 1 under-compensation
    Real headroom{4};  // |ẑ| ≤ headroom·F_S/σ₀ [-], ≥ 1: k e must not make ẑ drift while the body is at rest
  };
  struct State {
    Real bristle{};  // ẑ [m]
    friend constexpr bool operator==(const State&, const State&) = default;
  };
  static constexpr Range at_least_one{1, infinity, true, false, ">= 1 and finite"};
  static constexpr std::array<Field<Params, Real>, 3> fields{{
      {"gain", &Params::gain, "1/s", non_negative, required, "k, weight of the loop's error (1/m for a velocity)"},
      {"scale", &Params::scale, "-", non_negative, 1.0, "s, multiplies all forces"},
      {"headroom", &Params::headroom, "-", at_least_one, 4.0, "largest deflection over F_S/σ0"},
  }};

  scalar::BasicLuGre<Real> friction;
  Params params;
  State state{};

  static std::optional<Problem> check(const Params& p) noexcept { return first_problem(p, fields); }
#if defined(__cpp_exceptions)
  static BasicLuGreObserver make(const scalar::BasicLuGre<Real>& friction, const Params& p) {
    return BasicLuGreObserver(friction, checked<BasicLuGreObserver>(p));
  }
#endif
  /// For parameters that `check` has passed.
  BasicLuGreObserver(const scalar::BasicLuGre<Real>& model, const Params& p) noexcept : friction(model), params(p) {}

  /// The friction estimate at this sample, dt after the last one. Exact for v and e that are constant over dt. NaN, and
  /// no change of state, for a sample that is not finite.
  Real step(Real velocity, Real error, Real dt) noexcept {
    if (!usable(dt, velocity, error)) {
      return unknown<Real>;
    }
    const Real pull = relaxation(velocity);
    advance(pull, velocity, error, dt);
    return force(pull, velocity, error);
  }
  /// Without an error: feed-forward along a desired velocity, or open-loop simulation of the bristle.
  Real step(Real velocity, Real dt) noexcept { return step(velocity, Real(0), dt); }

  /// σ₀ |v|/g(v) [1/s]
  Real relaxation(Real velocity) const noexcept {
    using std::abs;
    return friction.stiffness * abs(velocity) / friction.curve(velocity);
  }

  /// The parts of `step`, for adaptive laws that change the relaxation θ σ₀ |v|/g(v).
  void advance(Real pull, Real velocity, Real error, Real dt) noexcept {
    // ẑ(dt) = ẑ + (v − k e − a ẑ)(1 − e^(−a dt))/a
    const Real x = pull * dt;
    const Real stretch = x > Real(0) ? dt * (decay(x) / x) : dt;
    const Real max_bristle = params.headroom * friction.largest_deflection();
    state.bristle = clip(state.bristle + (velocity - params.gain * error - pull * state.bristle) * stretch,
                         -max_bristle, max_bristle);
  }
  Real force(Real pull, Real velocity, Real error) const noexcept {
    // F̂ = s (σ₀ ẑ + σ₁(v) dẑ/dt + F_v v)
    const Real rate = velocity - params.gain * error - pull * state.bristle;
    return params.scale *
           (friction.stiffness * state.bristle + friction.damping(velocity) * rate + friction.viscous(velocity));
  }
};

using LuGreObserver = BasicLuGreObserver<double>;

}  // namespace stiction::control
