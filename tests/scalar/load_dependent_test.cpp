// Friction that grows with the load it transmits.
#include "stiction/scalar/load_dependent.h"

#include <gtest/gtest.h>

#include <cmath>

#include "stiction/sim/line.h"

namespace stiction::scalar {
namespace {

LoadDependentStribeck::Params gear(double load_gain) {
  return {.coulomb_force = 1, .static_force = 1.5, .stribeck_velocity = 0.01, .viscous = 0.4, .load_gain = load_gain};
}

TEST(LoadDependentStribeck, WithoutGainIsStribeck) {
  const auto loaded = LoadDependentStribeck::make(gear(0));
  const auto plain_model =
      Stribeck::make({.coulomb_force = 1, .static_force = 1.5, .stribeck_velocity = 0.01, .viscous = 0.4});
  for (const double v : {-0.3, -0.004, 0.02, 1.0}) {
    const auto state = loaded.advance({}, v, 0);
    EXPECT_EQ(loaded.force(state, v, 5), plain_model.force(state, v, 5));
    EXPECT_EQ(loaded.solve(state, {.free_velocity = v + 0.01, .mobility = 1, .velocity = v, .dt = 1e-2}).velocity,
              plain_model.solve(state, {.free_velocity = v + 0.01, .mobility = 1, .velocity = v, .dt = 1e-2}).velocity);
  }
}

TEST(LoadDependentStribeck, CoulombLevelRisesByTheGainForEachNewton) {
  const auto model = LoadDependentStribeck::make(gear(0.2));
  const double unloaded = model.force({Mode::slip_plus}, 10, 0);
  EXPECT_NEAR(unloaded, 1 + 4, 1e-12);
  EXPECT_NEAR(model.force({Mode::slip_plus}, 10, 3), unloaded * 1.6, 1e-12);
  EXPECT_NEAR(model.force({Mode::slip_minus}, -10, 3), -unloaded * 1.6, 1e-12);
}

TEST(LoadDependentStribeck, BreaksAwayWhereTheLoadOutrunsItsFriction) {
  const auto model = LoadDependentStribeck::make(gear(0.2));
  const double most = 1.5 / (1 - 0.2 * 1.5);  // load = F_S (1 + 0.2 load)
  EXPECT_NEAR(model.breakaway_force(1), most, 1e-12);
  for (const auto method : {sim::Method::cvode, sim::Method::sdirk2, sim::Method::backward_euler}) {
    const auto run = sim::simulate(model, {.mass = 1}, {.force = sim::Ramp{0, 4, 0, 40}},
                                   {.method = method, .duration = 40, .output_interval = 0.01, .step = 1e-3});
    std::size_t first = 0;
    while (run.velocity[first] == 0) {
      ++first;
    }
    EXPECT_NEAR(run.load[first], most, 2e-3);
  }
}

TEST(LoadDependentStribeck, LocksItselfWhereTheGainIsLarge) {
  const auto model = LoadDependentStribeck::make(gear(0.7));  // μ F_S > F_C
  EXPECT_TRUE(std::isinf(model.breakaway_force(1)));
  for (const auto method : {sim::Method::cvode, sim::Method::sdirk2, sim::Method::backward_euler}) {
    const auto run = sim::simulate(model, {.mass = 1}, {.force = sim::Ramp{0, 1e6, 0, 10}},
                                   {.method = method, .duration = 10, .output_interval = 0.1});
    EXPECT_EQ(run.position.back(), 0.0);
    EXPECT_NEAR(run.friction.back(), 1e6, 1e-3);
  }
}

TEST(LoadDependentStribeck, FixedStepsFollowTheAccurateSolver) {
  const auto model = LoadDependentStribeck::make(gear(0.2));
  const sim::Load load{.force = sim::Sine{3, 2}, .spring = sim::Spring{.stiffness = 3, .damping = 0.5}};
  const auto exact = sim::simulate(model, {.mass = 1}, load, {.duration = 6, .output_interval = 0.05});
  for (const auto method : {sim::Method::backward_euler, sim::Method::sdirk2}) {
    const auto run = sim::simulate(model, {.mass = 1}, load,
                                   {.method = method, .duration = 6, .output_interval = 0.05, .step = 1e-4});
    for (std::size_t i = 0; i < run.time.size(); ++i) {
      ASSERT_NEAR(run.position[i], exact.position[i], 3e-4) << run.time[i];
    }
  }
}

TEST(LoadDependentDahl, ScalesDahlsForceAndLeavesItsState) {
  const auto model = LoadDependentDahl::make({.stiffness = 1000, .coulomb_force = 1, .exponent = 1, .load_gain = 0.3});
  const auto dahl = Dahl::make({.stiffness = 1000, .coulomb_force = 1, .exponent = 1});
  const auto state = model.advance({}, 0.1, 0.01);
  EXPECT_EQ(state, dahl.advance({}, 0.1, 0.01));
  EXPECT_NEAR(model.force(state, 0.1, -2), 1.6 * dahl.force(state, 0.1), 1e-15);
  EXPECT_EQ(model.force(state, 0.1), dahl.force(state, 0.1));
}

TEST(LoadDependentDahl, EveryMethodSeesTheLoad) {
  const auto model = LoadDependentDahl::make({.stiffness = 1000, .coulomb_force = 1, .exponent = 1, .load_gain = 0.3});
  const sim::Load load{.force = sim::Sine{2.5, 2}};
  const auto exact = sim::simulate(model, {.mass = 1}, load, {.duration = 3, .output_interval = 0.05});
  const auto unloaded =
      sim::simulate(Dahl::make({1000, 1, 1}), {.mass = 1}, load, {.duration = 3, .output_interval = 0.05});
  EXPECT_GT(std::abs(unloaded.position.back() - exact.position.back()), 0.1);
  for (const auto method : {sim::Method::backward_euler, sim::Method::sdirk2, sim::Method::explicit_euler,
                            sim::Method::semi_implicit_euler, sim::Method::runge_kutta_4}) {
    const auto run = sim::simulate(model, {.mass = 1}, load,
                                   {.method = method, .duration = 3, .output_interval = 0.05, .step = 1e-5});
    for (std::size_t i = 0; i < run.time.size(); ++i) {
      ASSERT_NEAR(run.position[i], exact.position[i], 1e-4) << static_cast<int>(method);
    }
  }
}

}  // namespace
}  // namespace stiction::scalar
