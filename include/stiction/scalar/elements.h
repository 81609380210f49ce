// What the models made of parallel elements share: how many there may be, and how their forces are called.
#pragma once

#include <array>
#include <cstddef>
#include <limits>

#include "stiction/problem.h"

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

/// Elastic energy of the springs, S = Σ Fᵢ²/(2 kᵢ) [J].
template <class Real>
Real elastic_energy(const std::array<Real, max_elements>& force, const Elements<Real>& stiffness) noexcept {
  Real sum{};
  for (std::size_t i = 0; i < stiffness.size; ++i) {
    sum += force[i] * force[i] / (Real(2) * stiffness[i]);
  }
  return sum;
}

/// Power that goes into the springs, dS/dt = Σ Fᵢ (dFᵢ/dt)/kᵢ [W].
template <class Real>
Real elastic_power(const std::array<Real, max_elements>& force, const std::array<Real, max_elements>& rate,
                   const Elements<Real>& stiffness) noexcept {
  Real sum{};
  for (std::size_t i = 0; i < stiffness.size; ++i) {
    sum += force[i] * rate[i] / stiffness[i];
  }
  return sum;
}

/// How far a sum that a user has typed in may be off, as a share of it.
template <class Real>
Real sum_tolerance() noexcept {
  return Real(1e-9) + Real(max_elements) * Real(std::numeric_limits<Real>::epsilon());
}

}  // namespace stiction::scalar
