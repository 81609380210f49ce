// Points, rays and one triangle.
#pragma once

#include <array>
#include <limits>

#include "stiction/geometry/mesh.h"

namespace stiction::geometry {

/// The point of a triangle that is closest to p. The triangle may be degenerate.
inline Vector3 closest_point(const Vector3& p, const std::array<Vector3, 3>& corners) noexcept {
  const auto& [a, b, c] = corners;
  const Vector3 ab = difference(b, a);
  const Vector3 ac = difference(c, a);
  // Minimise |a + s ab + t ac − p|² over s, t ≥ 0, s + t ≤ 1.
  const double m11 = dot(ab, ab);
  const double m12 = dot(ab, ac);
  const double m22 = dot(ac, ac);
  const Vector3 ap = difference(p, a);
  const double r1 = dot(ab, ap);
  const double r2 = dot(ac, ap);
  const double det = m11 * m22 - m12 * m12;
  const double s = m22 * r1 - m12 * r2;
  const double t = m11 * r2 - m12 * r1;
  const bool thin = !(det > 1e-10 * m11 * m22);  // rounding dominates: check all sides
  const bool beyond_ab = thin || t < 0;
  const bool beyond_ac = thin || s < 0;
  const bool beyond_bc = thin || s + t > det;
  if (!beyond_ab && !beyond_ac && !beyond_bc) {
    return sum(a, sum(scaled(s / det, ab), scaled(t / det, ac)));
  }
  // Else it is on one of the sides that p is beyond: the closest of them.
  Vector3 best{};
  double min_square = std::numeric_limits<double>::infinity();
  const auto try_side = [&](const Vector3& from, const Vector3& along, double square, double along_p) {
    const double x = along_p <= 0 ? 0 : along_p >= square ? 1 : along_p / square;
    const Vector3 q = sum(from, scaled(x, along));
    const Vector3 d = difference(q, p);
    if (const double distance = dot(d, d); distance < min_square) {
      min_square = distance;
      best = q;
    }
  };
  if (beyond_ab) {
    try_side(a, ab, m11, r1);
  }
  if (beyond_ac) {
    try_side(a, ac, m22, r2);
  }
  if (beyond_bc) {
    const Vector3 bc = difference(c, b);
    try_side(b, bc, dot(bc, bc), dot(bc, difference(p, b)));
  }
  return best;
}

/// A direction in general position.
inline constexpr Vector3 ray_direction{0.5773152, 0.2137481, 0.7880573};

/// Whether the ray from p along `ray_direction` crosses a triangle.
inline bool ray_crosses(const Vector3& p, const std::array<Vector3, 3>& corners) noexcept {
  constexpr Vector3 along = ray_direction;
  const Vector3 a = difference(corners[0], p);
  const Vector3 b = difference(corners[1], p);
  const Vector3 c = difference(corners[2], p);
  const double u = dot(along, cross(b, c));
  const double v = dot(along, cross(c, a));
  const double w = dot(along, cross(a, b));
  const bool through = (u > 0 && v > 0 && w > 0) || (u < 0 && v < 0 && w < 0);
  return through && dot(a, cross(b, c)) * (u + v + w) > 0;
}

}  // namespace stiction::geometry
