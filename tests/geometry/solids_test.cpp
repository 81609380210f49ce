#include "stiction/geometry/solids.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "geometry/exact_distance.h"
#include "stiction/geometry/mesh_check.h"
#include "stiction/geometry/triangle_tree.h"
#include "stiction/problem.h"
#include "support/random.h"

namespace stiction::geometry::solids_test {
namespace {

constexpr double pi = std::numbers::pi;

/// Against the distance to a fine mesh of the same solid.
void expect_distance(const Solid& solid, const Mesh& mesh, double tolerance) {
  test::Random random(1);
  for (int i = 0; i < 300; ++i) {
    const Vector3 p = test::random_point(random, bounds(mesh), 0.3);
    EXPECT_NEAR(solid.distance(p), test::exact_distance(mesh, p), tolerance);
  }
}

TEST(Solids, SimpleOnesGiveTheDistance) {
  expect_distance(Solid::block({1, 2, 0.5}), box({1, 2, 0.5}), 1e-12);
  expect_distance(Solid::block({1, 2, 0.5}, 0.2), rounded_box({1, 2, 0.5}, 0.2, 12), 2e-3);
  expect_distance(Solid::ball(0.7), sphere(0.7, 4), 3e-3);
  expect_distance(Solid::rod(0.3, 1.5), cylinder(0.3, 1.5, 100), 1e-3);
  const Matrix3 r = rotation({0.6, 0, 0.8}, 1);
  expect_distance(Solid::block({1, 2, 0.5}).rotated(r).moved({3, 2, 1}), moved(rotated(box({1, 2, 0.5}), r), {3, 2, 1}),
                  1e-12);
  const Solid pipe = Solid::pipe({{0, 0, 0}, {1, 0, 0}, {1, 1, 0}}, 0.1);
  EXPECT_NEAR(pipe.distance({0.5, 0.5, 0}), 0.4, 1e-15);
  EXPECT_NEAR(pipe.distance({-1, 0, 0}), 0.9, 1e-15);
}

/// min and max; what is skipped because of a box must not show.
TEST(Solids, CombinedOnesHaveTheSignsOfSets) {
  test::Random random(2);
  const Solid a = Solid::block({1, 1, 1});
  const Solid b = Solid::rod(0.3, 2).rotated(rotation({1, 0, 0}, 0.5)).moved({0.2, 0.1, 0});
  const Solid either = a + b, without = a - b, both = a & b;
  for (int i = 0; i < 5000; ++i) {
    const Vector3 p = test::random_point(random, {{-1, -1, -1.5}, {1, 1, 1.5}}, 0);
    const double da = a.distance(p), db = b.distance(p);
    EXPECT_EQ(either.distance(p), std::min(da, db));
    EXPECT_EQ(without.distance(p), std::max(da, -db));
    EXPECT_EQ(both.distance(p), std::max(da, db));
  }
}

/// Every distance of a description is a bound: what the mesher relies on.
TEST(Solids, ChangeByNoMoreThanTheWay) {
  test::Random random(3);
  Solid part =
      Solid::block({1, 0.6, 0.4}, 0.05) - Solid::rod(0.1, 1) + Solid::pipe({{0, 0, 0.2}, {0.5, 0.3, 0.5}}, 0.04);
  part -= Solid::ball(0.2).moved({0.5, 0, 0});
  for (int i = 0; i < 20000; ++i) {
    const Vector3 p = test::random_point(random, part.box(), 0.5);
    const Vector3 q = test::random_point(random, part.box(), 0.5);
    ASSERT_LE(std::abs(part.distance(p) - part.distance(q)), norm(difference(p, q)) * (1 + 1e-12));
    ASSERT_GE(part.distance(p) + 1e-12,
              [&] {
                Vector3 out{};
                for (std::size_t k = 0; k < 3; ++k) {
                  out[k] = std::max({part.box().low[k] - p[k], p[k] - part.box().high[k], 0.0});
                }
                return norm(out);
              }() > 0
                  ? 0.0
                  : -infinity);
  }
}

TEST(Solids, MeshesAreClosedAndNearTheSurface) {
  Solid part = Solid::block({0.2, 0.12, 0.06}, 0.005);
  part -= Solid::rod(0.02, 0.2).moved({0.05, 0, 0});
  part += Solid::pipe({{-0.08, 0, 0}, {-0.08, 0, 0.06}, {0, 0, 0.1}}, 0.012);
  const double spacing = 0.002;
  for (const double adaptivity : {0.0, 0.2}) {
    const Mesh mesh = meshed(part, spacing, adaptivity);
    MeshReport report;
    checked_mesh(mesh, "part", &report);
    EXPECT_FALSE(report.changed()) << describe(report);
    EXPECT_EQ(report.parts, 1U);
    double largest = 0;
    for (const Vector3& v : mesh.vertices) {
      largest = std::max(largest, std::abs(part.distance(v)));
    }
    EXPECT_LE(largest, (adaptivity > 0 ? 1 : 0.6) * spacing) << adaptivity;
  }
  EXPECT_LT(meshed(part, spacing, 0.2).triangles.size(), meshed(part, spacing).triangles.size());
  EXPECT_NEAR(volume(meshed(Solid::ball(0.5), 0.02)), 4.0 / 3 * pi * 0.125, 0.002);
  EXPECT_NEAR(volume(meshed(Solid::ball(0.5) - Solid::ball(0.3), 0.02)), 4.0 / 3 * pi * (0.125 - 0.027),
              0.003);  // a cavity
}

TEST(Solids, WhatMakesNoSenseIsRefused) {
  EXPECT_THROW(Solid::block({1, 0, 1}), InvalidParameter);
  EXPECT_THROW(Solid::block({1, 1, 1}, 0.6), InvalidParameter);
  EXPECT_THROW(Solid::ball(NAN), InvalidParameter);
  EXPECT_THROW(Solid::rod(1, 1, 0.6), InvalidParameter);
  EXPECT_THROW(Solid::pipe({{0, 0, 0}}, 1), InvalidParameter);
  EXPECT_THROW(meshed(Solid::ball(1), 0), InvalidParameter);
  EXPECT_THROW(meshed(Solid::ball(1), 1e-4), InvalidParameter);
  EXPECT_THROW(meshed(Solid::ball(1), 0.1, 2), InvalidParameter);
  EXPECT_THROW(meshed(Solid::ball(0.2) - Solid::ball(0.5), 0.1), MeshError);  // nothing is left
}

}  // namespace
}  // namespace stiction::geometry::solids_test
