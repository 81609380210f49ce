// A scheme that blows up says so; its rows end before the first value that is not finite.
#include <gtest/gtest.h>

#include <cmath>

#include "stiction/sim/two_bodies.h"
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

/// The message of the exception that a call throws.
template <class Call>
std::string complaint_of(const Call& call) {
  try {
    call();
  } catch (const InvalidParameter& error) {
    return error.what();
  }
  return "nothing";
}

TEST(Divergence, NanInAnyInputIsRefusedWithItsFieldAndTimeByEveryMethod) {
  const Signal broken(Steps{{0.25, 0.5}, {1, std::nan("")}});
  const auto lugre = test::table2_lugre();
  const std::string said = ": nan at t = 0.5 s: must be finite";
  for (const Method method : methods_of(Entry::body)) {
    const auto of = [&](const Load& load) {
      return complaint_of([&] { simulate(lugre, {.mass = 1}, load, {.method = method}); });
    };
    EXPECT_EQ(of({.force = broken}), "force" + said);
    EXPECT_EQ(of({.normal = broken}), "normal" + said);
    EXPECT_EQ(of({.spring = Spring{.stiffness = 1, .anchor = broken}}), "spring.anchor" + said);
    EXPECT_EQ(of({.controller = Pid{.reference = broken, .proportional = 1}}), "controller.reference" + said);
  }
  for (const Method method : methods_of(Entry::imposed_velocity)) {
    EXPECT_EQ(complaint_of([&] { drive(lugre, broken, {.method = method}); }), "velocity" + said);
    EXPECT_EQ(complaint_of([&] { drive(lugre, 1, {.method = method}, {}, broken); }), "normal" + said);
  }
  for (const Method method : methods_of(Entry::two_bodies)) {
    EXPECT_EQ(complaint_of([&] { simulate(lugre, {}, {}, {}, {.force = broken}, {.method = method}); }),
              "load_2.force" + said);
  }
}

TEST(Divergence, OfAccurateAndFixedStepsIsReportedAlike) {
  // A push of 1e306 N: the position leaves what a number can hold within seconds.
  const Load load{.force = 1e306};
  for (const Method method : methods_of(Entry::body)) {
    const auto run = simulate(test::table2_lugre(), {.mass = 1}, load,
                              {.method = method, .duration = 1e3, .output_interval = 1, .step = 1e-2});
    EXPECT_TRUE(run.diverged) << name_of(method);
    expect_finite_rows(run);
  }
  for (const Method method : methods_of(Entry::two_bodies)) {
    const auto run = simulate(test::table2_lugre(), {.mass = 1}, {.mass = 1}, load, {},
                              {.method = method, .duration = 1e3, .output_interval = 1, .step = 1e-2});
    EXPECT_TRUE(run.diverged) << name_of(method);
    for (const double x : run.position_1) {
      ASSERT_TRUE(std::isfinite(x));
    }
  }
}

}  // namespace
}  // namespace stiction::sim
