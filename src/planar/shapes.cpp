#include "stiction/planar/shapes.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "require.h"

namespace stiction::planar {
namespace {

PressureGrid empty_grid(Point low, Point high, std::size_t columns, std::size_t rows) {
  require(columns > 0, "columns", static_cast<double>(columns), "> 0");
  require(rows > 0, "rows", static_cast<double>(rows), "> 0");
  require(finite.holds(low.x) && finite.holds(high.x) && high.x > low.x, "width", high.x - low.x, "> 0 and finite");
  require(finite.holds(low.y) && finite.holds(high.y) && high.y > low.y, "height", high.y - low.y, "> 0 and finite");
  return {columns,
          rows,
          low,
          (high.x - low.x) / static_cast<double>(columns),
          (high.y - low.y) / static_cast<double>(rows),
          std::vector<double>(columns * rows)};
}

/// Nodes and weights of Gauss and Legendre on [0, 1], by Newton's method on the polynomial.
std::vector<std::pair<double, double>> gauss(std::size_t n) {
  std::vector<std::pair<double, double>> rule(n);
  for (std::size_t i = 0; i < n; ++i) {
    double x = std::cos(std::numbers::pi * (static_cast<double>(i) + 0.75) / (static_cast<double>(n) + 0.5));
    double slope = 1;
    for (int round = 0; round < 100; ++round) {
      double before = 1;
      double value = x;
      for (std::size_t k = 2; k <= n; ++k) {
        const auto d = static_cast<double>(k);
        before = std::exchange(value, ((2 * d - 1) * x * value - (d - 1) * before) / d);
      }
      value = n == 0 ? 1 : value;
      slope = static_cast<double>(n) * (x * value - before) / (x * x - 1);
      const double step = value / slope;
      x -= step;
      if (std::abs(step) < 1e-16) {
        break;
      }
    }
    rule[i] = {(1 - x) / 2, 1 / ((1 - x * x) * slope * slope)};
  }
  return rule;
}

/// The part of a polygon on one side of a line parallel to an axis (Sutherland and Hodgman).
std::vector<Point> clipped(const std::vector<Point>& polygon, double Point::*axis, double limit, bool keep_above) {
  std::vector<Point> result;
  const auto inside = [&](const Point& p) { return keep_above ? p.*axis >= limit : p.*axis <= limit; };
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Point& a = polygon[i];
    const Point& b = polygon[(i + 1) % polygon.size()];
    if (inside(a)) {
      result.push_back(a);
    }
    if (inside(a) != inside(b)) {
      const double share = (limit - a.*axis) / (b.*axis - a.*axis);
      result.push_back({a.x + share * (b.x - a.x), a.y + share * (b.y - a.y)});
    }
  }
  return result;
}

/// Area (positive counter-clockwise) and area times the centroid.
struct Area {
  double area = 0, x = 0, y = 0;
};
Area area_of(const std::vector<Point>& polygon) {
  Area result;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Point& a = polygon[i];
    const Point& b = polygon[(i + 1) % polygon.size()];
    const double cross = a.x * b.y - a.y * b.x;
    result.area += cross / 2;
    result.x += cross * (a.x + b.x) / 6;
    result.y += cross * (a.y + b.y) / 6;
  }
  return result;
}

/// Inside (1), outside (−1) or on the edge (0) of a loop, to 1e-9 of its size.
int side_of(const std::vector<Point>& loop, const Point& p) {
  bool inside = false;
  for (std::size_t i = 0; i < loop.size(); ++i) {
    const Point& a = loop[i];
    const Point& b = loop[(i + 1) % loop.size()];
    const Point edge = b - a;
    const Point to = p - a;
    const double length2 = edge.x * edge.x + edge.y * edge.y;
    const double along = length2 > 0 ? clip((to.x * edge.x + to.y * edge.y) / length2, 0.0, 1.0) : 0.0;
    if (std::hypot(to.x - along * edge.x, to.y - along * edge.y) <= 1e-9 * std::sqrt(length2)) {
      return 0;
    }
    if ((a.y > p.y) != (b.y > p.y) && p.x < a.x + (p.y - a.y) / (b.y - a.y) * (b.x - a.x)) {
      inside = !inside;
    }
  }
  return inside ? 1 : -1;
}

/// Whether a loop lies inside another that it does not cross but may touch: a corner or the middle of an edge tells
/// that is not on the other's edge.
bool lies_inside(const std::vector<Point>& loop, const std::vector<Point>& other) {
  for (std::size_t i = 0; i < loop.size(); ++i) {
    const Point& a = loop[i];
    const Point& b = loop[(i + 1) % loop.size()];
    for (const Point& p : {a, Point{(a.x + b.x) / 2, (a.y + b.y) / 2}}) {
      if (const int side = side_of(other, p); side != 0) {
        return side > 0;
      }
    }
  }
  return false;
}

}  // namespace

PressureGrid pressure_grid(const Pressure& pressure, Point low, Point high, std::size_t columns, std::size_t rows,
                           std::size_t samples) {
  require(samples > 0, "samples", static_cast<double>(samples), "> 0");
  PressureGrid grid = empty_grid(low, high, columns, rows);
  const auto n = static_cast<double>(samples);
  for (std::size_t j = 0; j < rows; ++j) {
    for (std::size_t i = 0; i < columns; ++i) {
      double sum = 0;
      for (std::size_t b = 0; b < samples; ++b) {
        for (std::size_t a = 0; a < samples; ++a) {
          sum += pressure(low.x + (static_cast<double>(i) + (static_cast<double>(a) + 0.5) / n) * grid.width,
                          low.y + (static_cast<double>(j) + (static_cast<double>(b) + 0.5) / n) * grid.height);
        }
      }
      grid.pressure[grid.index(i, j)] = sum / (n * n);
    }
  }
  return grid;
}

PressureGrid polygon_grid(const std::vector<std::vector<Point>>& loops, std::size_t columns, std::size_t rows,
                          const Pressure& pressure) {
  Point low{infinity, infinity};
  Point high{-infinity, -infinity};
  for (const auto& loop : loops) {
    require(loop.size() >= 3, "polygon (points of a loop)", static_cast<double>(loop.size()), ">= 3");
    for (const Point& p : loop) {
      require(finite.holds(p.x) && finite.holds(p.y), "polygon", finite.holds(p.x) ? p.y : p.x, finite.text);
      low = {std::min(low.x, p.x), std::min(low.y, p.y)};
      high = {std::max(high.x, p.x), std::max(high.y, p.y)};
    }
  }
  require(!loops.empty(), "polygon (loops)", 0, "> 0");
  PressureGrid grid = empty_grid(low, high, columns, rows);
  std::vector<Area> covered(grid.pressure.size());
  for (std::size_t loop = 0; loop < loops.size(); ++loop) {
    // A loop inside another is a hole, inside two an island.
    double sign = 1;
    for (std::size_t other = 0; other < loops.size(); ++other) {
      sign = other != loop && lies_inside(loops[loop], loops[other]) ? -sign : sign;
    }
    const double turn = area_of(loops[loop]).area < 0 ? -1 : 1;
    for (std::size_t j = 0; j < rows; ++j) {
      const double bottom = low.y + static_cast<double>(j) * grid.height;
      const auto strip = clipped(clipped(loops[loop], &Point::y, bottom, true), &Point::y, bottom + grid.height, false);
      for (std::size_t i = 0; i < columns && !strip.empty(); ++i) {
        const double left = low.x + static_cast<double>(i) * grid.width;
        const Area part = area_of(clipped(clipped(strip, &Point::x, left, true), &Point::x, left + grid.width, false));
        Area& sum = covered[grid.index(i, j)];
        sum.area += sign * turn * part.area;
        sum.x += sign * turn * part.x;
        sum.y += sign * turn * part.y;
      }
    }
  }
  for (std::size_t k = 0; k < covered.size(); ++k) {
    const Area& part = covered[k];
    if (part.area > 1e-12 * grid.width * grid.height) {
      grid.pressure[k] = part.area * (pressure ? pressure(part.x / part.area, part.y / part.area) : 1.0);
    }
  }
  return grid;
}

Points disc_points(double radius, std::size_t rings, std::size_t sectors,
                   const std::function<double(double)>& pressure) {
  require(positive.holds(radius), "radius", radius, positive.text);
  require(rings > 0, "rings", static_cast<double>(rings), "> 0");
  require(sectors > 0, "sectors", static_cast<double>(sectors), "> 0");
  Points points;
  const auto rule = gauss(rings);
  for (std::size_t ring = 0; ring < rings; ++ring) {
    const auto [rho, weight] = rule[ring];
    // ∫ p ρ dρ dθ
    const double share = weight * rho * (pressure ? pressure(rho) : 1.0);
    const double turn = 0.618033988749895 * static_cast<double>(ring);
    for (std::size_t k = 0; k < sectors; ++k) {
      const double angle = 2 * std::numbers::pi * (static_cast<double>(k) + turn) / static_cast<double>(sectors);
      points.add({radius * rho * std::cos(angle), radius * rho * std::sin(angle)}, share);
    }
  }
  return points;
}

Points rectangle_points(double width, double height, std::size_t columns, std::size_t rows, const Pressure& pressure) {
  require(positive.holds(width), "width", width, positive.text);
  require(positive.holds(height), "height", height, positive.text);
  require(columns > 0, "columns", static_cast<double>(columns), "> 0");
  require(rows > 0, "rows", static_cast<double>(rows), "> 0");
  Points points;
  for (const auto& [y, y_weight] : gauss(rows)) {
    for (const auto& [x, x_weight] : gauss(columns)) {
      const Point at{(x - 0.5) * width, (y - 0.5) * height};
      points.add(at, x_weight * y_weight * (pressure ? pressure(at.x, at.y) : 1.0));
    }
  }
  return points;
}

Pressure soft_finger_pressure(double radius, double exponent) {
  return [radius, exponent](double x, double y) {
    // p ∝ [1 − (ρ/a)^k]^(1/k)
    const double ratio = std::hypot(x, y) / radius;
    return ratio < 1 ? std::pow(1 - std::pow(ratio, exponent), 1 / exponent) : 0.0;
  };
}

namespace paper {
namespace {

/// mask(i, j): column from the left, row from the top.
template <class Mask>
PressureGrid masked(std::size_t n, double side, const Mask& mask) {
  PressureGrid grid = empty_grid({-side / 2, -side / 2}, {side / 2, side / 2}, n, n);
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = 0; i < n; ++i) {
      grid.pressure[grid.index(i, n - 1 - j)] = mask(static_cast<double>(i), static_cast<double>(j));
    }
  }
  return grid;
}

/// Python's round: halves to even.
double rounded(double x) { return std::nearbyint(x); }

struct Strip {
  double pad, low, high;
};
Strip middle_strip(std::size_t n) {
  const auto size = static_cast<double>(n);
  const double pad = std::floor(0.15 * size);
  return {pad, rounded(size / 2 - pad / 2), rounded(size / 2 + pad / 2)};
}

}  // namespace

PressureGrid square(std::size_t n, double side) {
  return masked(n, side, [](double, double) { return 1.0; });
}
PressureGrid circle(std::size_t n, double side) {
  const double c = std::floor(static_cast<double>(n) / 2);
  const double reach = std::min(c, static_cast<double>(n) - c);
  return masked(n, side, [=](double i, double j) {
    return std::sqrt((i - c) * (i - c) + (j - c) * (j - c)) <= reach ? 1.0 : 0.0;
  });
}
PressureGrid line(std::size_t n, double side) {
  const double c = std::floor(static_cast<double>(n) / 2);
  return masked(n, side, [=](double i, double) { return i == c ? 1.0 : 0.0; });
}
PressureGrid gradient_line(std::size_t n, double side) {
  const double c = std::floor(static_cast<double>(n) / 2);
  return masked(n, side, [=](double i, double j) { return i == c ? 1 - j / static_cast<double>(n) : 0.0; });
}
PressureGrid gradient_line_x(std::size_t n, double side) {
  const double c = std::floor(static_cast<double>(n) / 2);
  return masked(n, side, [=](double i, double j) { return j == c ? 1 - i / static_cast<double>(n) : 0.0; });
}
PressureGrid non_convex_1(std::size_t n, double side) {
  const auto [pad, low, high] = middle_strip(n);
  const double far_pad = static_cast<double>(n) - pad;
  return masked(n, side, [=, pad = pad, low = low, high = high](double i, double j) {
    return low <= j && j < high && (i < pad || i >= far_pad) ? 1.0 : 0.0;
  });
}
PressureGrid non_convex_2(std::size_t n, double side) {
  const auto [pad, low, high] = middle_strip(n);
  const auto size = static_cast<double>(n);
  const double bar = std::floor(0.70 * size);
  const double bar_low = rounded(size / 2 - bar / 2);
  const double bar_high = rounded(size / 2 + bar / 2);
  return masked(n, side, [=, pad = pad, low = low, high = high](double i, double j) {
    const bool stem = low <= j && j < high && i < bar;
    const bool head = bar_low <= j && j < bar_high && i >= size - pad;
    return stem || head ? 1.0 : 0.0;
  });
}
PressureGrid soft_finger(double normal_force, double exponent, std::size_t n, double side) {
  const double c = (static_cast<double>(n) - 1) / 2;
  // In cells: a = 6 f_N^(1/3), clipped to the grid
  const double a = std::min(6 * std::cbrt(normal_force), c + 0.5);
  return masked(n, side, [=](double i, double j) {
    const double ratio = std::hypot(i - c, j - c) / a;
    return ratio <= 1 ? std::pow(1 - std::pow(ratio, exponent), 1 / exponent) : 0.0;
  });
}

}  // namespace paper
}  // namespace stiction::planar
