// A scheme that blows up says so; its rows end before the first value that is not finite.
#include <gtest/gtest.h>

#include <cmath>

#include "stiction/sim/line.h"
#include "support/models.h"

namespace stiction::sim {
namespace {

void expect_finite_rows(const Trajectory& run) {
  for (const auto* column : {&run.time, &run.position, &run.velocity, &run.friction, &run.load, &run.states[0]}) {
    ASSERT_EQ(column->size(), run.time.size());
    for (const double value : *column) {
      ASSERT_TRUE(std::isfinite(value));
    }
  }
}

Trajectory pushed(Method method, double step) {
  return simulate(test::standard_lugre(), {.mass = 1, .velocity = 0.1}, {.force = 0.5},
                  {.method = method, .duration = 10, .output_interval = 0.1, .step = step});
}

TEST(Divergence, ExplicitEulerBlowsUpOnAStiffBristleAndReportsIt) {
  const auto run = pushed(Method::explicit_euler, 1e-2);
  EXPECT_TRUE(run.diverged);
  EXPECT_LT(run.time.back(), 10);
  expect_finite_rows(run);
}

TEST(Divergence, RungeKuttaToo) {
  const auto run = pushed(Method::runge_kutta_4, 5e-2);
  EXPECT_TRUE(run.diverged);
  expect_finite_rows(run);
}

TEST(Divergence, ImplicitMethodsDoNotDivergeAtTheSameStep) {
  for (const Method method : {Method::backward_euler, Method::sdirk2}) {
    for (const double step : {1e-2, 5e-2}) {
      const auto run = pushed(method, step);
      EXPECT_FALSE(run.diverged);
      EXPECT_EQ(run.time.size(), 101U);
      EXPECT_NEAR(run.velocity.back(), 0, 1e-9) << "friction above the load stops the body";
      expect_finite_rows(run);
    }
  }
}

TEST(Divergence, ExplicitEulerIsFineWithASmallStep) {
  const auto run = pushed(Method::explicit_euler, 1e-6);
  EXPECT_FALSE(run.diverged);
  expect_finite_rows(run);
}

TEST(Divergence, NanInTheLoadEndsTheRowsOfEveryMethod) {
  const Load load{.force = Steps{{0.5}, {std::nan("")}}};
  for (const Method method : {Method::sdirk2, Method::backward_euler, Method::explicit_euler,
                              Method::semi_implicit_euler, Method::runge_kutta_4}) {
    const auto run = simulate(test::table2_lugre(), {.mass = 1}, load, {.method = method, .duration = 1});
    EXPECT_TRUE(run.diverged);
    EXPECT_NEAR(run.time.back(), 0.5, 2e-3);
    expect_finite_rows(run);
  }
}

TEST(Divergence, AccurateSolverRefusesNanInTheLoad) {
  const Load load{.force = Steps{{0.5}, {std::nan("")}}};
  EXPECT_THROW(simulate(test::table2_lugre(), {.mass = 1}, load, {.duration = 1}), SolverFailure);
}

TEST(Divergence, DrivenFrictionReportsNanInTheVelocity) {
  const auto run = drive(test::table2_lugre(), Steps{{0.5}, {std::nan("")}}, {.method = Method::sdirk2});
  EXPECT_TRUE(run.diverged);
  EXPECT_NEAR(run.time.back(), 0.5, 2e-3);
  expect_finite_rows(run);
}

}  // namespace
}  // namespace stiction::sim
