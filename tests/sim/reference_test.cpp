// The accurate solver against independent results (SciPy LSODA and Radau, rtol 1e-9).
#include <gtest/gtest.h>

#include <iostream>

#include "support/csv.h"
#include "support/experiments.h"

namespace stiction::sim {
namespace {

using test::Column;
using test::Columns;
using test::deviation;

void expect_close(const char* what, const Column& computed, const Column& expected, double tolerance) {
  const double off = deviation(computed, expected);
  std::cout << what << ": " << off << '\n';
  EXPECT_LT(off, tolerance) << what;
}

void expect_driven_like(const std::string& name, const Trajectory& run) {
  const Columns reference = test::read_reference(name);
  ASSERT_FALSE(run.diverged);
  expect_close("t", run.time, reference.at("t"), 1e-11);
  expect_close("v", run.velocity, reference.at("v"), 1e-11);
  expect_close("z", run.states[0], reference.at("z"), 1e-6);
  expect_close("F", run.friction, reference.at("F"), 1e-6);
}

void expect_moved_like(const std::string& name, const Trajectory& run) {
  const Columns reference = test::read_reference(name);
  ASSERT_FALSE(run.diverged);
  expect_close("t", run.time, reference.at("t"), 1e-11);
  expect_close("u", run.load, reference.at("u"), 1e-11);
  expect_close("x", run.position, reference.at("x"), 1e-6);
  expect_close("v", run.velocity, reference.at("v"), 1e-6);
  expect_close("z", run.states[0], reference.at("z"), 1e-6);
  expect_close("F", run.friction, reference.at("F"), 1e-6);
}

TEST(Reference, StribeckRampOfTheStandardModel) {
  expect_driven_like("a_stribeck_ramp_std", test::velocity_ramp(test::standard_lugre(), 0.02, {}));
}

TEST(Reference, StribeckRampOfTable2) {
  expect_driven_like("a_stribeck_ramp_table2", test::velocity_ramp(test::table2_lugre(), 0.2, {}));
}

TEST(Reference, FrictionalLagAtOneRadianPerSecond) { expect_driven_like("d_lag_w1", test::lag(1, {})); }

TEST(Reference, FrictionalLagAtTenRadiansPerSecond) { expect_driven_like("d_lag_w10", test::lag(10, {})); }

TEST(Reference, PreslidingLoops) { expect_moved_like("c_presliding_lugre_std", test::presliding({})); }

TEST(Reference, SineTorqueOfFigure8) { expect_moved_like("e_fig8_lugre", test::sine_torque({})); }

// The reference states its own error of F: about 3e-4, from steep slip fronts; z is F/σ₀ there. The deviation of v is
// its error too, as the next test shows.
TEST(Reference, StickSlip) {
  const Columns reference = test::read_reference("g_stickslip_lugre");
  const auto run = test::stick_slip({});
  ASSERT_FALSE(run.diverged);
  expect_close("t", run.time, reference.at("t"), 1e-11);
  expect_close("F_spring", run.load, reference.at("F_spring"), 1e-6);
  expect_close("x", run.position, reference.at("x"), 1e-6);
  expect_close("v", run.velocity, reference.at("v"), 4e-6);
  expect_close("z", run.states[0], reference.at("z"), 5e-4);
  expect_close("F", run.friction, reference.at("F"), 5e-4);
}

TEST(Reference, TwoIndependentMethodsAgreeOnStickSlipFarBetterThanWithTheReference) {
  const Columns reference = test::read_reference("g_stickslip_lugre");
  const auto cvode = test::stick_slip({.relative_tolerance = 1e-11});
  const auto fixed = test::stick_slip({.method = Method::sdirk2, .step = 2e-5});
  expect_close("x", fixed.position, cvode.position, deviation(cvode.position, reference.at("x")) / 5);
  expect_close("v", fixed.velocity, cvode.velocity, deviation(cvode.velocity, reference.at("v")) / 5);
  expect_close("F", fixed.friction, cvode.friction, deviation(cvode.friction, reference.at("F")) / 5);
}

TEST(Reference, FixedStepDriveIsExactForTheBristleAndSecondOrderInTheVelocity) {
  const Columns reference = test::read_reference("d_lag_w10");
  double before = 0;
  for (const double step : {1e-4, 5e-5, 2.5e-5}) {
    const double whole = 8 * std::numbers::pi / 10 / 800 / std::round(8 * std::numbers::pi / 10 / 800 / step);
    const auto run = test::lag(10, {.method = Method::sdirk2, .step = whole});
    const double off = deviation(run.states[0], reference.at("z"));
    if (before > 0) {
      EXPECT_NEAR(before / off, 4, 0.8);
    }
    before = off;
  }
  EXPECT_LT(before, 1e-6);
}

}  // namespace
}  // namespace stiction::sim
