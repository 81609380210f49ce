#include "stiction/planar/shapes.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "grid.h"

namespace stiction::planar {
namespace {

/// Of a Gauss rule: its nodes cost n² operations.
void require_order(std::size_t n, const char* field) {
  require(n >= 1 && n <= 1000, field, static_cast<double>(n), "in [1, 1000]");
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

}  // namespace

PressureGrid pressure_grid(const Pressure& pressure, Point low, Point high, std::size_t columns, std::size_t rows,
                           std::size_t samples) {
  require(samples >= 1 && samples <= 64, "samples", static_cast<double>(samples), "in [1, 64]");
  PressureGrid grid = empty_grid(low, high, columns, rows);
  const auto n = static_cast<double>(samples);
  for (std::size_t j = 0; j < rows; ++j) {
    for (std::size_t i = 0; i < columns; ++i) {
      double sum = 0;
      for (std::size_t b = 0; b < samples; ++b) {
        for (std::size_t a = 0; a < samples; ++a) {
          sum += checked_pressure(
              pressure(low.x + (static_cast<double>(i) + (static_cast<double>(a) + 0.5) / n) * grid.width,
                       low.y + (static_cast<double>(j) + (static_cast<double>(b) + 0.5) / n) * grid.height));
        }
      }
      grid.pressure[grid.index(i, rows - 1 - j)] = sum / (n * n);
    }
  }
  return grid;
}

Points disc_points(double radius, std::size_t rings, std::size_t sectors,
                   const std::function<double(double)>& pressure) {
  require_size(radius, "radius");
  require_order(rings, "rings");
  require_counts(rings, "rings", sectors, "sectors");
  Points points;
  const auto rule = gauss(rings);
  for (std::size_t ring = 0; ring < rings; ++ring) {
    const auto [rho, weight] = rule[ring];
    // ∫ p ρ dρ dθ
    const double share = weight * rho * (pressure ? checked_pressure(pressure(rho)) : 1.0);
    const double offset = 0.618033988749895 * static_cast<double>(ring);
    for (std::size_t k = 0; k < sectors; ++k) {
      const double angle = 2 * std::numbers::pi * (static_cast<double>(k) + offset) / static_cast<double>(sectors);
      points.add({radius * rho * std::cos(angle), radius * rho * std::sin(angle)}, share);
    }
  }
  return points;
}

Points rectangle_points(double width, double height, std::size_t columns, std::size_t rows, const Pressure& pressure) {
  require_size(width, "width");
  require_size(height, "height");
  require_order(columns, "columns");
  require_order(rows, "rows");
  Points points;
  const auto along_x = gauss(columns);
  for (const auto& [y, y_weight] : gauss(rows)) {
    for (const auto& [x, x_weight] : along_x) {
      const Point at{(x - 0.5) * width, (y - 0.5) * height};
      points.add(at, x_weight * y_weight * (pressure ? checked_pressure(pressure(at.x, at.y)) : 1.0));
    }
  }
  return points;
}

Pressure soft_finger_pressure(double radius, double exponent) {
  require_size(radius, "radius");
  require(soft_finger_exponents.holds(exponent), "exponent", exponent, soft_finger_exponents.text);
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
  require_size(side, "side");
  PressureGrid grid = empty_grid({-side / 2, -side / 2}, {side / 2, side / 2}, n, n);
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = 0; i < n; ++i) {
      grid.pressure[grid.index(i, j)] = mask(static_cast<double>(i), static_cast<double>(j));
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
  require(positive.holds(normal_force), "normal_force", normal_force, positive.text);
  require(soft_finger_exponents.holds(exponent), "exponent", exponent, soft_finger_exponents.text);
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
