#include "plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "plot_paths.h"
#include "plot_svg.h"
#include "stiction/io/file.h"

namespace stiction::lab {
namespace {

/// A drawing and its size [pixels].
struct Drawing {
  std::string svg;
  double width = 0, height = 0, font = 13;
};

/// Sizes of the panels of a figure [pixels].
struct PanelSizes {
  double width = 0;        // of a panel with its labels
  double plot_height = 0;  // of the axes
  double font = 0;
  double labels = 0;  // to the left of the axes
  double legend = 0;  // to the right of them
};

PanelSizes sizes_of(const Figure& figure, std::span<const Panel> panels) {
  const bool single = figure.panels_in_a_row == 1;
  PanelSizes sizes{.width = single ? 760.0 : 210.0, .plot_height = 110, .font = single ? 12.0 : 9.0};
  for (const Panel& panel : panels) {
    const Axes axes = axes_of(panel.curves, figure);
    sizes.labels = std::max(sizes.labels, label_space(axes, sizes.plot_height, sizes.font) + 17);
    for (const Curve& curve : panel.curves) {
      if (!curve.label.empty()) {
        sizes.legend = std::max(sizes.legend, 36 + text_width(curve.label, sizes.font));
      }
    }
  }
  if (!single) {
    sizes.width += sizes.legend;
  }
  return sizes;
}

/// One panel with its top left corner at (x, y).
std::string panel_svg(const Figure& figure, const Panel& panel, double x, double y, const PanelSizes& sizes,
                      bool x_label) {
  const double font = sizes.font;
  Axes axes = axes_of(panel.curves, figure);
  const double top = y + (panel.title.empty() ? 6 : 18);
  const double labels = figure.panels_in_a_row == 1
                            ? sizes.labels
                            : label_space(axes, sizes.plot_height, font) + 17;  // one column: aligned
  const double room = sizes.width - labels - sizes.legend;
  const double right = std::max(label_overhang(axes, room, font), colour_bar_space(axes, font) + 2);
  const Frame frame{x + labels, top, room - right, sizes.plot_height};
  if (figure.equal_units) {
    axes = with_equal_units(axes, frame.width, frame.height);
  }
  std::string svg = axes_svg(frame, axes, font) + curves_svg(panel.curves, axes, frame) +
                    colour_bar_svg(frame, axes, font) + y_label_svg(x + 13, frame, panel.y_label, font);
  if (!panel.title.empty()) {
    svg += line_of_text(frame.left + frame.width / 2, y + 12, "middle", panel.title);
  }
  if (x_label) {
    svg += line_of_text(frame.left + frame.width / 2, top + sizes.plot_height + 30, "middle", figure.x_label);
  }
  double line = top + font;
  for (const Curve& curve : panel.curves) {
    if (!curve.label.empty()) {
      svg += key_svg(curve, frame.left + frame.width + 10, line, font);
      line += 1.4 * font;
    }
  }
  return svg;
}

Drawing panels_drawing(const Figure& figure, std::span<const Curve> curves) {
  const std::vector<Panel> panels = panels_of(figure, curves);
  const std::size_t columns = figure.panels_in_a_row;
  const PanelSizes sizes = sizes_of(figure, panels);
  const double width = sizes.width * static_cast<double>(columns);
  std::string svg = line_of_text(width / 2, 22, "middle", figure.title, R"( font-size="12" font-weight="bold")");
  double y = 40;
  for (std::size_t row = 0; row < panels.size(); row += columns) {
    double height = 0;
    for (std::size_t i = row; i < std::min(row + columns, panels.size()); ++i) {
      const bool titled = !panels[i].title.empty();
      const bool x_label = titled || i + columns >= panels.size();
      svg += panel_svg(figure, panels[i], sizes.width * static_cast<double>(i - row), y, sizes, x_label);
      height = std::max(height, sizes.plot_height + (titled ? 18 : 6) + (x_label ? 42 : 22));
    }
    y += height;
  }
  return {svg, width, y, sizes.font};
}

Drawing figure_drawing(const Figure& figure, std::span<const Curve> curves) {
  constexpr double width = 760;
  constexpr double font = 13;
  constexpr double line = 18;
  const double plot_height = figure.equal_units ? 420 : 330;
  Axes axes = axes_of(curves, figure);
  const auto title = wrapped(figure.title, static_cast<std::size_t>(width / text_width("m", 15)));
  std::string svg;
  double y = 8;
  for (const std::string& text : title) {
    y += line;
    svg += line_of_text(width / 2, y, "middle", text, " font-size=\"15\"");
  }
  const double left = label_space(axes, plot_height, font) + 1.8 * font;
  const double right = std::max(label_overhang(axes, width - left, font), colour_bar_space(axes, font) + 4);
  const Frame frame{left, y + 14, width - left - right, plot_height};
  if (figure.equal_units) {
    axes = with_equal_units(axes, frame.width, frame.height);
  }
  svg += axes_svg(frame, axes, font) + curves_svg(curves, axes, frame) + colour_bar_svg(frame, axes, font);
  y = frame.top + frame.height + 2.9 * font;
  svg += line_of_text(frame.left + frame.width / 2, y, "middle", figure.x_label);
  svg += y_label_svg(font + 2, frame, figure.y_label, font);
  double x = frame.left;
  bool first = true;
  for (const Curve& curve : curves) {
    if (curve.label.empty()) {
      continue;
    }
    const double space = 34 + text_width(curve.label, font);
    if (first || x + space > width) {
      x = frame.left;
      y += line + (first ? 4 : 0);
      first = false;
    }
    svg += key_svg(curve, x, y, font);
    x += space;
  }
  return {svg, width, std::ceil(y + 12), font};
}

Drawing drawing_of(const Figure& figure, std::span<const Curve> curves) {
  return figure.panels_in_a_row > 0 ? panels_drawing(figure, curves) : figure_drawing(figure, curves);
}

/// Width of the curves' area on a page, in drawing units; the page's script relies on it.
constexpr double page_width = 16000;

/// `first` is the number in the figure of the first of the curves, which the page's script uses.
std::string page_plot(const Figure& figure, const std::string& y_label, std::span<const Curve> curves,
                      std::size_t first, bool small) {
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
          0, 0, "middle", y_label,
          fmt::format(" class=yl transform=\"translate({:.5g} {:.5g}) rotate(-90)\"", font + 2, f.top + f.height / 2)),
      f.left, f.top, f.width, f.height, page_width, page_height);
  // About a tenth of a pixel, so that a curve is still accurate when zoomed.
  const Resolution resolution{
      .tolerance = 0.12 * unit, .column = static_cast<std::int32_t>(unit / 2), .max_points = 1500};
  for (std::size_t i = 0; i < curves.size(); ++i) {
    html += paths_of(curves[i], scale, resolution, [&](std::string_view kind, const std::string&) {
      const bool dashed = kind == "dashes";
      return fmt::format(R"(<path class="{} c{}" data-s={}{} d=")", dashed ? "line" : kind, curves[i].colour, first + i,
                         dashed ? " stroke-dasharray=\"7 5\"" : "");
    });
  }
  return html + "</svg></svg></div>\n";
}

std::string page_legend(std::span<const Curve> curves, std::size_t first) {
  std::string html = "<div class=legend>";
  for (std::size_t i = 0; i < curves.size(); ++i) {
    if (!curves[i].label.empty()) {
      html += fmt::format("<button type=button class=c{} data-s={}>{}</button>", curves[i].colour, first + i,
                          escaped(curves[i].label));
    }
  }
  return html + "</div>";
}

/// Colours, names on an axis and equal units are beyond the page's script: such a figure cannot be zoomed.
bool stands_still(const Figure& figure, std::span<const Curve> curves) {
  return figure.equal_units || !figure.x_names.empty() || std::ranges::any_of(curves, [](const Curve& curve) {
           return curve.value != nullptr || curve.style == Style::cells || curve.style == Style::box_plots;
         });
}

}  // namespace

void draw(const Figure& figure, const std::vector<Table>& tables, const std::filesystem::path& folder) {
  const std::filesystem::path target = folder / (figure.name + ".svg");
  const std::vector<Curve> curves = curves_of(figure, tables, colours.size(), target);
  const Drawing drawing = drawing_of(figure, curves);
  io::write_text(target, svg_element(drawing.width, drawing.height, drawing.font, drawing.svg, false));
}

std::string plot_for_page(const Figure& figure, const std::vector<Table>& tables, const std::filesystem::path& target) {
  const std::vector<Curve> curves = curves_of(figure, tables, colours.size(), target);
  if (stands_still(figure, curves)) {
    const Drawing drawing = drawing_of(figure, curves);
    return svg_element(drawing.width, drawing.height, drawing.font, drawing.svg, true);
  }
  if (figure.panels_in_a_row == 0) {
    return page_plot(figure, figure.y_label, curves, 0, false) + page_legend(curves, 0) + "\n";
  }
  std::string html = "<div class=panels>";
  std::size_t first = 0;
  for (Panel& panel : panels_of(figure, curves)) {
    for (Curve& curve : panel.curves) {
      curve.colour %= colours.size();
    }
    html += fmt::format("<div>{}{}{}</div>", panel.title.empty() ? "" : "<p>" + escaped(panel.title) + "</p>",
                        page_plot(figure, panel.y_label, panel.curves, first, true),
                        panel.title.empty() ? page_legend(panel.curves, first) : "");
    first += panel.curves.size();
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
