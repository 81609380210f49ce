// Adaptive friction compensation, which estimates the level of friction online.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <optional>

#include "stiction/control/lugre_observer.h"

namespace stiction::control {

/// The deflection inferred from the measured motion: z = z_m + O(e^(−σ₀ t/σ₁)).
///   z_m = (u − (J s + F_v) v)/(σ₁ s + σ₀)         (Olsson et al. 1998, Section 6, with the viscous term)
/// In the time domain  σ₁ dz_m/dt = −σ₀ z_m + u − F_v v − J dv/dt,  which with ξ = z_m + (J/σ₁) v needs no derivative
/// of v. Exact for a constant force u and a linear velocity between two samples.
template <class Real>
struct BristleFilter {
  struct State {
    Real bristle{};   // z_m [m]
    Real velocity{};  // of the last sample [m/s]
    bool started = false;
    friend constexpr bool operator==(const State&, const State&) = default;
  };

  /// `force` was applied since the last sample, dt ago.
  static State advance(const State& last, const scalar::BasicLuGre<Real>& friction, Real mass, Real velocity,
                       Real force, Real dt) noexcept {
    if (!last.started || !(dt > Real(0))) {
      return {last.bristle, velocity, true};
    }
    const Real change = velocity - last.velocity;
    const Real viscous = friction.viscous.coefficient;
    // With x = σ₀ dt/σ₁ and the input w(t) = w₀ + w₁ t/dt:  z⁺ = z e^−x + (w₀ (1 − e^−x) + w₁ (1 − (1 − e^−x)/x))/σ₀
    const Real x = friction.stiffness * dt / friction.damping.at_rest;
    const Real settled = decay(x);
    const Real start = force - viscous * last.velocity - mass * change / dt;
    const Real rise = -viscous * change;
    return {last.bristle + (start / friction.stiffness - last.bristle) * settled +
                rise / friction.stiffness * (Real(1) - settled / x),
            velocity, true};
  }
};

/// φ = 1: a single parameter θ for the level of friction.
template <class Real>
struct UnitRegressor {
  static constexpr std::size_t size = 1;
  std::array<Real, 1> operator()(Real, Real) const noexcept { return {Real(1)}; }
};

/// φ = (1, cos x, sin x): friction that varies over one revolution of a shaft.
template <class Real>
struct HarmonicRegressor {
  static constexpr std::size_t size = 3;
  std::array<Real, 3> operator()(Real, Real position) const noexcept {
    using std::cos;
    using std::sin;
    return {Real(1), cos(position), sin(position)};
  }
};

/// Adaptive friction compensation (Olsson et al. 1998, eqs. 31 and 32, and the gradient law of Section 6).
///   dẑ/dt = v − (θ̂·φ(v, x)) σ₀ |v| ẑ/g(v) − k e
///   dθ̂/dt = −γ (σ₀ |v|/g(v)) ẑ (z_m − ẑ) φ(v, x),   min_theta ≤ θ̂·φ ≤ max_theta
/// 1/(θ̂·φ) is the friction relative to the model's: it also reflects a change of the normal force. `Regressor` has
/// `size`, and gives φ(v, x) as an array of that many numbers.
template <class Real, class Regressor = UnitRegressor<Real>>
struct BasicAdaptiveCompensator {
  static constexpr std::size_t size = Regressor::size;
  struct Params {
    Real mass{};                 // J [kg] or [kg m²], > 0: of the body, for the filter
    Real adaptation{};           // γ [1/m²], ≥ 0
    Real gain{};                 // k [1/m] for a velocity error, [1/s] for a position error, ≥ 0
    Real min_theta = Real(0.1);  // of θ̂·φ [-], > 0
    Real max_theta{4};           // of θ̂·φ [-], ≥ min_theta
    Real scale{1};               // s [-], ≥ 0: multiplies the compensation
  };
  struct State {
    Real bristle{};  // ẑ [m]
    typename BristleFilter<Real>::State filter;
    std::array<Real, size> theta = first_is_one();  // θ̂ [-]
    Real effective{1};                              // θ̂·φ at the last sample [-]
    friend constexpr bool operator==(const State&, const State&) = default;
  };
  static constexpr std::array<Field<Params, Real>, 6> fields{{
      {"mass", &Params::mass, "kg", positive, required, "J, mass or inertia of the body"},
      {"adaptation", &Params::adaptation, "1/m^2", non_negative, required, "γ, adaptation gain of θ̂"},
      {"gain", &Params::gain, "1/s", non_negative, required, "k, weight of the loop's error (1/m for a velocity)"},
      {"min_theta", &Params::min_theta, "-", positive, 0.1, "lower limit of θ̂·φ"},
      {"max_theta", &Params::max_theta, "-", positive, 4.0, "upper limit of θ̂·φ"},
      {"scale", &Params::scale, "-", non_negative, 1.0, "s, multiplies all forces"},
  }};

  scalar::BasicLuGre<Real> friction;
  Params params;
  Regressor regressor;
  State state{};

  static std::optional<Problem> check(const Params& p) noexcept {
    const auto problem = first_problem(p, fields);
    return problem ? problem : problem_below("max_theta", p.max_theta, p.min_theta, ">= min_theta");
  }
#if defined(__cpp_exceptions)
  static BasicAdaptiveCompensator make(const scalar::BasicLuGre<Real>& friction, const Params& p,
                                       const Regressor& regressor = {}) {
    return BasicAdaptiveCompensator(friction, checked<BasicAdaptiveCompensator>(p), regressor);
  }
#endif
  /// For parameters that `check` has passed, and a friction with damping > 0.
  BasicAdaptiveCompensator(const scalar::BasicLuGre<Real>& model, const Params& p, const Regressor& phi = {}) noexcept
      : friction(model), params(p), regressor(phi) {}

  /// The friction estimate at this sample. `applied` is the total applied force on the body since the last sample, dt
  /// ago. NaN, and no change of state, for a sample that is not finite.
  Real step(Real velocity, Real position, Real error, Real applied, Real dt) noexcept {
    if (!usable(dt, velocity, position, error, applied)) {
      return unknown<Real>;
    }
    BasicLuGreObserver<Real> observer(friction, {params.gain, params.scale, Real(2) / params.min_theta});
    observer.state.bristle = state.bristle;
    const Real pull = observer.relaxation(velocity);
    const auto phi = regressor(velocity, position);
    move(phi, Real(0));  // φ has changed since the last sample
    observer.advance(state.effective * pull, velocity, error, dt);
    state.bristle = observer.state.bristle;
    state.filter = BristleFilter<Real>::advance(state.filter, friction, params.mass, velocity, applied, dt);
    // dθ̂/dt = −γ (σ₀ |v|/g) ẑ (z_m − ẑ) φ
    const Real slope = -params.adaptation * pull * state.bristle * (state.filter.bristle - state.bristle);
    move(phi, Real(dt * slope));
    return observer.force(state.effective * pull, velocity, error);
  }
  /// For friction that does not depend on the position.
  Real step(Real velocity, Real error, Real applied, Real dt) noexcept {
    return step(velocity, Real(0), error, applied, dt);
  }

  /// The estimated friction relative to the model's, 1/(θ̂·φ), at the last sample [-].
  Real friction_ratio() const noexcept { return Real(1) / state.effective; }

 private:
  static constexpr std::array<Real, size> first_is_one() noexcept {
    std::array<Real, size> theta{};
    theta[0] = Real(1);
    return theta;
  }

  /// θ̂ ← θ̂ + change φ, projected so that min_theta ≤ θ̂·φ ≤ max_theta; for φ = 1 this just limits θ̂.
  void move(const std::array<Real, size>& phi, Real change) noexcept {
    Real product{};
    Real length{};
    for (std::size_t i = 0; i < size; ++i) {
      product += state.theta[i] * phi[i];
      length += square(phi[i]);
    }
    state.effective = clip(product + change * length, params.min_theta, params.max_theta);
    const Real allowed = length > Real(0) ? (state.effective - product) / length : Real(0);
    for (std::size_t i = 0; i < size; ++i) {
      state.theta[i] += allowed * phi[i];
    }
  }
};

using AdaptiveCompensator = BasicAdaptiveCompensator<double>;

}  // namespace stiction::control
