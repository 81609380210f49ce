// Small vectors for contact forces and wrenches: std::array and the few functions that cones need.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

namespace stiction::spatial {

template <class Real, std::size_t N>
using Vector = std::array<Real, N>;

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

}  // namespace stiction::spatial
