#include "plot_axes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "stiction/io/file.h"
#include "stiction/problem.h"

namespace stiction::lab {
namespace {

/// A column of a table. Throws FileError if there is no such column of numbers.
const std::vector<double>& numbers_of(const std::vector<Table>& tables, const std::string& name, std::size_t column,
                                      const std::filesystem::path& target) {
  const auto table = std::ranges::find(tables, name, &Table::name);
  const auto* numbers = table != tables.end() && column < table->columns.size()
                            ? std::get_if<std::vector<double>>(&table->columns[column].values)
                            : nullptr;
  if (numbers == nullptr) {
    throw io::FileError(fmt::format("cannot draw {}: there is no table '{}' with numbers in column {}", target.string(),
                                    name, column + 1));
  }
  return *numbers;
}

Style style_of(const Series& series, const std::filesystem::path& target) {
  constexpr std::array names{"lines", "dashes", "points", "linespoints", "steps", "boxes", "cells", "box_plots"};
  const auto* const found = std::ranges::find(names, series.style);
  if (found == names.end()) {
    throw io::FileError(fmt::format("cannot draw {}: there is no style '{}'", target.string(), series.style));
  }
  return static_cast<Style>(found - names.begin());
}

/// The range with a margin at both ends, a fraction of its width; never of width 0.
Axis padded(Axis axis, double margin) {
  if (!(axis.low <= axis.high)) {
    return {axis.is_log ? 1.0 : 0.0, axis.is_log ? 10.0 : 1.0, axis.is_log};
  }
  if (axis.is_log) {
    const double factor = axis.low < axis.high ? std::pow(axis.high / axis.low, margin) : 2;
    return {axis.low / factor, axis.high * factor, true};
  }
  const double magnitude = std::max(std::abs(axis.low), std::abs(axis.high));
  const bool flat = axis.high - axis.low <= 1e-9 * magnitude;
  const double padding = flat ? (magnitude > 0 ? 0.1 * magnitude : 1) : margin * (axis.high - axis.low);
  return {axis.low - padding, axis.high + padding, false};
}

/// An integer in superscript digits.
std::string superscript(int number) {
  constexpr std::array digits{"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text = number < 0 ? "⁻" : "";
  for (const char c : std::to_string(std::abs(number))) {
    text += digits[static_cast<std::size_t>(c - '0')];
  }
  return text;
}

std::vector<Tick> log_ticks(const Axis& axis) {
  std::vector<Tick> ticks;
  const double decades = std::log10(axis.high / axis.low);
  const int stride = std::max(1, static_cast<int>(std::ceil(decades / 7)));
  const int first = static_cast<int>(std::floor(std::log10(axis.low)));
  const int last = static_cast<int>(std::ceil(std::log10(axis.high)));
  constexpr std::array factors{1, 2, 5};
  for (int decade = first; decade <= last; ++decade) {
    if (decade % stride != 0) {
      continue;
    }
    for (const int factor : factors) {
      const double value = factor * std::pow(10, decade);
      if ((factor == 1 || decades < 1.5) && value >= axis.low && value <= axis.high) {
        ticks.push_back({value, decades < 1.5 ? fmt::format("{:g}", value) : "10" + superscript(decade)});
      }
    }
  }
  return ticks;
}

}  // namespace

std::vector<Curve> curves_of(const Figure& figure, const std::vector<Table>& tables, std::size_t colours,
                             const std::filesystem::path& target) {
  std::vector<Curve> curves;
  for (std::size_t i = 0; i < figure.series.size(); ++i) {
    const Series& s = figure.series[i];
    Curve& curve =
        curves.emplace_back(Curve{&numbers_of(tables, s.table, s.x, target), &numbers_of(tables, s.table, s.y, target),
                                  style_of(s, target), s.label, i % colours});
    if (s.value > 0) {
      curve.value = &numbers_of(tables, s.table, s.value, target);
    }
    for (std::size_t k = 0; curve.style == Style::box_plots && k < curve.box.size(); ++k) {
      curve.box.at(k) = &numbers_of(tables, s.table, s.y + k, target);
    }
  }
  return curves;
}

double smallest_gap(const std::vector<double>& values) {
  double width = infinity;
  for (std::size_t i = 1; i < values.size(); ++i) {
    const double gap = std::abs(values[i] - values[i - 1]);
    width = gap > 0 ? std::min(width, gap) : width;
  }
  return std::isfinite(width) ? width : 1;
}

std::vector<Panel> panels_of(const Figure& figure, std::span<const Curve> curves) {
  std::vector<Panel> panels;
  std::vector<std::string> names;  // of the panels; none for a curve that is alone
  for (std::size_t i = 0; i < curves.size(); ++i) {
    const std::string& name = figure.series[i].panel;
    const auto found = name.empty() ? names.end() : std::ranges::find(names, name);
    const auto at = static_cast<std::size_t>(found - names.begin());
    if (found == names.end()) {
      names.push_back(name);
      panels.push_back({name.empty() ? curves[i].label : "", name.empty() ? figure.y_label : name, {}});
    }
    Panel& panel = panels[at];
    Curve& curve = panel.curves.emplace_back(curves[i]);
    curve.colour = panel.curves.size() - 1;
    curve.label = name.empty() ? "" : curve.label;
  }
  return panels;
}

Axes axes_of(std::span<const Curve> curves, const Figure& figure) {
  constexpr double none = std::numeric_limits<double>::infinity();
  Axes axes{{none, -none, figure.x_log}, {none, -none, figure.y_log}, {none, -none}, figure.x_names};
  bool marks = false;
  const auto include = [](Axis& axis, double value) {
    axis.low = std::min(axis.low, value);
    axis.high = std::max(axis.high, value);
  };
  for (const Curve& curve : curves) {
    const bool bars = curve.style == Style::boxes || curve.style == Style::box_plots;
    const bool cells = curve.style == Style::cells;
    const double half = (bars || cells) && !figure.x_log ? smallest_gap(*curve.x) / 2 : 0;
    const double half_height = cells && !figure.y_log ? smallest_gap(*curve.y) / 2 : 0;
    marks = marks || curve.style == Style::points || curve.style == Style::linespoints || bars;
    for (std::size_t i = 0; i < curve.size(); ++i) {
      const double low = curve.box[0] != nullptr ? (*curve.box[0])[i] : (*curve.y)[i];
      const double high = curve.box[4] != nullptr ? (*curve.box[4])[i] : (*curve.y)[i];
      if (!axes.x.shows((*curve.x)[i]) || !axes.y.shows(low) || !axes.y.shows(high)) {
        continue;
      }
      include(axes.x, (*curve.x)[i] - half);
      include(axes.x, (*curve.x)[i] + half);
      include(axes.y, low - half_height);
      include(axes.y, high + half_height);
      if (curve.style == Style::boxes && !figure.y_log) {
        include(axes.y, 0);
      }
      if (curve.value != nullptr && axes.value.shows((*curve.value)[i])) {
        include(axes.value, (*curve.value)[i]);
        include(axes.value, cells ? 0 : (*curve.value)[i]);
      }
    }
  }
  if (!axes.x_names.empty()) {
    include(axes.x, 0.5);
    include(axes.x, static_cast<double>(axes.x_names.size()) + 0.5);
  }
  return {padded(axes.x, marks ? 0.02 : 0), padded(axes.y, 0.04), axes.value, axes.x_names};
}

Axes with_equal_units(Axes axes, double width, double height) {
  const double unit = std::max((axes.x.high - axes.x.low) / width, (axes.y.high - axes.y.low) / height);
  const auto stretch = [](Axis& axis, double range) {
    const double middle = (axis.low + axis.high) / 2;
    axis.low = middle - range / 2;
    axis.high = middle + range / 2;
  };
  stretch(axes.x, unit * width);
  stretch(axes.y, unit * height);
  return axes;
}

std::vector<Tick> x_ticks_of(const Axes& axes, int wanted) {
  if (axes.x_names.empty()) {
    return ticks_of(axes.x, wanted);
  }
  std::vector<Tick> ticks;
  for (const std::string& name : axes.x_names) {
    ticks.push_back({static_cast<double>(ticks.size() + 1), name});
  }
  return ticks;
}

std::vector<Tick> ticks_of(const Axis& axis, int wanted) {
  if (axis.is_log) {
    return log_ticks(axis);
  }
  const double range = axis.high - axis.low;
  const double power = std::pow(10, std::floor(std::log10(range / wanted)));
  const double rough = range / wanted / power;
  const double step = power * (rough > 5 ? 10 : rough > 2 ? 5 : rough > 1 ? 2 : 1);
  std::vector<Tick> ticks;
  constexpr int max_ticks = 100;
  const double first = std::ceil(axis.low / step - 1e-9);
  for (int i = 0; i < max_ticks && (first + i) * step <= axis.high + 1e-9 * step; ++i) {
    const double value = first + i == 0 ? 0 : (first + i) * step;
    // As many digits as the step asks for, and below 100000 all before the point: 100, not 1e+02.
    const int by_step = static_cast<int>(std::ceil(std::log10((std::abs(value) + step) / step))) + 1;
    const int whole = std::abs(value) < 1e5 ? static_cast<int>(std::log10(std::abs(value) + 1)) + 1 : 1;
    ticks.push_back({value, fmt::format("{:.{}g}", value, std::clamp(by_step, whole, 12))});
  }
  return ticks;
}

}  // namespace stiction::lab
