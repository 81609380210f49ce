// Dense 6 × 6 linear algebra: the only linear systems that the solver has to factor.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

#include "stiction/spatial/static_friction.h"

namespace stiction::spatial {

/// Entries in the upper triangle of a symmetric matrix, stored row by row.
inline constexpr std::size_t triangle = 21;
inline Matrix6 symmetric(const std::array<double, triangle>& upper) noexcept {
  Matrix6 result{};
  std::size_t k = 0;
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t j = i; j < 6; ++j, ++k) {
      result[i][j] = upper[k];
      result[j][i] = upper[k];
    }
  }
  return result;
}

/// Cholesky factors L Lᵀ of a symmetric positive definite matrix.
class Cholesky {
 public:
  /// False if the matrix is not positive definite. With `raise_pivots`, pivots below 1e-16 of their diagonal entry (of
  /// the trace, if that entry is not positive) are raised to this value, and only NaN or a trace ≤ 0 fails.
  bool factor(const Matrix6& a, bool raise_pivots = false) noexcept {
    double trace = 0;
    for (std::size_t j = 0; j < 6; ++j) {
      trace += a[j][j];
    }
    for (std::size_t j = 0; j < 6; ++j) {
      double d = a[j][j];
      for (std::size_t k = 0; k < j; ++k) {
        d -= l_[j][k] * l_[j][k];
      }
      const double scale = a[j][j] > 0 ? a[j][j] : trace;
      relative_pivot_ = std::min(j > 0 ? relative_pivot_ : 1, d / scale);
      if (const double min_pivot = 1e-16 * scale; raise_pivots && d < min_pivot) {
        d = min_pivot;
      }
      if (!(d > 0)) {
        return false;
      }
      const double root = std::sqrt(d);
      l_[j][j] = root;
      inverse_[j] = 1 / root;
      for (std::size_t i = j + 1; i < 6; ++i) {
        double s = a[i][j];
        for (std::size_t k = 0; k < j; ++k) {
          s -= l_[i][k] * l_[j][k];
        }
        l_[i][j] = s * inverse_[j];
      }
    }
    return true;
  }
  /// Pivots of the matrix: squares of the diagonal entries of L.
  [[nodiscard]] double min_pivot() const noexcept {
    double smallest = l_[0][0];
    for (std::size_t i = 1; i < 6; ++i) {
      smallest = std::min(smallest, l_[i][i]);
    }
    return smallest * smallest;
  }
  [[nodiscard]] double largest_pivot() const noexcept {
    double largest = l_[0][0];
    for (std::size_t i = 1; i < 6; ++i) {
      largest = std::max(largest, l_[i][i]);
    }
    return largest * largest;
  }
  /// The smallest ratio of a pivot to its diagonal entry, before pivots are raised: the loss of digits by cancellation.
  [[nodiscard]] double relative_pivot() const noexcept { return relative_pivot_; }
  [[nodiscard]] Vector6 solve(Vector6 b) const noexcept {
    for (std::size_t i = 0; i < 6; ++i) {
      for (std::size_t k = 0; k < i; ++k) {
        b[i] -= l_[i][k] * b[k];
      }
      b[i] *= inverse_[i];
    }
    for (std::size_t i = 6; i-- > 0;) {
      for (std::size_t k = i + 1; k < 6; ++k) {
        b[i] -= l_[k][i] * b[k];
      }
      b[i] *= inverse_[i];
    }
    return b;
  }

 private:
  Matrix6 l_{};
  Vector6 inverse_{};
  double relative_pivot_ = 1;
};

/// Eigenvalues and eigenvectors (as columns) of a symmetric matrix, by Jacobi rotations.
struct Eigen6 {
  Vector6 values{};
  Matrix6 vectors{};
};
inline Eigen6 eigen(Matrix6 a) noexcept {
  Eigen6 result;
  for (std::size_t i = 0; i < 6; ++i) {
    result.vectors[i][i] = 1;
  }
  constexpr int max_sweeps = 12;
  bool rotated = true;
  for (int sweep = 0; sweep < max_sweeps && rotated; ++sweep) {
    rotated = false;
    for (std::size_t p = 0; p < 6; ++p) {
      for (std::size_t q = p + 1; q < 6; ++q) {
        // Relative to its own diagonal entries, so that small eigenvalues are accurate too
        if (!(std::abs(a[p][q]) > 1e-17 * std::sqrt(std::abs(a[p][p] * a[q][q])))) {
          continue;
        }
        rotated = true;
        const double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
        const double t = std::copysign(1.0, theta) / (std::abs(theta) + std::sqrt(theta * theta + 1));
        const double c = 1 / std::sqrt(t * t + 1);
        const double s = t * c;
        for (std::size_t k = 0; k < 6; ++k) {
          const double akp = a[k][p];
          const double akq = a[k][q];
          a[k][p] = c * akp - s * akq;
          a[k][q] = s * akp + c * akq;
        }
        for (std::size_t k = 0; k < 6; ++k) {
          const double apk = a[p][k];
          const double aqk = a[q][k];
          a[p][k] = c * apk - s * aqk;
          a[q][k] = s * apk + c * aqk;
          const double vkp = result.vectors[k][p];
          const double vkq = result.vectors[k][q];
          result.vectors[k][p] = c * vkp - s * vkq;
          result.vectors[k][q] = s * vkp + c * vkq;
        }
      }
    }
  }
  for (std::size_t i = 0; i < 6; ++i) {
    result.values[i] = a[i][i];
  }
  return result;
}

}  // namespace stiction::spatial
