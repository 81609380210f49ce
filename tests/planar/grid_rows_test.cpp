// Rows of a grid count from the top, with y upwards, whoever makes it.
#include <gtest/gtest.h>

#include <vector>

#include "stiction/planar/limit_surface.h"
#include "stiction/planar/shapes.h"

namespace stiction::planar {
namespace {

// Most of the pressure is at the top right:
//   0 1 6
//   0 0 1
PressureGrid top_heavy() { return {3, 2, {-0.015, -0.01}, 0.01, 0.01, {0, 1, 6, 0, 0, 1}}; }

TEST(GridRows, CountFromTheTop) {
  const PressureGrid grid = top_heavy();
  EXPECT_EQ(grid.pressure[grid.index(2, 0)], 6);
  EXPECT_NEAR(grid.centre(2, 0).x, 0.01, 1e-17);
  EXPECT_NEAR(grid.centre(2, 0).y, 0.005, 1e-17);
  EXPECT_NEAR(grid.centre(0, 1).y, -0.005, 1e-17);
  const Patch patch(grid);
  EXPECT_NEAR(patch.centre_of_pressure().x, 0.01 * 7 / 8, 1e-16);
  EXPECT_NEAR(patch.centre_of_pressure().y, 0.005 * 6 / 8, 1e-16);
  // Points follow the cells that have pressure.
  ASSERT_EQ(patch.size(), 3U);
  EXPECT_DOUBLE_EQ(patch.points().share[1], 6.0 / 8);
  EXPECT_NEAR(patch.points().y[1] + patch.centre_of_pressure().y, 0.005, 1e-16);
}

TEST(GridRows, OfAFunctionAndAPolygonAreTheSame) {
  const auto height = [](double, double y) { return y; };
  const auto of_function = pressure_grid(height, {0, 0}, {1, 4}, 1, 4, 1);
  EXPECT_EQ(of_function.pressure, (std::vector<double>{3.5, 2.5, 1.5, 0.5}));
  const auto of_polygon = polygon_grid({{{0, 0}, {1, 0}, {1, 4}, {0, 4}}}, 1, 4, height);
  for (std::size_t j = 0; j < 4; ++j) {
    EXPECT_NEAR(of_polygon.pressure[j], of_function.pressure[j], 1e-15);
  }
  const auto masks = paper::gradient_line(5);  // most at the top
  EXPECT_GT(masks.pressure[masks.index(2, 0)], masks.pressure[masks.index(2, 4)]);
  EXPECT_GT(Patch(masks).centre_of_pressure().y, 0);
}

/// The limit surface, from corners and moments, sees the same pressure as the points.
TEST(GridRows, AreTheSameForEveryRule) {
  const PressureGrid coarse = top_heavy();
  PressureGrid fine{300, 200, coarse.corner, coarse.width / 100, coarse.height / 100, {}};
  for (std::size_t j = 0; j < 200; ++j) {
    for (std::size_t i = 0; i < 300; ++i) {
      fine.pressure.push_back(coarse.pressure[coarse.index(i / 100, j / 100)]);
    }
  }
  const Patch patch(coarse);
  const Patch many(fine);
  for (const Twist& v :
       {Twist{0.01, 0, 1}, Twist{0, 0.01, 1}, Twist{0, 0, 1}, Twist{1, 0.3, 1}, Twist{-0.2, 0.5, -1}}) {
    const Wrench exact = coulomb_wrench(patch, v);
    const Wrench sum = coulomb_wrench(many, v, Rule::midpoint);
    EXPECT_NEAR(exact.x, sum.x, 2e-4);
    EXPECT_NEAR(exact.y, sum.y, 2e-4);
    EXPECT_NEAR(exact.torque, sum.torque, 2e-6);
  }
}

}  // namespace
}  // namespace stiction::planar
