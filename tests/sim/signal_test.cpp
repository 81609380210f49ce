#include "stiction/sim/signal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "stiction/sim/load.h"

namespace stiction::sim::signal_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr double pi = std::numbers::pi;

TEST(Signal, EmptyIsZero) {
  EXPECT_EQ(Signal().at(3), 0);
  EXPECT_EQ(Signal().slope(3), 0);
  EXPECT_THAT(Signal().breakpoints(10), IsEmpty());
  EXPECT_TRUE(std::isinf(Signal().time_scale()));
}

TEST(Signal, ANumberIsASignal) {
  const Signal signal = 2.5;
  EXPECT_EQ(signal.at(-1), 2.5);
  EXPECT_EQ(signal.at(100), 2.5);
  EXPECT_EQ(signal.slope(0), 0);
}

TEST(Signal, RampIsConstantOutsideAndStraightInside) {
  const Signal ramp = Ramp{1, 3, 2, 6};
  EXPECT_EQ(ramp.at(0), 1);
  EXPECT_EQ(ramp.at(2), 1);
  EXPECT_DOUBLE_EQ(ramp.at(3), 1.5);
  EXPECT_EQ(ramp.at(6), 3);
  EXPECT_EQ(ramp.at(60), 3);
  EXPECT_EQ(ramp.slope(1.9), 0);
  EXPECT_EQ(ramp.slope(2), 0.5) << "from the right";
  EXPECT_EQ(ramp.slope(6), 0);
  EXPECT_THAT(ramp.breakpoints(10), ElementsAre(2, 6));
  EXPECT_THAT(ramp.breakpoints(6), ElementsAre(2)) << "the end of the run is no breakpoint";
}

TEST(Signal, SmoothRampIsHalfACosineWithoutKinks) {
  const Signal ramp = Ramp{0, 2, 1, 3, true};
  EXPECT_DOUBLE_EQ(ramp.at(2), 1);
  EXPECT_DOUBLE_EQ(ramp.at(1.5), 1 - std::cos(pi / 4));
  EXPECT_NEAR(ramp.slope(1), 0, 1e-15);
  EXPECT_DOUBLE_EQ(ramp.slope(2), pi / 2);
  EXPECT_NEAR(ramp.slope(2.4), (ramp.at(2.4 + 1e-6) - ramp.at(2.4 - 1e-6)) / 2e-6, 1e-9);
}

TEST(Signal, Sine) {
  const Signal sine = Sine{2, 3, 0.5, -1};
  EXPECT_DOUBLE_EQ(sine.at(0.7), -1 + 2 * std::sin(3 * 0.7 + 0.5));
  EXPECT_DOUBLE_EQ(sine.slope(0.7), 6 * std::cos(3 * 0.7 + 0.5));
  EXPECT_THAT(sine.breakpoints(10), IsEmpty());
  EXPECT_DOUBLE_EQ(sine.time_scale(), 1.0 / 3);
}

TEST(Signal, StepsHoldTheirValueFromTheirTimeOn) {
  const Signal steps = Steps{{1, 2}, {5, -5}};
  EXPECT_EQ(steps.at(0.999), 0);
  EXPECT_EQ(steps.at(1), 5);
  EXPECT_EQ(steps.at(1.999), 5);
  EXPECT_EQ(steps.at(2), -5);
  EXPECT_EQ(steps.at(1e9), -5);
  EXPECT_EQ(steps.slope(1), 0);
  EXPECT_THAT(steps.breakpoints(10), ElementsAre(1, 2));
  EXPECT_THAT(Signal(Steps{{0, 2}, {1, 2}}).breakpoints(10), ElementsAre(2)) << "t = 0 is the start";
}

TEST(Signal, TableJoinsItsPointsByStraightLines) {
  const Signal table = Table{{1, 2, 4}, {0, 10, 6}};
  EXPECT_EQ(table.at(0), 0);
  EXPECT_DOUBLE_EQ(table.at(1.25), 2.5);
  EXPECT_EQ(table.at(2), 10);
  EXPECT_DOUBLE_EQ(table.at(3), 8);
  EXPECT_EQ(table.at(4), 6);
  EXPECT_EQ(table.at(5), 6);
  EXPECT_EQ(table.slope(0.5), 0);
  EXPECT_DOUBLE_EQ(table.slope(1.5), 10);
  EXPECT_DOUBLE_EQ(table.slope(2), -2);
  EXPECT_EQ(table.slope(4), 0);
  EXPECT_THAT(table.breakpoints(10), ElementsAre(1, 2, 4));
}

TEST(Signal, TermsAddUpAndShareTheirBreakpoints) {
  const Signal sum(std::vector<Signal::Term>{Constant{1}, Ramp{0, 2, 1, 3}, Steps{{1, 2}, {10, 20}}, Sine{1, 10}});
  EXPECT_DOUBLE_EQ(sum.at(2), 1 + 1 + 20 + std::sin(20));
  EXPECT_DOUBLE_EQ(sum.slope(2), 1 + 10 * std::cos(20));
  EXPECT_THAT(sum.breakpoints(10), ElementsAre(1, 2, 3));
  EXPECT_DOUBLE_EQ(sum.time_scale(), 0.1);
}

TEST(Load, SpringPullsTowardsItsAnchor) {
  Load load{.force = 1.5, .spring = Spring{.stiffness = 10, .damping = 2, .anchor = Ramp{0, 3, 0, 1}}};
  EXPECT_DOUBLE_EQ(load.at(0.5).at(0.2, 0.7, 99), 1.5 + 10 * (1.5 - 0.2) + 2 * (3 - 0.7));
  EXPECT_EQ(load.at(0.5).error(1, 1), 0);
}

TEST(Load, ControllerOnPositionActsOnErrorIntegralAndDerivative) {
  const Pid pid{
      .on = Pid::On::position, .reference = Ramp{0, 4, 0, 2}, .proportional = 3, .integral = 5, .derivative = 7};
  const Load load{.controller = pid};
  EXPECT_DOUBLE_EQ(load.at(1).at(0.5, 0.25, 0.1), 3 * (2 - 0.5) + 5 * 0.1 + 7 * (2 - 0.25));
  EXPECT_DOUBLE_EQ(load.at(1).error(0.5, 0.25), 2 - 0.5);
}

TEST(Load, ControllerOnVelocityActsOnVelocityErrorAndItsIntegral) {
  const Load load{
      .controller = Pid{.on = Pid::On::velocity, .reference = 2.0, .proportional = 3, .integral = 5, .derivative = 7}};
  EXPECT_DOUBLE_EQ(load.at(1).at(0.5, 0.25, 0.1), 3 * (2 - 0.25) + 5 * 0.1);
  EXPECT_DOUBLE_EQ(load.at(1).error(0.5, 0.25), 2 - 0.25);
}

TEST(Load, CollectsTheBreakpointsAndTheShortestTimeOfAllItsSignals) {
  const Load load{.force = Steps{{3}, {1}},
                  .spring = Spring{.stiffness = 1, .anchor = Ramp{0, 1, 1, 3}},
                  .controller = Pid{.reference = Sine{1, 50}}};
  EXPECT_THAT(load.breakpoints(10), ElementsAre(1, 3));
  EXPECT_DOUBLE_EQ(load.time_scale(), 0.02);
}

}  // namespace
}  // namespace stiction::sim::signal_test
