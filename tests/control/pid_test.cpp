// PID control against closed forms: the integral, the limits, and what happens behind them.
#include "stiction/control/pid.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace stiction::control {
namespace {

TEST(Pid, AddsProportionalIntegralDerivativeAndFeedForward) {
  auto pid = Pid::make({.proportional = 2, .integral = 3, .derivative = 5});
  double output = 0;
  for (int i = 0; i <= 100; ++i) {
    output = pid.step(0.5, 0.25, 7, 0.01);
  }
  // K_p e + K_i e t + K_d de/dt + feed-forward at t = 1 s
  EXPECT_NEAR(output, 2 * 0.5 + 3 * 0.5 * 1 + 5 * 0.25 + 7, 1e-12);
}

TEST(Pid, TheIntegralDoesNotDependOnTheStep) {
  auto often = Pid::make({.proportional = 1, .integral = 4, .tracking_time = 0.3, .max_output = 2});
  auto once = often;
  for (int i = 0; i < 1000; ++i) {
    often.step(5, 0, 1e-3);
  }
  once.step(5, 0, 1);
  EXPECT_NEAR(often.state.integral, once.state.integral, 1e-12);
}

TEST(Pid, BehindALimitTheIntegralFollowsBackCalculation) {
  const double tracking = 0.2;
  auto pid =
      Pid::make({.proportional = 1, .integral = 4, .tracking_time = tracking, .min_output = -2, .max_output = 2});
  EXPECT_EQ(pid.step(5, 0, 0.1), 2);
  // dI/dt = K_i e + (2 − K_p e − I)/T_t,  I(0) = 0
  const double goal = 2 - 5 + tracking * 4 * 5;
  EXPECT_NEAR(pid.state.integral, goal * (1 - std::exp(-0.1 / tracking)), 1e-14);
  for (int i = 0; i < 200; ++i) {
    EXPECT_EQ(pid.step(5, 0, 0.1), 2);
  }
  EXPECT_NEAR(pid.state.integral, goal, 1e-12);
}

TEST(Pid, DoesNotWindUpBehindALimit) {
  auto pid = Pid::make({.proportional = 1, .integral = 10, .min_output = -1, .max_output = 1});
  for (int i = 0; i < 1000; ++i) {
    pid.step(3, 0, 0.01);
  }
  EXPECT_DOUBLE_EQ(pid.state.integral, 1 - 3);  // on the edge of the limit, not 300
  EXPECT_LT(pid.step(2.9, 0, 0.01), 1);         // and off it as soon as the error shrinks
}

TEST(Pid, FeedForwardCountsInsideTheLimits) {
  auto pid = Pid::make({.proportional = 1, .integral = 10, .max_output = 1});
  EXPECT_EQ(pid.step(0.5, 0, 2, 0.01), 1);
  EXPECT_DOUBLE_EQ(pid.state.integral, 1 - 0.5 - 2);
}

TEST(Pid, TakesTheFilteredDifferenceWhereTheRateIsNotGiven) {
  const double corner = 30;
  auto pid = Pid::make({.proportional = 0, .derivative = 2, .derivative_corner = corner});
  double output = 0;
  for (int i = 0; i <= 50; ++i) {
    output = pid.step(0.7 * i * 1e-3, 1e-3);  // e = 0.7 t
  }
  EXPECT_NEAR(output, 2 * 0.7 * (1 - std::exp(-corner * 0.05)), 1e-12);
}

TEST(Pid, ASampleThatCannotBeUsedGivesNanAndLeavesTheStateAlone) {
  auto pid = Pid::make({.proportional = 1, .integral = 1, .derivative = 1});
  pid.step(1, 0.1);
  const auto before = pid.state;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(std::isnan(pid.step(nan, 0, 0.1)));
  EXPECT_TRUE(std::isnan(pid.step(1, infinity, 0.1)));
  EXPECT_TRUE(std::isnan(pid.step(1, 0, nan, 0.1)));
  EXPECT_TRUE(std::isnan(pid.step(1, 0, 0, -0.1)));
  EXPECT_TRUE(std::isnan(pid.step(1, 0, 0, nan)));
  EXPECT_EQ(pid.state, before);
  EXPECT_TRUE(std::isnan(pid.step(nan, 0.1)));
  EXPECT_EQ(pid.state.integral, before.integral);
  EXPECT_TRUE(std::isfinite(pid.step(1, 0.1)));
}

TEST(Pid, NamesWhatIsWrong) {
  const auto problem_of = [](const Pid::Params& p) {
    const auto problem = Pid::check(p);
    return problem ? std::string(problem->field) : "";
  };
  EXPECT_EQ(problem_of({.proportional = 1}), "");
  EXPECT_EQ(problem_of({.proportional = infinity}), "proportional");
  EXPECT_EQ(problem_of({.proportional = 1, .tracking_time = -1}), "tracking_time");
  EXPECT_EQ(problem_of({.proportional = 1, .derivative_corner = 0}), "derivative_corner");
  EXPECT_EQ(problem_of({.proportional = 1, .min_output = 1, .max_output = 0}), "max_output");
  EXPECT_THROW(Pid::make({.proportional = 1, .tracking_time = -1}), InvalidParameter);
}

}  // namespace
}  // namespace stiction::control
