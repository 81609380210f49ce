#include "stiction/planar/patch.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "stiction/planar/limit_surface.h"
#include "stiction/problem.h"

namespace stiction::planar {
namespace {

void require(bool holds, const char* field, double value, const char* allowed) {
  if (!holds) {
    throw InvalidParameter(Problem{field, value, allowed});
  }
}

/// Gauss and Legendre, exact up to degree 11.
constexpr std::array gauss_at{-0.9324695142031521, -0.6612093864662645, -0.2386191860831969,
                              0.2386191860831969,  0.6612093864662645,  0.9324695142031521};
constexpr std::array gauss_weight{0.1713244923791704, 0.3607615730481386, 0.4679139345726910,
                                  0.4679139345726910, 0.3607615730481386, 0.1713244923791704};

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
  Points quadrature;
  for (std::size_t j = 0; j < grid.rows; ++j) {
    for (std::size_t i = 0; i < grid.columns; ++i) {
      const double pressure = grid.pressure[grid.index(i, j)];
      require(non_negative.holds(pressure), "pressure", pressure, non_negative.text);
      if (pressure > 0) {
        const Point at = grid.centre(i, j);
        points_.add(at, pressure);
        for (std::size_t a = 0; a < gauss_at.size(); ++a) {
          for (std::size_t b = 0; b < gauss_at.size(); ++b) {
            quadrature.add({at.x + gauss_at[a] * grid.width / 2, at.y + gauss_at[b] * grid.height / 2},
                           pressure * gauss_weight[a] * gauss_weight[b] / 4);
          }
        }
      }
    }
  }
  const double force = sum(points_.share);
  require(positive.holds(force), "pressure (its sum)", force, positive.text);
  centre();
  corners_ = corners_of(grid, cop_, force * grid.width * grid.height);
  radius_ += std::hypot(grid.width, grid.height) / 2;
  add_moments(quadrature);
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
  require(positive.holds(force), "share (its sum)", force, positive.text);
  centre();
  add_moments(points);
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

void Patch::add_moments(const Points& quadrature) {
  constexpr int size = highest_moment + 1;
  moments_.assign(static_cast<std::size_t>(size * size), 0);
  const double force = sum(quadrature.share);
  const double scale = std::max(radius_, 1e-300);
  for (std::size_t k = 0; k < quadrature.size(); ++k) {
    const std::complex<double> zeta((quadrature.x[k] - cop_.x) / scale, (quadrature.y[k] - cop_.y) / scale);
    std::complex<double> left = quadrature.share[k] / force;
    for (int m = 0; m < size; ++m, left *= zeta) {
      std::complex<double> term = left;
      for (int n = 0; m + n < size; ++n, term *= std::conj(zeta)) {
        moments_[static_cast<std::size_t>(m * size + n)] += term;
      }
    }
  }
  mean_square_radius_ = moment(1, 1).real() * square(scale);
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
