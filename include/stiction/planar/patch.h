// A contact patch: the distribution of the normal force. Made from shapes (shapes.h); used by friction models and limit
// surfaces.
#pragma once

#include <array>
#include <complex>
#include <cstddef>
#include <optional>
#include <vector>

#include "stiction/export.h"
#include "stiction/planar/twist.h"
#include "stiction/problem.h"

namespace stiction::planar {

// Valid ranges of a patch. Within these, wrenches have the accuracy listed in docs/planar/limit-surface.md.
inline constexpr std::size_t max_patch_points = 1'000'000;                      // cells or points
inline constexpr Range places{-1e6, 1e6, true, true, "in [-1e6, 1e6]"};         // a coordinate [m]
inline constexpr Range patch_sizes{1e-12, 1e6, true, true, "in [1e-12, 1e6]"};  // a side of a cell, a radius [m]
inline constexpr double max_cell_aspect = 1e6;                                  // longer over shorter side of a cell
/// Points that are all closer than this to their centre of pressure count as a single point [m].
inline constexpr double same_place = 1e-12;
/// Torque radius r of a patch [m]: 0 if it transmits no torque, as for values below this range.
inline constexpr Range torque_radii{1e-20, 1e7, true, true, "0, or in [1e-20, 1e7]"};
constexpr bool usable_torque_radius(double r) noexcept { return r == 0 || torque_radii.holds(r); }

/// Pressure that is constant in each cell of a grid. Its scale is arbitrary: a patch divides by the sum. Rows count
/// from the top, as in an image, a file and a printed matrix, while y points up: row 0 has the largest y.
struct PressureGrid {
  std::size_t columns = 0, rows = 0;
  Point corner;                  // lower left [m]
  double width = 0, height = 0;  // of a cell [m]
  std::vector<double> pressure;  // row by row from the top, each from left to right; ≥ 0
  friend bool operator==(const PressureGrid&, const PressureGrid&) = default;

  [[nodiscard]] std::size_t index(std::size_t column, std::size_t row) const noexcept { return row * columns + column; }
  [[nodiscard]] Point centre(std::size_t column, std::size_t row) const noexcept {
    return {corner.x + (static_cast<double>(column) + 0.5) * width,
            corner.y + (static_cast<double>(rows) - static_cast<double>(row) - 0.5) * height};
  }
};

/// A patch as a set of points, each with a share of the normal force.
struct Points {
  std::vector<double> x, y;   // [m]
  std::vector<double> share;  // ≥ 0, sum > 0
  friend bool operator==(const Points&, const Points&) = default;

  void add(Point at, double weight) {
    x.push_back(at.x);
    y.push_back(at.y);
    share.push_back(weight);
  }
  [[nodiscard]] std::size_t size() const noexcept { return x.size(); }
};

/// Moments of the pressure of a patch: what friction with three states needs to know of its size and place.
struct PressureMoments {
  double torque_radius = 0;       // r = ∫ |ρ| p dA / f_N [m], 0 or in [1e-20, 1e7]; 0: a point, transmits no torque
  double mean_square_radius = 0;  // u = ∫ |ρ|² p dA / f_N [m²], in [0, 1e14]
  Point centre_of_pressure = {};  // relative to the patch's origin [m], in [-1e6, 1e6]
};
inline constexpr Range mean_square_radii{0, 1e14, true, true, "in [0, 1e14]"};

inline std::optional<Problem> check(const PressureMoments& pressure) noexcept {
  if (!usable_torque_radius(pressure.torque_radius)) {
    return Problem{"torque_radius", pressure.torque_radius, torque_radii.text};
  }
  if (!mean_square_radii.holds(pressure.mean_square_radius)) {
    return Problem{"mean_square_radius", pressure.mean_square_radius, mean_square_radii.text};
  }
  for (const double place : {pressure.centre_of_pressure.x, pressure.centre_of_pressure.y}) {
    if (!places.holds(place)) {
      return Problem{"centre_of_pressure", place, places.text};
    }
  }
  return std::nullopt;
}

/// Shares of the normal force; all positions are relative to the centre of pressure. Immutable.
class STICTION_EXPORT Patch {
 public:
  /// Every cell with pressure becomes a point, in the order of the cells; the limit surface can be integrated exactly.
  /// Throws InvalidParameter.
  explicit Patch(const PressureGrid& grid);
  /// A user-defined quadrature rule. One point, or several at one position, have no lever arm: they transmit no torque,
  /// and all radii are 0. Throws InvalidParameter.
  explicit Patch(const Points& points);

  /// All that a patch holds: to store one, and to have it again with the same bits.
  struct Data {
    Points points;  // as points() …
    Point centre_of_pressure;
    double radius = 0, torque_radius = 0, mean_square_radius = 0;
    Points corners;
    std::vector<std::complex<double>> moments;
    PressureGrid grid;  // … and the other functions below give them
    friend bool operator==(const Data&, const Data&) = default;
  };
  [[nodiscard]] const Data& data() const noexcept { return data_; }
  /// From what data() gave. Throws InvalidParameter where its lists are not as long as they must be.
  explicit Patch(Data data);
  friend bool operator==(const Patch&, const Patch&) = default;

  [[nodiscard]] Point centre_of_pressure() const noexcept { return data_.centre_of_pressure; }
  /// Relative to the centre of pressure; shares sum to 1.
  [[nodiscard]] const Points& points() const noexcept { return data_.points; }
  [[nodiscard]] std::size_t size() const noexcept { return data_.points.size(); }
  /// No loaded part of the patch is farther than this from the centre of pressure [m].
  [[nodiscard]] double radius() const noexcept { return data_.radius; }
  /// r: torque of a pure rotation about the centre of pressure, for μ f_N = 1 [m]   (eq. 23)
  [[nodiscard]] double torque_radius() const noexcept { return data_.torque_radius; }
  /// u = ∫ |ρ|² p dA / f_N [m²]   (eq. 27)
  [[nodiscard]] double mean_square_radius() const noexcept { return data_.mean_square_radius; }

  [[nodiscard]] PressureMoments pressure_moments() const noexcept {
    return {data_.torque_radius, data_.mean_square_radius, data_.centre_of_pressure};
  }

  /// The same patch, larger or smaller.
  [[nodiscard]] Patch scaled(double factor) const;
  /// The same patch elsewhere; only the centre of pressure changes.
  [[nodiscard]] Patch moved(Point by) const;

  // Data for the integration of the limit surface (limit_surface.h) --------------------------------------------------

  /// Corners between cells of different pressure, relative to the centre of pressure, with the mixed second difference
  /// of the pressure [1/m²]: integrals over all cells are sums over these. Empty for a patch made of points.
  [[nodiscard]] const Points& corners() const noexcept { return data_.corners; }
  static constexpr int max_moment = 10;
  /// ∫ ζ^m ζ̄^n p dA / f_N with ζ = (x + i y)/radius, m + n ≤ max_moment.
  [[nodiscard]] std::complex<double> moment(int m, int n) const noexcept {
    return data_.moments[static_cast<std::size_t>(m) * (max_moment + 1) + static_cast<std::size_t>(n)];
  }
  /// The grid that the patch was made from, in its own frame; no cells for a patch made of points.
  [[nodiscard]] const PressureGrid& grid() const noexcept { return data_.grid; }

 private:
  /// Normalises the shares, and shifts positions from `origin` to the centre of pressure, which it returns.
  Point centre(Point origin);
  /// ∫ (x/R)^k (y/R)^l p dA / f_N, k + l ≤ max_moment
  using Monomials = std::array<std::array<double, max_moment + 1>, max_moment + 1>;
  void set_moments(const Monomials& monomials);

  Data data_;
};

}  // namespace stiction::planar
