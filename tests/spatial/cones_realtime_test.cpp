// Cones and force closure without the heap.
#include <gtest/gtest.h>

#include "stiction/spatial/mujoco_pyramid.h"
#include "stiction/spatial/static_dynamic.h"
#include "stiction/spatial/wrench_cone.h"
#include "support/malloc_guard.h"

namespace stiction::spatial {
namespace {

template <class Cone>
double used(const Cone& cone, const typename Cone::Force& f) {
  return cone.margin(f) + norm(cone.project(f)) + norm(cone.project_polar(f)) + cone.section_support(f, 1.0) +
         (cone.contains(f, 1e-9) ? 1 : 0);
}

TEST(Cones, CallNoHeap) {
  double sum = 0;
  const long calls = stiction::test::heap_calls_in([&] {
    for (int k = 0; k < 100; ++k) {
      const double x = 0.02 * k - 1;
      sum += used(CircularCone<>{0.5}, {1, x, 0.3}) + used(BoxCone<>{0.5, 0.8}, {1, x, 0.3});
      sum += used(EllipticCone<6>{{0.5, 0.8, 0.01, 0.02, 0.03}}, {x, 1, 0.3, 0.1, -0.2, 0.4});
      sum += used(Pyramid<>({0.5, 16, Fit::inscribed}), {1, x, 0.3});
      sum += norm(Pyramid<>({0.5, 16, Fit::circumscribed}).project({1, x, 0.3}, {1, 2, 3}));
      sum += used(MujocoPyramid<6>{{0.5, 0.8, 0.01, 0.02, 0.03}}, {x, 1, 0.3, 0.1, -0.2, 0.4});
      sum += StaticDynamic<>{0.5, 0.4}.cone(x).mu + Frame<>::z_normal({1, x, 2}).x[0];
    }
  });
  EXPECT_EQ(calls, 0);
  EXPECT_TRUE(std::isfinite(sum));
}

TEST(ForceClosure, CallsNoHeap) {
  const std::array<GraspContact<>, 3> contacts{
      {{{1, 0, 0}, {-1, 0, 0}, 0.5}, {{-0.5, 0.9, 0}, {0.5, -0.9, 0}, 0.5}, {{-0.5, -0.9, 0}, {0.5, 0.9, 0}, 0.5}}};
  std::array<Vector<double, 6>, 24> generators{};
  bool closed = false;
  const long calls = stiction::test::heap_calls_in([&] {
    const std::size_t count = wrench_generators<double>(contacts, {}, 1.0, 8, generators);
    closed = force_closure<double>(std::span(generators).first(count)).closed;
  });
  EXPECT_EQ(calls, 0);
  EXPECT_TRUE(closed);
}

}  // namespace
}  // namespace stiction::spatial
