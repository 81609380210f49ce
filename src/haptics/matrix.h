// Definiteness of a gradient.
#pragma once

#include <cmath>
#include <cstddef>

#include "stiction/vector.h"

namespace stiction::haptics {

/// Whether −(a + aᵀ) is positive definite: the springs are restoring in every direction.
inline bool pulls_back(const Matrix6& a) noexcept {
  Matrix6 l{};
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
