// Random directions, turns and poses for tests.
#pragma once

#include <cmath>
#include <numbers>

#include "stiction/haptics/pose.h"
#include "support/random.h"

namespace stiction::test {

using haptics::Pose;

inline Vector3 random_direction(Random& random) {
  const double z = random.between(-1, 1);
  const double angle = random.between(0, 2 * std::numbers::pi);
  const double r = std::sqrt(1 - z * z);
  return {r * std::cos(angle), r * std::sin(angle), z};
}
inline Vector3 random_vector(Random& random, double most) {
  return scaled(most * std::cbrt(random.unit()), random_direction(random));
}
inline Pose random_pose(Random& random, double farthest, double max_turn = std::numbers::pi) {
  return {random_vector(random, farthest),
          haptics::rotation_by(scaled(random.between(0, max_turn), random_direction(random)))};
}

/// exp([w]×) in long double, from Rodrigues' formula: 1 + sin θ [u]× + (1 − cos θ) [u]×².
inline std::array<std::array<long double, 3>, 3> rodrigues(const Vector3& unit, long double angle) {
  std::array<std::array<long double, 3>, 3> r{};
  const std::array<std::array<long double, 3>, 3> cross{
      {{0, -unit[2], unit[1]}, {unit[2], 0, -unit[0]}, {-unit[1], unit[0], 0}}};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      long double square = 0;
      for (std::size_t k = 0; k < 3; ++k) {
        square += cross[i][k] * cross[k][j];
      }
      r[i][j] = (i == j ? 1 : 0) + std::sin(angle) * cross[i][j] + 2 * std::pow(std::sin(angle / 2), 2.0L) * square;
    }
  }
  return r;
}

inline double largest_difference(const Matrix3& a, const Matrix3& b) {
  double largest = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      largest = std::max(largest, std::abs(a[i][j] - b[i][j]));
    }
  }
  return largest;
}

}  // namespace stiction::test
