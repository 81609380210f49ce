// Position and orientation of a rigid body.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "stiction/vector.h"

namespace stiction::haptics {

inline constexpr Matrix3 identity_rotation{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

/// A point p of the body is at `position` + `rotation` p.
struct Pose {
  Vector3 position{};  // [m]
  Matrix3 rotation = identity_rotation;
  friend bool operator==(const Pose&, const Pose&) = default;
};

inline Vector3 rotate(const Matrix3& r, const Vector3& a) noexcept {
  return {dot(r[0], a), dot(r[1], a), dot(r[2], a)};
}
inline Vector3 rotate_back(const Matrix3& r, const Vector3& a) noexcept {  // Rᵀ a
  return {r[0][0] * a[0] + r[1][0] * a[1] + r[2][0] * a[2], r[0][1] * a[0] + r[1][1] * a[1] + r[2][1] * a[2],
          r[0][2] * a[0] + r[1][2] * a[1] + r[2][2] * a[2]};
}
inline Matrix3 product(const Matrix3& a, const Matrix3& b) noexcept {
  return {rotate_back(b, a[0]), rotate_back(b, a[1]), rotate_back(b, a[2])};
}
/// [a]×, with [a]× b = a × b.
inline Matrix3 cross_matrix(const Vector3& a) noexcept {
  return {{{0, -a[2], a[1]}, {a[2], 0, -a[0]}, {-a[1], a[0], 0}}};
}

inline Vector3 to_world(const Pose& pose, const Vector3& p) noexcept {
  return sum(pose.position, rotate(pose.rotation, p));
}
/// In the frame of the body: Rᵀ (p − x).
inline Vector3 to_body(const Pose& pose, const Vector3& p) noexcept {
  return rotate_back(pose.rotation, difference(p, pose.position));
}
inline Pose inverse(const Pose& pose) noexcept {
  return {negative(rotate_back(pose.rotation, pose.position)), transposed(pose.rotation)};
}

inline constexpr double max_coordinate = 1e9;  // of a pose [m]: derived quantities stay far from overflow

/// Whether this is a valid pose: coordinates within ±1e9 m, and a proper rotation (determinant > 0) whose rows are
/// orthonormal to the tolerance (absolute, on their inner products). False for NaN.
inline bool is_pose(const Pose& pose, double tolerance = 1e-3) noexcept {
  bool good = true;
  for (std::size_t i = 0; i < 3; ++i) {
    good = good && std::abs(pose.position[i]) <= max_coordinate;
    for (std::size_t j = i; j < 3; ++j) {
      const double product = dot(pose.rotation[i], pose.rotation[j]);
      good = good && std::abs(product - (i == j ? 1 : 0)) < tolerance;
    }
  }
  return good && dot(pose.rotation[0], cross(pose.rotation[1], pose.rotation[2])) > 0;
}

/// A rotation as a unit quaternion.
struct Quaternion {
  double w = 1, x = 0, y = 0, z = 0;
};

inline Matrix3 rotation_of(const Quaternion& q) noexcept {
  const auto [w, x, y, z] = q;
  return {{{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
           {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
           {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}}};
}

/// With w ≥ 0. The largest of the four is computed from the diagonal, the others from it: accurate for every rotation.
inline Quaternion quaternion_of(const Matrix3& r) noexcept {
  const double trace = r[0][0] + r[1][1] + r[2][2];
  const std::array<double, 4> fourfold{1 + trace, 1 + 2 * r[0][0] - trace, 1 + 2 * r[1][1] - trace,
                                       1 + 2 * r[2][2] - trace};  // 4 w², 4 x², 4 y², 4 z²
  const auto largest = std::max_element(fourfold.begin(), fourfold.end()) - fourfold.begin();
  Quaternion q;
  if (largest == 0) {
    q = {fourfold[0], r[2][1] - r[1][2], r[0][2] - r[2][0], r[1][0] - r[0][1]};
  } else if (largest == 1) {
    q = {r[2][1] - r[1][2], fourfold[1], r[0][1] + r[1][0], r[0][2] + r[2][0]};
  } else if (largest == 2) {
    q = {r[0][2] - r[2][0], r[0][1] + r[1][0], fourfold[2], r[1][2] + r[2][1]};
  } else {
    q = {r[1][0] - r[0][1], r[0][2] + r[2][0], r[1][2] + r[2][1], fourfold[3]};
  }
  const double size = std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
  const double scale = (q.w < 0 ? -1 : 1) / size;
  return {scale * q.w, scale * q.x, scale * q.y, scale * q.z};
}

/// exp([w]×): the rotation about w by |w| [rad].
inline Matrix3 rotation_by(const Vector3& w) noexcept {
  const double angle = norm(w);
  const double half = 0.5 * angle;
  const double s = angle > 1e-8 ? std::sin(half) / angle : 0.5;
  return rotation_of({std::cos(half), s * w[0], s * w[1], s * w[2]});
}

/// The w with exp([w]×) = r and |w| ≤ π.
inline Vector3 rotation_vector(const Matrix3& r) noexcept {
  const Quaternion q = quaternion_of(r);
  const Vector3 v{q.x, q.y, q.z};
  const double size = norm(v);
  // sin(θ/2) = |v|, cos(θ/2) = w
  return scaled(size > 1e-8 ? 2 * std::atan2(size, q.w) / size : 2.0, v);
}

/// The pose after a translation Δx and a rotation Δω about the point `centre` of the body. A motion of exactly 0 leaves
/// the pose bitwise unchanged.
inline Pose moved(const Pose& pose, const Vector3& centre, const Vector3& translation,
                  const Vector3& rotation) noexcept {
  if (rotation == Vector3{}) {
    return {sum(pose.position, translation), pose.rotation};
  }
  const Vector3 at = sum(to_world(pose, centre), translation);
  // Rounding would accumulate over many steps: via the quaternion the rows stay orthonormal
  const Matrix3 after = rotation_of(quaternion_of(product(rotation_by(rotation), pose.rotation)));
  return {difference(at, rotate(after, centre)), after};
}

}  // namespace stiction::haptics
