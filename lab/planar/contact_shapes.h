// Contact shapes with parameters, what a tactile sensor and a force sensor measure of them, and the parameters found
// again from such measurements.
#pragma once

#include <array>
#include <cstddef>
#include <numbers>
#include <string>
#include <vector>

#include "../lab.h"
#include "stiction/planar/patch.h"

namespace stiction::lab::planar_recognition {

inline constexpr double pi = std::numbers::pi;

enum class Shape {
  finger,  // a disc with p ∝ [1 − (ρ/a)^k]^(1/k)   (eq. 44)
  pad,     // a rectangle with uniform pressure
  wedge,   // a rectangle whose pressure falls linearly to 0 along its length, as that of the gradient line
};
inline constexpr std::array shapes{Shape::finger, Shape::pad, Shape::wedge};
const char* name_of(Shape shape) noexcept;

/// By shape: 0: force [N]; 1, 2: centre of the area [m]; 3, 4: logarithms of a [m] and k, or of length and width [m];
/// 5: direction of the length, in which a wedge's pressure falls [rad]; not for a finger.
using ShapeParameters = std::array<double, 6>;
std::size_t count_of(Shape shape) noexcept;
/// The same with k in the range in which exponents are told apart.
ShapeParameters within_range(Shape shape, ShapeParameters p) noexcept;

/// What is asked of a shape: its size, its pressure, r (eq. 23), and the distance of p_s (Fig. 16) from the centre of
/// pressure. A finger: a, k, r. A pad: length, width, r. A wedge: length, width, r, distance of p_s.
std::vector<std::string> quantities_of(Shape shape);
std::vector<double> values_of(Shape shape, const ShapeParameters& p);
planar::Point centre_of_pressure(Shape shape, const ShapeParameters& p);
/// The outline of the contact.
std::vector<planar::Point> outline_of(Shape shape, const ShapeParameters& p);

/// A tactile image of 16 × 16 cells over 24 mm: the force on each [N], row by row from the top.
inline constexpr std::size_t taxels = 16;      // in a row
inline constexpr double taxel_pitch = 1.5e-3;  // [m]
/// A finger's pressure is sampled at `samples` × `samples` points of each cell, and four times as many at the edge;
/// others are integrated.
std::vector<double> tactile_image(Shape shape, const ShapeParameters& p, std::size_t samples = 5);

/// Friction of Coulomb's law at the sensor, the origin, for each of these twists there: f_x, f_y [N] and torque [N m]
/// one after another. Force is now μ f_N. `fine`: by the exact integral on a finer grid, to measure with.
std::vector<double> sliding_wrenches(Shape shape, const ShapeParameters& p, const std::vector<planar::Twist>& twists,
                                     bool fine = false);

/// Parameters of a shape found by least squares, from values whose errors have these standard deviations.
struct ShapeFit {
  Shape shape = Shape::finger;
  ShapeParameters at{};
  double chi_square = 0;
  std::array<ShapeParameters, 6> covariance{};
  /// The standard error of each quantity.
  [[nodiscard]] std::vector<double> errors() const;
};
ShapeFit fit_to_image(Shape shape, const std::vector<double>& image, double noise);
ShapeFit fit_to_wrenches(Shape shape, const std::vector<planar::Twist>& twists, const std::vector<double>& wrenches,
                         double force_noise, double torque_noise);
/// The covariance that the best fit can have: a fit that has found the parameters themselves.
ShapeFit ideal_fit_to_wrenches(Shape shape, const ShapeParameters& p, const std::vector<planar::Twist>& twists,
                               double force_noise, double torque_noise);

/// r and p_s of any shape from its tactile image, without a model of the shape.
void try_raw_images(const Context& context, Result& result);

}  // namespace stiction::lab::planar_recognition
