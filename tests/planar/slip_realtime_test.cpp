// From loads to motion without the heap.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "stiction/planar/ellipsoid.h"
#include "stiction/planar/shapes.h"
#include "support/malloc_guard.h"

namespace stiction::planar {
namespace {

TEST(Slip, CallsNoHeap) {
  Points three;
  three.add({0, 0}, 1);
  three.add({0.01, 0}, 2);
  three.add({0.005, 0.008}, 1.5);
  const std::array patches{Patch(paper::square()), Patch(paper::gradient_line()), Patch(paper::non_convex_1()),
                           Patch(disc_points(0.01, 4, 9)), Patch(three)};
  const Pusher pusher{{0.02, 0.003}, {-1, 0.2}, 0.1};
  const LimitEllipsoid ellipsoid = fitted_ellipsoid(patches[0]);
  for (const Patch& patch : patches) {
    double sum = 0;
    const long calls = test::heap_calls_in([&] {
      sum += slip(patch, {1, 2, 0.001}, 3).factor + (holds(patch, {1, 2, 0.01}, 3) ? 1 : 0) +
             pushed(patch, 1, pusher, {-1, 0}).twist.spin + pushed(patch, 1, pusher, {-1, 5}).twist.spin +
             ellipsoid.slip({1, 2, 0.001}, 3).factor + ellipsoid.pushed({1, 2}, {3, 4}).spin;
    });
    EXPECT_EQ(calls, 0);
    EXPECT_TRUE(std::isfinite(sum));
  }
}

}  // namespace
}  // namespace stiction::planar
