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
  constexpr std::array names{"lines", "points", "linespoints", "steps", "boxes"};
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
    curves.push_back({&numbers_of(tables, s.table, s.x, target), &numbers_of(tables, s.table, s.y, target),
                      style_of(s, target), s.label, i % colours});
  }
  return curves;
}

double bar_width(const Curve& curve) {
  double width = infinity;
  for (std::size_t i = 1; i < curve.size(); ++i) {
    const double gap = std::abs((*curve.x)[i] - (*curve.x)[i - 1]);
    width = gap > 0 ? std::min(width, gap) : width;
  }
  return std::isfinite(width) ? width : 1;
}

Axes axes_of(std::span<const Curve> curves, const Figure& figure) {
  constexpr double none = std::numeric_limits<double>::infinity();
  Axes axes{{none, -none, figure.x_log}, {none, -none, figure.y_log}};
  bool marks = false;
  const auto include = [](Axis& axis, double value) {
    axis.low = std::min(axis.low, value);
    axis.high = std::max(axis.high, value);
  };
  for (const Curve& curve : curves) {
    const bool bars = curve.style == Style::boxes;
    const double half = bars && !figure.x_log ? bar_width(curve) / 2 : 0;
    marks = marks || (curve.style != Style::lines && curve.style != Style::steps);
    for (std::size_t i = 0; i < curve.size(); ++i) {
      if (axes.x.shows((*curve.x)[i]) && axes.y.shows((*curve.y)[i])) {
        include(axes.x, (*curve.x)[i] - half);
        include(axes.x, (*curve.x)[i] + half);
        include(axes.y, (*curve.y)[i]);
        if (bars && !figure.y_log) {
          include(axes.y, 0);
        }
      }
    }
  }
  return {padded(axes.x, marks ? 0.02 : 0), padded(axes.y, 0.04)};
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
    const int digits = std::max(1, static_cast<int>(std::ceil(std::log10((std::abs(value) + step) / step))) + 1);
    ticks.push_back({value, fmt::format("{:.{}g}", value, std::min(digits, 12))});
  }
  return ticks;
}

}  // namespace stiction::lab
