#include "stiction/planar/patch.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "require.h"
#include "stiction/planar/limit_surface.h"

namespace stiction::planar {
namespace {

constexpr double min_force = 1e-290;  // smaller values cannot be divided by

/// Gauss and Legendre, exact up to degree 11.
constexpr std::array gauss_at{-0.9324695142031521, -0.6612093864662645, -0.2386191860831969,
                              0.2386191860831969,  0.6612093864662645,  0.9324695142031521};
constexpr std::array gauss_weight{0.1713244923791704, 0.3607615730481386, 0.4679139345726910,
                                  0.4679139345726910, 0.3607615730481386, 0.1713244923791704};

using Powers = std::array<double, Patch::max_moment + 1>;

Powers powers(double x) {
  Powers result{1};
  for (std::size_t k = 1; k < result.size(); ++k) {
    result[k] = result[k - 1] * x;
  }
  return result;
}

/// The means of (x/scale)^k over each of n intervals side by side.
std::vector<Powers> cell_powers(std::size_t n, double start, double width, double scale) {
  std::vector<Powers> result(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t a = 0; a < gauss_at.size(); ++a) {
      const Powers at = powers((start + (static_cast<double>(i) + 0.5 + gauss_at[a] / 2) * width) / scale);
      for (std::size_t k = 0; k < at.size(); ++k) {
        result[i][k] += gauss_weight[a] / 2 * at[k];
      }
    }
  }
  return result;
}

double sum(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

/// A line between n cells of some width, or the middle of one, from the middle of all; `halves` counts half cells.
/// Exactly mirrored on the other side.
double from_middle(std::size_t halves, std::size_t n, double width) {
  return (static_cast<double>(halves) - static_cast<double>(n)) * (width / 2);
}

/// Corners with a change of pressure in both directions; places from the middle of the grid, less `origin`.
Points corners_of(const PressureGrid& grid, Point origin, double force) {
  const auto pressure = [&](std::size_t column, std::size_t row) {  // from 1; 0 and beyond the last: outside
    const bool inside = column >= 1 && column <= grid.columns && row >= 1 && row <= grid.rows;
    return inside ? grid.pressure[grid.index(column - 1, row - 1)] : 0.0;
  };
  Points corners;
  for (std::size_t j = 0; j <= grid.rows; ++j) {  // lines between rows, from the top
    for (std::size_t i = 0; i <= grid.columns; ++i) {
      // ∫ over a cell = F(right, top) − F(left, top) − F(right, bottom) + F(left, bottom)
      const double weight = pressure(i + 1, j) - pressure(i, j) - pressure(i + 1, j + 1) + pressure(i, j + 1);
      if (weight != 0) {
        corners.add({from_middle(2 * i, grid.columns, grid.width) - origin.x,
                     -from_middle(2 * j, grid.rows, grid.height) - origin.y},
                    weight / force);
      }
    }
  }
  return corners;
}

/// Ensures that r, which is no larger, is in its range.
void require_radius(double value) { require(value <= torque_radii.high, "radius", value, "<= 1e7"); }
void require_place(double value, const char* field) { require(places.holds(value), field, value, places.text); }

}  // namespace

Patch::Patch(const PressureGrid& grid) {
  data_.grid = grid;
  require_cells(grid.columns, grid.rows);
  require(grid.pressure.size() == grid.columns * grid.rows, "pressure (its length)",
          static_cast<double>(grid.pressure.size()), "columns x rows");
  require_size(grid.width, "width");
  require_size(grid.height, "height");
  const double aspect = std::max(grid.width, grid.height) / std::min(grid.width, grid.height);
  require(aspect <= max_cell_aspect, "width over height of a cell, or its inverse,", aspect,
          "<= 1e6; take points for a line");
  require_place(grid.corner.x, "corner.x");
  require_place(grid.corner.y, "corner.y");
  // Relative to the middle of the grid, so that a patch far from its origin is as accurate as one near it
  for (std::size_t j = 0; j < grid.rows; ++j) {
    for (std::size_t i = 0; i < grid.columns; ++i) {
      const double pressure = grid.pressure[grid.index(i, j)];
      require(non_negative.holds(pressure), "pressure", pressure, non_negative.text);
      if (pressure > 0) {
        data_.points.add(
            {from_middle(2 * i + 1, grid.columns, grid.width), -from_middle(2 * j + 1, grid.rows, grid.height)},
            pressure);
      }
    }
  }
  const double force = sum(data_.points.share);
  require(force > min_force && force < infinity, "pressure (its sum)", force, "> 1e-290 and finite");
  const Point half{from_middle(2 * grid.columns, grid.columns, grid.width),
                   from_middle(2 * grid.rows, grid.rows, grid.height)};
  const Point middle = centre(grid.corner + half);
  data_.corners = corners_of(grid, middle, force * grid.width * grid.height);
  data_.radius += std::hypot(grid.width, grid.height) / 2;
  require_radius(data_.radius);
  // Separable: a sum over each row, then over the rows
  const auto along_x = cell_powers(grid.columns, -half.x - middle.x, grid.width, data_.radius);
  const auto along_y = cell_powers(grid.rows, -half.y - middle.y, grid.height, data_.radius);
  Monomials monomials{};
  for (std::size_t j = 0; j < grid.rows; ++j) {
    Powers row{};
    for (std::size_t i = 0; i < grid.columns; ++i) {
      const double share = grid.pressure[grid.index(i, j)] / force;
      for (std::size_t k = 0; k < row.size(); ++k) {
        row[k] += share * along_x[i][k];
      }
    }
    for (std::size_t k = 0; k < row.size(); ++k) {
      for (std::size_t l = 0; k + l < row.size(); ++l) {
        monomials[k][l] += row[k] * along_y[grid.rows - 1 - j][l];
      }
    }
  }
  set_moments(monomials);
  data_.torque_radius = std::abs(coulomb_wrench(*this, {0, 0, 1}).torque);
}

Patch::Patch(const Points& points) {
  data_.points = points;
  require(points.y.size() == points.size() && points.share.size() == points.size(), "share (its length)",
          static_cast<double>(points.share.size()), "as many as x and y");
  require(points.size() <= max_patch_points, "share (its length)", static_cast<double>(points.size()), "<= 1e6");
  for (std::size_t i = 0; i < points.size(); ++i) {
    require_place(points.x[i], "x");
    require_place(points.y[i], "y");
    require(non_negative.holds(points.share[i]), "share", points.share[i], non_negative.text);
  }
  const double force = sum(points.share);
  require(force > min_force && force < infinity, "share (its sum)", force, "> 1e-290 and finite");
  // Relative to the point with the largest share: points near it keep their digits, however far away others are
  const auto heaviest = static_cast<std::size_t>(std::ranges::max_element(points.share) - points.share.begin());
  const Point origin{points.x[heaviest], points.y[heaviest]};
  for (std::size_t i = 0; i < points.size(); ++i) {
    data_.points.x[i] -= origin.x;
    data_.points.y[i] -= origin.y;
  }
  centre(origin);
  require_radius(data_.radius);
  if (data_.radius < same_place) {
    data_.radius = 0;
    for (std::size_t i = 0; i < data_.points.size(); ++i) {
      data_.points.x[i] = data_.points.share[i] > 0 ? 0 : data_.points.x[i];
      data_.points.y[i] = data_.points.share[i] > 0 ? 0 : data_.points.y[i];
    }
  }
  const double scale = data_.radius > 0 ? data_.radius : 1;
  Monomials monomials{};
  for (std::size_t i = 0; i < data_.points.size(); ++i) {
    if (data_.points.share[i] == 0) {
      continue;  // it may be far away
    }
    const Powers x = powers(data_.points.x[i] / scale);
    const Powers y = powers(data_.points.y[i] / scale);
    for (std::size_t k = 0; k < x.size(); ++k) {
      for (std::size_t l = 0; k + l < x.size(); ++l) {
        monomials[k][l] += data_.points.share[i] * x[k] * y[l];
      }
    }
  }
  set_moments(monomials);
  const double r = std::abs(coulomb_wrench(*this, {0, 0, 1}).torque);
  data_.torque_radius = r < torque_radii.low ? 0 : r;
}

Patch::Patch(Data data) : data_(std::move(data)) {
  for (const Points* points : {&data_.points, &data_.corners}) {
    const auto n = static_cast<double>(points->share.size());
    require(points->x.size() == points->share.size() && points->y.size() == points->share.size(), "share (its length)",
            n, "as many as x and y");
  }
  require(data_.moments.size() == (max_moment + 1) * (max_moment + 1), "moments (their number)",
          static_cast<double>(data_.moments.size()), "121");
  require(data_.grid.pressure.size() == data_.grid.columns * data_.grid.rows, "pressure (its length)",
          static_cast<double>(data_.grid.pressure.size()), "columns x rows");
}

Point Patch::centre(Point origin) {
  const double force = sum(data_.points.share);
  for (double& share : data_.points.share) {
    share /= force;
  }
  // Twice: the first mean is as accurate as the distances from `origin` allow, the second as those from the centre of
  // pressure, so that ∫ ρ p is 0 to rounding of ∫ |ρ| p = r. The bounds of slip.cpp rely on that.
  Point middle;
  for (int pass = 0; pass < 2; ++pass) {
    Point shift;
    for (std::size_t i = 0; i < data_.points.size(); ++i) {
      shift.x += data_.points.share[i] * data_.points.x[i];
      shift.y += data_.points.share[i] * data_.points.y[i];
    }
    for (std::size_t i = 0; i < data_.points.size(); ++i) {
      data_.points.x[i] -= shift.x;
      data_.points.y[i] -= shift.y;
    }
    middle = middle + shift;
  }
  for (std::size_t i = 0; i < data_.points.size(); ++i) {
    if (data_.points.share[i] > 0) {
      data_.radius = std::max(data_.radius, std::hypot(data_.points.x[i], data_.points.y[i]));
    }
  }
  data_.centre_of_pressure = origin + middle;
  return middle;
}

void Patch::set_moments(const Monomials& monomials) {
  using Complex = std::complex<double>;
  constexpr std::size_t size = max_moment + 1;
  data_.moments.assign(size * size, 0);
  for (std::size_t m = 0; m < size; ++m) {
    for (std::size_t n = 0; m + n < size; ++n) {
      // (x + i y)^m (x − i y)^n = Σ c_l x^(m+n−l) y^l, one factor at a time
      std::array<Complex, size> c{1};
      for (std::size_t factor = 0; factor < m + n; ++factor) {
        for (std::size_t l = factor + 1; l > 0; --l) {
          c[l] += Complex(0, factor < m ? 1 : -1) * c[l - 1];
        }
      }
      for (std::size_t l = 0; l <= m + n; ++l) {
        data_.moments[m * size + n] += c[l] * monomials[m + n - l][l];
      }
    }
  }
  data_.mean_square_radius = moment(1, 1).real() * square(data_.radius);
}

Patch Patch::scaled(double factor) const {
  require(positive.holds(factor), "factor", factor, positive.text);
  if (data_.grid.columns > 0) {
    require_size(factor * data_.grid.width, "width of a cell, scaled,");
    require_size(factor * data_.grid.height, "height of a cell, scaled,");
  }
  require_radius(factor * data_.radius);
  require(data_.radius == 0 || factor * data_.radius >= same_place, "radius", factor * data_.radius, ">= 1e-12");
  require_place(factor * data_.centre_of_pressure.x, "centre of pressure (x), scaled,");
  require_place(factor * data_.centre_of_pressure.y, "centre of pressure (y), scaled,");
  Patch patch = *this;
  const auto stretch = [factor](Points& points) {
    for (std::size_t i = 0; i < points.size(); ++i) {
      points.x[i] *= factor;
      points.y[i] *= factor;
    }
  };
  stretch(patch.data_.points);
  stretch(patch.data_.corners);
  for (double& weight : patch.data_.corners.share) {
    weight /= square(factor);
  }
  patch.data_.centre_of_pressure = {factor * data_.centre_of_pressure.x, factor * data_.centre_of_pressure.y};
  patch.data_.grid.corner = {factor * data_.grid.corner.x, factor * data_.grid.corner.y};
  patch.data_.grid.width *= factor;
  patch.data_.grid.height *= factor;
  patch.data_.radius *= factor;
  patch.data_.torque_radius *= factor;
  require(usable_torque_radius(patch.data_.torque_radius), "torque radius, scaled,", patch.data_.torque_radius,
          torque_radii.text);
  patch.data_.mean_square_radius *= square(factor);
  return patch;
}

Patch Patch::moved(Point by) const {
  require(finite.holds(by.x) && finite.holds(by.y), "by", finite.holds(by.x) ? by.y : by.x, finite.text);
  require_place(data_.centre_of_pressure.x + by.x, "centre of pressure (x), moved,");
  require_place(data_.centre_of_pressure.y + by.y, "centre of pressure (y), moved,");
  Patch patch = *this;
  patch.data_.centre_of_pressure = data_.centre_of_pressure + by;
  patch.data_.grid.corner = data_.grid.corner + by;
  return patch;
}

}  // namespace stiction::planar
