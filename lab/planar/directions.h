// Directions of loads and motions, evenly over the sphere.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace stiction::lab {

/// The k-th of n directions of (f_x, f_y, τ/r) or (v_x, v_y, r ω): points of a spiral with equal areas around them.
inline std::array<double, 3> direction(int k, int n) {
  const double z = 2 * (k + 0.5) / n - 1;
  const double angle = k * std::numbers::pi * (3 - std::sqrt(5.0));
  const double across = std::sqrt(1 - z * z);
  return {across * std::cos(angle), across * std::sin(angle), z};
}

/// The largest difference between two surfaces in any component, over n directions of motion.
template <class A, class B>
double largest_difference(const A& a, const B& b, int n) {
  double largest = 0;
  for (int k = 0; k < n; ++k) {
    const auto d = direction(k, n);
    const auto first = a(d);
    const auto second = b(d);
    for (std::size_t i = 0; i < 3; ++i) {
      largest = std::max(largest, std::abs(first[i] - second[i]));
    }
  }
  return largest;
}

}  // namespace stiction::lab
