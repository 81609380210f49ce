// The share of each cell inside a polygon, by the odd-even rule: for loops that cross themselves and each other, touch,
// repeat points, or run back on themselves.
#include <algorithm>
#include <cmath>
#include <utility>

#include "grid.h"
#include "require.h"
#include "stiction/planar/shapes.h"

namespace stiction::planar {
namespace {

constexpr std::size_t max_loop_points = 10'000;
constexpr std::size_t max_crossings = 10'000;

/// A side of a loop, from below to above; horizontal sides are not needed.
struct Edge {
  Point low, high;

  [[nodiscard]] double x_at(double y) const noexcept {
    return low.x + (high.x - low.x) * ((y - low.y) / (high.y - low.y));
  }
};

/// All edges, from `origin`, those that begin lowest first.
std::vector<Edge> edges_of(const std::vector<std::vector<Point>>& loops, Point origin) {
  std::vector<Edge> edges;
  for (const auto& loop : loops) {
    for (std::size_t i = 0; i < loop.size(); ++i) {
      const Point a = loop[i] - origin;
      const Point b = loop[(i + 1) % loop.size()] - origin;
      if (a.y != b.y) {
        edges.push_back(a.y < b.y ? Edge{a, b} : Edge{b, a});
      }
    }
  }
  std::sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) { return a.low.y < b.low.y; });
  return edges;
}

/// Heights at which edges begin, end or cross, or a row of cells ends: between two of them no edges cross.
std::vector<double> heights_of(const std::vector<Edge>& edges, std::size_t rows, double height) {
  std::vector<double> heights;
  for (std::size_t j = 0; j <= rows; ++j) {
    heights.push_back(static_cast<double>(j) * height);
  }
  std::size_t crossings = 0;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    heights.push_back(edges[i].low.y);
    heights.push_back(edges[i].high.y);
    for (std::size_t k = i + 1; k < edges.size() && edges[k].low.y < edges[i].high.y; ++k) {
      const double bottom = edges[k].low.y;
      const double top = std::min(edges[i].high.y, edges[k].high.y);
      const double below = edges[i].x_at(bottom) - edges[k].x_at(bottom);
      const double above = edges[i].x_at(top) - edges[k].x_at(top);
      if ((below < 0 && above > 0) || (below > 0 && above < 0)) {
        ++crossings;
        require(crossings <= max_crossings, "polygon (crossings)", static_cast<double>(crossings), "<= 10000");
        heights.push_back(bottom + (top - bottom) * (below / (below - above)));
      }
    }
  }
  std::sort(heights.begin(), heights.end());
  heights.erase(std::unique(heights.begin(), heights.end()), heights.end());
  return heights;
}

/// An area and its first moments, from the lower left corner of its cell.
struct Area {
  double area = 0, x = 0, y = 0;
};

/// Between two edges and two heights.
struct Trapezoid {
  double bottom, top;
  double left_below, left_above, right_below, right_above;
};

/// The part of a trapezoid left of x, measured from `x`'s column: ∫ max(0, min(edge(y), x) − left) over its heights.
/// Both edges are straight: a part where the edge is beyond x is a rectangle.
class Clip {
 public:
  Clip(double bottom, double top) : bottom_(bottom), top_(top) {}

  /// Adds the area between x = 0 and the edge from (below, bottom) to (above, top), cut to 0 ≤ x ≤ width.
  void add(double below, double above, double width, double sign, Area& sum) const {
    // The heights at which the edge enters and leaves the column, as shares of the whole
    const double slope = above - below;
    const auto share_at = [&](double x) { return slope != 0 ? clip((x - below) / slope, 0.0, 1.0) : 0.0; };
    double enters = share_at(0);
    double leaves = share_at(width);
    if (enters > leaves) {
      std::swap(enters, leaves);
    }
    double from = 0;
    for (const double to : {enters, leaves, 1.0}) {
      if (to > from) {
        piece(from, to, clip(below + from * slope, 0.0, width), clip(below + to * slope, 0.0, width), sign, sum);
      }
      from = to;
    }
  }

 private:
  /// ∫ x dy, ∫ x²/2 dy and ∫ x y dy along a straight piece.
  void piece(double from, double to, double x0, double x1, double sign, Area& sum) const {
    const double y0 = bottom_ + from * (top_ - bottom_);
    const double y1 = bottom_ + to * (top_ - bottom_);
    const double h = sign * (y1 - y0);
    sum.area += h * (x0 + x1) / 2;
    sum.x += h * (x0 * x0 + x0 * x1 + x1 * x1) / 6;
    sum.y += h * (x0 * (2 * y0 + y1) + x1 * (y0 + 2 * y1)) / 6;
  }

  double bottom_, top_;  // from the lower side of the row
};

/// Adds a trapezoid to a row of cells, whose first has its left side at x = 0.
void cover(const Trapezoid& t, double width, std::size_t columns, Area* row) {
  const auto column_of = [&](double x) {
    return static_cast<std::size_t>(clip(std::floor(x / width), 0.0, static_cast<double>(columns - 1)));
  };
  const Clip clipped(t.bottom, t.top);
  const std::size_t last = column_of(std::max(t.right_below, t.right_above));
  for (std::size_t i = column_of(std::min(t.left_below, t.left_above)); i <= last; ++i) {
    const double left = static_cast<double>(i) * width;
    clipped.add(t.right_below - left, t.right_above - left, width, 1, row[i]);
    clipped.add(t.left_below - left, t.left_above - left, width, -1, row[i]);
  }
}

/// The area of each cell that is inside an odd number of loops; rows from the bottom.
std::vector<Area> covered_areas(const std::vector<Edge>& edges, const PressureGrid& grid) {
  std::vector<Area> covered(grid.pressure.size());
  const std::vector<double> heights = heights_of(edges, grid.rows, grid.height);
  std::vector<std::pair<double, const Edge*>> active;  // by their x in the middle between two heights
  std::size_t next = 0;
  for (std::size_t k = 0; k + 1 < heights.size(); ++k) {
    const double bottom = heights[k];
    const double top = heights[k + 1];
    std::erase_if(active, [&](const auto& entry) { return entry.second->high.y <= bottom; });
    for (; next < edges.size() && edges[next].low.y <= bottom; ++next) {
      active.emplace_back(0, &edges[next]);
    }
    for (std::size_t i = 0; i < active.size(); ++i) {  // insertion sort: most are in order already
      active[i].first = active[i].second->x_at(bottom + (top - bottom) / 2);
      for (std::size_t j = i; j > 0 && active[j].first < active[j - 1].first; --j) {
        std::swap(active[j], active[j - 1]);
      }
    }
    const double middle = bottom + (top - bottom) / 2;
    const auto row =
        static_cast<std::size_t>(clip(std::floor(middle / grid.height), 0.0, static_cast<double>(grid.rows - 1)));
    const double base = static_cast<double>(row) * grid.height;
    for (std::size_t i = 0; i + 1 < active.size(); i += 2) {
      const Edge& left = *active[i].second;
      const Edge& right = *active[i + 1].second;
      cover({bottom - base, top - base, left.x_at(bottom), left.x_at(top), right.x_at(bottom), right.x_at(top)},
            grid.width, grid.columns, &covered[row * grid.columns]);
    }
  }
  return covered;
}

}  // namespace

PressureGrid polygon_grid(const std::vector<std::vector<Point>>& loops, std::size_t columns, std::size_t rows,
                          const Pressure& pressure) {
  Point low{infinity, infinity};
  Point high{-infinity, -infinity};
  std::size_t count = 0;
  for (const auto& loop : loops) {
    require(loop.size() >= 3, "polygon (points of a loop)", static_cast<double>(loop.size()), ">= 3");
    count += loop.size();
    require(count <= max_loop_points, "polygon (points)", static_cast<double>(count), "<= 10000");
    for (const Point& p : loop) {
      require(places.holds(p.x) && places.holds(p.y), "polygon", places.holds(p.x) ? p.y : p.x, places.text);
      low = {std::min(low.x, p.x), std::min(low.y, p.y)};
      high = {std::max(high.x, p.x), std::max(high.y, p.y)};
    }
  }
  require(!loops.empty(), "polygon (loops)", 0, "> 0");
  PressureGrid grid = empty_grid(low, high, columns, rows);
  const std::vector<Area> covered = covered_areas(edges_of(loops, low), grid);
  double total = 0;
  for (std::size_t j = 0; j < rows; ++j) {
    for (std::size_t i = 0; i < columns; ++i) {
      const Area& part = covered[(rows - 1 - j) * columns + i];
      if (part.area > 1e-12 * grid.width * grid.height) {
        const double x = low.x + static_cast<double>(i) * grid.width + part.x / part.area;
        const double y = low.y + static_cast<double>(rows - 1 - j) * grid.height + part.y / part.area;
        grid.pressure[grid.index(i, j)] = part.area * (pressure ? checked_pressure(pressure(x, y)) : 1.0);
        total += part.area;
      }
    }
  }
  require(total > 0, "polygon (its area)", total, "> 0 by the odd-even rule");
  return grid;
}

}  // namespace stiction::planar
