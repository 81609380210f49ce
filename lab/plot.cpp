#include "plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <optional>
#include <unordered_set>

#include "stiction/io/file.h"
#include "stiction/problem.h"

namespace stiction::lab {
namespace {

constexpr std::array colours{"#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#ff7f0e", "#8c564b", "#17becf", "#7f7f7f"};

/// A column of a table, or FileError: a figure of what is not there cannot be drawn.
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

enum class Style { lines, points, linespoints, steps, boxes };

Style style_of(const Series& series, const std::filesystem::path& target) {
  constexpr std::array names{"lines", "points", "linespoints", "steps", "boxes"};
  const auto* const found = std::ranges::find(names, series.style);
  if (found == names.end()) {
    throw io::FileError(fmt::format("cannot draw {}: there is no style '{}'", target.string(), series.style));
  }
  return static_cast<Style>(found - names.begin());
}

struct Curve {
  const std::vector<double>* x = nullptr;
  const std::vector<double>* y = nullptr;
  Style style = Style::lines;
  std::string label;
  std::size_t colour = 0;

  [[nodiscard]] std::size_t size() const { return std::min(x->size(), y->size()); }
};

std::vector<Curve> curves_of(const Figure& figure, const std::vector<Table>& tables,
                             const std::filesystem::path& target) {
  std::vector<Curve> curves;
  for (std::size_t i = 0; i < figure.series.size(); ++i) {
    const Series& s = figure.series[i];
    curves.push_back({&numbers_of(tables, s.table, s.x, target), &numbers_of(tables, s.table, s.y, target),
                      style_of(s, target), s.label, i % colours.size()});
  }
  return curves;
}

/// The values from one end of a plot to the other.
struct Axis {
  double low = 0, high = 1;
  bool is_log = false;

  [[nodiscard]] bool shows(double value) const { return std::abs(value) <= 1e300 && (!is_log || value > 0); }
  /// 0 at `low`, 1 at `high`.
  [[nodiscard]] double share(double value) const {
    return is_log ? std::log(value / low) / std::log(high / low) : (value - low) / (high - low);
  }
};

struct Axes {
  Axis x, y;
};

double bar_width(const Curve& curve) {
  double width = infinity;
  for (std::size_t i = 1; i < curve.size(); ++i) {
    const double gap = std::abs((*curve.x)[i] - (*curve.x)[i - 1]);
    width = gap > 0 ? std::min(width, gap) : width;
  }
  return std::isfinite(width) ? width : 1;
}

/// Some room at both ends, and no range of width 0.
Axis with_room(Axis axis, double room) {
  if (!(axis.low <= axis.high)) {
    return {axis.is_log ? 1.0 : 0.0, axis.is_log ? 10.0 : 1.0, axis.is_log};
  }
  if (axis.is_log) {
    const double factor = axis.low < axis.high ? std::pow(axis.high / axis.low, room) : 2;
    return {axis.low / factor, axis.high * factor, true};
  }
  const double size = std::max(std::abs(axis.low), std::abs(axis.high));
  const bool flat = axis.high - axis.low <= 1e-9 * size;
  const double more = flat ? (size > 0 ? 0.1 * size : 1) : room * (axis.high - axis.low);
  return {axis.low - more, axis.high + more, false};
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
  return {with_room(axes.x, marks ? 0.02 : 0), with_room(axes.y, 0.04)};
}

/// A whole number with raised digits.
std::string raised(int number) {
  constexpr std::array digits{"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text = number < 0 ? "⁻" : "";
  for (const char c : std::to_string(std::abs(number))) {
    text += digits[static_cast<std::size_t>(c - '0')];
  }
  return text;
}

struct Tick {
  double value = 0;
  std::string label;
};

std::vector<Tick> log_ticks(const Axis& axis) {
  std::vector<Tick> ticks;
  const double decades = std::log10(axis.high / axis.low);
  const int stride = std::max(1, static_cast<int>(std::ceil(decades / 7)));
  const int first = static_cast<int>(std::floor(std::log10(axis.low)));
  const int last = static_cast<int>(std::ceil(std::log10(axis.high)));
  constexpr std::array finer{1, 2, 5};
  for (int decade = first; decade <= last; ++decade) {
    if (decade % stride != 0) {
      continue;
    }
    for (const int factor : finer) {
      const double value = factor * std::pow(10, decade);
      if ((factor == 1 || decades < 1.5) && value >= axis.low && value <= axis.high) {
        ticks.push_back({value, decades < 1.5 ? fmt::format("{:g}", value) : "10" + raised(decade)});
      }
    }
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
  constexpr int enough = 100;
  const double first = std::ceil(axis.low / step - 1e-9);
  for (int i = 0; i < enough && (first + i) * step <= axis.high + 1e-9 * step; ++i) {
    const double value = first + i == 0 ? 0 : (first + i) * step;
    const int digits = std::max(1, static_cast<int>(std::ceil(std::log10((std::abs(value) + step) / step))) + 1);
    ticks.push_back({value, fmt::format("{:.{}g}", value, std::min(digits, 12))});
  }
  return ticks;
}

/// A point in the units of a drawing, in which coordinates are whole.
struct Dot {
  std::int32_t x = 0, y = 0;
  bool operator==(const Dot&) const = default;
};

/// From the values of a plot to the units of its drawing.
struct Scale {
  Axes axes;
  double width = 1, height = 1;  // [units]
  double left = 0, top = 0;

  [[nodiscard]] std::optional<Dot> at(double x, double y) const {
    if (!axes.x.shows(x) || !axes.y.shows(y)) {
      return std::nullopt;
    }
    return Dot{static_cast<std::int32_t>(std::lround(left + width * axes.x.share(x))),
               static_cast<std::int32_t>(std::lround(top + height * (1 - axes.y.share(y))))};
  }
};

/// Distance of p from the line through a and b, or from a where they coincide.
double distance(const Dot& p, const Dot& a, const Dot& b) {
  const double dx = b.x - a.x;
  const double dy = b.y - a.y;
  const double length = std::hypot(dx, dy);
  return length == 0 ? std::hypot(p.x - a.x, p.y - a.y) : std::abs(dx * (p.y - a.y) - dy * (p.x - a.x)) / length;
}

/// Of points in one narrow column that follow each other: the first, the least, the largest and the last. A dense curve
/// keeps its outline.
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

/// Leaves out the points that are nearer than `tolerance` to the line between those that stay (Douglas and Peucker
/// 1973), in pieces of bounded length: the work is bounded too.
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
    double farthest = tolerance;
    std::size_t at = 0;
    for (std::size_t i = a + 1; i < b; ++i) {
      if (const double d = distance(dots[i], dots[a], dots[b]); d > farthest) {
        farthest = d;
        at = i;
      }
    }
    if (at > 0) {
      open.emplace_back(a, at);
      open.emplace_back(at, b);
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

/// Relative coordinates, as short as SVG allows.
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
  /// A line of length 0, whose round ends are the mark.
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

/// What counts as the same in a drawing.
struct Detail {
  double tolerance = 1;           // [units]
  std::int32_t column = 1;        // [units]
  std::size_t max_points = 4000;  // of a curve: beyond, the tolerance grows
};

/// The pieces of a curve, without the values that cannot be shown.
std::vector<std::vector<Dot>> pieces_of(const Curve& curve, const Scale& scale) {
  std::vector<std::vector<Dot>> pieces(1);
  for (std::size_t i = 0; i < curve.size(); ++i) {
    const auto dot = scale.at((*curve.x)[i], (*curve.y)[i]);
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

std::string line_path(const Curve& curve, const Scale& scale, const Detail& detail) {
  std::vector<std::vector<Dot>> pieces = pieces_of(curve, scale);
  for (auto& piece : pieces) {
    piece = by_columns(piece, detail.column);
  }
  std::vector<std::vector<Dot>> drawn;
  for (double tolerance = detail.tolerance; tolerance < 64 * detail.tolerance; tolerance *= 1.5) {
    drawn.clear();
    std::size_t points = 0;
    for (const auto& piece : pieces) {
      drawn.push_back(simplified(piece, tolerance));
      points += drawn.back().size();
    }
    if (points <= detail.max_points) {
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

std::string mark_path(const Curve& curve, const Scale& scale, std::int32_t same) {
  PathData path;
  std::unordered_set<std::uint64_t> seen;
  for (std::size_t i = 0; i < curve.size(); ++i) {
    if (const auto dot = scale.at((*curve.x)[i], (*curve.y)[i])) {
      const auto cell = static_cast<std::uint64_t>(static_cast<std::uint32_t>(dot->x / same)) << 32U |
                        static_cast<std::uint32_t>(dot->y / same);
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
    const auto foot = scale.at(x - half, base);
    const auto head = scale.at(x + half, y);
    if (foot && head) {
      path.move(*foot);
      path.line({foot->x, head->y});
      path.line(*head);
      path.line({head->x, foot->y});
    }
  }
  return path.text();
}

/// The paths of one curve: `open` starts an element of the class and ends before its data.
std::string paths_of(const Curve& curve, const Scale& scale, const Detail& detail,
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
    put("line", line_path(curve, scale, detail));
  }
  if (curve.style != Style::lines && curve.style != Style::steps) {
    put("dots", mark_path(curve, scale, std::max(1, detail.column)));
  }
  return svg;
}

// ---- as a file

/// Where text goes its width is estimated: no program that draws is asked for it.
constexpr double letter_width = 0.58;  // of the font's size

std::size_t letters(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

/// A text in lines of a width; a word that is longer stays whole.
std::vector<std::string> wrapped(const std::string& text, std::size_t width) {
  std::vector<std::string> lines;
  std::string line;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find(' ', start), text.size());
    const std::string word = text.substr(start, end - start);
    if (!line.empty() && letters(line) + 1 + letters(word) > width) {
      lines.push_back(line);
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
    start = end + 1;
  }
  if (!line.empty()) {
    lines.push_back(line);
  }
  return lines;
}

/// A text between tags of SVG, where > is no mark.
std::string svg_text(std::string_view text) {
  std::string result = escaped(text);
  for (const auto& [from, to] : {std::pair{"&gt;", ">"}, std::pair{"&quot;", "\""}}) {
    for (auto at = result.find(from); at != std::string::npos; at = result.find(from, at + 1)) {
      result.replace(at, std::string_view(from).size(), to);
    }
  }
  return result;
}

struct Frame {
  double left = 0, top = 0, width = 0, height = 0;  // [pixels]
};

std::string line_of_text(double x, double y, const char* anchor, std::string_view text, const std::string& more = "") {
  return fmt::format("<text x=\"{:.4g}\" y=\"{:.4g}\" text-anchor=\"{}\"{}>{}</text>\n", x, y, anchor, more,
                     svg_text(text));
}

/// Border, grid and numbers.
std::string axes_svg(const Frame& f, const Axes& axes, double font) {
  std::string svg;
  const auto xs = ticks_of(axes.x, std::max(2, static_cast<int>(f.width / (6.5 * font))));
  const auto ys = ticks_of(axes.y, std::max(2, static_cast<int>(f.height / (2.8 * font))));
  std::string grid;
  for (const Tick& tick : xs) {
    const double x = f.left + f.width * axes.x.share(tick.value);
    grid += fmt::format("M{:.5g} {:.5g}v{:.5g}", x, f.top, f.height);
    svg += line_of_text(x, f.top + f.height + 1.3 * font, "middle", tick.label);
  }
  for (const Tick& tick : ys) {
    const double y = f.top + f.height * (1 - axes.y.share(tick.value));
    grid += fmt::format("M{:.5g} {:.5g}h{:.5g}", f.left, y, f.width);
    svg += line_of_text(f.left - 0.5 * font, y + 0.35 * font, "end", tick.label);
  }
  return fmt::format(
      "<path fill=\"none\" stroke=\"#ddd\" d=\"{}\"/>\n<rect fill=\"none\" stroke=\"#777\" x=\"{:.5g}\" y=\"{:.5g}\" "
      "width=\"{:.5g}\" height=\"{:.5g}\"/>\n{}",
      grid, f.left, f.top, f.width, f.height, svg);
}

double label_room(const Axes& axes, double height, double font) {
  std::size_t longest = 1;
  for (const Tick& tick : ticks_of(axes.y, std::max(2, static_cast<int>(height / (2.8 * font))))) {
    longest = std::max(longest, letters(tick.label));
  }
  return letter_width * font * static_cast<double>(longest) + 0.8 * font;
}

/// Room at the right of a plot for the half of its last number that stands out.
double number_room(const Axes& axes, double width, double font) {
  double room = 0.8 * font;
  for (const Tick& tick : ticks_of(axes.x, std::max(2, static_cast<int>(width / (6.5 * font))))) {
    const double half = letter_width * font * static_cast<double>(letters(tick.label)) / 2;
    room = std::max(room, half - width * (1 - axes.x.share(tick.value)));
  }
  return room + 2;
}

std::string curves_svg(std::span<const Curve> curves, const Axes& axes, const Frame& f) {
  constexpr double unit = 10;  // to the pixel
  const Scale scale{axes, unit * f.width, unit * f.height, 0, 0};
  std::string svg = fmt::format("<g transform=\"translate({:.5g} {:.5g}) scale({})\">\n", f.left, f.top, 1 / unit);
  for (const Curve& curve : curves) {
    const char* colour = colours[curve.colour];
    svg += paths_of(curve, scale, {.tolerance = 1, .column = 5}, [&](std::string_view kind) {
      if (kind == "bar") {
        return fmt::format("<path fill=\"{0}\" fill-opacity=\".35\" stroke=\"{0}\" stroke-width=\"10\" d=\"", colour);
      }
      return fmt::format(
          "<path fill=\"none\" stroke=\"{}\" stroke-width=\"{}\" stroke-linecap=\"round\" "
          "stroke-linejoin=\"round\" d=\"",
          colour, kind == "dots" ? 45 : 18);
    });
  }
  return svg + "</g>\n";
}

/// What stands before and after a drawing of this size.
std::string whole_svg(double width, double height, double font, const std::string& content) {
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" "
      "width=\"{0}\" height=\"{1}\" font-family=\"sans-serif\" font-size=\"{2}\" fill=\"#222\">\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n{3}</svg>\n",
      width, height, font, content);
}

std::string panels_svg(const Figure& figure, std::span<const Curve> curves) {
  const std::size_t columns = figure.panels_in_a_row;
  const double width = columns == 1 ? 760 : 210;
  const double font = columns == 1 ? 12 : 9;
  constexpr double height = 170, head = 40;
  const std::size_t rows = (curves.size() + columns - 1) / columns;
  std::string svg = line_of_text(width * static_cast<double>(columns) / 2, 22, "middle", figure.title,
                                 " font-size=\"12\" font-weight=\"bold\"");
  double widest = 0;  // the panels of a column start at one place
  for (const Curve& curve : curves) {
    widest = std::max(widest, label_room(axes_of({&curve, 1}, figure), height - 60, font) + 14);
  }
  for (std::size_t i = 0; i < curves.size(); ++i) {
    Curve curve = curves[i];
    curve.colour = 0;
    const std::span<const Curve> alone(&curve, 1);
    const Axes axes = axes_of(alone, figure);
    const double x = width * static_cast<double>(i % columns);
    const double y = head + height * static_cast<double>(i / columns);
    const double room = columns == 1 ? widest : label_room(axes, height - 60, font) + 14;
    const Frame frame{x + room, y + 18, width - room - number_room(axes, width - room, font), height - 60};
    svg += line_of_text(frame.left + frame.width / 2, y + 12, "middle", curve.label) + axes_svg(frame, axes, font) +
           curves_svg(alone, axes, frame) +
           line_of_text(frame.left + frame.width / 2, y + height - 12, "middle", figure.x_label) +
           line_of_text(0, 0, "middle", figure.y_label,
                        fmt::format(" transform=\"translate({:.5g} {:.5g}) rotate(-90)\"", x + 10,
                                    frame.top + frame.height / 2));
  }
  return whole_svg(width * static_cast<double>(columns), head + height * static_cast<double>(rows), font, svg);
}

std::string figure_svg(const Figure& figure, std::span<const Curve> curves) {
  constexpr double width = 760, plot_height = 330, font = 13, line = 18;
  const Axes axes = axes_of(curves, figure);
  const auto title = wrapped(figure.title, static_cast<std::size_t>(width / (letter_width * 15)));
  std::string svg;
  double y = 8;
  for (const std::string& text : title) {
    y += line;
    svg += line_of_text(width / 2, y, "middle", text, " font-size=\"15\"");
  }
  const double left = label_room(axes, plot_height, font) + 1.8 * font;
  const Frame frame{left, y + 14, width - left - number_room(axes, width - left, font), plot_height};
  svg += axes_svg(frame, axes, font) + curves_svg(curves, axes, frame);
  y = frame.top + frame.height + 2.9 * font;
  svg += line_of_text(frame.left + frame.width / 2, y, "middle", figure.x_label);
  svg += line_of_text(
      0, 0, "middle", figure.y_label,
      fmt::format(" transform=\"translate({:.5g} {:.5g}) rotate(-90)\"", font + 2, frame.top + frame.height / 2));
  double x = frame.left;
  bool first = true;
  for (const Curve& curve : curves) {
    if (curve.label.empty()) {
      continue;
    }
    const double room = 34 + letter_width * font * static_cast<double>(letters(curve.label));
    if (first || x + room > width) {
      x = frame.left;
      y += line + (first ? 4 : 0);
      first = false;
    }
    svg += fmt::format("<path stroke=\"{}\" stroke-width=\"4\" d=\"M{:.5g} {:.5g}h18\"/>\n", colours[curve.colour], x,
                       y - 4);
    svg += line_of_text(x + 23, y, "start", curve.label);
    x += room;
  }
  return whole_svg(width, std::ceil(y + 12), font, svg);
}

// ---- in a page

/// Curves in units that the page's script knows: 16000 for the width.
constexpr double page_width = 16000;

std::string page_plot(const Figure& figure, std::span<const Curve> curves, bool small) {
  const double font = 13;
  const double width = small ? 330 : 720;
  const double height = small ? 170 : 320;
  const Axes axes = axes_of(curves, figure);
  const double left = label_room(axes, height, font) + 1.8 * font;
  const Frame f{left, 8, width - left - number_room(axes, width - left, font), height};
  const double unit = page_width / f.width;
  const double page_height = std::round(unit * f.height);
  const Scale scale{axes, page_width, page_height, 0, 0};
  std::string html = fmt::format(
      "<div class=plot data-x=\"{:.17g} {:.17g}{}\" data-y=\"{:.17g} {:.17g}{}\"><svg viewBox=\"0 0 {} {}\" role=img "
      "aria-label=\"{}\"><g class=axes>{}{}{}</g>\n<svg class=area x={:.5g} y={:.5g} width={:.5g} height={:.5g} "
      "viewBox=\"0 0 {} {}\" preserveAspectRatio=none>\n",
      axes.x.low, axes.x.high, axes.x.is_log ? " log" : "", axes.y.low, axes.y.high, axes.y.is_log ? " log" : "", width,
      f.top + f.height + 3.5 * font, escaped(figure.title), axes_svg(f, axes, font),
      line_of_text(f.left + f.width / 2, f.top + f.height + 2.9 * font, "middle", figure.x_label, " class=xl"),
      line_of_text(
          0, 0, "middle", figure.y_label,
          fmt::format(" class=yl transform=\"translate({:.5g} {:.5g}) rotate(-90)\"", font + 2, f.top + f.height / 2)),
      f.left, f.top, f.width, f.height, page_width, page_height);
  // A tenth of a pixel, so that a zoomed curve is still right.
  const Detail detail{.tolerance = 0.12 * unit, .column = static_cast<std::int32_t>(unit / 2), .max_points = 1500};
  for (std::size_t i = 0; i < curves.size(); ++i) {
    html += paths_of(curves[i], scale, detail, [&](const char* kind) {
      return fmt::format("<path class=\"{} c{}\" data-s={} d=\"", kind, curves[i].colour, i);
    });
  }
  return html + "</svg></svg></div>\n";
}

}  // namespace

void draw(const Figure& figure, const std::vector<Table>& tables, const std::filesystem::path& folder) {
  const std::filesystem::path target = folder / (figure.name + ".svg");
  const std::vector<Curve> curves = curves_of(figure, tables, target);
  io::write_text(target, figure.panels_in_a_row > 0 ? panels_svg(figure, curves) : figure_svg(figure, curves));
}

std::string plot_for_page(const Figure& figure, const std::vector<Table>& tables, const std::filesystem::path& target) {
  const std::vector<Curve> curves = curves_of(figure, tables, target);
  if (figure.panels_in_a_row > 0) {
    std::string html = "<div class=panels>";
    for (Curve curve : curves) {
      curve.colour = 0;
      html += fmt::format("<div><p>{}</p>{}</div>", escaped(curve.label),
                          page_plot(figure, std::span<const Curve>(&curve, 1), true));
    }
    return html + "</div>\n";
  }
  std::string html = page_plot(figure, curves, false) + "<div class=legend>";
  for (std::size_t i = 0; i < curves.size(); ++i) {
    if (!curves[i].label.empty()) {
      html += fmt::format("<button type=button class=c{} data-s={}>{}</button>", curves[i].colour, i,
                          escaped(curves[i].label));
    }
  }
  return html + "</div>\n";
}

std::string escaped(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    const auto byte = static_cast<unsigned char>(text[i]);
    // Bytes that follow this one in UTF-8; 0xF8 and more start nothing.
    const std::size_t more = byte < 0x80 ? 0 : (byte & 0xE0U) == 0xC0 ? 1 : (byte & 0xF0U) == 0xE0 ? 2 : 3;
    bool whole = byte < 0x80 || (byte >= 0xC2 && byte < 0xF5);
    for (std::size_t k = 1; whole && k <= more; ++k) {
      whole = i + k < text.size() && (static_cast<unsigned char>(text[i + k]) & 0xC0U) == 0x80U;
    }
    if (!whole) {
      result += "\uFFFD";
      ++i;
      continue;
    }
    switch (text[i]) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        if (byte < 0x20 || byte == 0x7f) {
          result += ' ';
        } else {
          result += text.substr(i, more + 1);
        }
    }
    i += more + 1;
  }
  return result;
}

}  // namespace stiction::lab
