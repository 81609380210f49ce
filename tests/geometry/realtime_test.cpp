// Look-ups in a loop, without the heap.
#include <gtest/gtest.h>

#include <cmath>

#include "stiction/geometry/distance_field.h"
#include "stiction/geometry/point_shell.h"
#include "stiction/geometry/shapes.h"
#include "stiction/geometry/triangle_tree.h"
#include "support/malloc_guard.h"

namespace stiction::geometry {
namespace {

TEST(Geometry, LookUpsCallNoHeap) {
  const Mesh mesh = box({1, 1, 1}, 2);
  const DistanceField field = DistanceField::make(mesh, {32, 2});
  const PointShell shell = PointShell::make(mesh, {200, 3, 1});
  const TriangleTree tree(mesh);
  double sum = 0;
  const long calls = test::heap_calls_in([&] {
    for (const ShellPoint& point : shell.points()) {
      for (const double out : {-2.0, 0.9, 1.0, 1.1, 3.0}) {  // in the band, in the grid, outside it
        const Vector3 p = scaled(out, point.position);
        sum += field.at(p).gradient[0] + field.value(p) + field.clearance(p) + tree.closest(p).distance;
      }
    }
    for (const ShellNode& node : shell.nodes()) {
      sum += node.radius;
    }
    sum += shell.spacing(0) + static_cast<double>(shell.level_of(3) + shell.points_in_level(1));
  });
  EXPECT_EQ(calls, 0);
  EXPECT_TRUE(std::isfinite(sum));
  static_assert(noexcept(field.at({}))&& noexcept(field.value({}))&& noexcept(field.clearance({})));
}

}  // namespace
}  // namespace stiction::geometry
