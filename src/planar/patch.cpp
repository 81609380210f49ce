#include "stiction/planar/patch.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "require.h"
#include "stiction/planar/limit_surface.h"

namespace stiction::planar {
namespace {

constexpr double least_force = 1e-290;  // less cannot be divided by

/// Gauss and Legendre, exact up to degree 11.
constexpr std::array gauss_at{-0.9324695142031521, -0.6612093864662645, -0.2386191860831969,
                              0.2386191860831969,  0.6612093864662645,  0.9324695142031521};
constexpr std::array gauss_weight{0.1713244923791704, 0.3607615730481386, 0.4679139345726910,
                                  0.4679139345726910, 0.3607615730481386, 0.1713244923791704};

using Powers = std::array<double, Patch::highest_moment + 1>;

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

/// Corners with a change of pressure in both directions, from `origin`.
Points corners_of(const PressureGrid& grid, Point origin, double force) {
  const auto pressure = [&](std::size_t column, std::size_t row) {  // from 1; 0 and beyond the last: outside
    const bool inside = column >= 1 && column <= grid.columns && row >= 1 && row <= grid.rows;
    return inside ? grid.pressure[grid.index(column - 1, row - 1)] : 0.0;
  };
  Points corners;
  for (std::size_t j = 0; j <= grid.rows; ++j) {
    for (std::size_t i = 0; i <= grid.columns; ++i) {
      // ∫ over a cell = F(right, top) − F(left, top) − F(right, bottom) + F(left, bottom)
      const double weight = pressure(i, j) - pressure(i + 1, j) - pressure(i, j + 1) + pressure(i + 1, j + 1);
      if (weight != 0) {
        corners.add({grid.corner.x + static_cast<double>(i) * grid.width - origin.x,
                     grid.corner.y + static_cast<double>(j) * grid.height - origin.y},
                    weight / force);
      }
    }
  }
  return corners;
}

}  // namespace

Patch::Patch(const PressureGrid& grid) : grid_(grid) {
  require(grid.columns > 0, "columns", static_cast<double>(grid.columns), "> 0");
  require(grid.rows > 0, "rows", static_cast<double>(grid.rows), "> 0");
  require(grid.pressure.size() == grid.columns * grid.rows, "pressure (its length)",
          static_cast<double>(grid.pressure.size()), "columns x rows");
  require(positive.holds(grid.width), "width", grid.width, positive.text);
  require(positive.holds(grid.height), "height", grid.height, positive.text);
  require(finite.holds(grid.corner.x), "corner.x", grid.corner.x, finite.text);
  require(finite.holds(grid.corner.y), "corner.y", grid.corner.y, finite.text);
  for (std::size_t j = 0; j < grid.rows; ++j) {
    for (std::size_t i = 0; i < grid.columns; ++i) {
      const double pressure = grid.pressure[grid.index(i, j)];
      require(non_negative.holds(pressure), "pressure", pressure, non_negative.text);
      if (pressure > 0) {
        points_.add(grid.centre(i, j), pressure);
      }
    }
  }
  const double force = sum(points_.share);
  require(force > least_force && force < infinity, "pressure (its sum)", force, "> 1e-290 and finite");
  centre();
  corners_ = corners_of(grid, cop_, force * grid.width * grid.height);
  radius_ += std::hypot(grid.width, grid.height) / 2;
  // Separable: a sum over each row, then over the rows
  const auto along_x = cell_powers(grid.columns, grid.corner.x - cop_.x, grid.width, radius_);
  const auto along_y = cell_powers(grid.rows, grid.corner.y - cop_.y, grid.height, radius_);
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
        monomials[k][l] += row[k] * along_y[j][l];
      }
    }
  }
  set_moments(monomials);
  torque_radius_ = std::abs(coulomb_wrench(*this, {0, 0, 1}).torque);
}

Patch::Patch(const Points& points) : points_(points) {
  require(points.y.size() == points.size() && points.share.size() == points.size(), "share (its length)",
          static_cast<double>(points.share.size()), "as many as x and y");
  for (std::size_t i = 0; i < points.size(); ++i) {
    require(finite.holds(points.x[i]), "x", points.x[i], finite.text);
    require(finite.holds(points.y[i]), "y", points.y[i], finite.text);
    require(non_negative.holds(points.share[i]), "share", points.share[i], non_negative.text);
  }
  const double force = sum(points.share);
  require(force > least_force && force < infinity, "share (its sum)", force, "> 1e-290 and finite");
  centre();
  const double scale = std::max(radius_, 1e-300);
  Monomials monomials{};
  for (std::size_t i = 0; i < points_.size(); ++i) {
    const Powers x = powers(points_.x[i] / scale);
    const Powers y = powers(points_.y[i] / scale);
    for (std::size_t k = 0; k < x.size(); ++k) {
      for (std::size_t l = 0; k + l < x.size(); ++l) {
        monomials[k][l] += points_.share[i] * x[k] * y[l];
      }
    }
  }
  set_moments(monomials);
  torque_radius_ = std::abs(coulomb_wrench(*this, {0, 0, 1}).torque);
}

/// Normalises the shares and counts from the centre of pressure.
void Patch::centre() {
  const double force = sum(points_.share);
  for (std::size_t i = 0; i < points_.size(); ++i) {
    points_.share[i] /= force;
    cop_.x += points_.share[i] * points_.x[i];
    cop_.y += points_.share[i] * points_.y[i];
  }
  for (std::size_t i = 0; i < points_.size(); ++i) {
    points_.x[i] -= cop_.x;
    points_.y[i] -= cop_.y;
    radius_ = std::max(radius_, std::hypot(points_.x[i], points_.y[i]));
  }
}

void Patch::set_moments(const Monomials& monomials) {
  using Complex = std::complex<double>;
  constexpr std::size_t size = highest_moment + 1;
  moments_.assign(size * size, 0);
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
        moments_[m * size + n] += c[l] * monomials[m + n - l][l];
      }
    }
  }
  mean_square_radius_ = moment(1, 1).real() * square(radius_);
}

Patch Patch::scaled(double factor) const {
  require(positive.holds(factor), "factor", factor, positive.text);
  Patch patch = *this;
  const auto stretch = [factor](Points& points) {
    for (std::size_t i = 0; i < points.size(); ++i) {
      points.x[i] *= factor;
      points.y[i] *= factor;
    }
  };
  stretch(patch.points_);
  stretch(patch.corners_);
  for (double& weight : patch.corners_.share) {
    weight /= square(factor);
  }
  patch.cop_ = {factor * cop_.x, factor * cop_.y};
  patch.grid_.corner = {factor * grid_.corner.x, factor * grid_.corner.y};
  patch.grid_.width *= factor;
  patch.grid_.height *= factor;
  patch.radius_ *= factor;
  patch.torque_radius_ *= factor;
  patch.mean_square_radius_ *= square(factor);
  return patch;
}

Patch Patch::moved(Point by) const {
  require(finite.holds(by.x) && finite.holds(by.y), "by", finite.holds(by.x) ? by.y : by.x, finite.text);
  Patch patch = *this;
  patch.cop_ = cop_ + by;
  patch.grid_.corner = grid_.corner + by;
  return patch;
}

}  // namespace stiction::planar
