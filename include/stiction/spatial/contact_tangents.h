// The two tangents of a contact along which its friction is resolved.
#pragma once

#include <cmath>

#include "stiction/spatial/static_friction.h"
#include "stiction/vector.h"

namespace stiction::spatial {

struct ContactTangents {
  Vector3 u, v;  // unit, perpendicular; u × v = N
};

/// u is the contact's own u, projected onto the tangent plane; if it has none, x of the frame, or y if the normal is
/// close to x.
inline ContactTangents contact_tangents(const Contact& contact) noexcept {
  const Vector3& n = contact.normal;
  const auto perpendicular = [&](const Vector3& a) { return difference(a, scaled(dot(a, n), n)); };
  Vector3 u = perpendicular(contact.u);
  if (!(dot(u, u) > 1e-12 * dot(contact.u, contact.u))) {
    u = perpendicular(std::abs(n[0]) < 0.6 ? Vector3{1, 0, 0} : Vector3{0, 1, 0});
  }
  u = scaled(1 / std::sqrt(dot(u, u)), u);
  return {u, cross(n, u)};
}

/// The wrench (T, r × T) of a unit force along a tangent: one column of W.
inline Vector6 friction_column(const Contact& contact, const Vector3& tangent) noexcept {
  const Vector3 torque = cross(contact.arm, tangent);
  return {tangent[0], tangent[1], tangent[2], torque[0], torque[1], torque[2]};
}

}  // namespace stiction::spatial
