// Patch models, and bodies on them, without the heap.
#include <gtest/gtest.h>

#include <cmath>

#include "stiction/planar/reduced_batch.h"
#include "stiction/planar/soft_finger.h"
#include "stiction/sim/planar_steps.h"
#include "support/malloc_guard.h"

namespace stiction::planar {
namespace {

const Friction friction = preset::waltersson_p1();
const Twist twist{0.01, -0.02, 3};

TEST(PatchModels, CallNoHeap) {
  const Patch patch(paper::circle());
  const auto distributed = Distributed::make({friction, patch});
  std::vector<double> z(distributed.state_size());
  std::vector<double> dz(distributed.state_size());
  const auto reduced = Reduced<SurfaceTable>::make({friction, patch.pressure_moments(), SurfaceTable(patch)});
  Reduced<SurfaceTable>::State three;
  const SoftFinger finger{.reach = 0.006, .exponent = 2, .per_newton = true};
  auto soft = SoftFingerModel::make(friction, finger, 5).model;
  double sum = 0;
  const long calls = test::heap_calls_in([&] {
    for (int k = 0; k < 10; ++k) {
      sum += distributed.step(z, twist, 1, 1e-4).x + distributed.euler_step(z, twist, 1, 1e-6).x +
             distributed.rate(z, twist, 1, dz).x;
      three = reduced.step(three, twist, 1, 1e-4).state;
      press(soft, finger, 0.5 * k);
      sum += soft.step({}, twist, 1, 1e-4).wrench.x;
    }
  });
  EXPECT_EQ(calls, 0);
  EXPECT_TRUE(std::isfinite(sum));
}

TEST(PatchModels, BatchesCallNoHeap) {
  const Patch patch(paper::circle());
  const std::vector<SurfaceTable> surfaces{SurfaceTable(patch)};
  const std::vector<ReducedBatch::Item> items(100, {friction, 0, patch.torque_radius(), patch.mean_square_radius()});
  const ReducedBatch batch(surfaces, items);
  std::vector<double> states(300);
  std::vector<double> wrenches(300);
  const std::vector<double> twists(300, 0.01);
  const std::vector<double> normal(100, 1);
  EXPECT_EQ(test::heap_calls_in([&] { batch.step(states, twists, normal, 1e-4, wrenches); }), 0);
}

TEST(PatchModels, BodiesInFixedStepsCallNoHeap) {
  const Patch patch(paper::circle());
  sim::PlanarSteps<sim::DistributedContact> many({.mass = 1, .inertia = 1e-3, .carried = true},
                                                 sim::DistributedContact(Distributed::make({friction, patch})));
  sim::PlanarSteps<sim::ReducedContact<SurfaceTable>> three(
      {.mass = 1, .inertia = 1e-3, .carried = true},
      {Reduced<SurfaceTable>::make({friction, patch.pressure_moments(), SurfaceTable(patch)})});
  const long calls = test::heap_calls_in([&] {
    for (int k = 0; k < 50; ++k) {
      many.step({{0.3 * k, 0, 0.01}, 5}, 1e-3);
      three.step({{0.3 * k, 0, 0.01}, 5}, 1e-3);
    }
  });
  EXPECT_EQ(calls, 0);
  EXPECT_GT(three.velocity.x, 0.1);  // it has broken away on its way
}

}  // namespace
}  // namespace stiction::planar
