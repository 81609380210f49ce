// The signed distance to a mesh by looking at every triangle: slow, and shares no code with the library.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

#include "stiction/geometry/mesh.h"
#include "support/random.h"

namespace stiction::test {

using geometry::Mesh;

/// From a point to a segment, in long double.
inline long double to_segment(const Vector3& p, const Vector3& a, const Vector3& b) {
  long double along = 0, length = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    along += (static_cast<long double>(p[i]) - a[i]) * (static_cast<long double>(b[i]) - a[i]);
    length += (static_cast<long double>(b[i]) - a[i]) * (static_cast<long double>(b[i]) - a[i]);
  }
  const long double t = length > 0 ? std::clamp(along / length, 0.0L, 1.0L) : 0.0L;
  long double square = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const long double d = a[i] + t * (static_cast<long double>(b[i]) - a[i]) - p[i];
    square += d * d;
  }
  return std::sqrt(square);
}

/// The height above the triangle's plane where the foot lies in it, else the nearest side.
inline double to_triangle(const Vector3& p, const std::array<Vector3, 3>& c) {
  const Vector3 n = cross(difference(c[1], c[0]), difference(c[2], c[0]));
  const double length = std::sqrt(dot(n, n));
  bool above = length > 0;
  long double sides = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < 3; ++k) {
    const Vector3& a = c[k];
    const Vector3& b = c[(k + 1) % 3];
    above = above && dot(cross(difference(b, a), difference(p, a)), n) >= 0;
    sides = std::min(sides, to_segment(p, a, b));
  }
  return above ? std::abs(dot(difference(p, c[0]), n)) / length : static_cast<double>(sides);
}

/// Negative where the mesh winds around the point: the sum of the solid angles of its triangles (Van Oosterom,
/// Strackee).
inline double exact_distance(const Mesh& mesh, const Vector3& p) {
  double least = std::numeric_limits<double>::infinity();
  double solid_angle = 0;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const auto c = mesh.corners(t);
    least = std::min(least, to_triangle(p, c));
    const Vector3 a = difference(c[0], p), b = difference(c[1], p), d = difference(c[2], p);
    const double la = std::sqrt(dot(a, a)), lb = std::sqrt(dot(b, b)), ld = std::sqrt(dot(d, d));
    solid_angle += 2 * std::atan2(dot(a, cross(b, d)), la * lb * ld + dot(a, b) * ld + dot(b, d) * la + dot(d, a) * lb);
  }
  return solid_angle > 2 * std::numbers::pi ? -least : least;
}

inline Vector3 random_point(Random& random, const geometry::Box& box, double margin) {
  Vector3 p{};
  for (std::size_t i = 0; i < 3; ++i) {
    p[i] = random.between(box.low[i] - margin, box.high[i] + margin);
  }
  return p;
}

}  // namespace stiction::test
