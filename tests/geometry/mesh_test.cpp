#include "stiction/geometry/mesh.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "geometry/exact_distance.h"
#include "stiction/geometry/shapes.h"
#include "stiction/geometry/triangle_tree.h"
#include "stiction/problem.h"
#include "support/random.h"

namespace stiction::geometry {
namespace {

constexpr double pi = std::numbers::pi;

TEST(Mesh, BoxHasTheMassOfABox) {
  const Vector3 size{0.2, 0.3, 0.5};
  const Mesh mesh = moved(rotated(box(size, 3), rotation({0, 0, 1}, pi / 2)), {10, -20, 30});
  EXPECT_NEAR(area(mesh), 2 * (0.06 + 0.1 + 0.15), 1e-12);
  EXPECT_NEAR(volume(mesh), 0.03, 1e-14);
  const MassProperties m = mass_properties(mesh, 2000);
  EXPECT_NEAR(m.mass, 60, 1e-9);
  EXPECT_NEAR(m.centre[0], 10, 1e-12);
  EXPECT_NEAR(m.centre[1], -20, 1e-12);
  EXPECT_NEAR(m.centre[2], 30, 1e-12);
  // m (b² + c²)/12, x and y exchanged by the turn
  EXPECT_NEAR(m.inertia[0][0], 60 * (0.04 + 0.25) / 12, 1e-9);
  EXPECT_NEAR(m.inertia[1][1], 60 * (0.09 + 0.25) / 12, 1e-9);
  EXPECT_NEAR(m.inertia[2][2], 60 * (0.04 + 0.09) / 12, 1e-9);
  EXPECT_NEAR(m.inertia[0][1], 0, 1e-9);
  EXPECT_NEAR(m.inertia[1][2], 0, 1e-9);
}

TEST(Mesh, ATurnedBoxHasATurnedInertia) {
  const Vector3 size{0.2, 0.3, 0.5};
  const Matrix3 r = rotation({0.6, 0, 0.8}, 0.7);
  const MassProperties straight = mass_properties(box(size), 1000);
  const MassProperties tilted = mass_properties(rotated(box(size), r), 1000);
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      double expected = 0;  // R I Rᵀ
      for (std::size_t k = 0; k < 3; ++k) {
        expected += r[i][k] * straight.inertia[k][k] * r[j][k];
      }
      EXPECT_NEAR(tilted.inertia[i][j], expected, 1e-12);
    }
  }
}

TEST(Mesh, TurnedInsideOutTheVolumeIsNegative) {
  Mesh mesh = sphere(0.5, 3);
  for (Triangle& t : mesh.triangles) {
    std::swap(t[0], t[1]);
  }
  EXPECT_NEAR(volume(mesh), -4.0 / 3 * pi * 0.125, 0.01);
  EXPECT_THROW(mass_properties(mesh, 1000), MeshError);
  EXPECT_THROW(mass_properties(sphere(1, 1), 0), InvalidParameter);
  EXPECT_THROW(mass_properties(sphere(1, 1), NAN), InvalidParameter);
}

TEST(Mesh, AnEmptyMeshHasNothing) {
  EXPECT_EQ(area({}), 0);
  EXPECT_EQ(volume({}), 0);
  EXPECT_EQ(bounds({}).longest_side(), 0);
}

TEST(TriangleTree, FindsTheNearestTriangle) {
  test::Random random(1);
  const Mesh mesh = joined(moved(sphere(0.3, 2), {0.2, 0, 0}), block_with_hole({1, 1, 0.4}, 0.2, 16));
  const TriangleTree tree(mesh);
  for (int i = 0; i < 500; ++i) {
    const Vector3 p = test::random_point(random, bounds(mesh), i % 2 == 0 ? 0.1 : 10);
    const double exact = std::abs(test::exact_distance(mesh, p));
    const auto found = tree.closest(p);
    ASSERT_NEAR(found.distance, exact, 1e-12 * (1 + exact));
    EXPECT_NEAR(norm(difference(found.point, p)), exact, 1e-12 * (1 + exact));
    EXPECT_NEAR(test::to_triangle(p, mesh.corners(found.triangle)), exact, 1e-12 * (1 + exact));
    EXPECT_EQ(tree.closest(p, exact * 0.999).triangle, TriangleTree::none);
    EXPECT_EQ(tree.closest(p, exact * 0.999).distance, exact * 0.999);
    const double near = tree.closest(p, infinity, 0.2).distance;
    EXPECT_GE(near, exact * (1 - 1e-12));
    EXPECT_LE(near, exact * 1.2 * (1 + 1e-12));
  }
}

TEST(TriangleTree, TakesTrianglesWithoutAnArea) {
  const Mesh mesh{{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}, {{0, 1, 2}, {1, 1, 1}}};
  EXPECT_NEAR(TriangleTree(mesh).closest({1.5, 3, 4}).distance, 5, 1e-15);
  EXPECT_THROW(TriangleTree(Mesh{}), MeshError);
}

}  // namespace
}  // namespace stiction::geometry
