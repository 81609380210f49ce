// Small square matrices whose size is known at run time, without the heap. For a fixed size see vector.h.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

#include "stiction/math.h"
#include "stiction/vector.h"

namespace stiction {

template <class Real, std::size_t Capacity>
struct SmallMatrix {
  Matrix<Real, Capacity> at{};
  std::size_t size = 0;

  using Vector = stiction::Vector<Real, Capacity>;

  static SmallMatrix identity(std::size_t n) noexcept {
    SmallMatrix result;
    result.size = n;
    for (std::size_t i = 0; i < n; ++i) {
      result.at[i][i] = Real(1);
    }
    return result;
  }

  /// this·factor + other·share
  SmallMatrix mixed(Real factor, const SmallMatrix& other, Real share) const noexcept {
    SmallMatrix result = *this;
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t j = 0; j < size; ++j) {
        result.at[i][j] = factor * at[i][j] + share * other.at[i][j];
      }
    }
    return result;
  }

  SmallMatrix times(const SmallMatrix& other) const noexcept {
    SmallMatrix result;
    result.size = size;
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t j = 0; j < size; ++j) {
        for (std::size_t k = 0; k < size; ++k) {
          result.at[i][j] += at[i][k] * other.at[k][j];
        }
      }
    }
    return result;
  }

  Vector times(const Vector& x) const noexcept {
    Vector result{};
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t j = 0; j < size; ++j) {
        result[i] += at[i][j] * x[j];
      }
    }
    return result;
  }

  /// The largest row sum of magnitudes.
  Real norm() const noexcept {
    using std::abs;
    Real largest{};
    for (std::size_t i = 0; i < size; ++i) {
      Real sum{};
      for (std::size_t j = 0; j < size; ++j) {
        sum += abs(at[i][j]);
      }
      largest = sum > largest ? sum : largest;
    }
    return largest;
  }

  /// x with this·x = b, by elimination with row pivoting. A singular matrix gives values that are not finite.
  Vector solved(Vector b) const noexcept {
    using std::abs;
    auto m = at;
    for (std::size_t k = 0; k < size; ++k) {
      std::size_t pivot = k;
      for (std::size_t i = k + 1; i < size; ++i) {
        pivot = abs(m[i][k]) > abs(m[pivot][k]) ? i : pivot;
      }
      std::swap(m[k], m[pivot]);
      std::swap(b[k], b[pivot]);
      for (std::size_t i = k + 1; i < size; ++i) {
        const Real factor = m[i][k] / m[k][k];
        for (std::size_t j = k; j < size; ++j) {
          m[i][j] -= factor * m[k][j];
        }
        b[i] -= factor * b[k];
      }
    }
    for (std::size_t i = size; i-- > 0;) {
      for (std::size_t j = i + 1; j < size; ++j) {
        b[i] -= m[i][j] * b[j];
      }
      b[i] = b[i] / m[i][i];
    }
    return b;
  }

  /// e^this by scaling and squaring of a Taylor series; at most 40 squarings.
  SmallMatrix exponential() const noexcept {
    int halvings = 0;
    Real scale{1};
    for (Real scaled_norm = norm(); scaled_norm > Real(0.25) && halvings < 40; ++halvings) {
      scaled_norm = scaled_norm / Real(2);
      scale = scale / Real(2);
    }
    const SmallMatrix part = mixed(scale, *this, Real(0));
    SmallMatrix result = identity(size);
    for (int term = 12; term >= 1; --term) {  // I + M (I + M/2 (I + M/3 (…)))
      result = identity(size).mixed(Real(1), part.times(result), Real(1) / Real(term));
    }
    for (int i = 0; i < halvings; ++i) {
      result = result.times(result);
    }
    return result;
  }
};

}  // namespace stiction
