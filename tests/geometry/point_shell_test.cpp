#include "stiction/geometry/point_shell.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "geometry/exact_distance.h"
#include "stiction/geometry/shapes.h"
#include "stiction/problem.h"
#include "support/random.h"

namespace stiction::geometry {
namespace {

/// A point of the surface with the normal of its triangle, evenly over the area.
ShellPoint random_place(test::Random& random, const Mesh& mesh) {
  double left = random.unit() * area(mesh);
  for (std::size_t t = 0;; ++t) {
    const auto c = mesh.corners(t);
    const Vector3 n = area_vector(c);
    left -= norm(n) / 2;
    if (left <= 0 || t + 1 == mesh.triangles.size()) {
      const double r = std::sqrt(random.unit());
      const double s = random.unit();
      return {sum(sum(scaled(1 - r, c[0]), scaled(r * (1 - s), c[1])), scaled(r * s, c[2])), scaled(1 / norm(n), n)};
    }
  }
}

void check_tree(const PointShell& shell) {
  const auto nodes = shell.nodes();
  const auto points = shell.points();
  ASSERT_EQ(nodes[0].point_count, points.size());
  std::vector<int> parents(nodes.size());
  std::vector<int> bottoms(points.size());
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    const ShellNode& node = nodes[n];
    for (std::size_t i = node.first_point; i < node.first_point + node.point_count; ++i) {
      ASSERT_LE(norm(difference(points[i].position, node.centre)), node.radius);
      bottoms[i] += node.child_count == 0 ? 1 : 0;
    }
    std::size_t next = node.first_point;
    for (std::size_t c = node.first_child; c < node.first_child + node.child_count; ++c) {
      ASSERT_GT(c, n);
      ++parents[c];
      ASSERT_EQ(nodes[c].first_point, next);
      next += nodes[c].point_count;
    }
    if (node.child_count > 0) {
      ASSERT_EQ(next, node.first_point + node.point_count);
    }
  }
  for (std::size_t n = 1; n < nodes.size(); ++n) {
    ASSERT_EQ(parents[n], 1);
  }
  for (const int count : bottoms) {
    ASSERT_EQ(count, 1);
  }
}

struct Case {
  const char* name;
  Mesh mesh;
  ShellParams params;
};
std::vector<Case> cases() {
  return {{"peg", cylinder(0.01, 0.05, 48), {672, 6, 1}}, {"sphere", sphere(1, 4), {2000, 8, 2}},
          {"plate", box({1, 1, 0.01}), {1500, 5, 3}},     {"hole", block_with_hole({1, 1, 0.5}, 0.3, 32), {3000, 8, 4}},
          {"one level", sphere(1, 2), {100, 1, 5}},       {"few points", box({1, 1, 1}), {5, 3, 6}}};
}

TEST(PointShell, HasAsManyPointsAndLevelsAsAskedFor) {
  for (const Case& c : cases()) {
    const PointShell shell = PointShell::make(c.mesh, c.params);
    EXPECT_EQ(shell.points().size(), static_cast<std::size_t>(c.params.points)) << c.name;
    EXPECT_EQ(shell.levels(), static_cast<std::size_t>(c.params.levels)) << c.name;
    EXPECT_EQ(shell.points_in_level(shell.levels() - 1), shell.points().size()) << c.name;
    for (std::size_t l = 0; l + 1 < shell.levels(); ++l) {
      EXPECT_LE(shell.points_in_level(l), shell.points_in_level(l + 1)) << c.name;
    }
  }
}

TEST(PointShell, PointsAreOnTheSurfaceWithNormalsOutwards) {
  for (const Case& c : cases()) {
    const PointShell shell = PointShell::make(c.mesh, c.params);
    const double size = bounds(c.mesh).longest_side();
    for (std::size_t i = 0; i < shell.points().size(); i += 7) {
      const auto& [position, normal] = shell.points()[i];
      EXPECT_NEAR(norm(normal), 1, 1e-12);
      EXPECT_LT(std::abs(test::exact_distance(c.mesh, position)), 1e-12 * size) << c.name;
      EXPECT_GT(test::exact_distance(c.mesh, sum(position, scaled(1e-3 * size, normal))), 0) << c.name;
    }
  }
  // on a sphere they are those of the sphere, not of its facets
  const PointShell ball = PointShell::make(sphere(1, 4), {500, 4, 1});
  for (const ShellPoint& p : ball.points()) {
    EXPECT_GT(dot(p.normal, p.position) / norm(p.position), 1 - 5e-5);
  }
  // on a box those of its sides, also at the edges
  const PointShell block = PointShell::make(box({1, 1, 1}, 3), {500, 4, 1});
  for (const ShellPoint& p : block.points()) {
    EXPECT_NEAR(std::max({std::abs(p.normal[0]), std::abs(p.normal[1]), std::abs(p.normal[2])}), 1, 1e-12);
  }
}

/// In every level: no two points nearer than its spacing, no place of the surface much farther from all of them.
TEST(PointShell, EveryLevelCoversTheSurfaceEvenly) {
  test::Random random(1);
  for (const Case& c : cases()) {
    const PointShell shell = PointShell::make(c.mesh, c.params);
    for (std::size_t l = 0; l < shell.levels(); ++l) {
      std::vector<ShellPoint> level;
      for (std::size_t i = 0; i < shell.points().size(); ++i) {
        if (shell.level_of(i) <= l) {
          level.push_back(shell.points()[i]);
        }
      }
      const double spacing = shell.spacing(l);
      for (std::size_t i = 0; i < level.size(); ++i) {
        for (std::size_t k = 0; k < i; ++k) {
          if (dot(level[i].normal, level[k].normal) > 0) {
            ASSERT_GE(norm(difference(level[i].position, level[k].position)), spacing * (1 - 1e-12)) << c.name << l;
          }
        }
      }
      if (level.size() < 6) {
        continue;  // too few for the sides of a box
      }
      double farthest = 0;
      for (int i = 0; i < 1000; ++i) {
        const ShellPoint place = random_place(random, c.mesh);
        double least = infinity;
        for (const ShellPoint& p : level) {
          if (dot(place.normal, p.normal) > 0) {
            least = std::min(least, norm(difference(place.position, p.position)));
          }
        }
        farthest = std::max(farthest, least);
      }
      EXPECT_LE(farthest, 1.25 * spacing) << c.name << " level " << l;
    }
  }
}

TEST(PointShell, TheTreeHoldsEveryPointOnceWithinItsSpheres) {
  for (const Case& c : cases()) {
    check_tree(PointShell::make(c.mesh, c.params));
  }
}

/// A sphere is of use only if it is about as small as its points allow.
TEST(PointShell, SpheresAreTight) {
  const PointShell shell = PointShell::make(sphere(1, 4), {2000, 6, 1});
  EXPECT_NEAR(shell.nodes()[0].radius, 1, 0.03);
  double sum_of_radii = 0;
  std::size_t bottoms = 0;
  for (const ShellNode& node : shell.nodes()) {
    double widest = 0;
    for (std::size_t i = node.first_point; i < node.first_point + node.point_count && node.point_count < 200; ++i) {
      for (std::size_t k = node.first_point; k < i; ++k) {
        widest = std::max(widest, norm(difference(shell.points()[i].position, shell.points()[k].position)));
      }
    }
    if (node.point_count < 200) {
      EXPECT_LE(node.radius, 0.62 * widest + 1e-9);  // Jung: at most √(3/8) of the width
    }
    if (node.child_count == 0) {
      sum_of_radii += node.radius;
      ++bottoms;
    }
  }
  EXPECT_LT(sum_of_radii / static_cast<double>(bottoms), 1.5 * shell.spacing(shell.levels() - 2));
}

TEST(PointShell, CornersOfABoxHavePoints) {
  const PointShell shell = PointShell::make(box({1, 1, 1}), {600, 5, 1});
  std::set<Vector3> corners;
  for (const ShellPoint& p : shell.points()) {
    if (std::abs(p.position[0]) + std::abs(p.position[1]) + std::abs(p.position[2]) == 1.5) {
      corners.insert(p.position);
    }
  }
  EXPECT_EQ(corners.size(), 8U);
}

TEST(PointShell, IsTheSameForTheSameSeed) {
  const Mesh mesh = sphere(1, 3);
  const auto positions = [&](std::uint64_t seed) {
    std::vector<Vector3> list;
    const PointShell shell = PointShell::make(mesh, {300, 4, seed});
    for (const ShellPoint& p : shell.points()) {
      list.push_back(p.position);
    }
    return list;
  };
  EXPECT_EQ(positions(1), positions(1));
  EXPECT_NE(positions(1), positions(2));
}

TEST(PointShell, BadParametersAreRefused) {
  const Mesh mesh = sphere(1, 1);
  EXPECT_THROW(PointShell::make(mesh, {0, 4}), InvalidParameter);
  EXPECT_THROW(PointShell::make(mesh, {2'000'000, 4}), InvalidParameter);
  EXPECT_THROW(PointShell::make(mesh, {-1, 4}), InvalidParameter);
  EXPECT_THROW(PointShell::make(mesh, {10, 0}), InvalidParameter);
  EXPECT_THROW(PointShell::make(mesh, {10, 21}), InvalidParameter);
  EXPECT_THROW(PointShell::make({}, {10, 2}), MeshError);
  ShellData data = PointShell::make(mesh, {50, 3}).data();
  data.nodes[1].first_point = 49;
  EXPECT_THROW(PointShell{data}, MeshError);
  EXPECT_THROW(PointShell{ShellData{}}, MeshError);
}

}  // namespace
}  // namespace stiction::geometry
