// Shared by the functions that make grids and points.
#pragma once

#include "require.h"

namespace stiction::planar {

/// A grid of cells without pressure over a box.
inline PressureGrid empty_grid(Point low, Point high, std::size_t columns, std::size_t rows) {
  require_cells(columns, rows);
  require(places.holds(low.x) && places.holds(high.x) && high.x > low.x, "width", high.x - low.x, "> 0 and finite");
  require(places.holds(low.y) && places.holds(high.y) && high.y > low.y, "height", high.y - low.y, "> 0 and finite");
  const double width = (high.x - low.x) / static_cast<double>(columns);
  const double height = (high.y - low.y) / static_cast<double>(rows);
  require_size(width, "width of a cell");
  require_size(height, "height of a cell");
  return {columns, rows, low, width, height, std::vector<double>(columns * rows)};
}

/// Checks the value of a user's pressure function.
inline double checked_pressure(double pressure) {
  require(non_negative.holds(pressure), "pressure", pressure, non_negative.text);
  return pressure;
}

}  // namespace stiction::planar
