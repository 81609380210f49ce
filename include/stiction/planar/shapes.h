// Contact patches of many shapes: the paper's masks cell by cell, and shapes given by their geometry.
#pragma once

#include <functional>
#include <vector>

#include "stiction/planar/patch.h"
#include "stiction/problem.h"

namespace stiction::planar {

using Pressure = std::function<double(double x, double y)>;  // ≥ 0, up to a factor

/// A grid over a box with the mean pressure of each cell, from samples × samples points in it. Cells on an edge of the
/// shape so get their covered share.
PressureGrid pressure_grid(const Pressure& pressure, Point low, Point high, std::size_t columns, std::size_t rows,
                           std::size_t samples = 8);

/// A polygon of one or more closed loops: points inside an odd number of them belong to it, so loops can be holes or
/// separate pads. Each cell gets exactly the share that it covers, times the pressure in the middle of that share.
PressureGrid polygon_grid(const std::vector<std::vector<Point>>& loops, std::size_t columns, std::size_t rows,
                          const Pressure& pressure = {});

/// Quadrature rules with few points for smooth shapes
/// ------------------------------------------------------------------

/// A disc with pressure p(ρ/R): Gauss points along the radius, equal angles around. The rings are turned against each
/// other, so that a centre of rotation never meets many points at once.
Points disc_points(double radius, std::size_t rings, std::size_t sectors,
                   const std::function<double(double share_of_radius)>& pressure = {});

/// A rectangle by Gauss points in both directions.
Points rectangle_points(double width, double height, std::size_t columns, std::size_t rows,
                        const Pressure& pressure = {});

/// The soft finger of eqs. 43 and 44: p ∝ [1 − (ρ/a)^k]^(1/k). The constant 1.144 of eq. 44 cancels.
struct SoftFinger {
  double reach = 0;           // c in a = c f_N^(1/3) [m/N^(1/3)]
  double exponent = 2;        // k, or k per newton
  bool per_newton = false;    // k = exponent·f_N: the shape changes with the load
  double largest = infinity;  // a is clipped to this [m]

  [[nodiscard]] double radius(double normal_force) const noexcept;
  [[nodiscard]] double power(double normal_force) const noexcept;
  /// r and u of the whole finger, in closed form.
  [[nodiscard]] double torque_radius(double normal_force) const noexcept;
  [[nodiscard]] double mean_square_radius(double normal_force) const noexcept;
};
[[nodiscard]] Pressure soft_finger_pressure(double radius, double exponent);

/// The paper's masks: N × N cells over a square of side L, as the authors' code has them, stair steps and all.
namespace paper {
PressureGrid square(std::size_t n = 21, double side = 0.02);
PressureGrid circle(std::size_t n = 21, double side = 0.02);
PressureGrid line(std::size_t n = 21, double side = 0.02);             // vertical, one cell wide
PressureGrid gradient_line(std::size_t n = 21, double side = 0.02);    // vertical, most at the top
PressureGrid gradient_line_x(std::size_t n = 21, double side = 0.02);  // horizontal, most at the left
PressureGrid non_convex_1(std::size_t n = 21, double side = 0.02);     // two pads
PressureGrid non_convex_2(std::size_t n = 21, double side = 0.02);     // a T on its side
PressureGrid soft_finger(double normal_force, double exponent, std::size_t n = 21, double side = 0.02);
}  // namespace paper

}  // namespace stiction::planar
