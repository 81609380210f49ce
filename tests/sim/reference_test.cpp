// The accurate solver against independent results (SciPy LSODA and Radau, rtol 1e-9).
#include <gtest/gtest.h>

#include <iostream>

#include "support/csv.h"
#include "support/experiments.h"

namespace stiction::sim::reference_test {
namespace {

namespace preset = scalar::preset;
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

/// `states`: what the reference calls the friction's own states.
void expect_moved_like(const std::string& name, const Trajectory& run, const std::vector<std::string>& states = {"z"}) {
  const Columns reference = test::read_reference(name);
  ASSERT_FALSE(run.diverged);
  expect_close("t", run.time, reference.at("t"), 1e-11);
  expect_close("u", run.load, reference.at("u"), 1e-11);
  expect_close("x", run.position, reference.at("x"), 1e-6);
  expect_close("v", run.velocity, reference.at("v"), 1e-6);
  for (std::size_t i = 0; i < states.size(); ++i) {
    expect_close(states[i].c_str(), run.states[i], reference.at(states[i]), 1e-6);
  }
  expect_close("F", run.friction, reference.at("F"), 1e-6);
}

/// Break-away under a force that rises at a rate: the largest friction before the body reaches a speed, and when and
/// where it does. The reference took the largest of its own samples as the peak: friction is compared at the time
/// it gives, and the true peak is a little higher.
template <class Model>
void expect_breaks_away_like(const std::string& name, const Model& model, double mass, double speed) {
  const Columns reference = test::read_reference(name);
  for (std::size_t i = 0; i < reference.at("force_rate").size(); ++i) {
    const double rate = reference.at("force_rate")[i];
    const double time = reference.at("t_at_v_b")[i];
    const auto run = test::push_at_rate(model, mass, rate, time, 20'000);
    const auto until_peak = test::push_at_rate(model, mass, rate, reference.at("t_peak")[i], 1);
    const double peak = *std::max_element(run.friction.begin(), run.friction.end());
    const double expected = reference.at("F_peak")[i];
    const double acceleration = (run.load.back() - run.friction.back()) / mass;
    std::cout << rate << " N/s: friction " << until_peak.friction.back() / expected - 1 << ", peak "
              << peak / expected - 1 << ", time " << (run.velocity.back() - speed) / acceleration << " s, place "
              << run.position.back() / reference.at("x_at_v_b")[i] - 1 << '\n';
    EXPECT_NEAR(until_peak.friction.back(), expected, 1e-6 * expected) << rate;
    EXPECT_GT(peak, expected * (1 - 1e-6)) << rate;
    EXPECT_LT(peak, expected * (1 + 1e-4)) << rate;
    EXPECT_NEAR(run.load.back(), reference.at("u_at_v_b")[i], 1e-9) << rate;
    EXPECT_NEAR(run.velocity.back() / acceleration, speed / acceleration, 1e-6) << rate << ": reaches the speed then";
    EXPECT_NEAR(run.position.back(), reference.at("x_at_v_b")[i], 1e-6 * run.position.back()) << rate;
  }
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

TEST(Reference, SineTorqueOfFigure7) {
  expect_moved_like("e_fig7_bs2", test::sine_torque_on(preset::table2_bliman_sorine_2(), {}), {"x1", "x2"});
}

TEST(Reference, OneSidedTorqueOfFigure11) {
  expect_moved_like("f_fig11_lugre_a0.05", test::one_sided_torque_on(preset::olsson_table2(), 0.05, {}));
  expect_moved_like("f_fig11_lugre_a0.15", test::one_sided_torque_on(preset::olsson_table2(), 0.15, {}));
  expect_moved_like("f_fig11_bs2_a0.05", test::one_sided_torque_on(preset::table2_bliman_sorine_2_soft(), 0.05, {}),
                    {"x1", "x2"});
}

TEST(Reference, BreakAwayAgainstForceRate) {
  expect_breaks_away_like("b_breakaway_lugre_table2", preset::olsson_table2(), test::table2_inertia, 0.1);
  expect_breaks_away_like("b_breakaway_bs2", preset::canudas_bliman_sorine_2(), preset::canudas_1995_mass, 0.01);
}

TEST(Reference, PeakAfterAReversalOfFigure9) {
  const Columns reference = test::read_reference("e_fig9_Fstar");
  const double distance = reference.at("s").back();
  for (const Method method : {Method::cvode, Method::midpoint}) {
    const auto run =
        test::after_reversal(preset::table2_bliman_sorine_2(), distance, {.method = method, .output_interval = 0.005});
    Column force(run.time.size());
    std::transform(run.states[0].begin(), run.states[0].end(), run.states[1].begin(), force.begin(), std::plus<>());
    expect_close("s", run.position, reference.at("s"), 1e-9);
    expect_close("F*", force, reference.at("Fstar"), 1e-8);
  }
}

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
    const auto run = test::lag(10, {.method = Method::midpoint, .step = whole});
    const double off = deviation(run.states[0], reference.at("z"));
    if (before > 0) {
      EXPECT_NEAR(before / off, 4, 0.8);
    }
    before = off;
  }
  EXPECT_LT(before, 1e-6);
}

}  // namespace
}  // namespace stiction::sim::reference_test
