// A block with friction that truly sticks: it stops, holds, breaks away and turns when it should, to the last bit.
#include <gtest/gtest.h>

#include <cmath>

#include "stiction/scalar/registry.h"
#include "stiction/sim/line.h"

namespace stiction::sim {
namespace {

using scalar::Coulomb;
using scalar::Mode;
using scalar::Stiction;
using scalar::Stribeck;

const Coulomb dry = Coulomb::make({.coulomb_force = 1.5});
const Coulomb oiled = Coulomb::make({.coulomb_force = 1.5, .viscous = 0.8});
const Stiction sticky = Stiction::make({.coulomb_force = 1, .static_force = 1.6});
const Stribeck stribeck = Stribeck::make(
    {.coulomb_force = 1, .static_force = 1.6, .stribeck_velocity = 0.1, .stribeck_exponent = 1.4, .viscous = 0.3});

double mode_of(const Trajectory& run, std::size_t i) { return run.states.back()[i]; }

void expect_stopped_from(const Trajectory& run, double time) {
  std::size_t first = 0;
  while (first < run.time.size() && run.velocity[first] != 0.0) {
    ++first;
  }
  ASSERT_LT(first, run.time.size());
  ASSERT_GT(first, 0U);
  EXPECT_LE(run.time[first - 1], time * (1 + 1e-9));
  EXPECT_GE(run.time[first], time * (1 - 1e-9));
  for (std::size_t i = first; i < run.time.size(); ++i) {
    ASSERT_EQ(run.velocity[i], 0.0);
    ASSERT_EQ(run.position[i], run.position[first]) << "held bit for bit";
    ASSERT_EQ(mode_of(run, i), 0.0);
  }
}

TEST(Stopping, CoulombStopsAtTheAnalyticTimeAndPlace) {
  const auto run = simulate(dry, {.mass = 2, .velocity = 3}, {}, {.duration = 6, .output_interval = 1e-4});
  expect_stopped_from(run, 2 * 3 / 1.5);
  EXPECT_NEAR(run.position.back(), 2 * 3 * 3 / (2 * 1.5), 1e-8);
  for (std::size_t i = 0; run.time[i] < 3.99; ++i) {
    ASSERT_NEAR(run.velocity[i], 3 - 1.5 / 2 * run.time[i], 1e-9);
  }
}

TEST(Stopping, ViscousTermShortensTheSlide) {
  const auto run = simulate(oiled, {.mass = 2, .velocity = -3}, {},
                            {.duration = 6, .output_interval = 1e-4, .relative_tolerance = 1e-10});
  const double stop = 2 / 0.8 * std::log(1 + 0.8 * 3 / 1.5);
  expect_stopped_from(run, stop);
  EXPECT_NEAR(run.position.back(), -(3 - 1.5 / 0.8 * 0.8 * stop / 2) * 2 / 0.8, 1e-8);
}

TEST(Stopping, StribeckStopsWhereTheQuadratureSays) {
  // t = ∫ m dv / F(v), by Simpson's rule in s with v = 2 s³, which tames the slope at rest
  double time = 0;
  const int intervals = 20'000;
  for (int i = 0; i <= intervals; ++i) {
    const double s = static_cast<double>(i) / intervals;
    const double v = 2 * s * s * s;
    const double weight = (i == 0 || i == intervals) ? 1 : (i % 2 == 1 ? 4 : 2);
    time += weight / (3.0 * intervals) * 6 * s * s / stribeck.sliding_force(v, 1);
  }
  const auto run = simulate(stribeck, {.mass = 1, .velocity = 2}, {}, {.duration = 3, .output_interval = 1e-4});
  expect_stopped_from(run, time);
}

TEST(Stopping, AConstantLoadBelowBreakAwayDoesNotStartTheBodyAgain) {
  const auto run = simulate(sticky, {.mass = 1, .velocity = 1}, {.force = 0.4}, {.duration = 5});
  expect_stopped_from(run, 1 / (1 - 0.4));
  EXPECT_EQ(run.friction.back(), 0.4) << "stuck: friction equals the load";
}

TEST(Holding, EveryMethodHoldsAStuckBodyBitForBit) {
  for (const Method method : {Method::cvode, Method::sdirk2, Method::backward_euler}) {
    for (const double load : {1.599, -1.599, 0.1}) {
      const auto run = simulate(sticky, {.mass = 1, .position = 0.3}, {.force = load},
                                {.method = method, .duration = 10, .output_interval = 0.1, .step = 1e-3});
      for (std::size_t i = 0; i < run.time.size(); ++i) {
        ASSERT_EQ(run.position[i], 0.3);
        ASSERT_EQ(run.velocity[i], 0.0);
        ASSERT_NEAR(run.friction[i], load, 1e-15);
      }
    }
  }
}

TEST(Holding, AnOscillatingLoadBelowBreakAwayNeverMovesTheBody) {
  for (const Method method : {Method::cvode, Method::sdirk2, Method::backward_euler}) {
    const auto run = simulate(stribeck, {.mass = 1, .position = -2}, {.force = Sine{1.59, 7}},
                              {.method = method, .duration = 10, .output_interval = 0.01});
    for (std::size_t i = 0; i < run.time.size(); ++i) {
      ASSERT_EQ(run.position[i], -2.0);
    }
  }
}

TEST(BreakingAway, OnARampAtTheStaticForceThenFollowsTheClosedForm) {
  const double rate = 0.5;
  const double start = 1.6 / rate;
  const auto run =
      simulate(sticky, {.mass = 2}, {.force = Ramp{0, 5, 0, 10}}, {.duration = 8, .output_interval = 1e-3});
  for (std::size_t i = 0; i < run.time.size(); ++i) {
    const double t = run.time[i];
    if (t < start - 1e-9) {
      ASSERT_EQ(run.position[i], 0.0);
      ASSERT_EQ(run.velocity[i], 0.0);
    } else if (t > start) {
      // m v' = rate t − F_C
      const double v = (rate * (t * t - start * start) / 2 - (t - start)) / 2;
      const double x = (rate * (t * t * t - start * start * start) / 6 - rate * start * start / 2 * (t - start) -
                        (t - start) * (t - start) / 2) /
                       2;
      ASSERT_NEAR(run.velocity[i], v, 1e-8);
      ASSERT_NEAR(run.position[i], x, 1e-7);
      ASSERT_EQ(mode_of(run, i), 1.0);
    }
  }
}

TEST(BreakingAway, BackwardsToo) {
  const auto run = simulate(sticky, {.mass = 2}, {.force = Ramp{0, -5, 0, 10}}, {.duration = 8});
  EXPECT_LT(run.position.back(), -1);
  EXPECT_EQ(run.states.back().back(), -1.0);
}

TEST(BreakingAway, AtALoadJumpAtOnce) {
  for (const Method method : {Method::cvode, Method::sdirk2, Method::backward_euler}) {
    const Options options{.method = method, .duration = 2, .output_interval = 1e-3, .step = 1e-4};
    const auto run = simulate(sticky, {.mass = 1}, {.force = Steps{{0.75}, {2.0}}}, options);
    for (std::size_t i = 0; i < run.time.size(); ++i) {
      const double since = run.time[i] - 0.75;
      const double tolerance = method == Method::cvode ? 1e-8 : 3e-4;
      ASSERT_NEAR(run.velocity[i], since > 0 ? since * (2 - 1) : 0, tolerance) << run.time[i];
    }
  }
}

TEST(LoadJump, AtABreakpointOffTheGridIsFoundExactly) {
  const auto frictionless = scalar::Viscous::make({.viscous = 0});
  const double jump = 1.0 / 3;
  const auto run = simulate(frictionless, {.mass = 2}, {.force = Steps{{jump}, {3.0}}}, {.duration = 1});
  for (std::size_t i = 0; i < run.time.size(); ++i) {
    const double since = std::max(0.0, run.time[i] - jump);
    ASSERT_NEAR(run.position[i], 3.0 / 2 * since * since / 2, 1e-10);
  }
}

TEST(Turning, ABodyPushedBackTurnsWithoutSticking) {
  const auto run = simulate(dry, {.mass = 1, .velocity = 1}, {.force = -4.0}, {.duration = 1, .output_interval = 1e-3});
  const double turn = 1 / (4 + 1.5);
  for (std::size_t i = 0; i < run.time.size(); ++i) {
    const double t = run.time[i];
    ASSERT_NEAR(run.velocity[i], t < turn ? 1 - 5.5 * t : -2.5 * (t - turn), 1e-8);
  }
}

TEST(Turning, UnderASineLoadTheBodyGoesBackAndForthWithPauses) {
  const auto run = simulate(sticky, {.mass = 1}, {.force = Sine{2, 1}}, {.duration = 40, .output_interval = 1e-2});
  int paused = 0;
  int forwards = 0;
  int backwards = 0;
  for (std::size_t i = 0; i < run.time.size(); ++i) {
    const double mode = mode_of(run, i);
    (mode == 0 ? paused : mode > 0 ? forwards : backwards) += 1;
    ASSERT_EQ(mode == 0, run.velocity[i] == 0.0);
    if (mode != 0) {
      ASSERT_EQ(run.friction[i], mode * 1.0);
      ASSERT_GE(run.velocity[i] * mode, -1e-12);
    } else {
      ASSERT_EQ(run.friction[i], run.load[i]);
    }
  }
  EXPECT_GT(paused, 100);
  EXPECT_GT(forwards, 100);
  EXPECT_GT(backwards, 100);
}

TEST(FixedStep, StopsTruly) {
  for (const Method method : {Method::sdirk2, Method::backward_euler}) {
    const auto run = simulate(stribeck, {.mass = 1, .velocity = 1}, {.force = 0.2},
                              {.method = method, .duration = 5, .output_interval = 1e-3, .step = 1e-3});
    EXPECT_EQ(run.velocity.back(), 0.0);
    EXPECT_EQ(run.position.back(), run.position[run.position.size() / 2]);
  }
}

}  // namespace
}  // namespace stiction::sim
