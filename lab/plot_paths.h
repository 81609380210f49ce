// Curves as SVG path data, with no more points than a drawing of its size can show.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "plot_axes.h"

namespace stiction::lab {

/// From the values of a plot to drawing units, with the origin at the top left.
struct Scale {
  Axes axes;
  double width = 1, height = 1;  // [units]
};

/// The resolution at which a curve is drawn.
struct Resolution {
  double tolerance = 1;           // distance by which a simplified curve may deviate [units]
  std::int32_t column = 1;        // width of the columns in which a dense curve keeps its outline [units]
  std::size_t max_points = 4000;  // of a curve: beyond, the tolerance grows
};

/// The colour of a value, by its position on the scale of values from 0 to 1.
std::string colour_of(double share);

/// SVG elements for one curve. `open` returns the start of a path element of a kind ("line", "dashes", "dots", "bar" or
/// "cell"), up to its data; in a colour of its own, unless that is empty.
using OpenPath = std::function<std::string(std::string_view kind, const std::string& colour)>;
std::string paths_of(const Curve& curve, const Scale& scale, const Resolution& resolution, const OpenPath& open);

}  // namespace stiction::lab
