// What Olsson et al. 1998 prove or compute about the LuGre model, with the numbers of their Table 2.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "stiction/sim/line.h"
#include "support/models.h"

namespace stiction::scalar {
namespace {

using test::table2_inertia;
using test::table2_lugre;

LuGre with_fading_damping(double damping_velocity) {
  auto params = table2_lugre().params();
  params.damping_velocity = damping_velocity;
  return LuGre::make(params);
}

TEST(LuGreLinearised, HasTheDampingRatioOfEquation29) {
  const auto linear = table2_lugre().linearised(table2_inertia);
  EXPECT_NEAR(linear.natural_frequency, std::sqrt(260 / 0.0023), 1e-12);
  EXPECT_NEAR(linear.damping_ratio, 0.3993251832863649, 1e-15);
}

TEST(LuGreLinearised, ForceSlopesAreThoseOfTheModelAtRest) {
  const LuGre model = table2_lugre();
  const double tiny = 1e-12;
  EXPECT_NEAR(model.force({tiny}, 0) / tiny, 260, 1e-9);
  EXPECT_NEAR(model.force({0}, tiny) / tiny, 0.6 + 0.0176, 1e-12);
}

TEST(LuGreLinearised, OvershootOfASmallStepIsTheSimulatedOne) {
  const LuGre model = table2_lugre();
  const double torque = 1e-6;
  const double settled = torque / model.stiffness;
  const auto run = sim::simulate(model, {.mass = table2_inertia}, {sim::Signal(torque)},
                                 {.duration = 0.02, .output_interval = 1e-6, .relative_tolerance = 1e-11});
  const double overshoot = *std::max_element(run.position.begin(), run.position.end()) / settled - 1;

  const double zeta = model.linearised(table2_inertia).damping_ratio;
  const double predicted = std::exp(-std::numbers::pi * zeta / std::sqrt(1 - zeta * zeta));
  EXPECT_NEAR(predicted, 0.25452631064976816, 1e-15);
  EXPECT_NEAR(overshoot, predicted, 3e-6);
  EXPECT_NEAR(overshoot, 0.2545287598212957, 1e-8);
}

TEST(LuGreDissipativity, LimitsOfTable2) {
  const LuGre model = table2_lugre();
  EXPECT_NEAR(model.dissipative_speed(), 1.866666666666667, 1e-14);
  EXPECT_NEAR(model.largest_dissipative_damping_velocity(), 4.352402098981299, 1e-14);
  EXPECT_NEAR(model.min_dissipative_viscous(), 0.10714285714285711, 1e-15);
}

TEST(LuGreDissipativity, MarginVanishesAtTheLimitSpeed) {
  const LuGre model = table2_lugre();
  const double limit = model.dissipative_speed();
  EXPECT_GT(model.dissipativity_margin(limit * (1 - 1e-12)), 0);
  EXPECT_LT(model.dissipativity_margin(limit * (1 + 1e-12)), 0);
}

TEST(LuGreDissipativity, MarginTouchesZeroForTheLargestDampingVelocity) {
  const double limit = table2_lugre().largest_dissipative_damping_velocity();
  // σ₁ v exp(−(v/v_d)²) is largest at v = v_d/√2, where it equals 4 F_C.
  EXPECT_NEAR(with_fading_damping(limit).dissipativity_margin(limit / std::numbers::sqrt2), 0, 1e-12);
  const LuGre beyond = with_fading_damping(1.001 * limit);
  EXPECT_LT(beyond.dissipativity_margin(1.001 * limit / std::numbers::sqrt2), 0);
}

TEST(LuGreDissipativity, AJumpToHighSpeedFromFullStictionGainsEnergyUnlessTheDampingFades) {
  const LuGre model = table2_lugre();
  const auto stuck = model.at_rest(0.33);
  EXPECT_NEAR(model.force(stuck, 10), -0.5654285714285706, 1e-14);
  EXPECT_LT(model.force(stuck, 10) * 10, 0);
  EXPECT_NEAR(with_fading_damping(4).force(stuck, 10), 0.5039316562826132, 1e-12);
}

TEST(LuGreDissipativity, EnoughViscousFrictionMakesTheJumpPassive) {
  auto params = table2_lugre().params();
  params.viscous = table2_lugre().min_dissipative_viscous();
  const LuGre model = LuGre::make(params);
  for (const double v : {1.0, 10.0, 1e3, 1e6}) {
    EXPECT_GE(model.force(model.at_rest(0.33), v) * v, 0) << v;
  }
}

TEST(LuGreDissipativity, EnergyBookkeepingClosesOverASlide) {
  const LuGre model = table2_lugre();
  const double dt = 1e-6;
  LuGre::State state;
  double work = 0;
  double heat = 0;
  for (int i = 0; i < 200'000; ++i) {
    const double v = 0.05 * std::sin(40 * (i + 0.5) * dt);
    const auto middle = model.advance(state, v, dt / 2);
    work += model.force(middle, v) * v * dt;
    heat += model.dissipated_power(middle, v) * dt;
    state = model.advance(state, v, dt);
  }
  EXPECT_NEAR(work, heat + model.energy(state), 1e-9 * work);
}

}  // namespace
}  // namespace stiction::scalar
