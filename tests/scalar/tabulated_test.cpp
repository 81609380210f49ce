// Friction from measured points.
#include "stiction/scalar/tabulated.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

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

/// Random tables, rising and falling, against the definition: a root of the residual, and the first from `speed` on.
TEST(Tabulated, ReachesTheFirstSpeedThatBalancesTheStep) {
  std::mt19937 random(1);
  const auto between = [&](double low, double high) { return std::uniform_real_distribution(low, high)(random); };
  int stopped = 0;
  int slower = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    Tabulated::Params params;
    params.speed.size = params.force.size = static_cast<std::size_t>(between(1, 9));
    double at = trial % 2 == 0 ? 0 : between(0, 0.2);
    for (std::size_t i = 0; i < params.speed.size; ++i) {
      params.speed.values[i] = at;
      params.force.values[i] = between(0, 3);
      at += std::pow(10, between(-4, 0));
    }
    params.static_force = 3;
    const auto model = Tabulated::make(params);
    const double gain = std::pow(10, between(-3, 3));
    const double free_speed = std::pow(10, between(-3, 3));
    const double start = std::min(free_speed, std::pow(10, between(-4, 1)));
    const auto residual = [&](double w) { return w + gain * model.sliding_force(w, 1) - free_speed; };
    const double end = model.sliding_speed(free_speed, gain, start);
    stopped += end == 0 ? 1 : 0;
    slower += end < start ? 1 : 0;
    ASSERT_TRUE(end >= 0 && end <= free_speed);
    if (end > 0) {  // to rounding of the terms and of the speed itself
      const double slope = 1 + gain * 3e4;
      ASSERT_NEAR(residual(end), 0, 1e-14 * (free_speed + slope * end)) << "trial " << trial;
    } else {
      ASSERT_GE(residual(0), 0);
    }
    const bool down = residual(start) > 0;
    for (int i = 0; i < 200; ++i) {  // no root is passed by
      const double w = start + (end - start) * i / 200;
      ASSERT_EQ(residual(w) > 0, down) << "trial " << trial << ", " << w << " between " << start << " and " << end;
    }
  }
  EXPECT_GT(stopped, 1000);
  EXPECT_GT(slower - stopped, 1000);
}

/// Interpolated between points whose numbers differ by many decades, friction neither speeds the body up nor pushes it,
/// not even by rounding.
TEST(Tabulated, NeverDrivesByRounding) {
  const auto model = Tabulated::make({.speed = {1e-15, 73170.585441842297, 543366505174.73566, 658590491425.65576},
                                      .force = {0.0083584345285625562, 1e15, 1.6611484480967262, 0.79582318717549272},
                                      .static_force = 0.0083584345285625562});
  std::mt19937 random(3);
  const auto power_of_ten = [&](double low, double high) {
    return std::pow(10, std::uniform_real_distribution(low, high)(random));
  };
  for (int trial = 0; trial < 100'000; ++trial) {
    const double free = power_of_ten(-3, 15);
    const double gain = power_of_ten(-8, 2);
    ASSERT_LE(model.sliding_speed(free, gain, free), free) << free << ", " << gain;
  }
  const auto falls_to_0 = Tabulated::make({.speed = {0, 1e-3}, .force = {5376692636.6141853, 0}, .static_force = 6e9});
  for (double speed = 1e-3; speed > 0.999e-3; speed = std::nextafter(speed, 0.0) - 1e-12) {
    ASSERT_GE(falls_to_0.sliding_force(speed, 1), 0) << speed;
  }
}

TEST(Tabulated, WantsRisingSpeedsAndAsManyForces) {
  EXPECT_STREQ(Tabulated::check({.speed = {0, 0}, .force = {1, 1}, .static_force = 1})->field, "speed");
  EXPECT_STREQ(Tabulated::check({.speed = {0, 1}, .force = {1}, .static_force = 1})->field, "force");
  EXPECT_STREQ(Tabulated::check({.speed = {0, 1}, .force = {2, 1}, .static_force = 1})->field, "static_force");
  EXPECT_STREQ(Tabulated::check({.speed = {}, .force = {}, .static_force = 1})->field, "speed");
}

}  // namespace
}  // namespace stiction::scalar
