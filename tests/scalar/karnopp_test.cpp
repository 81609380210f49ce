// Karnopp's band of zero velocity, with jumps and as published.
#include "stiction/scalar/karnopp.h"

#include <gtest/gtest.h>

#include <cmath>

#include "stiction/sim/line.h"
#include "support/csv.h"

namespace stiction::scalar {
namespace {

const Karnopp::Params plain_set{.coulomb_force = 1, .static_force = 1.5, .zero_velocity = 0.01, .viscous = 0.4};
const Karnopp jumping = Karnopp::make(plain_set);
const KarnoppOriginal original =
    KarnoppOriginal::make({.coulomb_force = 1, .static_force = 1.5, .zero_velocity = 0.01, .viscous = 0.4});

TEST(Karnopp, SlidesByTheLawOfTheStribeckModelOutsideTheBand) {
  auto params = plain_set;
  params.stribeck_velocity = 0.05;
  const auto model = Karnopp::make(params);
  const StribeckCurve<double> curve{1, 1.5, 0.05, 2};
  for (const double v : {0.011, 0.05, 0.3, 4.0}) {
    EXPECT_NEAR(model.force({Mode::slip_plus}, v), curve(v) + 0.4 * v, 1e-15);
    EXPECT_EQ(model.force({Mode::slip_minus}, -v), -model.force({Mode::slip_plus}, v));
    EXPECT_NEAR(jumping.force({Mode::slip_plus}, v), 1 + 0.4 * v, 1e-15) << "without a Stribeck velocity: Coulomb";
  }
  EXPECT_EQ(jumping.force({Mode::stick}, 0.005, 0.7), 0.7) << "inside: the load";
  EXPECT_EQ(jumping.force({Mode::stick}, 0.005, -7), -1.5) << "up to the break-away force";
}

TEST(Karnopp, RefusesAStaticForceBelowTheSlidingFrictionAtTheBand) {
  auto params = plain_set;
  params.viscous = 60;  // F(DV) = 1.6
  const auto problem = Karnopp::check(params);
  ASSERT_TRUE(problem);
  EXPECT_STREQ(problem->field, "static_force");
}

TEST(Karnopp, OnARampJumpsToTheBandAtBreakAwayAndSlidesOn) {
  // u = 0.1 t breaks away at t = 15; then dv/dt = 0.1 t − 1 − 0.4 v from v = 0.01.
  const auto run = sim::simulate(jumping, {.mass = 1}, {.force = sim::Ramp{0, 10, 0, 100}},
                                 {.duration = 20, .output_interval = 0.01});
  for (std::size_t i = 0; i < run.time.size(); ++i) {
    const double t = run.time[i];
    if (t < 15 - 1e-6) {
      ASSERT_EQ(run.velocity[i], 0.0);
      ASSERT_EQ(run.position[i], 0.0);
    } else if (t > 15 + 1e-6) {
      // v = a + b t + c e^(−0.4 t') with b = 0.25, a = −2.5 − 0.625
      const double since = t - 15;
      const double steady = 0.25 * t - 3.125;
      ASSERT_NEAR(run.velocity[i], steady + (0.01 - (0.25 * 15 - 3.125)) * std::exp(-0.4 * since), 1e-7) << t;
    }
  }
}

TEST(Karnopp, ComesToRestWhereItFallsIntoTheBand) {
  // dv/dt = −1 − 0.4 v from 0.5 to 0.01
  const auto run = sim::simulate(jumping, {.mass = 1, .velocity = 0.5}, {}, {.duration = 1, .output_interval = 1e-3});
  const double stop = std::log((0.5 + 2.5) / (0.01 + 2.5)) / 0.4;
  for (std::size_t i = 0; i < run.time.size(); ++i) {
    if (run.time[i] > stop + 1e-6) {
      ASSERT_EQ(run.velocity[i], 0.0);
    } else if (run.time[i] < stop - 1e-6) {
      ASSERT_NEAR(run.velocity[i], (0.5 + 2.5) * std::exp(-0.4 * run.time[i]) - 2.5, 1e-8);
    }
  }
}

TEST(Karnopp, AsPublishedBreaksAwayLateByTheTimeTheMomentumNeeds) {
  // Inside the band m dv/dt = u − F_S with u − F_S = 0.2 (t − t₀): DV is reached after √(2·0.01/0.2) = 0.3162 s.
  const sim::Load pull{.force = sim::Ramp{0, 20, 0, 100}};
  const auto run = sim::simulate(original, {.mass = 1}, pull, {.duration = 9, .output_interval = 1e-4});
  std::size_t first = 0;
  while (run.velocity[first] == 0) {
    ASSERT_EQ(run.position[first], 0.0);
    ++first;
  }
  EXPECT_NEAR(run.time[first], 7.5 + std::sqrt(2 * 0.01 / 0.2), 1.5e-4);
  EXPECT_NEAR(run.velocity[first], 0.01, 1e-4);
}

TEST(Karnopp, AsPublishedKeepsItsMomentumInsideTheBand) {
  const auto next = original.solve({Mode::stick},
                                   {.free_velocity = 0.005 + 1e-3 * 1.2, .mobility = 1, .velocity = 0.005, .dt = 1e-3});
  EXPECT_NEAR(next.velocity, 0.005, 1e-15);
  EXPECT_NEAR(next.force, 1.2, 1e-12);
  EXPECT_EQ(original.output_velocity(next.state, next.velocity), 0.0);
  const auto pushed =
      original.solve({Mode::stick}, {.free_velocity = 0.005 + 1e-3 * 9, .mobility = 1, .velocity = 0.005, .dt = 1e-3});
  EXPECT_NEAR(pushed.velocity, 0.005 + 1e-3 * (9 - 1.5), 1e-15);
  EXPECT_EQ(pushed.state.mode, Mode::slip_plus);
}

TEST(Karnopp, SticksAndSlipsAsTheReference) {
  const auto reference = test::read_reference("g_stickslip_karnopp");
  const double end = reference.at("t").back();
  const sim::Load pull{.spring = sim::Spring{.stiffness = 2, .anchor = sim::Ramp{0, 10, 0, 100}}};
  const auto run =
      sim::simulate(jumping, {.mass = 1}, pull, {.duration = end, .output_interval = reference.at("t")[1]});
  EXPECT_LT(test::deviation(run.position, reference.at("x")), 1e-6);
  EXPECT_LT(test::deviation(run.velocity, reference.at("v")), 2e-6);
  EXPECT_LT(test::deviation(run.friction, reference.at("F")), 1e-6);
}

TEST(Karnopp, FixedStepsFollowTheEvents) {
  const sim::Load pull{.spring = sim::Spring{.stiffness = 2, .anchor = sim::Ramp{0, 4, 0, 40}}};
  const auto exact = sim::simulate(jumping, {.mass = 1}, pull, {.duration = 40, .output_interval = 0.1});
  for (const auto method : {sim::Method::backward_euler, sim::Method::sdirk2}) {
    const auto run = sim::simulate(jumping, {.mass = 1}, pull,
                                   {.method = method, .duration = 40, .output_interval = 0.1, .step = 1e-4});
    for (std::size_t i = 0; i < run.time.size(); ++i) {
      ASSERT_NEAR(run.position[i], exact.position[i], 1e-3) << run.time[i];
    }
  }
}

}  // namespace
}  // namespace stiction::scalar
