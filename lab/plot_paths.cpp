#include "plot_paths.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
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

std::string mark_path(const Curve& curve, const Scale& scale, std::int32_t cell_size) {
  PathData path;
  std::unordered_set<std::uint64_t> seen;
  for (std::size_t i = 0; i < curve.size(); ++i) {
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

std::string bar_path(const Curve& curve, const Scale& scale) {
  PathData path;
  const double half = bar_width(curve) / 2;
  const double base = scale.axes.y.is_log ? scale.axes.y.low : 0;
  for (std::size_t i = 0; i < curve.size(); ++i) {
    const double x = (*curve.x)[i];
    const double y = (*curve.y)[i];
    const auto foot = dot_at(scale, x - half, base);
    const auto head = dot_at(scale, x + half, y);
    if (foot && head) {
      path.move(*foot);
      path.line({foot->x, head->y});
      path.line(*head);
      path.line({head->x, foot->y});
    }
  }
  return path.text();
}

}  // namespace

std::string paths_of(const Curve& curve, const Scale& scale, const Resolution& resolution,
                     const std::function<std::string(const char* kind)>& open) {
  std::string svg;
  const auto put = [&](const char* kind, const std::string& data) {
    if (!data.empty()) {
      svg += open(kind) + data + "\"/>\n";
    }
  };
  if (curve.style == Style::boxes) {
    put("bar", bar_path(curve, scale));
    return svg;
  }
  if (curve.style != Style::points) {
    put("line", line_path(curve, scale, resolution));
  }
  if (curve.style != Style::lines && curve.style != Style::steps) {
    put("dots", mark_path(curve, scale, std::max(1, resolution.column)));
  }
  return svg;
}

}  // namespace stiction::lab
