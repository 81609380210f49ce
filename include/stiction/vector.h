// Small vectors and matrices: std::array and the few functions that all layers share.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

namespace stiction {

template <class Real, std::size_t N>
using Vector = std::array<Real, N>;
template <class Real, std::size_t N>
using Matrix = std::array<Vector<Real, N>, N>;  // by rows

using Vector3 = Vector<double, 3>;
using Vector6 = Vector<double, 6>;  // (force, torque) or (translation, rotation)
using Matrix3 = Matrix<double, 3>;
using Matrix6 = Matrix<double, 6>;

template <class Real, std::size_t N>
constexpr Vector<Real, N> sum(const Vector<Real, N>& a, const Vector<Real, N>& b) noexcept {
  Vector<Real, N> c{};
  for (std::size_t i = 0; i < N; ++i) {
    c[i] = a[i] + b[i];
  }
  return c;
}

template <class Real, std::size_t N>
constexpr Vector<Real, N> difference(const Vector<Real, N>& a, const Vector<Real, N>& b) noexcept {
  Vector<Real, N> c{};
  for (std::size_t i = 0; i < N; ++i) {
    c[i] = a[i] - b[i];
  }
  return c;
}

template <class Real, std::size_t N>
constexpr Vector<Real, N> scaled(const Real& factor, const Vector<Real, N>& a) noexcept {
  Vector<Real, N> c{};
  for (std::size_t i = 0; i < N; ++i) {
    c[i] = factor * a[i];
  }
  return c;
}

template <class Real, std::size_t N>
constexpr Vector<Real, N> negative(const Vector<Real, N>& a) noexcept {
  return scaled(Real(-1), a);
}

template <class Real, std::size_t N>
constexpr Real dot(const Vector<Real, N>& a, const Vector<Real, N>& b) noexcept {
  Real c{};
  for (std::size_t i = 0; i < N; ++i) {
    c += a[i] * b[i];
  }
  return c;
}

template <class Real>
constexpr Vector<Real, 3> cross(const Vector<Real, 3>& a, const Vector<Real, 3>& b) noexcept {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// |a| over the full range of the number type: where squares would overflow or underflow, a is scaled first.
template <class Real, std::size_t N>
Real norm(const Vector<Real, N>& a) noexcept {
  using std::abs;
  using std::sqrt;
  const Real squared = dot(a, a);
  // A sum of squares in this range is not affected by underflow. NaN takes this branch too.
  constexpr Real low = std::numeric_limits<Real>::min() / std::numeric_limits<Real>::epsilon();
  if (!(squared < low) && !(squared > std::numeric_limits<Real>::max())) {
    return sqrt(squared);
  }
  Real largest{};
  for (const Real& x : a) {
    largest = abs(x) > largest ? abs(x) : largest;
  }
  if (largest == Real(0) || largest > std::numeric_limits<Real>::max()) {
    return largest;
  }
  Real scaled_square{};
  for (const Real& x : a) {
    scaled_square += (x / largest) * (x / largest);
  }
  return largest * sqrt(scaled_square);
}

template <class Real, std::size_t N>
constexpr Vector<Real, N> times(const Matrix<Real, N>& a, const Vector<Real, N>& x) noexcept {
  Vector<Real, N> result{};
  for (std::size_t i = 0; i < N; ++i) {
    result[i] = dot(a[i], x);
  }
  return result;
}

template <class Real, std::size_t N>
constexpr Matrix<Real, N> times(const Matrix<Real, N>& a, const Matrix<Real, N>& b) noexcept {
  Matrix<Real, N> result{};
  for (std::size_t i = 0; i < N; ++i) {
    for (std::size_t k = 0; k < N; ++k) {
      for (std::size_t j = 0; j < N; ++j) {
        result[i][j] += a[i][k] * b[k][j];
      }
    }
  }
  return result;
}

template <class Real, std::size_t N>
constexpr Matrix<Real, N> transposed(const Matrix<Real, N>& a) noexcept {
  Matrix<Real, N> result{};
  for (std::size_t i = 0; i < N; ++i) {
    for (std::size_t j = 0; j < N; ++j) {
      result[i][j] = a[j][i];
    }
  }
  return result;
}

/// The x with a x = b, by elimination with row pivoting; false if there is none, or it is not finite.
template <class Real, std::size_t N>
bool solve(Matrix<Real, N> a, Vector<Real, N> b, Vector<Real, N>& x) noexcept {
  using std::abs;
  using std::isfinite;
  for (std::size_t j = 0; j < N; ++j) {
    std::size_t pivot = j;
    for (std::size_t i = j + 1; i < N; ++i) {
      if (abs(a[i][j]) > abs(a[pivot][j])) {
        pivot = i;
      }
    }
    if (!(abs(a[pivot][j]) > 0)) {
      return false;
    }
    std::swap(a[j], a[pivot]);
    std::swap(b[j], b[pivot]);
    for (std::size_t i = j + 1; i < N; ++i) {
      const Real factor = a[i][j] / a[j][j];
      for (std::size_t k = j; k < N; ++k) {
        a[i][k] -= factor * a[j][k];
      }
      b[i] -= factor * b[j];
    }
  }
  for (std::size_t i = N; i-- > 0;) {
    x[i] = b[i];
    for (std::size_t k = i + 1; k < N; ++k) {
      x[i] -= a[i][k] * x[k];
    }
    x[i] /= a[i][i];
    if (!isfinite(x[i])) {
      return false;
    }
  }
  return true;
}

}  // namespace stiction
