#include "stiction/geometry/shapes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "stiction/geometry/mesh_check.h"
#include "stiction/problem.h"

namespace stiction::geometry::shapes_test {
namespace {

constexpr double pi = std::numbers::pi;

/// Closed, facing outwards, nothing to repair; its volume.
double good_volume(const Mesh& mesh, std::size_t parts = 1) {
  MeshReport report;
  checked_mesh(mesh, "shape", &report);
  EXPECT_FALSE(report.changed()) << describe(report);
  EXPECT_EQ(report.parts, parts);
  EXPECT_EQ(report.slivers, 0U);
  return volume(mesh);
}
/// Area of a regular polygon over that of its circle.
double polygon(std::size_t n) { return static_cast<double>(n) / (2 * pi) * std::sin(2 * pi / static_cast<double>(n)); }

TEST(Shapes, HaveTheVolumeTheyShould) {
  EXPECT_NEAR(good_volume(box({1, 2, 3})), 6, 1e-12);
  EXPECT_NEAR(good_volume(box({1, 2, 3}, 5)), 6, 1e-12);
  EXPECT_EQ(box({1, 2, 3}, 5).triangles.size(), 6U * 2 * 25);
  EXPECT_NEAR(good_volume(cylinder(0.5, 2, 32, 4)), 0.5 * pi * polygon(32), 1e-12);
  EXPECT_NEAR(good_volume(block_with_hole({2, 3, 1}, 0.4, 32, 3)), 6 - 0.16 * pi * polygon(32), 1e-12);
  EXPECT_NEAR(good_volume(corner(1, 0.2, 1)), 1.2 * (1.44 - 1), 1e-12);
  EXPECT_NEAR(good_volume(corner(1, 0.2, 2)), 1.728 - 1, 1e-12);
  EXPECT_NEAR(good_volume(joined(box({1, 1, 1}), moved(box({1, 1, 1}), {5, 0, 0})), 2), 2, 1e-12);
}

TEST(Shapes, RoundOnesTendToTheirs) {
  double last = 1;
  for (const std::size_t cuts : {2U, 3U, 4U}) {
    const double error = 1 - good_volume(sphere(2, cuts)) / (4.0 / 3 * pi * 8);
    EXPECT_GT(error, 0);
    EXPECT_LT(error, last / 3.5);  // with the square of the edges
    last = error;
  }
  EXPECT_LT(last, 0.005);
  for (const Vector3& v : sphere(2, 3).vertices) {
    EXPECT_NEAR(norm(v), 2, 1e-14);
  }
  // box + faces + quarter cylinders + ball of the rounding
  const double a = 0.6, b = 0.8, c = 1.0, r = 0.2;
  const double exact =
      a * b * c + 2 * r * (a * b + b * c + c * a) + pi * r * r * (a + b + c) + 4.0 / 3 * pi * r * r * r;
  EXPECT_NEAR(good_volume(rounded_box({a + 2 * r, b + 2 * r, c + 2 * r}, r, 24)) / exact, 1, 5e-4);
  EXPECT_NEAR(good_volume(rounded_box({1, 1, 1}, 0.5, 16)) / (pi / 6), 1, 5e-3);  // a ball
}

TEST(Shapes, ATubeKeepsItsRadiusInBends) {
  std::vector<Vector3> path;
  for (int i = 0; i <= 200; ++i) {
    const double angle = 1.5 * pi * i / 200;
    path.push_back({std::cos(angle), std::sin(angle), 0.1 * angle});
  }
  const Mesh mesh = tube(path, 0.1, 48);
  const double length = 1.5 * pi * std::sqrt(1 + 0.01);
  EXPECT_NEAR(good_volume(mesh) / (length * pi * 0.01 * polygon(48)), 1, 1e-3);
  EXPECT_NEAR(good_volume(tube({{0, 0, 0}, {0, 0, 1}, {0, 0.8, 2}}, 0.1, 64)),
              (1 + std::hypot(0.8, 1)) * pi * 0.01 * polygon(64), 1e-6);
}

TEST(Shapes, SizesThatMakeNoSenseAreRefused) {
  EXPECT_THROW(box({1, 0, 1}), InvalidParameter);
  EXPECT_THROW(box({1, NAN, 1}), InvalidParameter);
  EXPECT_THROW(box({1, 1, 1}, 0), InvalidParameter);
  EXPECT_THROW(rounded_box({1, 1, 1}, 0.51), InvalidParameter);
  EXPECT_THROW(sphere(-1), InvalidParameter);
  EXPECT_THROW(sphere(1, 11), InvalidParameter);
  EXPECT_THROW(cylinder(1, 1, 2), InvalidParameter);
  EXPECT_THROW(block_with_hole({1, 1, 1}, 0.5), InvalidParameter);
  EXPECT_THROW(block_with_hole({1, 1, 1}, 0.2, 12), InvalidParameter);
  EXPECT_THROW(corner(1, 0.1, 4), InvalidParameter);
  EXPECT_THROW(tube({{0, 0, 0}}, 0.1), InvalidParameter);
  EXPECT_THROW(tube({{0, 0, 0}, {0, 0, 0}}, 0.1), InvalidParameter);
  EXPECT_THROW(tube({{0, 0, 0}, {0, 0, 1}, {0, 0.1, 0}}, 0.1), InvalidParameter);
}

}  // namespace
}  // namespace stiction::geometry::shapes_test
