// Dither and knocker: the impulse must be right whatever the step.
#include "stiction/control/dither.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

namespace stiction::control {
namespace {

template <class D>
class EachDither : public ::testing::Test {};
using Dithers = ::testing::Types<SineDither, SquareDither>;
TYPED_TEST_SUITE(EachDither, Dithers);

TYPED_TEST(EachDither, PushesToNoSideWithAnyNumberOfSamplesInAPeriod) {
  for (const int samples : {3, 5, 7, 10, 33}) {
    auto dither = TypeParam::make({.amplitude = 2, .period = 0.01});
    double impulse = 0;
    for (int i = 0; i < 20 * samples; ++i) {
      impulse += dither.step(0.01 / samples) * 0.01 / samples;
    }
    EXPECT_NEAR(impulse, 0, 1e-14) << samples;
  }
}

TYPED_TEST(EachDither, NeverExceedsItsAmplitudeAndComesCloseToIt) {
  auto dither = TypeParam::make({.amplitude = 2, .period = 0.01});
  double largest = 0;
  double least = 0;
  for (int i = 0; i < 1000; ++i) {
    const double force = dither.step(1.3e-4);
    largest = std::max(largest, force);
    least = std::min(least, force);
  }
  EXPECT_LE(largest, 2 * (1 + 1e-12));
  EXPECT_GE(least, -2 * (1 + 1e-12));
  EXPECT_GT(largest, 1.99);
  EXPECT_LT(least, -1.99);
}

TYPED_TEST(EachDither, ATimeThatCannotBeUsedGivesNanAndLeavesTheStateAlone) {
  auto dither = TypeParam::make({.amplitude = 2, .period = 0.01});
  dither.step(1e-3);
  const auto before = dither.state;
  EXPECT_TRUE(std::isnan(dither.step(-1)));
  EXPECT_TRUE(std::isnan(dither.step(std::numeric_limits<double>::quiet_NaN())));
  EXPECT_EQ(dither.state, before);
  EXPECT_STREQ(TypeParam::check({.amplitude = 1, .period = 0})->field, "period");
}

TEST(SineDither, IsTheMeanOfTheSineOverTheHold) {
  auto dither = SineDither::make({.amplitude = 3, .period = 0.02});
  const double w = 2 * std::numbers::pi / 0.02;
  double t = 0;
  for (const double dt : {1e-3, 4e-3, 1e-6, 7e-3, 2.5e-2}) {
    EXPECT_NEAR(dither.step(dt), 3 * (std::cos(w * t) - std::cos(w * (t + dt))) / (w * dt), 1e-9);
    t += dt;
  }
  EXPECT_NEAR(dither.step(0), 3 * std::sin(w * t), 1e-12);
}

TEST(SquareDither, IsPositiveInTheFirstHalfOfThePeriod) {
  auto dither = SquareDither::make({.amplitude = 1, .period = 0.01});
  for (const double expected : {1.0, 1.0, 0.0, -1.0, -1.0, 1.0}) {
    EXPECT_NEAR(dither.step(0.002), expected, 1e-12);
  }
}

/// The impulse of the knocker over `steps` samples of a control signal that rises, then falls.
TEST(Knocker, EachPulseHasItsImpulseAndFollowsTheControlSignal) {
  for (const double dt : {1e-4, 7e-4, 3e-3}) {  // finer and coarser than a pulse
    auto knocker = Knocker::make({.amplitude = 5, .period = 0.02, .width = 1e-3});
    const auto impulse_over = [&](double time, double slope, double& control) {
      double impulse = 0;
      for (int i = 0; i < std::lround(time / dt); ++i) {
        impulse += knocker.step(control, dt) * dt;
        control += slope * dt;
      }
      return impulse;
    };
    double control = 0;
    const double up = impulse_over(1, 0.3, control);
    const double down = impulse_over(1, -0.3, control);
    const double still = impulse_over(0.5, 0, control);
    EXPECT_NEAR(up / (5 * 1e-3), 49, 1.01) << dt;  // one pulse every 20 ms, from 20 ms on
    EXPECT_NEAR(std::remainder(up, 5 * 1e-3), 0, 1e-12);
    EXPECT_NEAR(down / (5 * 1e-3), -49, 2.01) << dt;  // the one that sees the turn may go either way
    EXPECT_NEAR(still / (5 * 1e-3), 0, 1.01);         // so may the one that sees the end
  }
}

TEST(Knocker, ASampleThatCannotBeUsedGivesNanAndLeavesTheStateAlone) {
  auto knocker = Knocker::make({.amplitude = 5, .period = 0.02, .width = 1e-3});
  knocker.step(1, 1e-3);
  const auto before = knocker.state;
  EXPECT_TRUE(std::isnan(knocker.step(std::numeric_limits<double>::quiet_NaN(), 1e-3)));
  EXPECT_TRUE(std::isnan(knocker.step(1, -1e-3)));
  EXPECT_EQ(knocker.state, before);
  EXPECT_STREQ(Knocker::check({.amplitude = 1, .period = 0.01, .width = 0.02})->field, "period");
}

}  // namespace
}  // namespace stiction::control
