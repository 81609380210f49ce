#include "stiction/scalar/stribeck_curve.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/random.h"

namespace stiction::scalar {
namespace {

using Curve = StribeckCurve<double>;

Curve random_curve(test::Random& random) {
  const double coulomb = random.log_between(0.1, 10);
  return {coulomb, coulomb * random.between(1, 3), random.log_between(1e-4, 1), random.between(0.5, 2)};
}

TEST(StribeckCurve, FallsFromStaticToCoulombLevel) {
  const Curve g{1, 1.5, 1e-3, 2};
  EXPECT_EQ(g(0), 1.5);
  EXPECT_EQ(g.peak(), 1.5);
  EXPECT_NEAR(g(1e-3), 1 + 0.5 * std::exp(-1.0), 1e-15);
  EXPECT_NEAR(g(2e-3), 1 + 0.5 * std::exp(-4.0), 1e-15);
  EXPECT_EQ(g(1), 1.0);
  EXPECT_EQ(g(infinity), 1.0);
}

TEST(StribeckCurve, IsEvenAndBetweenItsLevelsForRandomParameters) {
  test::Random random(4);
  for (int i = 0; i < 20'000; ++i) {
    const Curve g = random_curve(random);
    const double v = random.log_between(1e-6, 10);
    ASSERT_EQ(g(v), g(-v));
    ASSERT_GE(g(v), g.coulomb_force - 1e-15 * g.static_force);  // F_S − (F_S − F_C) rounds
    ASSERT_LE(g(v), g.static_force);
    ASSERT_EQ(g(0), g.static_force);
  }
}

TEST(StribeckCurve, UsesTheExponent) {
  for (const double exponent : {0.5, 0.8, 1.0, 1.5, 2.0}) {
    const Curve g{2, 3, 0.1, exponent};
    EXPECT_NEAR(g(0.05), 2 + std::exp(-std::pow(0.5, exponent)), 1e-15);
    EXPECT_NEAR(g(-0.3), 2 + std::exp(-std::pow(3.0, exponent)), 1e-15);
  }
}

TEST(StribeckCurve, SlopeMatchesFiniteDifferences) {
  test::Random random(5);
  for (int i = 0; i < 20'000; ++i) {
    const Curve g = random_curve(random);
    const double v = random.sign() * g.stribeck_velocity * random.log_between(1e-2, 3);
    const double step = 1e-4 * std::abs(v);
    const double difference = (8 * (g(v + step) - g(v - step)) - (g(v + 2 * step) - g(v - 2 * step))) / (12 * step);
    const double scale = (g.static_force - g.coulomb_force) / std::abs(v) + 1e-12 * g.static_force / step;
    ASSERT_NEAR(g.slope(v), difference, 1e-9 * scale + 1e-15 * g.static_force / step) << "v " << v;
  }
}

TEST(StribeckCurve, SlopeIsOddAndNeverUphill) {
  test::Random random(6);
  for (int i = 0; i < 5'000; ++i) {
    const Curve g = random_curve(random);
    const double v = random.log_between(1e-6, 10);
    ASSERT_LE(g.slope(v), 0);
    ASSERT_EQ(g.slope(-v), -g.slope(v));
  }
}

TEST(StribeckCurve, SlopeAtRestIsTheLimitFromTheRight) {
  EXPECT_EQ((Curve{1, 2, 0.1, 2}.slope(0)), 0);
  EXPECT_DOUBLE_EQ((Curve{1, 2, 0.1, 1}.slope(0)), -10);
  EXPECT_EQ((Curve{1, 2, 0.1, 0.5}.slope(0)), -infinity);
}

TEST(StribeckCurve, SteepnessBoundsWhatItSaysItBounds) {
  test::Random random(7);
  for (int i = 0; i < 2'000; ++i) {
    const Curve g = random_curve(random);
    for (double ratio = 1e-3; ratio < 50; ratio *= 1.1) {
      const double v = ratio * g.stribeck_velocity;
      const double term = g.static_force / g(v) - 1 + g.static_force * std::abs(v * g.slope(v)) / (g(v) * g(v));
      ASSERT_LE(term, g.steepness() * (1 + 1e-12));
    }
  }
}

}  // namespace
}  // namespace stiction::scalar
