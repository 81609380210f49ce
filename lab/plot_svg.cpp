#include "plot_svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "plot.h"
#include "plot_paths.h"

namespace stiction::lab {
namespace {

/// Average width of a letter over the font size.
constexpr double letter_width = 0.58;

std::size_t letters(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

/// A text between SVG tags, where > and quotes need no escape.
std::string svg_text(std::string_view text) {
  std::string result = escaped(text);
  for (const auto& [from, to] : {std::pair{"&gt;", ">"}, std::pair{"&quot;", "\""}}) {
    for (auto at = result.find(from); at != std::string::npos; at = result.find(from, at + 1)) {
      result.replace(at, std::string_view(from).size(), to);
    }
  }
  return result;
}

// Ticks are denser in small panels, which would have hardly any otherwise.
int x_tick_count(double width, double font) {
  return std::max(2, static_cast<int>(width / ((width < 150 ? 4.2 : 6.5) * font)));
}
int y_tick_count(double height, double font) {
  return std::max(2, static_cast<int>(height / ((height < 150 ? 2.2 : 2.8) * font)));
}

constexpr double bar_width = 9;  // of the scale of colours [pixels]
constexpr double bar_gap = 7;

std::vector<Tick> colour_ticks(const Axes& axes) { return ticks_of(axes.value, 3); }

}  // namespace

double text_width(std::string_view text, double font) {
  return letter_width * font * static_cast<double>(letters(text));
}

/// Breaks a text into lines of at most `width` letters; longer words are not split.
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

std::string line_of_text(double x, double y, const char* anchor, std::string_view text, const std::string& attributes) {
  return fmt::format("<text x=\"{:.4g}\" y=\"{:.4g}\" text-anchor=\"{}\"{}>{}</text>\n", x, y, anchor, attributes,
                     svg_text(text));
}

std::string axes_svg(const Frame& f, const Axes& axes, double font) {
  std::string svg;
  const auto xs = x_ticks_of(axes, x_tick_count(f.width, font));
  const auto ys = ticks_of(axes.y, y_tick_count(f.height, font));
  std::string grid;
  for (const Tick& tick : xs) {
    const double x = f.left + f.width * axes.x.fraction(tick.value);
    grid += fmt::format("M{:.5g} {:.5g}v{:.5g}", x, f.top, f.height);
    svg += line_of_text(x, f.top + f.height + 1.3 * font, "middle", tick.label,
                        axes.x_names.empty() ? "" : fmt::format(" font-size=\"{:.3g}\"", 0.88 * font));
  }
  for (const Tick& tick : ys) {
    const double y = f.top + f.height * (1 - axes.y.fraction(tick.value));
    grid += fmt::format("M{:.5g} {:.5g}h{:.5g}", f.left, y, f.width);
    svg += line_of_text(f.left - 0.5 * font, y + 0.35 * font, "end", tick.label);
  }
  return fmt::format(
      "<path fill=\"none\" stroke=\"#ddd\" d=\"{}\"/>\n<rect fill=\"none\" stroke=\"#777\" x=\"{:.5g}\" y=\"{:.5g}\" "
      "width=\"{:.5g}\" height=\"{:.5g}\"/>\n{}",
      grid, f.left, f.top, f.width, f.height, svg);
}

double label_space(const Axes& axes, double height, double font) {
  std::size_t longest = 1;
  for (const Tick& tick : ticks_of(axes.y, y_tick_count(height, font))) {
    longest = std::max(longest, letters(tick.label));
  }
  return letter_width * font * static_cast<double>(longest) + 0.8 * font;
}

double label_overhang(const Axes& axes, double width, double font) {
  double space = 0.8 * font;
  for (const Tick& tick : x_ticks_of(axes, x_tick_count(width, font))) {
    const double half = letter_width * font * static_cast<double>(letters(tick.label)) / 2;
    space = std::max(space, half - width * (1 - axes.x.fraction(tick.value)));
  }
  return space + 2;
}

std::string y_label_svg(double x, const Frame& frame, const std::string& label, double font) {
  const double room = frame.height + 2 * font;
  const double size = std::max(0.7 * font, std::min(font, font * room / std::max(1.0, text_width(label, font))));
  return line_of_text(0, 0, "middle", label,
                      fmt::format(" font-size=\"{:.3g}\" transform=\"translate({:.5g} {:.5g}) rotate(-90)\"", size, x,
                                  frame.top + frame.height / 2));
}

double colour_bar_space(const Axes& axes, double font) {
  if (!axes.coloured()) {
    return 0;
  }
  double widest = 0;
  for (const Tick& tick : colour_ticks(axes)) {
    widest = std::max(widest, text_width(tick.label, font));
  }
  return bar_gap + bar_width + 8 + widest;
}

std::string colour_bar_svg(const Frame& frame, const Axes& axes, double font) {
  if (!axes.coloured()) {
    return "";
  }
  constexpr int steps = 20;
  std::string svg;
  const double left = frame.left + frame.width + bar_gap;
  for (int i = 0; i < steps; ++i) {
    svg += fmt::format("<rect fill=\"{}\" x=\"{:.5g}\" y=\"{:.5g}\" width=\"{}\" height=\"{:.4g}\"/>\n",
                       colour_of((i + 0.5) / steps), left, frame.top + frame.height * (1 - (i + 1.0) / steps),
                       bar_width, frame.height / steps + 0.5);
  }
  for (const Tick& tick : colour_ticks(axes)) {
    svg += line_of_text(left + bar_width + 4,
                        frame.top + frame.height * (1 - axes.value.fraction(tick.value)) + 0.35 * font, "start",
                        tick.label);
  }
  return svg;
}

std::string curves_svg(std::span<const Curve> curves, const Axes& axes, const Frame& f) {
  constexpr double units_per_pixel = 10;
  const Scale scale{axes, units_per_pixel * f.width, units_per_pixel * f.height};
  std::string svg =
      fmt::format("<g transform=\"translate({:.5g} {:.5g}) scale({})\">\n", f.left, f.top, 1 / units_per_pixel);
  for (const Curve& curve : curves) {
    const char* own = colours.at(curve.colour % colours.size());
    svg += paths_of(curve, scale, {.tolerance = 1, .column = 5}, [&](std::string_view kind, const std::string& given) {
      const std::string colour = given.empty() ? own : given;
      if (kind == "bar") {
        return fmt::format(R"(<path fill="{0}" fill-opacity=".35" stroke="{0}" stroke-width="10" d=")", colour);
      }
      if (kind == "cell") {
        return fmt::format(R"(<path fill="{}" stroke="#fff" stroke-width="3" d=")", colour);
      }
      return fmt::format(
          "<path fill=\"none\" stroke=\"{}\" stroke-width=\"{}\" stroke-linecap=\"{}\" "
          "stroke-linejoin=\"round\"{} d=\"",
          colour, kind == "dots" ? 45 : 18, kind == "dashes" ? "butt" : "round",
          kind == "dashes" ? " stroke-dasharray=\"70 45\"" : "");
    });
  }
  return svg + "</g>\n";
}

std::string key_svg(const Curve& curve, double x, double y, double font) {
  const char* colour = colours.at(curve.colour % colours.size());
  const double middle = y - 0.3 * font;
  const std::string mark =
      curve.style == Style::points
          ? fmt::format("<circle fill=\"{}\" cx=\"{:.5g}\" cy=\"{:.5g}\" r=\"3.2\"/>\n", colour, x + 9, middle)
          : fmt::format("<path stroke=\"{}\" stroke-width=\"4\"{} d=\"M{:.5g} {:.5g}h18\"/>\n", colour,
                        curve.style == Style::dashes ? " stroke-dasharray=\"7 4\"" : "", x, middle);
  return mark + line_of_text(x + 23, y, "start", curve.label);
}

std::string svg_element(double width, double height, double font, const std::string& content, bool inline_page) {
  return fmt::format(
      "{5}<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" {4} "
      "font-family=\"sans-serif\" font-size=\"{2}\" fill=\"#222\">\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n{3}</svg>\n",
      width, height, font, content,
      inline_page ? std::string(R"(width="100%")") : fmt::format(R"(width="{}" height="{}")", width, height),
      inline_page ? "" : "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n");
}

}  // namespace stiction::lab
