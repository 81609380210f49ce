// Shared by the models made of parallel Maxwell-slip elements: springs that slip one after the other.
#pragma once

#include <array>
#include <cstddef>
#include <limits>

#include "stiction/scalar/coupled.h"
#include "stiction/scalar/stribeck.h"

namespace stiction::scalar {

inline constexpr std::size_t max_elements = 16;
inline constexpr const char* element_count = "1 to 16 numbers";
inline constexpr std::array<const char*, max_elements> element_force_names{
    "force_1", "force_2",  "force_3",  "force_4",  "force_5",  "force_6",  "force_7",  "force_8",
    "force_9", "force_10", "force_11", "force_12", "force_13", "force_14", "force_15", "force_16"};

template <class Real>
using Elements = List<Real, max_elements>;

template <class Real>
Real sum_of(const Elements<Real>& list) noexcept {
  Real sum{};
  for (const Real& value : list) {
    sum += value;
  }
  return sum;
}

/// Relative tolerance on a sum of numbers typed in by a user.
template <class Real>
Real sum_tolerance() noexcept {
  return Real(1e-9) + Real(max_elements) * Real(std::numeric_limits<Real>::epsilon());
}

/// `Model` has a `State` with the forces Fᵢ of its elements, `force[i]`, and offers `Real reach(i)`: the distance after
/// which element i slips [m].
template <class Self, class Params, class Real>
struct MaxwellModel : ImplicitModel<Self, Params, Real> {
  static constexpr std::size_t order = max_elements;
  static constexpr std::array<const char*, order> state_names = element_force_names;

  StribeckCurve<Real> curve;  // s(v)

  /// For parameters that `check` has passed.
  explicit MaxwellModel(const Params& p) noexcept
      : ImplicitModel<Self, Params, Real>(p),
        curve{p.coulomb_force, p.static_force, p.stribeck_velocity, p.stribeck_exponent} {}

  std::size_t states_in_use() const noexcept { return this->params_.stiffness.size; }
  template <class M = Self>
  static constexpr std::array<Real, order> pack(const typename M::State& state) noexcept {
    return state.force;
  }

  Real root_resolution(const auto&, Real dt) const noexcept {
    Real shortest = this->params_.stribeck_velocity * dt;
    for (std::size_t i = 0; i < states_in_use(); ++i) {
      const Real reach = this->self().reach(i);
      shortest = reach < shortest ? reach : shortest;
    }
    return shortest / dt / Real(256);  // dt > 0: for dt = 0 nothing is solved
  }
  Real velocity_scale() const noexcept { return this->params_.stribeck_velocity; }

  /// Elastic energy S = Σ Fᵢ²/(2 kᵢ) [J].
  template <class M = Self>
  Real energy(const typename M::State& state) const noexcept {
    Real sum{};
    for (std::size_t i = 0; i < states_in_use(); ++i) {
      sum += state.force[i] * state.force[i] / (Real(2) * this->params_.stiffness[i]);
    }
    return sum;
  }
  /// F v − dS/dt [W], with dS/dt = Σ Fᵢ (dFᵢ/dt)/kᵢ. Never negative in gms with a constant s(v); otherwise
  /// not proven.
  template <class M = Self>
  Real dissipated_power(const typename M::State& state, Real velocity) const noexcept {
    const auto rate = this->self().rate(state, velocity);
    Real stored{};
    for (std::size_t i = 0; i < states_in_use(); ++i) {
      stored += state.force[i] * rate.force[i] / this->params_.stiffness[i];
    }
    return this->self().force(state, velocity) * velocity - stored;
  }
  /// Friction after sliding at this velocity for long, s(v) sgn(v) + F_v v.
  Real steady_force(Real velocity) const noexcept {
    return sgn(velocity) * curve(velocity) + this->params_.viscous * velocity;
  }
};

}  // namespace stiction::scalar
