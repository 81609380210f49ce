// Contact patches of many shapes: the paper's cell masks, and shapes given by their geometry.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "stiction/export.h"
#include "stiction/planar/patch.h"
#include "stiction/problem.h"

namespace stiction::planar {

/// ≥ 0 and finite, of arbitrary scale; functions that call it reject other values.
using Pressure = std::function<double(double x, double y)>;

// All of these throw InvalidParameter.

/// A grid over a box with the mean pressure of each cell, from samples × samples points in it (up to 64 × 64). Cells on
/// an edge of the shape thus get their covered share.
STICTION_EXPORT PressureGrid pressure_grid(const Pressure& pressure, Point low, Point high, std::size_t columns,
                                           std::size_t rows, std::size_t samples = 8);

/// A polygon of one or more closed loops, by the odd-even rule: a point belongs to it if a ray from it crosses an odd
/// number of sides. So loops can be holes or separate pads, and may cross themselves and each other. Each cell gets the
/// exact area covered in it, times the pressure at the centroid of that area. Up to 10000 points and crossings.
STICTION_EXPORT PressureGrid polygon_grid(const std::vector<std::vector<Point>>& loops, std::size_t columns,
                                          std::size_t rows, const Pressure& pressure = {});

// Quadrature rules with few points for smooth shapes -----------------------------------------------------------------

/// A disc with pressure p(ρ/R): Gauss points along the radius, equal angles around it. The rings are rotated relative
/// to each other, so that a centre of rotation never passes many points at once. Up to 1000 rings.
STICTION_EXPORT Points disc_points(double radius, std::size_t rings, std::size_t sectors,
                                   const std::function<double(double share_of_radius)>& pressure = {});

/// A rectangle by Gauss points in both directions, up to 1000 × 1000.
STICTION_EXPORT Points rectangle_points(double width, double height, std::size_t columns, std::size_t rows,
                                        const Pressure& pressure = {});

/// k of a soft finger: below this range nearly all the force is at one point; above it the pressure is uniform to the
/// resolution of a cell.
inline constexpr Range soft_finger_exponents{0.5, 1000, true, true, "in [0.5, 1000]"};

/// The soft finger of eqs. 43 and 44: p ∝ [1 − (ρ/a)^k]^(1/k). The constant 1.144 of eq. 44 cancels. A negative normal
/// force means no contact and counts as 0; NaN propagates.
struct STICTION_EXPORT SoftFinger {
  double reach = 0;           // c in a = c f_N^(1/3) [m/N^(1/3)], in [1e-12, 1e6]
  double exponent = 2;        // k in [0.5, 1000]; or k per newton, > 0, with k clipped to that range
  bool per_newton = false;    // k = exponent·f_N: the shape changes with the load
  double largest = infinity;  // a is clipped to this [m]

  [[nodiscard]] double radius(double normal_force) const noexcept;
  [[nodiscard]] double power(double normal_force) const noexcept;
  /// r and u of the whole finger, in closed form.
  [[nodiscard]] double torque_radius(double normal_force) const noexcept;
  [[nodiscard]] double mean_square_radius(double normal_force) const noexcept;
};
[[nodiscard]] STICTION_EXPORT std::optional<Problem> check(const SoftFinger& finger) noexcept;
[[nodiscard]] STICTION_EXPORT Pressure soft_finger_pressure(double radius, double exponent);

/// The paper's masks: N × N cells over a square of side L, as in the authors' code, including the staircase edges.
namespace paper {
STICTION_EXPORT PressureGrid square(std::size_t n = 21, double side = 0.02);
STICTION_EXPORT PressureGrid circle(std::size_t n = 21, double side = 0.02);
STICTION_EXPORT PressureGrid line(std::size_t n = 21, double side = 0.02);           // vertical, one cell wide
STICTION_EXPORT PressureGrid gradient_line(std::size_t n = 21, double side = 0.02);  // vertical, highest at the top
STICTION_EXPORT PressureGrid gradient_line_x(std::size_t n = 21,
                                             double side = 0.02);                   // horizontal, highest at the left
STICTION_EXPORT PressureGrid non_convex_1(std::size_t n = 21, double side = 0.02);  // two pads
STICTION_EXPORT PressureGrid non_convex_2(std::size_t n = 21, double side = 0.02);  // a T on its side
STICTION_EXPORT PressureGrid soft_finger(double normal_force, double exponent, std::size_t n = 21, double side = 0.02);
}  // namespace paper

}  // namespace stiction::planar
