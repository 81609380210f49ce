// The journal bearing: its equilibrium, its film and its stiction.
#include "stiction/scalar/journal_bearing.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "stiction/sim/line.h"
#include "support/csv.h"

namespace stiction::scalar {
namespace {

const JournalBearing bearing = JournalBearing::make({.radius = 0.0125,
                                                     .length = 0.025,
                                                     .clearance = 2.5e-5,
                                                     .viscosity = 0.02,
                                                     .mass = 5,
                                                     .load = 200,
                                                     .contact_onset = 0.85,
                                                     .contact_stiffness = 40816.32653061224,
                                                     .contact_friction = 0.2});

TEST(JournalBearing, SteadyStateIsAnEquilibriumOfItsRate) {
  for (const double speed : {1e-4, 3e-3, 0.04, 0.5, 10.0, -0.04}) {
    const auto rate = bearing.rate(bearing.steady_state(speed), speed);
    EXPECT_EQ(rate.x, 0);
    EXPECT_LT(std::abs(rate.vx) + std::abs(rate.vy), 1e-6) << speed;  // of W/(M C) = 1.6e6
  }
}

TEST(JournalBearing, FilmAloneCarriesOcvirksLoad) {
  // Beyond the onset of contact only the film carries:  W = B ω ε √(16 ε² + π² q)/(4 q²)
  const double speed = 5;
  const auto state = bearing.steady_state(speed);
  const double e = bearing.eccentricity(state);
  ASSERT_LT(e, 0.85);
  const double q = 1 - e * e;
  const double b = 0.02 * 0.0125 * std::pow(0.025, 3) / std::pow(2.5e-5, 2);
  const double w = b * speed / 0.0125 * e * std::sqrt(16 * e * e + std::pow(std::numbers::pi, 2) * q) / (4 * q * q);
  EXPECT_NEAR(w, 200, 1e-9);
  EXPECT_NEAR(bearing.force(state, speed), 2 * std::numbers::pi * 0.02 * 0.0125 * 0.025 / 2.5e-5 * speed / std::sqrt(q),
              1e-9);
}

TEST(JournalBearing, HasTheStribeckCurveOfTheReference) {
  const auto reference = test::read_reference("h_journal_stribeck");
  for (std::size_t i = 0; i < reference.at("U").size(); ++i) {
    const double speed = reference.at("U")[i];
    const auto state = bearing.steady_state(speed);
    ASSERT_NEAR(bearing.eccentricity(state), reference.at("eps")[i], 1e-9);
    ASSERT_NEAR(std::atan2(state.y, state.x), reference.at("phi")[i], 1e-8);
    ASSERT_NEAR(bearing.force(state, speed) / reference.at("F")[i], 1, 1e-9);
  }
}

TEST(JournalBearing, FollowsTheReferenceWhenTheSpeedOscillates) {
  const auto reference = test::read_reference("h_journal_lag_w1");
  const auto& expected = reference.at("F");
  const double end = reference.at("t").back();
  for (const auto method : {sim::Method::cvode, sim::Method::midpoint}) {
    const double interval = end / static_cast<double>(expected.size() - 1);
    const auto run = sim::drive(bearing, sim::Sine{0.025, 1, 0, 0.03},
                                {.method = method, .duration = end, .output_interval = interval, .step = interval / 64},
                                bearing.steady_state(0.03));
    ASSERT_EQ(run.friction.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      ASSERT_NEAR(run.friction[i], expected[i], 2e-6 * 8.5) << run.time[i];
    }
  }
}

TEST(JournalBearing, IsOddAndStartsFromTheCentreWithoutASingularity) {
  JournalBearing::State there{};
  JournalBearing::State back{};
  for (int i = 0; i < 50; ++i) {
    there = bearing.advance(there, 0.3, 1e-3);
    back = bearing.advance(back, -0.3, 1e-3);
  }
  EXPECT_NEAR(there.x, back.x, 1e-10);
  EXPECT_NEAR(there.y, -back.y, 1e-10);
  EXPECT_GT(there.x, 0.1) << "it sinks";
  EXPECT_NEAR(bearing.force(there, 0.3), -bearing.force(back, -0.3), 1e-8);
}

TEST(JournalBearing, HoldsALoadByItsAsperitiesAndFloatsUpWhenItMoves) {
  // At rest f_m W = 40 N.
  for (const auto method : {sim::Method::cvode, sim::Method::sdirk2, sim::Method::backward_euler}) {
    const auto run =
        sim::simulate(bearing, {.mass = 10}, {.force = sim::Ramp{0, 60, 0, 6}},
                      {.method = method, .duration = 6, .output_interval = 0.01, .step = 1e-3}, bearing.at_rest(0));
    std::size_t first = 0;
    while (run.velocity[first] == 0) {
      ASSERT_EQ(run.position[first], 0.0);
      ++first;
    }
    EXPECT_NEAR(run.load[first], 40, 0.15);
    EXPECT_LT(run.friction.back(), 40 * 0.5) << "the film has lifted the journal";
  }
}

TEST(JournalBearing, AdvanceConvergesToTheOde) {
  const auto start = bearing.steady_state(0.01);
  const auto fine = [&] {
    auto state = start;
    for (int i = 0; i < 20'000; ++i) {
      state = bearing.advance(state, 0.06, 1e-5);
    }
    return state;
  }();
  double before = 0;
  for (const double step : {2e-3, 1e-3, 5e-4}) {
    auto state = start;
    for (int i = 0; i < static_cast<int>(std::lround(0.2 / step)); ++i) {
      state = bearing.advance(state, 0.06, step);
    }
    const double error = std::hypot(state.x - fine.x, state.y - fine.y);
    EXPECT_LT(error, 1e-4);
    if (before > 0) {
      EXPECT_GT(before / error, 3) << "second order";
    }
    before = error;
  }
}

TEST(JournalBearing, WantsAContactThatCanCarryTheLoad) {
  auto params = bearing.params();
  params.contact_stiffness = 0.999 * 200 / (0.15 * 0.15);
  const auto problem = JournalBearing::check(params);
  ASSERT_TRUE(problem);
  EXPECT_STREQ(problem->field, "contact_stiffness");
}

}  // namespace
}  // namespace stiction::scalar
