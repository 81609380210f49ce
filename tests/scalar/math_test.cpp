#include "stiction/math.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "support/random.h"

namespace stiction::math_test {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Distance from the true value in units of the last place of a double there.
double ulps_off(double computed, long double exact) {
  const double rounded = static_cast<double>(exact);
  const long double ulp = static_cast<long double>(std::nextafter(rounded, infinity)) - rounded;
  return static_cast<double>(std::abs((static_cast<long double>(computed) - exact) / ulp));
}

TEST(Decay, IsWithinTwoUlpOfTheTrueValue) {
  test::Random random(1);
  double worst = 0;
  const auto look_at = [&](double x) { worst = std::max(worst, ulps_off(decay(x), -std::expm1(-(long double)(x)))); };
  for (int i = 0; i < 500'000; ++i) {
    look_at(random.between(0, 40));
    look_at(random.between(0, 2));
    look_at(random.log_between(1e-300, 50));
  }
  for (int k = 1; k < 60; ++k) {  // where the reduction by ln 2 switches
    double x = (k - 0.5) * 0.6931471805599453;
    for (int step = 0; step < 1000; ++step, x = std::nextafter(x, infinity)) {
      look_at(x);
    }
  }
  EXPECT_LE(worst, 2.0);
  RecordProperty("worst_ulp", std::to_string(worst));
}

TEST(Decay, KeepsZeroTinyArgumentsAndInfinity) {
  EXPECT_EQ(decay(0.0), 0.0);
  EXPECT_FALSE(std::signbit(decay(0.0)));
  for (const double tiny : {5e-324, 1e-310, 1e-300, 1e-20}) {
    EXPECT_EQ(decay(tiny), tiny);
  }
  EXPECT_EQ(decay(infinity), 1.0);
  EXPECT_EQ(decay(1e308), 1.0);
  EXPECT_EQ(decay(40.0), 1.0);
}

TEST(Decay, HandsNanOn) {
  EXPECT_TRUE(std::isnan(decay(nan)));
  EXPECT_TRUE(std::isnan(decay(-nan)));
  EXPECT_TRUE(std::isnan(decay(std::numeric_limits<float>::quiet_NaN())));
}

TEST(Decay, NeverExceedsOneAndRises) {
  test::Random random(2);
  std::vector<double> points;
  for (int i = 0; i < 300'000; ++i) {
    points.push_back(random.between(0, 45));
    points.push_back(random.log_between(1e-18, 1));
  }
  std::sort(points.begin(), points.end());
  double before = 0;
  for (const double x : points) {
    const double y = decay(x);
    ASSERT_LE(y, 1.0) << x;
    ASSERT_GE(y, before) << x;
    before = y;
  }
}

TEST(Decay, AgreesWithItselfInOtherPrecisions) {
  for (const double x : {0.0, 1e-6, 0.3, 1.0, 5.0, 30.0}) {
    EXPECT_NEAR(decay(static_cast<float>(x)), decay(x), 1e-7 * x);
    EXPECT_NEAR(static_cast<double>(decay(static_cast<long double>(x))), decay(x), 4e-16);
  }
}

TEST(Sign, OfZeroIsZeroAndOfNanTooSoThatNothingPushes) {
  EXPECT_EQ(sgn(0.0), 0.0);
  EXPECT_EQ(sgn(-0.0), 0.0);
  EXPECT_EQ(sgn(5e-324), 1.0);
  EXPECT_EQ(sgn(-2.5F), -1.0F);
}

TEST(Clip, BoundsAndHandsNanOn) {
  EXPECT_EQ(clip(3.0, -1.0, 1.0), 1.0);
  EXPECT_EQ(clip(-3.0, -1.0, 1.0), -1.0);
  EXPECT_EQ(clip(0.5, -1.0, 1.0), 0.5);
  EXPECT_TRUE(std::isnan(clip(nan, -1.0, 1.0)));
}

}  // namespace
}  // namespace stiction::math_test
