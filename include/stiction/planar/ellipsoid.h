// The ellipsoid that is closest to a limit surface, and what is lost with it. It answers in closed form what slip.h
// finds by search.
#pragma once

#include <array>

#include "stiction/planar/slip.h"

namespace stiction::planar {

/// wᵀ B⁻¹ w = 1 for μ f_N = 1. Wrenches and twists at the centre of pressure.
struct LimitEllipsoid {
  std::array<double, 3> diagonal{1, 1, 1};    // B: xx [-], yy [-], ττ [m²]; squares of the largest forces and torque
  double xy = 0, x_torque = 0, y_torque = 0;  // 0: the axes of the ellipsoid are those of the plane

  /// The paper's: semi-axes 1, 1 and r > 0   (eq. 22)
  static LimitEllipsoid of_radius(double torque_radius) noexcept {
    return {{1, 1, torque_radius * torque_radius}, 0, 0, 0};
  }

  // NaN shows in all that these give; `slip` is then not proven, as with a load that is not finite.

  /// Friction on a body that moves so, for μ f_N = 1: −B v/√(vᵀ B v). None for no motion.
  [[nodiscard]] Wrench wrench(const Twist& twist) const noexcept;
  /// As `planar::slip`, but for the scale of the twist: load·twist = factor.
  [[nodiscard]] Slip slip(const Wrench& load, double friction) const noexcept;
  /// The motion of a body whose point at `arm` from the centre of pressure is taken along with this velocity.
  [[nodiscard]] Twist pushed(const Point& arm, const Vector& velocity) const noexcept;
};

/// How far an ellipsoid is from the surface of a patch, over directions of motion with equal areas of the sphere of
/// (v_x, v_y, r ω).
struct EllipsoidError {
  // The wrench of the same motion, (f_x, f_y, τ/r), in shares of μ f_N
  double wrench_rms = 0, wrench_largest = 0;
  // The load that makes it slip, relative
  double load_rms = 0, load_largest = 0;
};
/// Throws InvalidParameter for a patch that touches in one point, whose surface is flat, and unless `directions` is in
/// [6, 1e6].
[[nodiscard]] EllipsoidError error_of(const LimitEllipsoid& ellipsoid, const Patch& patch, int directions = 2000);

enum class Axes { of_the_plane, free };
/// The ellipsoid with the least `wrench_rms`. Free axes can follow a patch that is not symmetric. Throws as above.
[[nodiscard]] LimitEllipsoid fitted_ellipsoid(const Patch& patch, Axes axes = Axes::free, int directions = 2000);

}  // namespace stiction::planar
