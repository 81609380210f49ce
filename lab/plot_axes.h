// Curves, axes and ticks of a plot.
#pragma once

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "lab.h"

namespace stiction::lab {

enum class Style { lines, points, linespoints, steps, boxes };

struct Curve {
  const std::vector<double>* x = nullptr;
  const std::vector<double>* y = nullptr;
  Style style = Style::lines;
  std::string label;
  std::size_t colour = 0;  // index into the palette

  [[nodiscard]] std::size_t size() const { return std::min(x->size(), y->size()); }
};

/// The curves of a figure, with data from the tables that its series name. `target` names the figure in messages.
/// Throws FileError.
std::vector<Curve> curves_of(const Figure& figure, const std::vector<Table>& tables, std::size_t colours,
                             const std::filesystem::path& target);

/// The width of the bars of a curve: the smallest distance between neighbours.
double bar_width(const Curve& curve);

/// The range of values along one axis.
struct Axis {
  double low = 0, high = 1;
  bool is_log = false;

  [[nodiscard]] bool shows(double value) const { return std::abs(value) <= 1e300 && (!is_log || value > 0); }
  /// Position along the axis: 0 at `low`, 1 at `high`.
  [[nodiscard]] double fraction(double value) const {
    return is_log ? std::log(value / low) / std::log(high / low) : (value - low) / (high - low);
  }
};

struct Axes {
  Axis x, y;
};

/// Axes that show all of the curves.
Axes axes_of(std::span<const Curve> curves, const Figure& figure);

struct Tick {
  double value = 0;
  std::string label;
};

/// About `wanted` ticks at round values; on a logarithmic axis at most about eight, at powers of ten.
std::vector<Tick> ticks_of(const Axis& axis, int wanted);

}  // namespace stiction::lab
