// Pyramids of many sides on many contacts: programs so degenerate that an interior point goes on by short steps only.
#include <gtest/gtest.h>

#include <array>

#include "spatial/certificate.h"
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
  const test::Checker<test::Quad> checker(scene.contacts, scene.load, sides, Metric::stiffness);
  const std::string proof = checker.check(solution, solver.contacts());
  ASSERT_TRUE(solver.set({}, scene.load));
  const double without_friction = solver.solve().objective;
  EXPECT_TRUE(solution.converged());
  EXPECT_EQ(proof, "");
  EXPECT_LE(solution.gap, 1e-9 * without_friction);
  EXPECT_GT(solution.objective, 1e-6 * without_friction);
}

/// A search that is slow leaves out segments of which it knows at which end they are. None of that may stay behind.
TEST_P(ManySides, LeaveNothingBehind) {
  const auto [sides, contacts, seed, family, ratio] = GetParam();
  StaticFriction solver(contacts, sides);
  lab::Random random(seed);
  lab::ContactScene scene = contact_scene(family, contacts, random);
  load_to_ratio(scene, ratio, solver);
  StaticFriction fresh(contacts, sides);
  ASSERT_TRUE(fresh.set(scene.contacts, scene.load));
  const Verdict first = fresh.verdict({}, true);
  ASSERT_TRUE(solver.set(scene.contacts, scene.load));
  EXPECT_GT(solver.solve({.warm = false}).iterations, 10);  // it was slow
  const Verdict after = solver.verdict({}, true);
  EXPECT_EQ(after.factor, first.factor);
  EXPECT_EQ(after.mechanism, first.mechanism);
  EXPECT_TRUE(solver.solve().converged());  // from the last solution
  const test::Checker<test::Quad> checker(scene.contacts, scene.load, sides, Metric::stiffness);
  EXPECT_EQ(checker.check(solver.solve(), solver.contacts()), "");
}

INSTANTIATE_TEST_SUITE_P(Slow, ManySides,
                         testing::Values(Case{16, 1000, 1'000'108, lab::Family::cube_in_corner, 1.01},
                                         Case{16, 1000, 1'000'180, lab::Family::cube_in_corner, 1.01},
                                         Case{16, 1000, 1'000'206, lab::Family::cube_in_corner, 1.5},
                                         Case{16, 1000, 1'000'212, lab::Family::cube_in_corner, 1.01},
                                         Case{8, 5000, 5'000'028, lab::Family::cube_in_corner, 1.01}));

}  // namespace
}  // namespace stiction::spatial
