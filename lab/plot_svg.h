// Parts of a drawing: texts, axes, curves and legends as SVG.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "plot_axes.h"

namespace stiction::lab {

inline constexpr std::array colours{"#1f77b4", "#d62728", "#2ca02c", "#9467bd",
                                    "#ff7f0e", "#8c564b", "#17becf", "#7f7f7f"};

/// Estimate of the width of a text [pixels], without font metrics.
double text_width(std::string_view text, double font);

/// Breaks a text into lines of at most `width` letters; longer words are not split.
std::vector<std::string> wrapped(const std::string& text, std::size_t width);

/// A line of text; `anchor` is "start", "middle" or "end".
std::string line_of_text(double x, double y, const char* anchor, std::string_view text,
                         const std::string& attributes = "");

struct Frame {
  double left = 0, top = 0, width = 0, height = 0;  // [pixels]
};

/// Border, grid and tick labels.
std::string axes_svg(const Frame& frame, const Axes& axes, double font);
/// The label of the y axis, upright at the distance x from the left; smaller where it would be longer than its axis.
std::string y_label_svg(double x, const Frame& frame, const std::string& label, double font);
/// Space to the left of a plot for the tick labels of the y axis.
double label_space(const Axes& axes, double height, double font);
/// Space to the right of a plot for the part of the last tick label that protrudes.
double label_overhang(const Axes& axes, double width, double font);

/// The scale of colours to the right of a frame, and the space that it takes; none if nothing is coloured.
std::string colour_bar_svg(const Frame& frame, const Axes& axes, double font);
double colour_bar_space(const Axes& axes, double font);

std::string curves_svg(std::span<const Curve> curves, const Axes& axes, const Frame& frame);

/// The key of a curve in a legend, from x on.
std::string key_svg(const Curve& curve, double x, double y, double font);

/// An SVG element of this size [pixels]; `inline_page`: as wide as the page has room.
std::string svg_element(double width, double height, double font, const std::string& content, bool inline_page);

}  // namespace stiction::lab
