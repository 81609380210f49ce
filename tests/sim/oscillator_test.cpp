// Loads that friction does not touch have closed solutions: every method must find them, each with its own order.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "stiction/scalar/registry.h"
#include "stiction/sim/line.h"

namespace stiction::sim::oscillator_test {
namespace {

using scalar::Viscous;

const Viscous frictionless = Viscous::make({.viscous = 0});

struct Case {
  Method method;
  double step;
  double order;
  const char* name;
};

const std::vector<Case> fixed_methods{{Method::backward_euler, 1e-3, 1, "BackwardEuler"},
                                      {Method::sdirk2, 1e-2, 2, "Sdirk2"},
                                      {Method::explicit_euler, 1e-3, 1, "ExplicitEuler"},
                                      {Method::semi_implicit_euler, 1e-3, 1, "SemiImplicitEuler"},
                                      {Method::runge_kutta_4, 2e-2, 4, "RungeKutta4"}};

class FixedMethod : public testing::TestWithParam<Case> {};

// m x'' + c x' + k x = 0 from x = 1:  x = e^(−ζωt)(cos ω_d t + ζω/ω_d sin ω_d t)
constexpr double mass = 2;
constexpr double stiffness = 18;
constexpr double damping = 1.2;

double free_oscillation(double t) {
  const double decay_rate = damping / (2 * mass);
  const double frequency = std::sqrt(stiffness / mass - decay_rate * decay_rate);
  return std::exp(-decay_rate * t) * (std::cos(frequency * t) + decay_rate / frequency * std::sin(frequency * t));
}

double oscillator_error(Method method, double step) {
  const Load load{.spring = Spring{.stiffness = stiffness, .damping = damping}};
  const Options options{.method = method, .duration = 4, .output_interval = 0.1, .step = step};
  const auto run = simulate(frictionless, {.mass = mass, .position = 1}, load, options);
  EXPECT_EQ(run.time.size(), 41U);
  double worst = 0;
  for (std::size_t i = 0; i < run.time.size(); ++i) {
    worst = std::max(worst, std::abs(run.position[i] - free_oscillation(run.time[i])));
  }
  return worst;
}

TEST_P(FixedMethod, OscillatorConvergesWithItsOrder) {
  const auto [method, step, order, name] = GetParam();
  const double coarse = oscillator_error(method, step);
  const double fine = oscillator_error(method, step / 2);
  EXPECT_LT(coarse, 0.01);
  EXPECT_NEAR(std::log2(coarse / fine), order, 0.1);
}

TEST(AccurateSolver, FollowsTheOscillator) { EXPECT_LT(oscillator_error(Method::cvode, 1), 1e-7); }

TEST(AccurateSolver, FollowsTheOscillatorFarFromTheOrigin) {
  const double away = 1e7;
  const Load load{.spring = Spring{.stiffness = stiffness, .damping = damping, .anchor = away}};
  const auto run = simulate(frictionless, {.mass = mass, .position = away + 1}, load, {.duration = 4});
  ASSERT_FALSE(run.diverged);
  EXPECT_NEAR(run.position.back() - away, free_oscillation(4), 0.05);
}

TEST(AccurateSolver, FollowsAFastSpinningShaft) {
  const Viscous bearing = Viscous::make({.viscous = 0.5});
  const auto run = simulate(bearing, {.mass = mass, .velocity = 2e4}, {}, {.duration = 4});
  ASSERT_FALSE(run.diverged);
  EXPECT_NEAR(run.velocity.back(), 2e4 * std::exp(-0.5 * 4 / mass), 1e-3);
}

// m v' = kp (r − v) + ki ∫(r − v) − Fv v from rest, with roots of m s² + (kp + Fv) s + ki.
double speed_loop(double t, double inertia, double kp, double ki, double viscous, double reference) {
  const double sum = (kp + viscous) / inertia;
  const double root = std::sqrt(sum * sum - 4 * ki / inertia);
  const double fast = (-sum - root) / 2;
  const double slow = (-sum + root) / 2;
  // v(0) = 0, v'(0) = kp r / m, v(∞) = r
  const double a = reference * (kp / inertia + fast) / (slow - fast);
  const double b = -reference - a;
  return reference + a * std::exp(slow * t) + b * std::exp(fast * t);
}

double speed_loop_error(Method method, double step) {
  const Viscous viscous = Viscous::make({.viscous = 0.4});
  const Load load{.controller = Pid{.on = Pid::On::velocity, .reference = 3.0, .proportional = 2, .integral = 1.5}};
  const Options options{.method = method, .duration = 5, .output_interval = 0.1, .step = step};
  const auto run = simulate(viscous, {.mass = 0.5}, load, options);
  double worst = 0;
  for (std::size_t i = 0; i < run.time.size(); ++i) {
    worst = std::max(worst, std::abs(run.velocity[i] - speed_loop(run.time[i], 0.5, 2, 1.5, 0.4, 3)));
  }
  return worst;
}

TEST_P(FixedMethod, SpeedLoopConvergesWithItsOrder) {
  const auto [method, step, order, name] = GetParam();
  const double coarse = speed_loop_error(method, 2 * step);
  const double fine = speed_loop_error(method, step);
  EXPECT_LT(coarse, 0.02);
  EXPECT_NEAR(std::log2(coarse / fine), order, 0.15);
}

TEST(AccurateSolver, FollowsTheSpeedLoop) { EXPECT_LT(speed_loop_error(Method::cvode, 1), 2e-8); }

TEST(PositionLoop, IntegralActionEndsAtTheReferenceUnderAConstantLoad) {
  const Load load{.force = -2.0,
                  .controller = Pid{.reference = 0.5, .proportional = 40, .integral = 30, .derivative = 12}};
  for (const Method method : {Method::cvode, Method::sdirk2, Method::backward_euler, Method::runge_kutta_4}) {
    const auto run = simulate(frictionless, {.mass = 1}, load, {.method = method, .duration = 40});
    EXPECT_NEAR(run.position.back(), 0.5, 1e-9);
    EXPECT_NEAR(run.velocity.back(), 0, 1e-9);
    EXPECT_NEAR(run.load.back(), 0, 1e-8);
  }
}

TEST(PositionLoop, FollowsASmoothReferenceLikeRungeKutta) {
  const Load load{.controller = Pid{.reference = Sine{0.2, 2}, .proportional = 40, .integral = 30, .derivative = 12}};
  const Viscous viscous = Viscous::make({.viscous = 0.4});
  const auto exact = simulate(viscous, {.mass = 1}, load, {.method = Method::runge_kutta_4, .duration = 5});
  const auto cvode = simulate(viscous, {.mass = 1}, load, {.duration = 5});
  const auto sdirk = simulate(viscous, {.mass = 1}, load, {.method = Method::sdirk2, .duration = 5});
  for (std::size_t i = 0; i < exact.time.size(); ++i) {
    ASSERT_NEAR(cvode.position[i], exact.position[i], 2e-9);
    ASSERT_NEAR(sdirk.position[i], exact.position[i], 2e-6);
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, FixedMethod, testing::ValuesIn(fixed_methods),
                         [](const auto& method) { return method.param.name; });

}  // namespace
}  // namespace stiction::sim::oscillator_test
