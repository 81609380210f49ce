// The accurate route arrives, whatever the parameters: where CVODE gives up, others take over, and the run says so.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <sstream>

#include "stiction/scalar/presets.h"
#include "stiction/sim/line.h"
#include "stiction/sim/two_bodies.h"
#include "support/experiments.h"
#include "support/models.h"

namespace stiction::sim {
namespace {

using scalar::LuGre;
using scalar::Viscous;

double range_of(const std::vector<double>& values) {
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  return *high - *low;
}

/// The largest difference of two runs, as a share of the range.
double deviation(const std::vector<double>& a, const std::vector<double>& b) {
  EXPECT_EQ(a.size(), b.size());
  double worst = 0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    worst = std::max(worst, std::abs(a[i] - b[i]));
  }
  return worst / std::max(range_of(b), 1e-12);
}

/// Fine coupled steps whose error is known: with half the step it falls to a quarter, so that the difference of the
/// two tells it.
struct Truth {
  std::vector<double> position;
  double error = 0;  // share of the range
};
template <class Model>
Truth truth(const Model& model, const Body& body, const Load& load, double duration, double step) {
  const auto with = [&](double h) {
    return simulate(model, body, load,
                    {.method = Method::sdirk2, .duration = duration, .output_interval = duration / 50, .step = h})
        .position;
  };
  const auto fine = with(step);
  return {fine, deviation(with(2 * step), fine) / 3};
}
/// The same with ever shorter steps, until the error is small.
template <class Model>
Truth refined_truth(const Model& model, const Body& body, const Load& load, double duration) {
  Truth result;
  for (double step = 1e-3; step > 1e-5; step /= 4) {
    result = truth(model, body, load, duration, step);
    if (result.error < 1e-5) {
      break;
    }
  }
  return result;
}

TEST(AccurateRoute, ArrivesForEveryLuGreBlockOnASpring) {
  const Body body{.mass = 1, .position = 0.02};
  const Load load{.spring = Spring{.stiffness = 0.25}};
  int blocks = 0;
  int helped = 0;
  double worst = 0;
  for (const double stiffness : {1e4, 1e5, 1e6}) {
    for (const double damping : {10.0, 100.0, 1e3}) {
      for (const double force : {1e-3, 1e-2}) {
        for (const double ratio : {1.0, 1.5}) {
          for (const double stribeck : {1e-3, 1.0}) {
            const auto model = LuGre::make({.stiffness = stiffness,
                                            .damping = damping,
                                            .coulomb_force = force,
                                            .static_force = ratio * force,
                                            .stribeck_velocity = stribeck});
            std::ostringstream name;
            name << stiffness << " " << damping << " " << force << " " << ratio << " " << stribeck;
            const auto run = simulate(model, body, load, {.duration = 50, .output_interval = 1});
            ASSERT_FALSE(run.diverged) << name.str();
            ASSERT_EQ(run.time.back(), 50) << name.str();
            const Truth exact = refined_truth(model, body, load, 50);
            const double off = deviation(run.position, exact.position);
            // Ten times what the relative tolerance of 1e-9 lets the position be off by in a block that is held.
            const double allowed = 1e-8 * body.position / range_of(exact.position);
            EXPECT_LT(off, 2e-5 + 3 * exact.error + allowed) << name.str() << ": " << run.note;
            if (!run.note.empty() || exact.error > 1e-5) {
              std::cout << name.str() << ": " << off << " (truth to " << exact.error << ") " << run.note << '\n';
            }
            worst = std::max(worst, off);
            ++blocks;
            helped += run.note.empty() ? 0 : 1;
          }
        }
      }
    }
  }
  EXPECT_EQ(blocks, 72);
  RecordProperty("helped", helped);
  std::cout << helped << " of " << blocks << " were helped, largest deviation " << worst << '\n';
}

TEST(AccurateRoute, ArrivesForABlockOfEveryModelOnASpring) {
  scalar::for_each_model([]<class Model>(std::type_identity<Model>) {
    const scalar::AnyModel model = test::example<Model>();  // compiled once, in the library
    for (const double start : {1e-6, 1e-2, 1.0}) {
      const Body body{.mass = 1, .position = start};
      const Load load{.spring = Spring{.stiffness = 40}};
      const double duration = 3;
      const auto run = simulate(model, body, load, {.duration = duration, .output_interval = duration / 50});
      ASSERT_FALSE(run.diverged) << Model::info.name;
      ASSERT_EQ(run.time.back(), duration) << Model::info.name;
      const Truth exact = truth(model, body, load, duration, test::affordable<Model>(100) < 100 ? 5e-4 : 5e-5);
      const double off = deviation(run.position, exact.position);
      std::cout << Model::info.name << " from " << start << ": " << off << " (truth to " << exact.error << ") "
                << run.note << '\n';
      EXPECT_LT(off, 1e-4 + 5 * exact.error) << Model::info.name << " " << start << ": " << run.note;
    }
  });
}

TEST(AccurateRoute, FollowsAPowerLawWithAnInfiniteSlopeAtRest) {
  for (const double exponent : {0.5, 0.1}) {
    const auto model = Viscous::make({.viscous = 1, .exponent = exponent});
    // Pushed from rest: against fine coupled steps.
    const auto pushed = simulate(model, {.mass = 1}, {.force = 1.0}, {.duration = 5, .output_interval = 0.1});
    const Truth exact = truth(model, {.mass = 1}, {.force = 1.0}, 5, 5e-5);
    EXPECT_EQ(pushed.time.back(), 5);
    EXPECT_LT(std::abs(pushed.position.back() - exact.position.back()), 1e-6 + 3 * exact.error);
    EXPECT_LT(pushed.steps, 100'000);
    // Thrown and left alone: dv/dt = −v^δ ends at t = 1/(1 − δ), after 1/(2 − δ) metres.
    const auto thrown = simulate(model, {.mass = 1, .velocity = 1}, {}, {.duration = 5, .output_interval = 0.1});
    EXPECT_NEAR(thrown.position.back(), 1 / (2 - exponent), 1e-7);
    EXPECT_NEAR(thrown.velocity.back(), 0, 1e-9);
    EXPECT_LT(thrown.steps, 100'000);
  }
}

/// LuGre friction that CVODE cannot use: its rate is not a number. The coupled step does not ask for it.
struct WithoutRate : LuGre {
  using LuGre::LuGre;
  State rate(State, double) const noexcept { return {std::nan("")}; }
};
static_assert(scalar::Model<WithoutRate>);

TEST(AccurateRoute, CoupledStepsFinishWhatCvodeCannotAndTheReportSaysSo) {
  const auto params = test::standard_lugre().params();
  const LuGre lugre(params);
  const WithoutRate broken(params);
  const Load load{.spring = Spring{.stiffness = 2, .anchor = Ramp{0, 100, 0, 1000}}};
  const Options options{.duration = 30, .output_interval = 0.1};
  const auto expected = simulate(lugre, {.mass = 1}, load, options);
  EXPECT_EQ(expected.solver, "cvode");
  EXPECT_EQ(expected.note, "");
  const auto run = simulate(broken, {.mass = 1}, load, options);
  EXPECT_EQ(run.solver, "sdirk2");
  EXPECT_EQ(run.note,
            "cvode gave up at t = 0 s (the rates are not finite): coupled steps (sdirk2) with error control went on "
            "from t = 0 s");
  EXPECT_EQ(run.time, expected.time);
  EXPECT_LT(deviation(run.position, expected.position), 2e-6);
  EXPECT_LT(deviation(run.velocity, expected.velocity), 1e-5);
}

TEST(AccurateRoute, CoupledStepsFinishTwoBodiesAndImposedVelocitiesToo) {
  const auto params = test::standard_lugre().params();
  const LuGre lugre(params);
  const WithoutRate broken(params);
  const Options options{.duration = 5, .output_interval = 0.1};
  const Load push{.force = Sine{2, 3}};
  const Load jumps{.force = Steps{{0.7, 2.1}, {1, -2}}};
  const auto expected = simulate(lugre, {.mass = 1}, {.mass = 3}, push, jumps, options);
  const auto pair = simulate(broken, {.mass = 1}, {.mass = 3}, push, jumps, options);
  EXPECT_EQ(pair.solver, "sdirk2");
  EXPECT_EQ(pair.time, expected.time);
  EXPECT_LT(deviation(pair.position_1, expected.position_1), 1e-6);
  EXPECT_LT(deviation(pair.position_2, expected.position_2), 1e-6);

  const auto driven = drive(lugre, Sine{1e-3, 7}, options);
  const auto finished = drive(broken, Sine{1e-3, 7}, options);
  EXPECT_EQ(finished.solver, "sdirk2");
  EXPECT_EQ(finished.time, driven.time);
  EXPECT_LT(deviation(finished.friction, driven.friction), 1e-6);
}

TEST(AccurateRoute, CoupledStepsMeetJumpsOfTheLoadExactly) {
  // The load jumps while sliding: v is a broken line, whatever the steps.
  const auto params = test::standard_lugre().params();
  const Load load{.force = Steps{{0.0, 0.35, 0.8}, {3, 10, 1}}};
  const Options options{.duration = 1.2, .output_interval = 0.05};
  const auto expected = simulate(LuGre(params), {.mass = 1}, load, options);
  const auto run = simulate(WithoutRate(params), {.mass = 1}, load, options);
  EXPECT_EQ(run.time, expected.time);
  EXPECT_LT(deviation(run.velocity, expected.velocity), 1e-7);
}

/// The same problem in another unit of length: metres times `unit`, and forces with them.
template <class Model>
Trajectory sliding_in(double unit, const Model& model) {
  const Load load{.force = Sine{0.3 * unit, 3}, .spring = Spring{.stiffness = 5, .anchor = Ramp{0, unit, 0, 4}}};
  return simulate(model, {.mass = 2, .position = 0.01 * unit, .velocity = 0.2 * unit}, load,
                  {.duration = 5, .output_interval = 0.05});
}

void expect_scaled(const Trajectory& small, const Trajectory& large, double unit) {
  ASSERT_EQ(small.time, large.time);
  EXPECT_EQ(small.steps, large.steps);
  for (std::size_t i = 0; i < small.time.size(); ++i) {
    ASSERT_EQ(small.position[i] * unit, large.position[i]) << small.time[i];
    ASSERT_EQ(small.velocity[i] * unit, large.velocity[i]) << small.time[i];
    ASSERT_EQ(small.friction[i] * unit, large.friction[i]) << small.time[i];
  }
}

TEST(AccurateRoute, HasNoUnitOfLengthOfItsOwn) {
  // With a unit that is a power of two even the last bits must agree.
  for (const double unit : {0x1p10, 0x1p-10, 0x1p-20}) {
    const auto coulomb = [](double u) { return scalar::Coulomb({.coulomb_force = 0.5 * u, .viscous = 0.1}); };
    const auto stiction = [](double u) {
      return scalar::Stiction({.coulomb_force = 0.5 * u, .static_force = 0.8 * u, .viscous = 0.1});
    };
    const auto viscous = [](double) { return scalar::Viscous({.viscous = 0.5}); };
    const auto dahl = [](double u) { return scalar::Dahl({.stiffness = 1e3, .coulomb_force = 0.5 * u}); };
    expect_scaled(sliding_in(1, coulomb(1)), sliding_in(unit, coulomb(unit)), unit);
    expect_scaled(sliding_in(1, stiction(1)), sliding_in(unit, stiction(unit)), unit);
    expect_scaled(sliding_in(1, viscous(1)), sliding_in(unit, viscous(unit)), unit);
    expect_scaled(sliding_in(1, dahl(1)), sliding_in(unit, dahl(unit)), unit);
  }
}

TEST(AccurateRoute, GivesUpWithAWordWhenItsStepsAreUsedUp) {
  try {
    simulate(test::standard_lugre(), {.mass = 1, .position = 1}, {.spring = Spring{.stiffness = 1e4}},
             {.duration = 10, .max_steps = 1000});
    FAIL() << "was not refused";
  } catch (const SolverFailure& failure) {
    EXPECT_NE(std::string(failure.what()).find("gave up after max_steps = 1000 steps at t = "), std::string::npos);
    EXPECT_NE(std::string(failure.what()).find("raise max_steps"), std::string::npos);
  }
}

}  // namespace
}  // namespace stiction::sim
