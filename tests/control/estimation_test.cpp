// The velocity estimator and the encoder against closed forms.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "stiction/control/encoder.h"
#include "stiction/control/velocity_estimator.h"

namespace stiction::control {
namespace {

TEST(VelocityEstimator, FollowsARampExactlyWithStepsOfAnyLength) {
  const double corner = 40;
  const double speed = 0.3;
  auto estimator = VelocityEstimator::make({.corner = corner});
  EXPECT_EQ(estimator.step(5, 0), 0);
  double t = 0;
  for (const double dt : {1e-3, 5e-2, 1e-6, 2e-2, 3e-3, 7e-1}) {
    t += dt;
    EXPECT_NEAR(estimator.step(5 + speed * t, dt), speed * (1 - std::exp(-corner * t)), 1e-9) << t;
  }
}

TEST(VelocityEstimator, WithoutAFilterIsThePlainDifference) {
  auto estimator = VelocityEstimator::make({});
  estimator.step(1, 0.1);
  EXPECT_DOUBLE_EQ(estimator.step(1.5, 0.1), 5);
  EXPECT_DOUBLE_EQ(estimator.step(1.5, 0.1), 0);
}

TEST(VelocityEstimator, HasTheFrequencyResponseOfTheFilter) {
  const double corner = 50;
  const double frequency = 80;
  const double h = 1e-5;
  auto estimator = VelocityEstimator::make({.corner = corner});
  double largest = 0;
  for (int i = 0; i < 100000; ++i) {
    const double v = estimator.step(std::sin(frequency * i * h) / frequency, h);
    largest = i > 50000 ? std::max(largest, std::abs(v)) : 0;
  }
  // |ω/(jΩ + ω)|
  EXPECT_NEAR(largest, corner / std::hypot(corner, frequency), 1e-5);
}

TEST(VelocityEstimator, GoesBackToTheLastGoodSampleAfterADropout) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  auto estimator = VelocityEstimator::make({.corner = 100});
  auto whole = estimator;
  estimator.step(0, 1e-3);
  whole.step(0, 1e-3);
  EXPECT_TRUE(std::isnan(estimator.step(nan, 1e-3)));
  EXPECT_TRUE(std::isnan(estimator.step(infinity, 1e-3)));
  EXPECT_NEAR(estimator.step(0.3, 1e-3), whole.step(0.3, 3e-3), 1e-13);
  EXPECT_TRUE(std::isnan(estimator.step(0.3, nan)));
  EXPECT_EQ(estimator.state, whole.state);
}

TEST(Encoder, RoundsToTheNearestCount) {
  const auto encoder = Encoder::make({.counts = 20000});
  const double step = 2 * std::numbers::pi / 20000;
  EXPECT_DOUBLE_EQ(encoder.resolution(), step);
  EXPECT_EQ(encoder.read(0.49 * step), 0);
  EXPECT_DOUBLE_EQ(encoder.read(0.51 * step), step);
  EXPECT_DOUBLE_EQ(encoder.read(-1.3 * step), -step);
  for (int i = 0; i < 1000; ++i) {
    const double x = 0.001234 * (i - 500);
    EXPECT_LE(std::abs(encoder.read(x) - x), step / 2 * (1 + 1e-9));
    EXPECT_NEAR(std::remainder(encoder.read(x), step), 0, 1e-12);
  }
}

TEST(Encoder, CanBeALinearScale) {
  EXPECT_DOUBLE_EQ(Encoder::make({.counts = 1000, .revolution = 1e-3}).resolution(), 1e-6);
  EXPECT_STREQ(Encoder::check({.counts = 0})->field, "counts");
  EXPECT_STREQ(Encoder::check({.counts = 1, .revolution = 0})->field, "revolution");
  EXPECT_STREQ(VelocityEstimator::check({.corner = 0})->field, "corner");
}

}  // namespace
}  // namespace stiction::control
