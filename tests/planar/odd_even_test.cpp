// Polygons by the odd-even rule, against counting crossings point by point.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <numeric>
#include <string>
#include <vector>

#include "stiction/planar/shapes.h"
#include "support/random.h"

namespace stiction::planar {
namespace {

using Loop = std::vector<Point>;

/// Inside an odd number of times: a ray to the right crosses an odd number of sides.
bool inside(const std::vector<Loop>& loops, Point p) {
  bool odd = false;
  for (const Loop& loop : loops) {
    for (std::size_t i = 0; i < loop.size(); ++i) {
      const Point& a = loop[i];
      const Point& b = loop[(i + 1) % loop.size()];
      if ((a.y > p.y) != (b.y > p.y) && p.x < a.x + (p.y - a.y) / (b.y - a.y) * (b.x - a.x)) {
        odd = !odd;
      }
    }
  }
  return odd;
}

struct Measure {
  double area = 0, x = 0, y = 0, inertia = 0;  // centre, and mean square distance from it
};
/// By n × n points.
Measure counted(const std::vector<Loop>& loops, Point low, Point high, int n) {
  Measure m;
  double xx = 0;
  const double cell = (high.x - low.x) * (high.y - low.y) / (static_cast<double>(n) * n);
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) {
      const Point p{low.x + (i + 0.5) / n * (high.x - low.x), low.y + (j + 0.5) / n * (high.y - low.y)};
      if (inside(loops, p)) {
        m.area += cell;
        m.x += cell * p.x;
        m.y += cell * p.y;
        xx += cell * (p.x * p.x + p.y * p.y);
      }
    }
  }
  m.x /= m.area;
  m.y /= m.area;
  m.inertia = xx / m.area - m.x * m.x - m.y * m.y;
  return m;
}

Measure of_grid(const PressureGrid& grid) {
  const Patch patch(grid);
  return {std::accumulate(grid.pressure.begin(), grid.pressure.end(), 0.0), patch.centre_of_pressure().x,
          patch.centre_of_pressure().y, patch.mean_square_radius()};
}

const Loop bow_tie{{0, 0}, {2, 2}, {2, 0}, {0, 2}};
Loop box(double left, double bottom, double right, double top) {
  return {{left, bottom}, {right, bottom}, {right, top}, {left, top}};
}
Loop star() {  // five points, drawn in one line: its middle is inside twice
  Loop loop;
  for (int k = 0; k < 5; ++k) {
    loop.push_back({std::cos(2 * k * 2 * M_PI / 5), std::sin(2 * k * 2 * M_PI / 5)});
  }
  return loop;
}

TEST(OddEven, OfABowTieIsTwoTriangles) {
  for (const std::size_t n : {1U, 2U, 7U, 40U}) {
    const auto grid = polygon_grid({bow_tie}, n, n + 1);
    EXPECT_NEAR(of_grid(grid).area, 2, 1e-13) << n;
    EXPECT_TRUE(std::all_of(grid.pressure.begin(), grid.pressure.end(), [](double p) { return p >= 0; }));
  }
  const Measure m = of_grid(polygon_grid({bow_tie}, 40, 40));
  EXPECT_NEAR(m.x, 1, 1e-12);
  EXPECT_NEAR(m.y, 1, 1e-12);
  // ∫ (x − 1)² + (y − 1)² over two triangles of base and height 2 and 1: 2 (1/2 + 1/6)
  EXPECT_NEAR(m.inertia, (2 * (1.0 / 2 + 1.0 / 6)) / 2, 2.0 / 1600);
}

TEST(OddEven, TakesOutWhatLoopsHaveInCommon) {
  // Two squares of area 4 that share 1
  EXPECT_NEAR(of_grid(polygon_grid({box(0, 0, 2, 2), box(1, 1, 3, 3)}, 9, 7)).area, 6, 1e-13);
  EXPECT_NEAR(of_grid(polygon_grid({box(0, 0, 2, 2), box(1, 1, 3, 3), box(1, 1, 2, 2)}, 9, 7)).area, 7, 1e-13);
  // The same loop twice is nothing, three times it is there again.
  EXPECT_NEAR(of_grid(polygon_grid({box(0, 0, 1, 1), box(0, 0, 1, 1), box(0, 0, 1, 1)}, 4, 4)).area, 1, 1e-13);
  EXPECT_THROW((void)polygon_grid({box(0, 0, 1, 1), box(0, 0, 1, 1)}, 4, 4), InvalidParameter);
  // One loop that runs around twice encloses nothing.
  Loop twice = box(0, 0, 1, 1);
  const Loop once = twice;
  twice.insert(twice.end(), once.begin(), once.end());
  EXPECT_THROW((void)polygon_grid({twice}, 4, 4), InvalidParameter);
}

TEST(OddEven, OfAStarLeavesOutItsMiddle) {
  const Measure m = of_grid(polygon_grid({star()}, 101, 101));
  const Measure expected = counted({star()}, {-1, -1}, {1, 1}, 2000);
  EXPECT_NEAR(m.area, expected.area, 2e-3);
  EXPECT_LT(m.area, 0.8);  // 0.776; with its middle 1.123
  EXPECT_NEAR(m.x, 0, 1e-3);
  EXPECT_NEAR(m.y, 0, 1e-12);
}

TEST(OddEven, DoesNotMindRepeatedPointsOrSidesThatGoBack) {
  const double area = of_grid(polygon_grid({star()}, 30, 30)).area;
  Loop loop;
  for (const Point& p : star()) {
    loop.insert(loop.end(), {p, p, p});
  }
  EXPECT_NEAR(of_grid(polygon_grid({loop}, 30, 30)).area, area, 1e-14);
  // A spike without width: out to a point and back on the same line
  const Loop spiked{{0, 0}, {1, 0}, {1, 1}, {0.5, 1}, {0.5, 3}, {0.5, 1}, {0, 1}};
  const auto grid = polygon_grid({spiked}, 8, 12);
  EXPECT_NEAR(of_grid(grid).area, 1, 1e-14);
  EXPECT_NEAR(of_grid(grid).y, 0.5, 1e-14);
  // Level sides on a line between cells, and on none
  EXPECT_NEAR(of_grid(polygon_grid({{{0, 0}, {1, 0}, {2, 0}, {2, 0.3}, {1, 0.3}, {0, 0.3}}}, 4, 3)).area, 0.6, 1e-14);
}

TEST(OddEven, OfRandomLoopsIsWhatCountingFinds) {
  test::Random random(3);
  double worst_area = 0;
  double worst_centre = 0;
  double worst_inertia = 0;
  for (int k = 0; k < 60; ++k) {
    std::vector<Loop> loops(static_cast<std::size_t>(random.between(1, 4)));
    for (Loop& loop : loops) {
      const int count = static_cast<int>(random.between(3, 12));
      for (int i = 0; i < count; ++i) {
        // Some on a coarse raster, so that points, sides and crossings fall together
        const bool coarse = random.between(0, 1) < 0.4;
        const auto any = [&] {
          const double value = random.between(-1, 1);
          return coarse ? std::round(4 * value) / 4 : value;
        };
        loop.push_back({any(), any()});
        if (random.between(0, 1) < 0.2) {
          loop.push_back(loop.back());
        }
      }
    }
    Point low{1, 1};
    Point high{-1, -1};
    for (const Loop& loop : loops) {
      for (const Point& p : loop) {
        low = {std::min(low.x, p.x), std::min(low.y, p.y)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y)};
      }
    }
    if (high.x - low.x < 0.3 || high.y - low.y < 0.3) {
      continue;
    }
    const Measure expected = counted(loops, low, high, 600);
    if (!(expected.area > 0.05)) {
      continue;
    }
    const Measure m = of_grid(polygon_grid(loops, 60, 60));
    worst_area = std::max(worst_area, std::abs(m.area - expected.area) / expected.area);
    worst_centre = std::max(worst_centre, std::hypot(m.x - expected.x, m.y - expected.y));
    worst_inertia = std::max(worst_inertia, std::abs(m.inertia / expected.inertia - 1));
    // On other cells, far away, and from below upwards it is the same.
    EXPECT_NEAR(of_grid(polygon_grid(loops, 7, 31)).area, m.area, 1e-12) << k;
    std::vector<Loop> far = loops;
    for (Loop& loop : far) {
      for (Point& p : loop) {
        p = {p.y + 1000, -p.x};
      }
    }
    EXPECT_NEAR(of_grid(polygon_grid(far, 60, 60)).area, m.area, 1e-11) << k;
  }
  std::cout << "area " << worst_area << ", centre " << worst_centre << ", mean square " << worst_inertia << '\n';
  // 600 × 600 points find an area to some 1e-3; cells of 1/60 carry their share in their middle
  EXPECT_LT(worst_area, 5e-3);
  EXPECT_LT(worst_centre, 3e-3);
  EXPECT_LT(worst_inertia, 1e-2);
}

TEST(OddEven, PressureIsTakenInsideEachCellsShare) {
  // A linear pressure is exact in the sum: ∫ x over the bow tie is its area, as its centre is at x = 1.
  const auto grid = polygon_grid({bow_tie}, 13, 11, [](double x, double) { return x; });
  EXPECT_NEAR(std::accumulate(grid.pressure.begin(), grid.pressure.end(), 0.0), 2, 1e-13);
}

TEST(OddEven, ManyPointsAndCrossingsAreRefusedInTime) {
  Loop many;
  for (int k = 0; k < 10'000; ++k) {
    many.push_back({std::cos(2e-4 * M_PI * k), std::sin(2e-4 * M_PI * k)});
  }
  EXPECT_NEAR(of_grid(polygon_grid({many}, 30, 30)).area, M_PI, 1e-6);
  many.push_back({2, 0});
  EXPECT_THROW((void)polygon_grid({many}, 30, 30), InvalidParameter);
  Loop wild;
  test::Random random(5);
  for (int k = 0; k < 400; ++k) {
    wild.push_back({random.between(0, 1), random.between(0, 1)});
  }
  EXPECT_THROW((void)polygon_grid({wild}, 30, 30), InvalidParameter);
}

}  // namespace
}  // namespace stiction::planar
