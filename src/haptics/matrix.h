// Six equations that are not symmetric.
#pragma once

#include <cmath>
#include <cstddef>
#include <utility>

#include "stiction/spatial/static_friction.h"

namespace stiction::haptics {

/// The x with a x = b, by elimination with the largest pivot first; false where there is none, or it is no number.
inline bool solve(spatial::Matrix6 a, spatial::Vector6 b, spatial::Vector6& x) noexcept {
  for (std::size_t j = 0; j < 6; ++j) {
    std::size_t pivot = j;
    for (std::size_t i = j + 1; i < 6; ++i) {
      if (std::abs(a[i][j]) > std::abs(a[pivot][j])) {
        pivot = i;
      }
    }
    if (!(std::abs(a[pivot][j]) > 0)) {
      return false;
    }
    std::swap(a[j], a[pivot]);
    std::swap(b[j], b[pivot]);
    for (std::size_t i = j + 1; i < 6; ++i) {
      const double factor = a[i][j] / a[j][j];
      for (std::size_t k = j; k < 6; ++k) {
        a[i][k] -= factor * a[j][k];
      }
      b[i] -= factor * b[j];
    }
  }
  for (std::size_t i = 6; i-- > 0;) {
    x[i] = b[i];
    for (std::size_t k = i + 1; k < 6; ++k) {
      x[i] -= a[i][k] * x[k];
    }
    x[i] /= a[i][i];
    if (!std::isfinite(x[i])) {
      return false;
    }
  }
  return true;
}

/// Whether −(a + aᵀ) is positive: the springs pull back from every motion.
inline bool pulls_back(const spatial::Matrix6& a) noexcept {
  spatial::Matrix6 l{};
  for (std::size_t j = 0; j < 6; ++j) {
    for (std::size_t i = j; i < 6; ++i) {
      double s = -0.5 * (a[i][j] + a[j][i]);
      for (std::size_t k = 0; k < j; ++k) {
        s -= l[i][k] * l[j][k];
      }
      if (i == j && !(s > 0)) {
        return false;
      }
      l[i][j] = i == j ? std::sqrt(s) : s / l[j][j];
    }
  }
  return true;
}

}  // namespace stiction::haptics
