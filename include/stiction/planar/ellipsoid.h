// The ellipsoid closest to a limit surface, and its approximation error. It gives in closed form what slip.h computes
// iteratively.
#pragma once

#include <array>

#include "stiction/export.h"
#include "stiction/planar/slip.h"

namespace stiction::planar {

/// wᵀ B⁻¹ w = 1 for μ f_N = 1. Wrenches and twists at the centre of pressure.
struct STICTION_EXPORT LimitEllipsoid {
  std::array<double, 3> diagonal{1, 1, 1};    // B: xx [-], yy [-], ττ [m²]; squares of the largest forces and torque
  double xy = 0, x_torque = 0, y_torque = 0;  // 0: the axes of the ellipsoid are those of the plane

  /// The paper's: semi-axes 1, 1 and r > 0   (eq. 22)
  static LimitEllipsoid of_radius(double torque_radius) noexcept {
    return {{1, 1, torque_radius * torque_radius}, 0, 0, 0};
  }

  // NaN propagates to all results; `slip` is then not proven, nor for a load that is not finite.

  /// Friction on a body with this twist, for μ f_N = 1: −B v/√(vᵀ B v). Zero without motion.
  [[nodiscard]] Wrench wrench(const Twist& twist) const noexcept;
  /// As `planar::slip`, except for the scale of the twist: load·twist = factor.
  [[nodiscard]] Slip slip(const Wrench& load, double friction) const noexcept;
  /// The motion of a body whose point at `arm` from the centre of pressure is moved with this velocity.
  [[nodiscard]] Twist pushed(const Point& arm, const Vector& velocity) const noexcept;
};

/// Error of an ellipsoid relative to the limit surface of a patch, over directions of motion that are evenly
/// distributed on the sphere of (v_x, v_y, r ω).
struct EllipsoidError {
  // Wrench for the same motion, (f_x, f_y, τ/r), as a fraction of μ f_N
  double wrench_rms = 0, wrench_largest = 0;
  // Load at which slip starts, relative
  double load_rms = 0, load_largest = 0;
};
/// Throws InvalidParameter for a single-point patch, whose limit surface is flat, and unless `directions` is in
/// [6, 1e6].
[[nodiscard]] STICTION_EXPORT EllipsoidError error_of(const LimitEllipsoid& ellipsoid, const Patch& patch,
                                                      int directions = 2000);

enum class Axes { of_the_plane, free };
/// The ellipsoid with the smallest `wrench_rms`. Free axes can fit an asymmetric patch. Throws as above.
[[nodiscard]] STICTION_EXPORT LimitEllipsoid fitted_ellipsoid(const Patch& patch, Axes axes = Axes::free,
                                                              int directions = 2000);

}  // namespace stiction::planar
