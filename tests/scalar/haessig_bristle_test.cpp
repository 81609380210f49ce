// The bristle model: its statistics, its repeatability and its elastic start.
#include "stiction/scalar/haessig_bristle.h"

#include <gtest/gtest.h>

#include <cmath>

#include "stiction/sim/line.h"

namespace stiction::scalar {
namespace {

HaessigBristle model_of(std::uint32_t bristles, std::uint32_t seed = 0) {
  return HaessigBristle::make({.stiffness = 21, .largest_bend = 1e-3, .bristles = bristles, .seed = seed});
}

TEST(HaessigBristle, IsASpringUntilTheFirstSnapAndPeaksThere) {
  const auto model = model_of(20);
  auto state = model.advance({}, 1, 0.999e-3);
  EXPECT_NEAR(model.force(state, 1), 20 * 21 * 0.999e-3, 1e-15);
  EXPECT_EQ(HaessigBristle::modes(state)[0], 0);
  state = model.advance(state, 1, 0.002e-3);
  EXPECT_EQ(HaessigBristle::modes(state)[0], 20) << "all snap at once";
  EXPECT_LT(model.force(state, 1), 0.42);
}

TEST(HaessigBristle, HasTheMeanAndTheSpreadOfTheTheory) {
  for (const std::uint32_t bristles : {1U, 5U, 20U, 64U}) {
    const auto model = model_of(bristles, 7);
    HaessigBristle::State state;
    double sum = 0;
    double squares = 0;
    const int samples = 200'000;
    state = model.advance(state, 1, 0.05);
    for (int i = 0; i < samples; ++i) {
      state = model.advance(state, 1, 0.3e-3);
      const double force = model.force(state, 1);
      sum += force;
      squares += force * force;
    }
    const double mean = sum / samples;
    const double spread = std::sqrt(squares / samples - mean * mean);
    EXPECT_NEAR(mean / model.mean_force(), 1, 0.01) << bristles;
    EXPECT_NEAR(spread / model.force_spread(), 1, 0.02) << bristles;
  }
}

TEST(HaessigBristle, RepeatsItselfAndDiffersBetweenSeeds) {
  const auto run = [](std::uint32_t seed) {
    const auto model = model_of(20, seed);
    HaessigBristle::State state;
    for (int i = 0; i < 1000; ++i) {
      state = model.advance(state, std::sin(0.01 * i), 1e-4);
    }
    return state;
  };
  EXPECT_EQ(run(3), run(3));
  EXPECT_NE(run(3).deflection, run(4).deflection);
}

TEST(HaessigBristle, KnowsTheWayNotTheSpeed) {
  const auto model = model_of(25);
  HaessigBristle::State slow;
  HaessigBristle::State fast;
  for (int i = 0; i < 500; ++i) {
    const double direction = (i / 70) % 2 == 0 ? 1 : -1;
    slow = model.advance(slow, direction * 0.01, 1.7e-2);
    fast = model.advance(fast, direction * 1.7, 1e-4);
    ASSERT_NEAR(model.force(slow, 0), model.force(fast, 0), 1e-9);
  }
}

TEST(HaessigBristle, OneLongStepIsManyShortOnes) {
  const auto model = model_of(20);
  HaessigBristle::State many;
  for (int i = 0; i < 1000; ++i) {
    many = model.advance(many, 1, 1e-5);
  }
  const auto one = model.advance({}, 1, 1e-2);
  EXPECT_EQ(one.snaps, many.snaps);
  EXPECT_NEAR(model.force(one, 1), model.force(many, 1), 1e-12);
}

TEST(HaessigBristle, EverySnapTurnsEnergyIntoHeat) {
  const auto model = model_of(20);
  HaessigBristle::State state;
  double work = 0;
  for (int i = 0; i < 2000; ++i) {
    const double direction = (i / 300) % 2 == 0 ? 1 : -1;
    const double before = model.force(state, 1);
    const auto next = model.advance(state, direction, 1e-5);
    // Between snaps work is stored to the last bit; a snap only loses.
    work += (before + 21 * 20 * direction * 0.5e-5) * direction * 1e-5;
    ASSERT_LE(model.energy(next), work + 1e-12);
    state = next;
  }
  EXPECT_LT(model.energy(state), 0.9 * work);
}

TEST(HaessigBristle, AnHourAtFullSpeedEndsAtOnceAndInsideTheBends) {
  const auto model = model_of(64);
  const auto state = model.advance({}, 10, 3600);
  for (const double deflection : state.deflection) {
    EXPECT_LT(std::abs(deflection), 1e-3);
  }
  EXPECT_NEAR(model.force(state, 1), model.mean_force(), 6 * model.force_spread());
}

TEST(HaessigBristle, EventsOfTheAccurateSolverAreTheSnaps) {
  const auto model = model_of(12);
  const sim::Sine velocity{0.02, 3};
  const auto events = sim::drive(model, velocity, {.duration = 2, .output_interval = 1e-2});
  const auto steps = sim::drive(
      model, velocity, {.method = sim::Method::midpoint, .duration = 2, .output_interval = 1e-2, .step = 1e-5});
  ASSERT_GT(events.states.back().back(), 50) << "snaps";
  for (std::size_t i = 0; i < events.time.size(); ++i) {
    ASSERT_NEAR(events.friction[i], steps.friction[i], 1e-6);
    ASSERT_EQ(events.states.back()[i], steps.states.back()[i]);
  }
}

TEST(HaessigBristle, HasOneTo64Bristles) {
  EXPECT_FALSE(HaessigBristle::check({.stiffness = 1, .largest_bend = 1, .bristles = 64, .seed = 4294967295U}));
  for (const std::uint32_t bristles : {0U, 65U}) {
    const auto problem = HaessigBristle::check({.stiffness = 1, .largest_bend = 1, .bristles = bristles});
    ASSERT_TRUE(problem);
    EXPECT_STREQ(problem->field, "bristles");
    EXPECT_EQ(problem->value, bristles);
  }
}

}  // namespace
}  // namespace stiction::scalar
