#include "plot_paths.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <span>
#include <unordered_set>
#include <utility>
#include <vector>

namespace stiction::lab {
namespace {

/// A point in drawing units, with integer coordinates.
struct Dot {
  std::int32_t x = 0, y = 0;
  bool operator==(const Dot&) const = default;
};

/// Nothing for values that the axes cannot show.
std::optional<Dot> dot_at(const Scale& scale, double x, double y) {
  if (!scale.axes.x.shows(x) || !scale.axes.y.shows(y)) {
    return std::nullopt;
  }
  return Dot{static_cast<std::int32_t>(std::lround(scale.width * scale.axes.x.fraction(x))),
             static_cast<std::int32_t>(std::lround(scale.height * (1 - scale.axes.y.fraction(y))))};
}

/// Distance of p from the line through a and b, or from a if they coincide.
double distance(const Dot& p, const Dot& a, const Dot& b) {
  const double dx = b.x - a.x;
  const double dy = b.y - a.y;
  const double length = std::hypot(dx, dy);
  return length == 0 ? std::hypot(p.x - a.x, p.y - a.y) : std::abs(dx * (p.y - a.y) - dy * (p.x - a.x)) / length;
}

/// Reduces consecutive points in the same narrow column to the first, the lowest, the highest and the last, so that a
/// dense curve keeps its outline.
std::vector<Dot> by_columns(std::span<const Dot> dots, std::int32_t column) {
  std::vector<Dot> result;
  const auto put = [&](const Dot& dot) {
    if (result.empty() || !(result.back() == dot)) {
      result.push_back(dot);
    }
  };
  for (std::size_t i = 0; i < dots.size();) {
    std::size_t end = i + 1;
    while (end < dots.size() && dots[end].x / column == dots[i].x / column) {
      ++end;
    }
    const auto [low, high] = std::minmax_element(dots.begin() + static_cast<std::ptrdiff_t>(i),
                                                 dots.begin() + static_cast<std::ptrdiff_t>(end),
                                                 [](const Dot& a, const Dot& b) { return a.y < b.y; });
    put(dots[i]);
    put(low < high ? *low : *high);
    put(low < high ? *high : *low);
    put(dots[end - 1]);
    i = end;
  }
  return result;
}

/// Removes points within `tolerance` of the line between those that are kept (Douglas and Peucker 1973), in pieces of
/// bounded length to bound the work.
std::vector<Dot> simplified(std::span<const Dot> dots, double tolerance) {
  constexpr std::size_t piece = 1024;
  std::vector<char> kept(dots.size(), 0);
  std::vector<std::pair<std::size_t, std::size_t>> open;
  for (std::size_t start = 0; start + 1 < dots.size(); start += piece) {
    open.emplace_back(start, std::min(start + piece, dots.size() - 1));
  }
  while (!open.empty()) {
    const auto [a, b] = open.back();
    open.pop_back();
    kept[a] = kept[b] = 1;
    double largest = tolerance;
    std::size_t split = 0;
    for (std::size_t i = a + 1; i < b; ++i) {
      if (const double d = distance(dots[i], dots[a], dots[b]); d > largest) {
        largest = d;
        split = i;
      }
    }
    if (split > 0) {
      open.emplace_back(a, split);
      open.emplace_back(split, b);
    }
  }
  std::vector<Dot> result;
  for (std::size_t i = 0; i < dots.size(); ++i) {
    if (kept[i] != 0 || dots.size() == 1) {
      result.push_back(dots[i]);
    }
  }
  return result;
}

/// Path data in relative coordinates, as short as SVG allows.
class PathData {
 public:
  void move(Dot to) {
    if (text_.empty()) {
      command('M');
      put(to.x, to.y);
    } else {
      command('m');
      put(to.x - last_.x, to.y - last_.y);
    }
    last_ = to;
  }
  void line(Dot to) {
    command('l');
    put(to.x - last_.x, to.y - last_.y);
    last_ = to;
  }
  /// A dot: a line of length 0 with round ends.
  void mark(Dot at) {
    move(at);
    text_ += "h0";
    last_command_ = 'h';
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  void command(char letter) {
    if (letter != last_command_ || letter == 'm') {
      text_ += letter;
      last_command_ = letter;
      first_number_ = true;
    }
  }
  void put(std::int32_t x, std::int32_t y) {
    for (const std::int32_t number : {x, y}) {
      if (number >= 0 && !first_number_) {
        text_ += ' ';
      }
      fmt::format_to(std::back_inserter(text_), "{}", number);
      first_number_ = false;
    }
  }

  std::string text_;
  Dot last_;
  char last_command_ = 0;
  bool first_number_ = true;
};

/// The connected pieces of a curve, which values that cannot be shown interrupt.
std::vector<std::vector<Dot>> pieces_of(const Curve& curve, const Scale& scale) {
  std::vector<std::vector<Dot>> pieces(1);
  for (std::size_t i = 0; i < curve.size(); ++i) {
    const auto dot = dot_at(scale, (*curve.x)[i], (*curve.y)[i]);
    if (!dot) {
      if (!pieces.back().empty()) {
        pieces.emplace_back();
      }
      continue;
    }
    std::vector<Dot>& piece = pieces.back();
    if (curve.style == Style::steps && !piece.empty()) {
      piece.push_back({dot->x, piece.back().y});
    }
    if (piece.empty() || !(piece.back() == *dot)) {
      piece.push_back(*dot);
    }
  }
  return pieces;
}

std::string line_path(const Curve& curve, const Scale& scale, const Resolution& resolution) {
  std::vector<std::vector<Dot>> pieces = pieces_of(curve, scale);
  for (auto& piece : pieces) {
    piece = by_columns(piece, resolution.column);
  }
  std::vector<std::vector<Dot>> drawn;
  for (double tolerance = resolution.tolerance; tolerance < 64 * resolution.tolerance; tolerance *= 1.5) {
    drawn.clear();
    std::size_t points = 0;
    for (const auto& piece : pieces) {
      drawn.push_back(simplified(piece, tolerance));
      points += drawn.back().size();
    }
    if (points <= resolution.max_points) {
      break;
    }
  }
  PathData path;
  for (const auto& piece : drawn) {
    for (std::size_t i = 0; i < piece.size(); ++i) {
      i == 0 ? path.move(piece[i]) : path.line(piece[i]);
    }
    if (piece.size() == 1) {
      path.line(piece[0]);
    }
  }
  return path.text();
}

/// Rows of a curve, by their colour; all under no colour where it has no values.
std::map<std::string, std::vector<std::size_t>> rows_by_colour(const Curve& curve, const Axis& values) {
  std::map<std::string, std::vector<std::size_t>> rows;
  for (std::size_t i = 0; i < curve.size(); ++i) {
    const bool coloured = curve.value != nullptr && values.low < values.high;
    rows[coloured ? colour_of(values.fraction((*curve.value)[i])) : ""].push_back(i);
  }
  return rows;
}

std::string mark_path(const Curve& curve, std::span<const std::size_t> rows, const Scale& scale,
                      std::int32_t cell_size) {
  PathData path;
  std::unordered_set<std::uint64_t> seen;
  for (const std::size_t i : rows) {
    if (const auto dot = dot_at(scale, (*curve.x)[i], (*curve.y)[i])) {
      const auto cell = static_cast<std::uint64_t>(static_cast<std::uint32_t>(dot->x / cell_size)) << 32U |
                        static_cast<std::uint32_t>(dot->y / cell_size);
      if (seen.insert(cell).second) {
        path.mark(*dot);
      }
    }
  }
  return path.text();
}

/// A closed rectangle; nothing if the axes cannot show it.
void add_rectangle(PathData& path, const Scale& scale, double left, double right, double bottom, double top) {
  const auto foot = dot_at(scale, left, bottom);
  const auto head = dot_at(scale, right, top);
  if (foot && head) {
    path.move(*foot);
    path.line({foot->x, head->y});
    path.line(*head);
    path.line({head->x, foot->y});
    path.line(*foot);
  }
}

std::string bar_path(const Curve& curve, const Scale& scale) {
  PathData path;
  const double half = smallest_gap(*curve.x) / 2;
  const double base = scale.axes.y.is_log ? scale.axes.y.low : 0;
  for (std::size_t i = 0; i < curve.size(); ++i) {
    const auto foot = dot_at(scale, (*curve.x)[i] - half, base);
    const auto head = dot_at(scale, (*curve.x)[i] + half, (*curve.y)[i]);
    if (foot && head) {
      path.move(*foot);
      path.line({foot->x, head->y});
      path.line(*head);
      path.line({head->x, foot->y});
    }
  }
  return path.text();
}

std::string cell_path(const Curve& curve, std::span<const std::size_t> rows, const Scale& scale) {
  PathData path;
  const double half_width = smallest_gap(*curve.x) / 2;
  const double half_height = smallest_gap(*curve.y) / 2;
  for (const std::size_t i : rows) {
    const double x = (*curve.x)[i];
    const double y = (*curve.y)[i];
    add_rectangle(path, scale, x - half_width, x + half_width, y - half_height, y + half_height);
  }
  return path.text();
}

/// The boxes, and their medians and whiskers with caps.
struct BoxPlotPaths {
  std::string boxes, lines;
};
BoxPlotPaths box_plot_paths(const Curve& curve, const Scale& scale) {
  PathData boxes;
  PathData lines;
  const double half = 0.17 * smallest_gap(*curve.x);
  const auto line = [&](double x0, double y0, double x1, double y1) {
    const auto from = dot_at(scale, x0, y0);
    const auto to = dot_at(scale, x1, y1);
    if (from && to) {
      lines.move(*from);
      lines.line(*to);
    }
  };
  for (std::size_t i = 0; i < curve.size(); ++i) {
    const double x = (*curve.x)[i];
    std::array<double, 5> box{};
    std::ranges::transform(curve.box, box.begin(), [i](const std::vector<double>* column) { return (*column)[i]; });
    add_rectangle(boxes, scale, x - half, x + half, box[1], box[3]);
    line(x - half, box[2], x + half, box[2]);
    line(x, box[1], x, box[0]);
    line(x, box[3], x, box[4]);
    line(x - half / 2, box[0], x + half / 2, box[0]);
    line(x - half / 2, box[4], x + half / 2, box[4]);
  }
  return {boxes.text(), lines.text()};
}

}  // namespace

std::string colour_of(double share) {
  // From pale to dark, so that it survives a black and white print
  constexpr std::array<std::array<double, 3>, 5> anchors{
      {{255, 250, 235}, {253, 212, 158}, {252, 141, 89}, {200, 40, 32}, {120, 0, 20}}};
  constexpr double levels = 40;
  const double bounded = share > 0 ? std::min(share, 1.0) : 0;  // 0 for NaN
  const double position = std::round(levels * bounded) / levels * static_cast<double>(anchors.size() - 1);
  const auto below = std::min(static_cast<std::size_t>(position), anchors.size() - 2);
  const double part = position - static_cast<double>(below);
  std::array<int, 3> rgb{};
  for (std::size_t i = 0; i < rgb.size(); ++i) {
    rgb.at(i) =
        static_cast<int>(std::lround((1 - part) * anchors.at(below).at(i) + part * anchors.at(below + 1).at(i)));
  }
  return fmt::format("#{:02x}{:02x}{:02x}", rgb[0], rgb[1], rgb[2]);
}

std::string paths_of(const Curve& curve, const Scale& scale, const Resolution& resolution, const OpenPath& open) {
  std::string svg;
  const auto put = [&](std::string_view kind, const std::string& data, const std::string& colour = "") {
    if (!data.empty()) {
      svg += open(kind, colour) + data + "\"/>\n";
    }
  };
  switch (curve.style) {
    case Style::boxes:
      put("bar", bar_path(curve, scale));
      return svg;
    case Style::cells:
      for (const auto& [colour, rows] : rows_by_colour(curve, scale.axes.value)) {
        put("cell", cell_path(curve, rows, scale), colour);
      }
      return svg;
    case Style::box_plots: {
      const BoxPlotPaths paths = box_plot_paths(curve, scale);
      put("bar", paths.boxes);
      put("line", paths.lines);
      return svg;
    }
    case Style::lines:
    case Style::steps:
    case Style::linespoints:
      put("line", line_path(curve, scale, resolution));
      break;
    case Style::dashes:
      put("dashes", line_path(curve, scale, resolution));
      break;
    case Style::points:
      break;
  }
  if (curve.style == Style::points || curve.style == Style::linespoints) {
    for (const auto& [colour, rows] : rows_by_colour(curve, scale.axes.value)) {
      put("dots", mark_path(curve, rows, scale, std::max(1, resolution.column)), colour);
    }
  }
  return svg;
}

}  // namespace stiction::lab
