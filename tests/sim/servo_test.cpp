#include "stiction/sim/servo.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "stiction/scalar/presets.h"

namespace stiction::sim {
namespace {

using scalar::AnyModel;
using scalar::Coulomb;
using scalar::Viscous;

/// A small servo: 1 N m/A, 2 Ω, 12 V.
Servo::Params small() {
  return {.inertia = 0.01, .armature = 0.02, .torque_constant = 1, .resistance = 2, .proportional = 3};
}
Options steps(double duration, double step = 1e-4) {
  return {.method = Method::sdirk2, .duration = duration, .output_interval = 1e-3, .step = step};
}
AnyModel frictionless() { return AnyModel(Viscous::make({.viscous = 0})); }

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = a.size() == b.size() ? 0 : infinity;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    largest = std::max(largest, std::abs(a[i] - b[i]));
  }
  return largest;
}

// A gear ----------------------------------------------------------------------------------------------------------

TEST(PositionServo, WithAGearHoldsAWeightWithTheMotorOffAndOn) {
  const AnyModel gear = scalar::Gear::make({.coulomb_force = 0.1, .motor_gain = 0.2, .external_gain = 0.05});
  const auto end = [&](double motor, double weight, Method method) {
    auto p = small();
    p.proportional = motor > 0 ? 1e9 : 0;
    p.max_output = motor > 0 ? motor : infinity;
    p.sine_torque = -weight;
    auto options = steps(1, 5e-3);
    options.method = method;
    return simulate(gear, Servo::make(p, ServoMode::torque), {.goal = 100}, options, {.position = std::numbers::pi / 2})
        .position.back();
  };
  for (const Method method : {Method::sdirk2, Method::backward_euler}) {
    EXPECT_EQ(end(0, 0.105, method), std::numbers::pi / 2);  // 0.1 + 0.05 w
    EXPECT_LT(end(0, 0.106, method), std::numbers::pi / 2);
    EXPECT_EQ(end(1.5, 1.9, method), std::numbers::pi / 2);  // 0.4 of 0.1 + 0.05 w + 0.2 τ_m = 0.495
    EXPECT_LT(end(1.5, 2.05, method), std::numbers::pi / 2);
    EXPECT_EQ(end(1.5, 1.05, method), std::numbers::pi / 2);
    EXPECT_GT(end(1.5, 1.0, method), std::numbers::pi / 2);
  }
}

// The motor --------------------------------------------------------------------------------------------------------

/// J dv/dt = k_t (V − k_t v)/R at full duty: v = V/k_t (1 − exp(−t k_t²/(J R)))
TEST(PositionServo, RunsUpAsAMotorOnAVoltageDoes) {
  auto p = small();
  p.proportional = 1e6;  // always full duty
  const auto run = simulate(frictionless(), Servo::make(p), {.goal = 1e6, .supply_voltage = 12}, steps(0.3));
  for (std::size_t i = 0; i < run.time.size(); i += 50) {
    EXPECT_NEAR(run.velocity[i], 12 * (1 - std::exp(-run.time[i] / (0.03 * 2))), 1e-4) << run.time[i];
    EXPECT_NEAR(run.motor_torque[i], (12 - run.velocity[i]) / 2, 1e-12);
  }
}

/// Until the supply is used up the acceleration is that of the current; then the speed tends to V/k_t.
TEST(PositionServo, DrivesACurrentAsFarAsTheSupplyAllows) {
  auto p = small();
  p.proportional = 1e6;
  p.max_output = 3;  // [A]
  const auto run = simulate(frictionless(), Servo::make(p, ServoMode::current), {.goal = 1e6}, steps(2));
  EXPECT_NEAR(run.velocity[20], 3 / 0.03 * 0.02, 1e-9);  // 3 N m on 0.03 kg m²
  EXPECT_EQ(run.motor_torque[20], 3);
  EXPECT_NEAR(run.velocity.back(), 12, 1e-6);
  for (std::size_t i = 0; i < run.time.size(); ++i) {
    EXPECT_LE(run.motor_torque[i] * 2 + run.velocity[i], 12 * (1 + 1e-9)) << run.time[i];
  }
}

/// k_p q'' … a torque loop without limits is a spring: J q″ = −k_p q, sampled fast.
TEST(PositionServo, IsASpringInTorqueMode) {
  const Servo servo = Servo::make({.inertia = 0.5, .proportional = 8, .sample_time = 1e-4}, ServoMode::torque);
  const auto run = simulate(frictionless(), servo, {}, steps(3, 1e-4), {.position = 0.1});
  for (std::size_t i = 0; i < run.time.size(); i += 100) {
    EXPECT_NEAR(run.position[i], 0.1 * std::cos(4 * run.time[i]), 2e-4) << run.time[i];
  }
}

// The load ---------------------------------------------------------------------------------------------------------

/// A pendulum without motor and friction keeps its energy: J v²/2 − a cos q … with τ_e = −a sin q.
TEST(PositionServo, SwingsAsAPendulumDoes) {
  const Servo servo =
      Servo::make({.inertia = 0.5, .sine_torque = -3, .cosine_torque = 0.5, .proportional = 0}, ServoMode::torque);
  const auto energy = [](const ServoTrajectory& run, std::size_t i) {
    return 0.25 * run.velocity[i] * run.velocity[i] - 3 * std::cos(run.position[i]) - 0.5 * std::sin(run.position[i]);
  };
  double error[2];
  for (int k = 0; k < 2; ++k) {
    const auto run = simulate(frictionless(), servo, {}, steps(4, k == 0 ? 1e-3 : 5e-4), {.position = 2});
    error[k] = 0;
    for (std::size_t i = 0; i < run.time.size(); ++i) {
      error[k] = std::max(error[k], std::abs(energy(run, i) - energy(run, 0)));
    }
  }
  EXPECT_LT(error[0], 1e-3);
  EXPECT_NEAR(error[0] / error[1], 4, 0.5);  // second order
}

TEST(PositionServo, HoldsAPendulumBelowBreakAwayExactly) {
  const AnyModel friction(Coulomb::make({.coulomb_force = 1}));
  const Servo servo = Servo::make({.inertia = 0.5, .sine_torque = -3, .proportional = 0}, ServoMode::torque);
  const auto run = simulate(friction, servo, {}, steps(10, 5e-3), {.position = 0.3});  // 0.887 N m
  EXPECT_TRUE(std::all_of(run.position.begin(), run.position.end(), [](double q) { return q == 0.3; }));
  EXPECT_NEAR(run.friction.back(), -3 * std::sin(0.3), 1e-15);
  const auto falls = simulate(friction, servo, {}, steps(10, 5e-3), {.position = 0.4});  // 1.168 N m
  EXPECT_LT(falls.position.back(), 0.34);
}

// The firmware -----------------------------------------------------------------------------------------------------

TEST(PositionServo, LimitsTheRateOfItsGoal) {
  auto p = small();
  p.max_goal_rate = 2;
  p.sample_time = 0.01;
  const auto run = simulate(frictionless(), Servo::make(p), {.goal = 1}, steps(1), {.position = 0.2});
  for (std::size_t i = 0; i < run.time.size(); ++i) {
    const double samples = std::floor(run.time[i] / 0.01 + 1e-6) + 1;  // each moves the goal
    // The row at a sample is still that of the sample before
    const double late = std::min(1.0, 0.2 + 0.02 * std::max(1.0, samples - 1));
    EXPECT_GE(run.goal[i], late - 1e-12) << run.time[i];
    EXPECT_LE(run.goal[i], std::min(1.0, 0.2 + 0.02 * samples) + 1e-12) << run.time[i];
  }
  EXPECT_EQ(run.goal.back(), 1);
}

/// What it measures is the position a delay before the sample, rounded to the encoder's step.
TEST(PositionServo, MeasuresLateAndInSteps) {
  const double encoder = 2 * std::numbers::pi / 4096;
  auto p = small();
  p.sample_time = 2e-3;
  p.delay = 7.3e-3;
  p.encoder_step = encoder;
  const auto run = simulate(frictionless(), Servo::make(p), {.goal = Sine{.amplitude = 1, .frequency = 9}}, steps(0.5));
  const auto exact = [&](double t) {
    const double row = std::clamp(t / 1e-3, 0.0, 500.0);
    const auto i = std::min<std::size_t>(static_cast<std::size_t>(row), 499);
    return run.position[i] + (row - static_cast<double>(i)) * (run.position[i + 1] - run.position[i]);
  };
  EXPECT_GT(*std::max_element(run.position.begin(), run.position.end()), 0.3);
  for (std::size_t i = 20; i < run.time.size(); i += 2) {
    // rows at 20 ms, 22 ms …: still the sample before, at 18 ms, 20 ms …
    EXPECT_NEAR(run.measured[i], exact(run.time[i] - 2e-3 - 7.3e-3), encoder / 2 + 1e-4) << run.time[i];
    EXPECT_NEAR(std::remainder(run.measured[i], encoder), 0, 1e-12);
  }
}

TEST(PositionServo, ClipsItsOutputAndFollowsTheSupply) {
  auto p = small();
  p.max_output = 0.5;
  const auto run =
      simulate(frictionless(), Servo::make(p), {.goal = 100, .supply_voltage = Ramp{12, 6, 0, 1}}, steps(1));
  EXPECT_EQ(*std::max_element(run.output.begin(), run.output.end()), 0.5);
  EXPECT_NEAR(run.motor_torque.back(), (0.5 * 6 - run.velocity.back()) / 2, 1e-9);
}

/// Damping by the change of the measurement: as a damper, where the samples are short.
TEST(PositionServo, DampsByTheChangeOfItsMeasurement) {
  const Servo servo =
      Servo::make({.inertia = 0.5, .proportional = 0, .derivative = 2, .sample_time = 1e-3}, ServoMode::torque);
  const auto run = simulate(frictionless(), servo, {}, steps(1, 1e-3), {.velocity = 1});
  EXPECT_NEAR(run.velocity.back(), std::exp(-1 / 0.25), 3e-4);
}

// Steps and rows ---------------------------------------------------------------------------------------------------

TEST(PositionServo, TakesStepsThatFitIntoASample) {
  auto p = small();
  p.sample_time = 1e-3;
  const auto run = simulate(frictionless(), Servo::make(p), {.goal = 1}, steps(0.1, 0.3e-3));
  EXPECT_EQ(run.steps, 400);
  EXPECT_EQ(run.time.size(), 101);
  const auto fine = simulate(frictionless(), Servo::make(p), {.goal = 1}, steps(0.1, 1e-5));
  EXPECT_LT(largest_difference(run.position, fine.position), 1e-5);
}

TEST(PositionServo, AgreesBetweenItsMethodsAsTheStepShrinks) {
  const AnyModel friction(scalar::preset::olsson_table2());
  auto p = small();
  p.sine_torque = -0.5;
  const Servo servo = Servo::make(p);
  const ServoInputs inputs{.goal = Sine{.amplitude = 0.5, .frequency = 5}};
  auto euler = steps(0.5, 1e-5);
  euler.method = Method::backward_euler;
  const auto a = simulate(friction, servo, inputs, steps(0.5, 1e-4));
  const auto b = simulate(friction, servo, inputs, euler);
  EXPECT_LT(largest_difference(a.position, b.position), 2e-4);
  EXPECT_EQ(a.states.size(), 1U);
  EXPECT_EQ(a.states[0].size(), a.time.size());
}

// Bad input --------------------------------------------------------------------------------------------------------

TEST(PositionServo, RejectsWhatItCannotSimulate) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(Servo::make({}), InvalidParameter);
  EXPECT_THROW(Servo::make({.inertia = 1, .proportional = 1}), InvalidParameter);  // no torque constant
  EXPECT_NO_THROW(Servo::make({.inertia = 1, .proportional = 1}, ServoMode::torque));
  for (const auto& field : Servo::fields) {
    auto p = small();
    p.*field.member = nan;
    EXPECT_TRUE(Servo::check(p)) << field.name;
    p.*field.member = -infinity;
    EXPECT_TRUE(Servo::check(p)) << field.name;
  }
  const Servo servo = Servo::make(small());
  EXPECT_THROW(simulate(frictionless(), servo, {.goal = nan}, steps(1)), InvalidParameter);
  EXPECT_THROW(simulate(frictionless(), servo, {.supply_voltage = nan}, steps(1)), InvalidParameter);
  EXPECT_THROW(simulate(frictionless(), servo, {}, {.method = Method::cvode, .duration = 1}), InvalidParameter);
  EXPECT_THROW(simulate(frictionless(), servo, {}, steps(1), {.position = nan}), InvalidParameter);
  auto hasty = small();
  hasty.sample_time = 1e-12;
  EXPECT_THROW(simulate(frictionless(), Servo::make(hasty), {}, steps(1)), InvalidParameter);
}

/// A delay far longer than the run costs no memory.
TEST(PositionServo, MayBeLaterThanTheRunIsLong) {
  auto p = small();
  p.delay = 1;
  const auto run = simulate(frictionless(), Servo::make(p), {.goal = 1}, steps(1e-2, 1e-6));
  EXPECT_EQ(run.measured.back(), 0);
}

}  // namespace
}  // namespace stiction::sim
