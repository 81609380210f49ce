// The observer against the model, against closed forms, and against an accurate solution of the loop around it.
#include "stiction/control/lugre_observer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "stiction/control/pid.h"
#include "stiction/sim/cvode.h"
#include "stiction/sim/sampled.h"
#include "support/models.h"

namespace stiction::control {
namespace {

using scalar::LuGre;
using test::table2_lugre;

TEST(LuGreObserver, WithoutAGainIsTheModel) {
  const LuGre model = table2_lugre();
  auto observer = LuGreObserver::make(model, {.gain = 0});
  LuGre::State state;
  for (int i = 0; i < 2000; ++i) {
    const double v = 0.3 * std::sin(0.01 * i) * std::sin(0.0013 * i);
    const auto expected = model.step(state, v, 1e-3);
    state = expected.state;
    EXPECT_NEAR(observer.step(v, 0.7, 1e-3), expected.force, 1e-12);
  }
}

TEST(LuGreObserver, SolvesItsEquationExactlyForAVelocityAndAnErrorThatAreHeld) {
  const LuGre model = table2_lugre();
  const double gain = 9.7;
  for (const double v : {-2.0, -1e-3, 0.0, 1e-9, 0.02, 5.0}) {
    for (const double e : {-1e-3, 0.0, 2e-4}) {
      auto observer = LuGreObserver::make(model, {.gain = gain});
      observer.state.bristle = 3e-4;
      // dẑ/dt = v − a ẑ − k e with 20 000 steps of the midpoint rule, in long double
      const long double a = 260.0L * std::abs(v) / (0.28L + 0.05L * std::exp(-std::pow(v / 0.01L, 2)));
      const long double b = static_cast<long double>(v) - 9.7L * e;
      long double z = 3e-4L;
      const long double h = 4e-3L / 20000;
      for (int i = 0; i < 20000; ++i) {
        z += h * (b - a * (z + h / 2 * (b - a * z)));
      }
      const double force = observer.step(v, e, 4e-3);
      EXPECT_NEAR(observer.state.bristle, static_cast<double>(z), 1e-9 * 1.3e-3) << v << " " << e;
      const long double expected = 260 * z + 0.6L * (b - a * z) + 0.0176L * v;
      EXPECT_NEAR(force, static_cast<double>(expected), 1e-8) << v << " " << e;
    }
  }
}

TEST(LuGreObserver, AtRestIntegratesTheErrorUpToItsBound) {
  const LuGre model = table2_lugre();
  auto observer = LuGreObserver::make(model, {.gain = 2, .headroom = 3});
  observer.step(0, -1e-3, 0.25);
  EXPECT_DOUBLE_EQ(observer.state.bristle, 2 * 1e-3 * 0.25);
  observer.step(0, -1e-3, 1e6);
  EXPECT_DOUBLE_EQ(observer.state.bristle, 3 * 0.33 / 260);
  observer.step(0, 1e-3, 1e6);
  EXPECT_DOUBLE_EQ(observer.state.bristle, -3 * 0.33 / 260);
}

TEST(LuGreObserver, TheScaleMultipliesAllForces) {
  auto params = table2_lugre().params();
  auto scaled = LuGreObserver::make(table2_lugre(), {.gain = 3, .scale = 1.5});
  for (double* force :
       {&params.stiffness, &params.damping, &params.coulomb_force, &params.static_force, &params.viscous}) {
    *force *= 1.5;
  }
  auto larger = LuGreObserver::make(LuGre::make(params), {.gain = 3});
  for (int i = 0; i < 500; ++i) {
    const double v = 0.1 * std::sin(0.05 * i);
    EXPECT_NEAR(scaled.step(v, 1e-3, 1e-3), larger.step(v, 1e-3, 1e-3), 1e-12);
  }
}

TEST(LuGreObserver, ForgetsAWrongStartWhileTheBodyMoves) {
  const LuGre model = table2_lugre();
  auto right = LuGreObserver::make(model, {.gain = 0});
  auto wrong = right;
  wrong.state.bristle = 1e-3;
  double shrink = 1;
  for (int i = 0; i < 100; ++i) {
    const double v = 0.02 + 0.01 * std::sin(0.1 * i);
    shrink *= std::exp(-model.stiffness * v / model.curve(v) * 1e-3);
    right.step(v, 1e-3);
    wrong.step(v, 1e-3);
    EXPECT_NEAR(wrong.state.bristle - right.state.bristle, 1e-3 * shrink, 1e-15);
  }
}

TEST(LuGreObserver, ASampleThatCannotBeUsedGivesNanAndLeavesTheStateAlone) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  auto observer = LuGreObserver::make(table2_lugre(), {.gain = 1});
  observer.step(0.1, 0.01, 1e-3);
  const auto before = observer.state;
  EXPECT_TRUE(std::isnan(observer.step(nan, 0, 1e-3)));
  EXPECT_TRUE(std::isnan(observer.step(0.1, nan, 1e-3)));
  EXPECT_TRUE(std::isnan(observer.step(infinity, 0, 1e-3)));
  EXPECT_TRUE(std::isnan(observer.step(0.1, 0, -1e-3)));
  EXPECT_EQ(observer.state, before);
}

TEST(LuGreObserver, NamesWhatIsWrong) {
  EXPECT_STREQ(LuGreObserver::check({.gain = -1})->field, "gain");
  EXPECT_STREQ(LuGreObserver::check({.gain = 0, .scale = -1})->field, "scale");
  EXPECT_STREQ(LuGreObserver::check({.gain = 0, .headroom = 0.5})->field, "headroom");
  EXPECT_THROW(LuGreObserver::make(table2_lugre(), {.gain = -1}), InvalidParameter);
}

constexpr double kp = 6.21;
constexpr double ki = 62.1;
constexpr double kd = 0.207;
constexpr double mass = test::table2_inertia;

/// A servo that follows sin t with an observer 20 % off, sampled at h: position after two seconds.
double sampled_servo(double h) {
  const LuGre plant = table2_lugre();
  auto params = plant.params();
  params.coulomb_force *= 0.8;
  auto observer = LuGreObserver::make(LuGre::make(params), {.gain = 0.05});
  auto pid = Pid::make({.proportional = kp, .integral = ki, .derivative = kd});
  sim::SampledBody<LuGre> body{plant, mass};
  const int steps = static_cast<int>(std::lround(2 / h));
  for (int i = 0; i < steps; ++i) {
    const double t = i * h;
    const auto [x, v, q, z] = body.state;
    const double friction = observer.step(v, x - std::sin(t), h);
    body.hold(pid.step(std::sin(t) - x, std::cos(t) - v, friction, h), h);
  }
  return body.state.position;
}

TEST(LuGreObserver, InASampledLoopTendsToTheContinuousOneAsTheStepShrinks) {
  const LuGre plant = table2_lugre();
  auto params = plant.params();
  params.coulomb_force *= 0.8;
  const LuGre model = LuGre::make(params);
  sim::OdeProblem problem;  // x, v, ∫e, z, ẑ
  problem.scale = {1, 1, 0.01, 1e-3, 1e-3};
  problem.max_step = 0.01;
  problem.rate = [&](double t, std::span<const double> y, std::span<double> dydt) {
    const double e = std::sin(t) - y[0];
    const double v = y[1];
    const double estimated_rate = v - model.stiffness * std::abs(v) * y[4] / model.curve(v) + 0.05 * e;
    const double estimate = model.stiffness * y[4] + 0.6 * estimated_rate + 0.0176 * v;
    const double u = kp * e + kd * (std::cos(t) - v) + ki * y[2] + estimate;
    dydt[0] = v;
    dydt[1] = (u - plant.force({y[3]}, v)) / mass;
    dydt[2] = e;
    dydt[3] = plant.rate({y[3]}, v).bristle;
    dydt[4] = estimated_rate;
  };
  sim::Cvode solver(problem, 0, {0, 0, 0, 0, 0});
  while (solver.time() < 2) {
    solver.step(2);
  }
  const double truth = solver.y()[0];
  const double coarse = sampled_servo(1e-4) - truth;
  const double fine = sampled_servo(2.5e-5) - truth;
  EXPECT_LT(std::abs(coarse), 1e-4);
  EXPECT_NEAR(fine / coarse, 0.25, 0.05);  // first order: the hold
}

}  // namespace
}  // namespace stiction::control
