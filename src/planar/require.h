#pragma once

#include "../require.h"
#include "stiction/planar/patch.h"

namespace stiction::planar {

inline void require_size(double value, const char* field) {
  require(patch_sizes.holds(value), field, value, patch_sizes.text);
}

inline void require_count(std::size_t value, const char* field) {
  require(value > 0 && value <= max_patch_points, field, static_cast<double>(value), "in [1, 1e6]");
}

/// A grid of cells, or of points.
inline void require_counts(std::size_t columns, const char* columns_field, std::size_t rows, const char* rows_field) {
  require_count(columns, columns_field);
  require_count(rows, rows_field);
  require(columns * rows <= max_patch_points, "columns x rows", static_cast<double>(columns * rows), "<= 1e6");
}
inline void require_cells(std::size_t columns, std::size_t rows) { require_counts(columns, "columns", rows, "rows"); }

}  // namespace stiction::planar
