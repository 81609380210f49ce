// Contact frames with the normal along z or along x, and the directions of a pyramid's edges in space.
#pragma once

#include "stiction/vector.h"

namespace stiction::spatial {

/// (x, y, normal) to (normal, x, y): a cyclic permutation, so both frames are right-handed.
template <class Real>
constexpr Vector<Real, 3> to_x_normal(const Vector<Real, 3>& f) noexcept {
  return {f[2], f[0], f[1]};
}
/// (normal, x, y) to (x, y, normal).
template <class Real>
constexpr Vector<Real, 3> to_z_normal(const Vector<Real, 3>& f) noexcept {
  return {f[1], f[2], f[0]};
}

/// A right-handed frame: its unit axes, in world coordinates.
template <class Real = double>
struct Frame {
  Vector<Real, 3> x, y, z;

  /// z along a normal of any non-zero length (0 gives NaN). Continuous in the normal except at −z of the world; no rule
  /// is continuous everywhere. With n = (a, b, c) of unit length:
  ///   x = (1 − a²/(1 + c), −ab/(1 + c), −a)      y = (−ab/(1 + c), 1 − b²/(1 + c), −b)
  static Frame z_normal(const Vector<Real, 3>& normal) noexcept {
    const Real length = norm(normal);
    const Vector<Real, 3> n{normal[0] / length, normal[1] / length, normal[2] / length};
    const auto [a, b, c] = n;
    const Real across = norm(Vector<Real, 2>{a, b});
    if (c < Real(0) && across == Real(0)) {
      return {{Real(1), Real(0), Real(0)}, {Real(0), Real(-1), Real(0)}, n};
    }
    // 1/(1 + c) = (1 − c)/(a² + b²), which is accurate near c = −1
    const Real p = c < Real(0) ? a / across : a;
    const Real q = c < Real(0) ? b / across : b;
    const Real k = c < Real(0) ? Real(1) - c : Real(1) / (Real(1) + c);
    return {{Real(1) - p * p * k, -p * q * k, -a}, {-p * q * k, Real(1) - q * q * k, -b}, n};
  }

  /// x along the normal, as in MuJoCo; y and z are x and y of the frame above.
  static Frame x_normal(const Vector<Real, 3>& normal) noexcept {
    const Frame other = z_normal(normal);
    return {other.z, other.x, other.y};
  }

  [[nodiscard]] Vector<Real, 3> to_world(const Vector<Real, 3>& local) const noexcept {
    return sum(sum(scaled(local[0], x), scaled(local[1], y)), scaled(local[2], z));
  }
  [[nodiscard]] Vector<Real, 3> to_local(const Vector<Real, 3>& world) const noexcept {
    return {dot(x, world), dot(y, world), dot(z, world)};
  }
};

/// The scaled basis of a contact: n + μ_1 t_1, n − μ_1 t_1, n + μ_2 t_2, n − μ_2 t_2 in world coordinates, for a frame
/// whose normal is z. Positive combinations of them are the four-sided pyramid.
template <class Real>
constexpr std::array<Vector<Real, 3>, 4> scaled_basis(const Frame<Real>& frame, Real mu_1, Real mu_2) noexcept {
  return {sum(frame.z, scaled(mu_1, frame.x)), sum(frame.z, scaled(-mu_1, frame.x)),
          sum(frame.z, scaled(mu_2, frame.y)), sum(frame.z, scaled(-mu_2, frame.y))};
}

}  // namespace stiction::spatial
