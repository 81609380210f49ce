// The Leuven model in its Maxwell-slip form: presliding hysteresis with memory inside a bristle equation.
#pragma once

#include <cmath>
#include <limits>

#include "stiction/scalar/elements.h"

namespace stiction::scalar {

template <class Real>
struct LeuvenParams {
  Elements<Real> stiffness{};  // kᵢ [N/m], > 0
  Elements<Real> limit{};      // Wᵢ [N], > 0, of sum ≥ F_S
  Real damping{};              // σ₁ [N s/m], ≥ 0
  Real coulomb_force{};        // F_C [N], > 0
  Real static_force{};         // F_S [N], ≥ F_C
  Real stribeck_velocity{};    // v_S [m/s], > 0
  Real stribeck_exponent{2};   // δ [-], in [0.5, 2]
  Real viscous{};              // F_v [N s/m], ≥ 0
  Real exponent{1};            // n [-], in [1, 20]
};

/// Leuven friction (Swevers et al. 2000) with the hysteresis force of Lampaert et al. 2002, N Maxwell-slip elements:
///   F_h(z) = Σ Fᵢ,  dFᵢ = kᵢ dz while |Fᵢ| < Wᵢ, else constant until ż changes sign
///   ż = v (1 − sgn(v) sgn(F_h) |F_h/s(v)|ⁿ)       F = F_h + σ₁ ż + F_v v
template <class Real>
struct BasicLeuven : MaxwellModel<BasicLeuven<Real>, LeuvenParams<Real>, Real> {
  using Base = MaxwellModel<BasicLeuven<Real>, LeuvenParams<Real>, Real>;
  using Base::Base;
  using Base::curve;
  using Base::order;
  using Base::states_in_use;
  using typename Base::Params;
  struct State {
    std::array<Real, order> force{};  // Fᵢ [N], |Fᵢ| ≤ Wᵢ
    friend constexpr bool operator==(const State&, const State&) = default;
  };

  static constexpr Range exponents{1, 20, true, true, "in [1, 20]"};
  static constexpr Info info{
      "leuven", "Leuven model, Maxwell-slip form: presliding with memory inside a bristle equation",
      "dz/dt = v (1 - sgn(v) sgn(Fh) |Fh/s(v)|^n),  Fh = sum of Maxwell-slip elements in z,  F = Fh + σ1 dz/dt + F_v v",
      "Swevers et al. 2000, Lampaert et al. 2002"};
  using Rows = StribeckFields<Params, Real>;
  static constexpr std::array<Field<Params, Real>, 7> fields{{
      {"damping", &Params::damping, "N s/m", size_or_zero, required, "σ1, damping of the deflection"},
      Rows::coulomb_force,
      Rows::static_force,
      Rows::stribeck_velocity,
      Rows::stribeck_exponent,
      Rows::viscous,
      {"exponent", &Params::exponent, "-", exponents, 1.0, "n, sharpness of the transition to sliding"},
  }};
  static constexpr std::array<ListField<Params, Real, order>, 2> lists{{
      {"stiffness", &Params::stiffness, "N/m", positive_size, element_count, "ki, stiffness of each element"},
      {"limit", &Params::limit, "N", positive_size, "as many as stiffness",
       "Wi, force at which each element slips; sum >= F_S"},
  }};

  static std::optional<Problem> problem(const Params& p) noexcept {
    if (auto problem = problem_unlike("limit", p.limit, p.stiffness, "as many as stiffness")) {
      return problem;
    }
    if (auto problem = problem_of_levels(p.coulomb_force, p.static_force)) {
      return problem;
    }
    const Real min_sum = p.static_force * (Real(1) - sum_tolerance<Real>());
    return problem_below("limit", sum_of(p.limit), min_sum, "a list of sum >= static_force");
  }

  static constexpr State unpack(const std::array<Real, order>& values, const State&) noexcept { return {values}; }

  State rate(const State& state, Real velocity) const noexcept {
    const Real deflection_rate = bristle_rate(state, velocity);
    const Real direction = sgn(deflection_rate);
    State result;
    for (std::size_t i = 0; i < states_in_use(); ++i) {
      const bool slips = !(direction * state.force[i] < params_.limit[i]) && direction != Real(0);
      result.force[i] = slips ? Real(0) : params_.stiffness[i] * deflection_rate;
    }
    return result;
  }
  Real force(const State& state, Real velocity) const noexcept {
    // F = F_h + σ₁ ż + F_v v
    return hysteresis(state) + params_.damping * bristle_rate(state, velocity) + params_.viscous * velocity;
  }

  /// For a constant velocity: exact for n = 1; else accurate to 1e-6 of s(v), unless F_h is far above it (then
  /// implicit).
  State advance(const State& state, Real velocity, Real dt) const noexcept {
    using std::abs;
    const Real direction = sgn(velocity);
    const Real travel = abs(velocity) * elapsed(dt);
    if (!(travel > Real(0))) {
      State next = state;
      next.force[0] += travel;  // no motion; a NaN propagates
      return next;
    }
    return advanced(state, travel, curve(velocity), direction);
  }
  /// The implicit Euler step at the new velocity w.
  Solved<State, Real> implicit(const State& state, Real w, Real dt) const noexcept {
    using std::abs;
    const Real direction = sgn(w);
    if (direction == Real(0) || !(dt > Real(0))) {
      const State next = advance(state, w, dt);
      return {force(next, w), w, next};
    }
    const Real deflection = direction * implicit_deflection(state, abs(w) * dt, curve(w), direction);
    const State next = deflected(state, deflection);
    // ż from the change of z: unlike 1 − |F_h/s|ⁿ it does not suffer cancellation at high speed
    return {hysteresis(next) + params_.damping * (deflection / dt) + params_.viscous * w, w, next};
  }
  Real reach(std::size_t i) const noexcept { return params_.limit[i] / params_.stiffness[i]; }

  /// Every element carries its share of the load, at most of F_S.
  State at_rest(Real load) const noexcept {
    const Real share = clip(load, -params_.static_force, params_.static_force) / sum_of(params_.limit);
    State state;
    for (std::size_t i = 0; i < states_in_use(); ++i) {
      state.force[i] = clip(Real(share * params_.limit[i]), -params_.limit[i], params_.limit[i]);
    }
    return state;
  }
  std::array<Real, order> typical() const noexcept { return params_.limit.values; }

  /// Small motions of a mass: k₀ = Σ kᵢ, d₀ = σ₁ + F_v.
  Linearised<Real> linearised(Real mass) const noexcept {
    using std::sqrt;
    const Real stiffness = sum_of(params_.stiffness);
    return {sqrt(stiffness / mass), (params_.damping + params_.viscous) / (Real(2) * sqrt(mass * stiffness))};
  }

 private:
  using Base::params_;

  Real hysteresis(const State& state) const noexcept {
    Real sum{};
    for (std::size_t i = 0; i < states_in_use(); ++i) {
      sum += state.force[i];
    }
    return sum;
  }

  /// 1 − sgn(y)|y|ⁿ: the share of the motion that deflects the bristle, with y = F_h/s(v) along the motion.
  Real deflecting_share(Real y) const noexcept {
    using std::abs;
    return Real(1) - (params_.exponent == Real(1) ? y : sgn(y) * power(Real(abs(y)), params_.exponent));
  }
  Real bristle_rate(const State& state, Real velocity) const noexcept {
    return velocity * deflecting_share(sgn(velocity) * hysteresis(state) / curve(velocity));
  }

  /// The elements after z has moved by `deflection`.
  State deflected(const State& state, Real deflection) const noexcept {
    State next;
    for (std::size_t i = 0; i < states_in_use(); ++i) {
      next.force[i] =
          clip(Real(state.force[i] + params_.stiffness[i] * deflection), -params_.limit[i], params_.limit[i]);
    }
    return next;
  }

  /// Between two slips F_h is linear in z, and y = F_h/s follows dy/dτ = 1 − sgn(y)|y|ⁿ over τ = K x/s, with x the
  /// travel.
  State advanced(State state, Real travel, Real s, Real direction) const noexcept {
    const int max_steps = 512;
    for (int step = 0; step < max_steps && travel > Real(0); ++step) {
      const Real y = direction * hysteresis(state) / s;
      const Real direction_of_z = y > Real(1) ? Real(-1) : Real(1);  // above s(v) the bristle relaxes
      Real stiffness{};
      Real deflection_to_slip = Real(infinity);  // change of z up to the next slip
      for (std::size_t i = 0; i < states_in_use(); ++i) {
        const Real margin = params_.limit[i] - direction_of_z * direction * state.force[i];
        if (margin > Real(0)) {
          stiffness += params_.stiffness[i];
          const Real reach = margin / params_.stiffness[i];
          deflection_to_slip = reach < deflection_to_slip ? reach : deflection_to_slip;
        }
      }
      if (stiffness == Real(0)) {
        return state;
      }
      const Real slip = y + direction_of_z * stiffness * deflection_to_slip / s;
      const Real total_tau = stiffness * travel / s;
      const Real tau = closed(y) || total_tau < max_tau(y) ? total_tau : max_tau(y);
      const Real next = y_after(y, tau);
      const bool slips = direction_of_z * (Real(1) - slip) > Real(0) && !(direction_of_z * (slip - next) > Real(0));
      travel = slips ? travel - tau_between(y, slip) * s / stiffness
                     : (total_tau > tau ? travel - tau * s / stiffness : Real(0));
      state = deflected(state, direction * (slips ? direction_of_z * deflection_to_slip : (next - y) * s / stiffness));
      // A slipping element is exactly at its limit, so that it is not found again.
      for (std::size_t i = 0; slips && i < states_in_use(); ++i) {
        const Real edge = direction_of_z * direction * params_.limit[i];
        const Real gap = direction_of_z * direction * (edge - state.force[i]);
        const Real rounding = Real(64) * Real(std::numeric_limits<Real>::epsilon()) * params_.limit[i];
        state.force[i] = gap < rounding ? edge : state.force[i];
      }
    }
    return travel > Real(0) ? deflected(state, direction * implicit_deflection(state, travel, s, direction)) : state;
  }

  /// Whether q = 1 − y follows dq/dτ = −n q (1 − (n−1) q/2): for n = 1, for n = 2 and y ≥ 0, and always near y = 1.
  bool closed(Real y) const noexcept {
    using std::abs;
    const Real n = params_.exponent;
    return n == Real(1) || (n == Real(2) && y >= Real(0)) || abs(n * (Real(1) - y)) < Real(0.02);
  }
  /// Step limit of Runge-Kutta: 1/16 of the τ over which 1 − sgn(y)|y|ⁿ changes; finer where it has a kink at y = 0.
  Real max_tau(Real y) const noexcept {
    using std::abs;
    const Real steepness = params_.exponent * power(Real(abs(y)), Real(params_.exponent - Real(1)));
    const Real share = params_.exponent > Real(2) ? Real(1.0 / 16) : Real(1.0 / 64);
    return share / (steepness > Real(1) ? steepness : Real(1));
  }
  Real y_after(Real y, Real tau) const noexcept {
    if (closed(y)) {
      // q = q₀ E/(1 − (n−1)/2 q₀ (1 − E)),   E = e^(−n τ)
      const Real q = Real(1) - y;
      const Real fade = decay(Real(params_.exponent * tau));
      const Real half_curvature = (params_.exponent - Real(1)) / Real(2) * q;
      return y + q * fade * (Real(1) - half_curvature) / (Real(1) - half_curvature * fade);
    }
    const Real k1 = deflecting_share(y);
    const Real k2 = deflecting_share(y + tau / Real(2) * k1);
    const Real k3 = deflecting_share(y + tau / Real(2) * k2);
    const Real k4 = deflecting_share(y + tau * k3);
    return y + tau / Real(6) * (k1 + Real(2) * (k2 + k3) + k4);
  }
  /// τ from y to another value of y within one step.
  Real tau_between(Real y, Real other) const noexcept {
    using std::log;
    if (closed(y)) {
      const Real q0 = Real(1) - y;
      const Real q1 = Real(1) - other;
      const Real half_curvature = (params_.exponent - Real(1)) / Real(2);
      return log(q0 * (Real(1) - half_curvature * q1) / (q1 * (Real(1) - half_curvature * q0))) / params_.exponent;
    }
    // ∫ dy/(1 − sgn(y)|y|ⁿ) by Simpson's rule
    const auto slowness = [&](Real at) { return Real(1) / deflecting_share(at); };
    return (other - y) / Real(6) * (slowness(y) + Real(4) * slowness(Real((y + other) / Real(2))) + slowness(other));
  }

  /// The root of  d = way (1 − φ(F_h(d)/s))  between 0 and the explicit step: F_h increases with d.
  Real implicit_deflection(const State& state, Real travel, Real s, Real direction) const noexcept {
    const auto residual = [&](Real d) {
      return d - travel * deflecting_share(direction * hysteresis(deflected(state, direction * d)) / s);
    };
    const Real explicit_step = travel * deflecting_share(direction * hysteresis(state) / s);
    if (!(explicit_step != Real(0))) {
      return Real(0);
    }
    return root_in(Bracket<Real>{Real(0), -explicit_step, explicit_step, residual(explicit_step)}, Real(0), residual);
  }
};

using Leuven = BasicLeuven<double>;
static_assert(Model<Leuven>);
STICTION_REGISTERED(Leuven);

}  // namespace stiction::scalar
