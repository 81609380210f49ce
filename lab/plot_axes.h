// Curves, axes and ticks of a plot.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "lab.h"

namespace stiction::lab {

enum class Style { lines, dashes, points, linespoints, steps, boxes, cells, box_plots };

struct Curve {
  const std::vector<double>* x = nullptr;
  const std::vector<double>* y = nullptr;
  Style style = Style::lines;
  std::string label;
  std::size_t colour = 0;                              // index into the palette
  const std::vector<double>* value = nullptr;          // colours cells and points
  std::array<const std::vector<double>*, 5> box = {};  // of box plots: whisker, quartiles, whisker

  [[nodiscard]] std::size_t size() const { return std::min(x->size(), y->size()); }
};

/// The curves of a figure, with data from the tables that its series name. `target` names the figure in messages.
/// Throws FileError.
std::vector<Curve> curves_of(const Figure& figure, const std::vector<Table>& tables, std::size_t colours,
                             const std::filesystem::path& target);

/// The smallest distance between neighbours: the width of bars, or of cells.
double smallest_gap(const std::vector<double>& values);

/// Curves that share axes.
struct Panel {
  std::string title, y_label;
  std::vector<Curve> curves;
};
/// Curves by the panel that their series names; those that name none are alone, with their label as the title.
std::vector<Panel> panels_of(const Figure& figure, std::span<const Curve> curves);

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
  Axis value = {0, 0};                    // of colours; low = high: there are none
  std::vector<std::string> x_names = {};  // in place of 1, 2, …

  [[nodiscard]] bool coloured() const { return value.low < value.high; }
};

/// Axes that show all of the curves.
Axes axes_of(std::span<const Curve> curves, const Figure& figure);

/// Extends one axis so that a unit has the same length along both, on an area of this width and height.
Axes with_equal_units(Axes axes, double width, double height);

struct Tick {
  double value = 0;
  std::string label;
};

/// About `wanted` ticks at round values; on a logarithmic axis at most about eight, at powers of ten.
std::vector<Tick> ticks_of(const Axis& axis, int wanted);

/// The same for the x axis, which may have names.
std::vector<Tick> x_ticks_of(const Axes& axes, int wanted);

}  // namespace stiction::lab
