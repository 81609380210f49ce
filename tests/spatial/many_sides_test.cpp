// Pyramids of many sides on many contacts: programs so degenerate that an interior point goes on by short steps only.
#include <gtest/gtest.h>

#include <array>

#include "spatial/scenes.h"

namespace stiction::spatial {
namespace {

struct Case {
  int sides;
  std::size_t contacts, seed;
  lab::Family family;
  double ratio;  // of friction that would be enough
};

class ManySides : public testing::TestWithParam<Case> {};

TEST_P(ManySides, ReachTheirGap) {
  const auto [sides, contacts, seed, family, ratio] = GetParam();
  StaticFriction solver(contacts, sides);
  lab::Random random(seed);
  lab::ContactScene scene = contact_scene(family, contacts, random);
  load_to_ratio(scene, ratio, solver);
  ASSERT_TRUE(solver.set(scene.contacts, scene.load));
  const Solution solution = solver.solve({.warm = false});
  ASSERT_TRUE(solver.set({}, scene.load));
  const double without_friction = solver.solve().objective;
  EXPECT_TRUE(solution.converged);
  EXPECT_LE(solution.gap, 1e-9 * without_friction);
  EXPECT_GT(solution.objective, 1e-6 * without_friction);
}

INSTANTIATE_TEST_SUITE_P(Slow, ManySides,
                         testing::Values(Case{16, 1000, 1'000'108, lab::Family::cube_in_corner, 1.01},
                                         Case{16, 1000, 1'000'180, lab::Family::cube_in_corner, 1.01},
                                         Case{16, 1000, 1'000'206, lab::Family::cube_in_corner, 1.5},
                                         Case{16, 1000, 1'000'212, lab::Family::cube_in_corner, 1.01},
                                         Case{8, 5000, 5'000'028, lab::Family::cube_in_corner, 1.01}));

}  // namespace
}  // namespace stiction::spatial
