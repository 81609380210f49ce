// Curves as SVG path data, with no more points than a drawing of its size can show.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

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

/// SVG elements for one curve. `open` returns the start of a path element of a kind ("line", "dots" or "bar"), up to
/// its data.
std::string paths_of(const Curve& curve, const Scale& scale, const Resolution& resolution,
                     const std::function<std::string(const char* kind)>& open);

}  // namespace stiction::lab
