// Contact without penetration: a cube on a floor, a peg over a hole that is too small, and wild hands.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "haptic_baselines.h"
#include "haptics/random_pose.h"
#include "haptics/small_scenes.h"

namespace stiction::haptics {
namespace {

using baselines::make_constraint_contact;
using test::cube_half;
using test::Random;

Renderer rigid_cube_on(const geometry::PointShell& shell, double friction, const RenderParams& params = {}) {
  Renderer renderer = test::cube_on(shell, friction, params, Separation::pulled, make_constraint_contact(1000));
  renderer.reset_pose({{0, 0, cube_half + 0.003}, identity_rotation});
  return renderer;
}
/// How deep the deepest of all points is.
double deepest(const geometry::DistanceField& field, const geometry::PointShell& shell, const Pose& shell_in_field) {
  double most = -1;
  for (const geometry::ShellPoint& point : shell.points()) {
    most = std::max(most, -field.value(to_world(shell_in_field, point.position)));
  }
  return most;
}

/// The floor does not give way, so that the hand feels the spring of the coupling alone.
TEST(ConstraintContact, PressedCubeStaysOnTheFloor) {
  Renderer renderer = rigid_cube_on(test::floor_shell(), 0.5);
  for (int i = 0; i < 600; ++i) {
    renderer.step({{0, 0, cube_half - std::min(0.004, 2e-5 * i)}, identity_rotation});
  }
  const Cycle& cycle = renderer.last();
  EXPECT_EQ(cycle.phase, Phase::held);
  EXPECT_NEAR(renderer.body().position[2], cube_half, 1e-7);
  EXPECT_NEAR(cycle.output[2], 500 * 0.004, 1e-4);
  EXPECT_LT(cycle.deepest, 1e-7);
  EXPECT_NEAR(test::contact_wrench(renderer, renderer.body())[2], cycle.output[2], 1e-4);
}

TEST(ConstraintContact, FrictionHoldsUpToTheConeAndSlidesThen) {
  for (const double friction : {0.0, 0.3, 0.8}) {
    Renderer renderer = rigid_cube_on(test::floor_shell(), friction);
    for (int i = 0; i < 400; ++i) {
      renderer.step({{0, 0, cube_half - 0.004}, identity_rotation});
    }
    const double x = renderer.body().position[0];
    for (int i = 0; i < 300; ++i) {  // within the cone
      renderer.step({{friction * 0.003, 0, cube_half - 0.004}, identity_rotation});
    }
    EXPECT_NEAR(renderer.body().position[0], x, 1e-6);  // forces are right to 1e-6: it creeps by a nanometre a cycle
    for (int i = 0; i < 2000; ++i) {
      renderer.step({{1e-5 * i, 0, cube_half - 0.004}, identity_rotation});
    }
    const Cycle& cycle = renderer.last();
    EXPECT_EQ(cycle.phase, Phase::slides);
    // Behind the hand by what a step of damped sliding leaves: 1e-5 m/(1 − a)
    EXPECT_NEAR(-cycle.output[0], friction * cycle.output[2] + 500 * 1e-5 * 0.6 / 0.4, 2e-3 * cycle.output[2]);
    EXPECT_NEAR(renderer.body().position[2], cube_half, 1e-6);
  }
}

/// A cube on its edge: whatever the normals of its own faces are, a floor without friction pushes straight up.
TEST(ConstraintContact, ForcesAreAlongTheNormalOfTheField) {
  const auto floor = geometry::DistanceField::make(geometry::box({0.2, 0.2, 0.04}), {128, 8});
  const auto cube = geometry::PointShell::make(geometry::box({0.04, 0.04, 0.04}, 8), {2000, 5, 1});
  const BodyPair pair{.field = &floor, .shell = &cube, .shell_moves = true, .friction = 0};
  RenderParams params;
  params.coupling_rotational_stiffness = 1000;  // it hardly turns
  Renderer renderer(std::span(&pair, 1), {}, params, make_constraint_contact(1000));
  const Matrix3 tilted = rotation_by({0.2, 0.3, 0});
  renderer.reset_pose({{0, 0, 0.06}, tilted});
  for (int i = 0; i < 500; ++i) {
    renderer.step({{0, 0, 0.06 - std::min(0.02, 1e-4 * i)}, tilted});
  }
  const Vector6& force = renderer.last().output;
  EXPECT_GT(force[2], 1);
  EXPECT_LT(std::hypot(force[0], force[1]), 1e-6 * force[2]);
}

TEST(ConstraintContact, LiftedOffItDoesNotStick) {
  Renderer renderer = rigid_cube_on(test::floor_shell(), 10);
  for (int i = 0; i < 400; ++i) {
    renderer.step({{0, 0, cube_half - 0.004}, identity_rotation});
  }
  const Cycle& cycle = renderer.step({{0, 0, cube_half + 0.0001}, identity_rotation});
  EXPECT_EQ(cycle.phase, Phase::free);
  EXPECT_NEAR(renderer.body().position[2], cube_half + 0.0001, 1e-9);
}

/// Hands that jump, turn and press: no point gets deeper than a hundredth of a cell, whoever has the shell, and however
/// seldom contacts are to be looked for.
TEST(ConstraintContact, NothingPenetratesUnderWildHands) {
  const auto block = geometry::DistanceField::make(geometry::block_with_hole({0.1, 0.1, 0.06}, 0.02), {128, 8});
  const auto peg = geometry::PointShell::make(geometry::cylinder(0.0202, 0.06, 48, 8), {600, 5, 1});
  Random random(81);
  struct Scene {
    const geometry::DistanceField& field;
    const geometry::PointShell& shell;
    bool shell_moves;
    Vector3 start;
  };
  for (const auto& [field, shell, shell_moves, place] :
       {Scene{block, peg, true, {0, 0, 0.061}}, Scene{block, peg, false, {0, 0, -0.061}},
        Scene{test::cube_field(), test::corner_shell(), false, {0.025, 0.025, 0.025}}}) {
    for (const double friction : {0.0, 0.5, 5.0}) {
      RenderParams params;
      params.contact_search_interval = 7;
      const BodyPair pair{.field = &field, .shell = &shell, .shell_moves = shell_moves, .friction = friction};
      Renderer renderer(std::span(&pair, 1), {}, params, make_constraint_contact(1000));
      const Pose start{place, identity_rotation};
      renderer.reset_pose(start);
      std::size_t touching = 0;
      double most = -1;
      for (int i = 0; i < 60; ++i) {
        Pose hand = test::random_pose(random, 0.02, 0.3);
        hand.position = sum(hand.position, scaled(0.7, start.position));
        for (int k = 0; k < 20; ++k) {
          touching += renderer.step(hand).phase != Phase::free ? 1 : 0;
          const Pose& body = renderer.body();
          most = std::max(most, deepest(field, shell, shell_moves ? body : inverse(body)));
        }
      }
      EXPECT_GT(touching, 600U);
      EXPECT_LE(most, 0.01 * field.spacing()) << "shell moves: " << shell_moves << ", μ = " << friction;
    }
  }
}

}  // namespace
}  // namespace stiction::haptics
