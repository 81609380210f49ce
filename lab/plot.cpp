#include "plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "plot_paths.h"
#include "stiction/io/file.h"

namespace stiction::lab {
namespace {

constexpr std::array colours{"#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#ff7f0e", "#8c564b", "#17becf", "#7f7f7f"};

/// Average width of a letter over the font size: without font metrics, the width of a text is estimated.
constexpr double letter_width = 0.58;

std::size_t letters(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
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

struct Frame {
  double left = 0, top = 0, width = 0, height = 0;  // [pixels]
};

std::string line_of_text(double x, double y, const char* anchor, std::string_view text,
                         const std::string& attributes = "") {
  return fmt::format("<text x=\"{:.4g}\" y=\"{:.4g}\" text-anchor=\"{}\"{}>{}</text>\n", x, y, anchor, attributes,
                     svg_text(text));
}

/// Border, grid and tick labels.
std::string axes_svg(const Frame& f, const Axes& axes, double font) {
  std::string svg;
  const auto xs = ticks_of(axes.x, std::max(2, static_cast<int>(f.width / (6.5 * font))));
  const auto ys = ticks_of(axes.y, std::max(2, static_cast<int>(f.height / (2.8 * font))));
  std::string grid;
  for (const Tick& tick : xs) {
    const double x = f.left + f.width * axes.x.fraction(tick.value);
    grid += fmt::format("M{:.5g} {:.5g}v{:.5g}", x, f.top, f.height);
    svg += line_of_text(x, f.top + f.height + 1.3 * font, "middle", tick.label);
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

/// Space to the left of a plot for the tick labels of the y axis.
double label_space(const Axes& axes, double height, double font) {
  std::size_t longest = 1;
  for (const Tick& tick : ticks_of(axes.y, std::max(2, static_cast<int>(height / (2.8 * font))))) {
    longest = std::max(longest, letters(tick.label));
  }
  return letter_width * font * static_cast<double>(longest) + 0.8 * font;
}

/// Space to the right of a plot for the part of the last tick label that protrudes.
double label_overhang(const Axes& axes, double width, double font) {
  double space = 0.8 * font;
  for (const Tick& tick : ticks_of(axes.x, std::max(2, static_cast<int>(width / (6.5 * font))))) {
    const double half = letter_width * font * static_cast<double>(letters(tick.label)) / 2;
    space = std::max(space, half - width * (1 - axes.x.fraction(tick.value)));
  }
  return space + 2;
}

std::string curves_svg(std::span<const Curve> curves, const Axes& axes, const Frame& f) {
  constexpr double units_per_pixel = 10;
  const Scale scale{axes, units_per_pixel * f.width, units_per_pixel * f.height};
  std::string svg =
      fmt::format("<g transform=\"translate({:.5g} {:.5g}) scale({})\">\n", f.left, f.top, 1 / units_per_pixel);
  for (const Curve& curve : curves) {
    const char* colour = colours[curve.colour];
    svg += paths_of(curve, scale, {.tolerance = 1, .column = 5}, [&](std::string_view kind) {
      if (kind == "bar") {
        return fmt::format(R"(<path fill="{0}" fill-opacity=".35" stroke="{0}" stroke-width="10" d=")", colour);
      }
      return fmt::format(
          "<path fill=\"none\" stroke=\"{}\" stroke-width=\"{}\" stroke-linecap=\"round\" "
          "stroke-linejoin=\"round\" d=\"",
          colour, kind == "dots" ? 45 : 18);
    });
  }
  return svg + "</g>\n";
}

/// An SVG document of this size [pixels].
std::string svg_document(double width, double height, double font, const std::string& content) {
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
  constexpr double height = 170;
  constexpr double head = 40;
  const std::size_t rows = (curves.size() + columns - 1) / columns;
  std::string svg = line_of_text(width * static_cast<double>(columns) / 2, 22, "middle", figure.title,
                                 R"( font-size="12" font-weight="bold")");
  double widest = 0;  // aligns the panels of a single column
  for (const Curve& curve : curves) {
    widest = std::max(widest, label_space(axes_of({&curve, 1}, figure), height - 60, font) + 14);
  }
  for (std::size_t i = 0; i < curves.size(); ++i) {
    Curve curve = curves[i];
    curve.colour = 0;
    const std::span<const Curve> alone(&curve, 1);
    const Axes axes = axes_of(alone, figure);
    const std::size_t row = i / columns;
    const double x = width * static_cast<double>(i % columns);
    const double y = head + height * static_cast<double>(row);
    const double space = columns == 1 ? widest : label_space(axes, height - 60, font) + 14;
    const Frame frame{x + space, y + 18, width - space - label_overhang(axes, width - space, font), height - 60};
    svg += line_of_text(frame.left + frame.width / 2, y + 12, "middle", curve.label) + axes_svg(frame, axes, font) +
           curves_svg(alone, axes, frame) +
           line_of_text(frame.left + frame.width / 2, y + height - 12, "middle", figure.x_label) +
           line_of_text(0, 0, "middle", figure.y_label,
                        fmt::format(" transform=\"translate({:.5g} {:.5g}) rotate(-90)\"", x + 10,
                                    frame.top + frame.height / 2));
  }
  return svg_document(width * static_cast<double>(columns), head + height * static_cast<double>(rows), font, svg);
}

std::string figure_svg(const Figure& figure, std::span<const Curve> curves) {
  constexpr double width = 760;
  constexpr double plot_height = 330;
  constexpr double font = 13;
  constexpr double line = 18;
  const Axes axes = axes_of(curves, figure);
  const auto title = wrapped(figure.title, static_cast<std::size_t>(width / (letter_width * 15)));
  std::string svg;
  double y = 8;
  for (const std::string& text : title) {
    y += line;
    svg += line_of_text(width / 2, y, "middle", text, " font-size=\"15\"");
  }
  const double left = label_space(axes, plot_height, font) + 1.8 * font;
  const Frame frame{left, y + 14, width - left - label_overhang(axes, width - left, font), plot_height};
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
    const double space = 34 + letter_width * font * static_cast<double>(letters(curve.label));
    if (first || x + space > width) {
      x = frame.left;
      y += line + (first ? 4 : 0);
      first = false;
    }
    svg += fmt::format("<path stroke=\"{}\" stroke-width=\"4\" d=\"M{:.5g} {:.5g}h18\"/>\n", colours[curve.colour], x,
                       y - 4);
    svg += line_of_text(x + 23, y, "start", curve.label);
    x += space;
  }
  return svg_document(width, std::ceil(y + 12), font, svg);
}

/// Width of the curves' area on a page, in drawing units; the page's script relies on it.
constexpr double page_width = 16000;

std::string page_plot(const Figure& figure, std::span<const Curve> curves, bool small) {
  const double font = 13;
  const double width = small ? 330 : 720;
  const double height = small ? 170 : 320;
  const Axes axes = axes_of(curves, figure);
  const double left = label_space(axes, height, font) + 1.8 * font;
  const Frame f{left, 8, width - left - label_overhang(axes, width - left, font), height};
  const double unit = page_width / f.width;
  const double page_height = std::round(unit * f.height);
  const Scale scale{axes, page_width, page_height};
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
  // About a tenth of a pixel, so that a curve is still accurate when zoomed.
  const Resolution resolution{
      .tolerance = 0.12 * unit, .column = static_cast<std::int32_t>(unit / 2), .max_points = 1500};
  for (std::size_t i = 0; i < curves.size(); ++i) {
    html += paths_of(curves[i], scale, resolution, [&](const char* kind) {
      return fmt::format(R"(<path class="{} c{}" data-s={} d=")", kind, curves[i].colour, i);
    });
  }
  return html + "</svg></svg></div>\n";
}

}  // namespace

void draw(const Figure& figure, const std::vector<Table>& tables, const std::filesystem::path& folder) {
  const std::filesystem::path target = folder / (figure.name + ".svg");
  const std::vector<Curve> curves = curves_of(figure, tables, colours.size(), target);
  io::write_text(target, figure.panels_in_a_row > 0 ? panels_svg(figure, curves) : figure_svg(figure, curves));
}

std::string plot_for_page(const Figure& figure, const std::vector<Table>& tables, const std::filesystem::path& target) {
  const std::vector<Curve> curves = curves_of(figure, tables, colours.size(), target);
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
    // UTF-8 continuation bytes after this one; 0xF8 and above never start a character.
    const std::size_t continuation = byte < 0x80 ? 0 : (byte & 0xE0U) == 0xC0 ? 1 : (byte & 0xF0U) == 0xE0 ? 2 : 3;
    bool valid = byte < 0x80 || (byte >= 0xC2 && byte < 0xF5);
    for (std::size_t k = 1; valid && k <= continuation; ++k) {
      valid = i + k < text.size() && (static_cast<unsigned char>(text[i + k]) & 0xC0U) == 0x80U;
    }
    if (!valid) {
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
          result += text.substr(i, continuation + 1);
        }
    }
    i += continuation + 1;
  }
  return result;
}

}  // namespace stiction::lab
