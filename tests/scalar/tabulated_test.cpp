// Friction from measured points.
#include "stiction/scalar/tabulated.h"

#include <gtest/gtest.h>

#include "stiction/sim/line.h"

namespace stiction::scalar {
namespace {

const Tabulated measured = Tabulated::make({.speed = {0.01, 0.1, 1}, .force = {1.2, 0.8, 2}, .static_force = 1.5});

TEST(Tabulated, DrawsStraightLinesThroughThePoints) {
  EXPECT_EQ(measured.sliding_force(0.01, 1), 1.2);
  EXPECT_EQ(measured.sliding_force(0.1, 1), 0.8);
  EXPECT_NEAR(measured.sliding_force(0.055, 1), 1.0, 1e-15);
  EXPECT_NEAR(measured.sliding_force(0.55, 1), 1.4, 1e-15);
  EXPECT_EQ(measured.sliding_force(0, 1), 1.2) << "the first force below the first speed";
  EXPECT_EQ(measured.sliding_force(50, 1), 2) << "the last one beyond the last speed";
  EXPECT_EQ(measured.force(measured.advance({}, -0.55, 0), -0.55),
            -measured.force(measured.advance({}, 0.55, 0), 0.55));
}

TEST(Tabulated, HoldsUpToItsStaticForce) {
  EXPECT_EQ(measured.solve({}, {.free_velocity = 1.49e-3, .mobility = 1, .velocity = 0, .dt = 1e-3}).velocity, 0.0);
  EXPECT_GT(measured.solve({}, {.free_velocity = 1.51e-3, .mobility = 1, .velocity = 0, .dt = 1e-3}).velocity, 0.0);
}

TEST(Tabulated, ABodyReachesTheSpeedWhereTheCurveMeetsTheLoad) {
  const auto run = sim::simulate(measured, {.mass = 0.1}, {.force = 1.6}, {.duration = 10});
  EXPECT_NEAR(run.velocity.back(), 0.1 + 0.9 * (1.6 - 0.8) / 1.2, 1e-6);
}

TEST(Tabulated, WantsRisingSpeedsAndAsManyForces) {
  EXPECT_STREQ(Tabulated::check({.speed = {0, 0}, .force = {1, 1}, .static_force = 1})->field, "speed");
  EXPECT_STREQ(Tabulated::check({.speed = {0, 1}, .force = {1}, .static_force = 1})->field, "force");
  EXPECT_STREQ(Tabulated::check({.speed = {0, 1}, .force = {2, 1}, .static_force = 1})->field, "static_force");
  EXPECT_STREQ(Tabulated::check({.speed = {}, .force = {}, .static_force = 1})->field, "speed");
}

}  // namespace
}  // namespace stiction::scalar
