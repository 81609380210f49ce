// The one call that every model offers: v⁺ = v_free − mobility·dt·F with F in the law at the new state.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "support/models.h"
#include "support/random.h"

namespace stiction::scalar {
namespace {

using test::is_memoryless;
using test::is_set_valued;
using test::Random;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double epsilon = std::numeric_limits<double>::epsilon();

template <class Model>
typename Model::State random_state(const Model& model, Random& random, double velocity) {
  if constexpr (is_set_valued<Model>) {
    return model.advance({}, velocity, 0);
  } else if constexpr (is_memoryless<Model>) {
    return {};
  } else {
    return {random.between(-1, 1) * model.largest_deflection()};
  }
}

struct Step {
  double free_velocity, mobility, dt, velocity;
};

/// Steps that slide on, stop, stick and turn.
template <class Model>
Step random_step(const Model& model, Random& random) {
  Step step{};
  step.mobility = random.log_between(1e-2, 1e2);
  step.dt = random.log_between(1e-5, 1e-1);
  step.velocity = random.unit() < 0.3 ? 0.0 : random.sign() * random.log_between(1e-6, 1);
  const double friction = model.force(model.advance({}, 1, 1e9), 1);
  step.free_velocity = step.velocity + step.mobility * step.dt * friction * random.between(-2, 2);
  return step;
}

/// LuGre's implicit bristle and its force at the new velocity, in extended precision.
void expect_in_law(const LuGre& model, const LuGre::State& before, const Step& step,
                   const Solved<LuGre::State, double>& after) {
  const auto p = model.params();
  const long double w = after.velocity;
  const long double g = p.coulomb_force + (static_cast<long double>(p.static_force) - p.coulomb_force) *
                                              std::exp(-std::pow(std::abs(w / p.stribeck_velocity),
                                                                 static_cast<long double>(p.stribeck_exponent)));
  const long double pull = p.stiffness * std::abs(w) / g;
  const long double z = (before.bristle + step.dt * w) / (1 + step.dt * pull);
  const long double rate = (w - pull * before.bristle) / (1 + step.dt * pull);  // (z − z before) / dt, not cancelled
  const long double fade = std::isinf(p.damping_velocity) ? 1 : std::exp(-square(w / p.damping_velocity));
  const long double force = p.stiffness * z + p.damping * fade * rate + p.viscous * w;
  const double scale = p.static_force + p.damping * std::abs(after.velocity) + p.viscous * std::abs(after.velocity);
  ASSERT_NEAR(after.state.bristle, static_cast<double>(z), 8 * epsilon * p.static_force / p.stiffness);
  ASSERT_NEAR(after.force, static_cast<double>(force), 32 * epsilon * scale);
}

template <class Model>
void expect_in_law(const Model& model, const typename Model::State&, const Step&,
                   const Solved<typename Model::State, double>& after) {
  if constexpr (is_memoryless<Model>) {
    ASSERT_EQ(after.force, model.force(after.state, after.velocity));
  } else if (after.velocity == 0) {
    ASSERT_EQ(after.state.mode, Mode::stick);
    ASSERT_LE(after.force, model.breakaway_force(1) * (1 + 4 * epsilon));
    ASSERT_GE(after.force, -model.breakaway_force(-1) * (1 + 4 * epsilon));
  } else {
    ASSERT_EQ(after.state, model.advance({}, after.velocity, 0));
    ASSERT_EQ(after.force, model.force(after.state, after.velocity));
  }
}

/// dF/dv⁺ near the solution: how much a rounded velocity moves the force.
template <class Model>
double force_slope(const Model& model, const typename Model::State& before, const Step& step, double velocity) {
  if constexpr (is_memoryless<Model> || is_set_valued<Model>) {
    const double nudge = 1e-7 * std::max(std::abs(velocity), 1e-7);
    return std::abs(model.force(before, velocity + nudge) - model.force(before, velocity - nudge)) / (2 * nudge);
  } else {
    const auto p = model.params();
    const double steepness = 1 + model.curve.steepness();
    return (p.stiffness * step.dt + p.damping) * steepness + p.viscous;
  }
}

TEST(CoupledStep, OfEveryModelSolvesItsEquation) {
  for_each_model([]<class Model>(std::type_identity<Model>) {
    Random random(9);
    int stuck = 0;
    for (int i = 0; i < 20'000; ++i) {
      const Model model = Model::make(test::drawn_params<Model>(random));
      const Step step = random_step(model, random);
      const auto before = random_state(model, random, step.velocity);
      const auto after = model.solve(before, step.free_velocity, step.mobility, step.dt, step.velocity);
      const double gain = step.mobility * step.dt;
      const double residual = after.velocity - (step.free_velocity - gain * after.force);
      const double size = std::abs(step.free_velocity) + std::abs(step.velocity) + gain * std::abs(after.force);
      const double slope = after.velocity == 0 ? 0 : force_slope(model, before, step, after.velocity);
      ASSERT_LE(std::abs(residual), 4 * epsilon * size * (1 + gain * slope)) << Model::info.name << " case " << i;
      expect_in_law(model, before, step, after);
      stuck += after.velocity == 0 ? 1 : 0;
    }
    if (is_set_valued<Model>) {
      EXPECT_GT(stuck, 2'000) << Model::info.name;
      EXPECT_LT(stuck, 18'000) << Model::info.name;
    }
  });
}

TEST(CoupledStep, WithoutMobilityKeepsTheFreeVelocity) {
  for_each_model([]<class Model>(std::type_identity<Model>) {
    const Model model = test::example<Model>();
    for (const double v : {-0.2, 1e-6, 3.0}) {
      EXPECT_EQ(model.solve(model.advance({}, v, 0), v, 0, 1e-3, v).velocity, v) << Model::info.name;
    }
  });
}

TEST(CoupledStep, AtRestWithoutLoadStaysAtRest) {
  for_each_model([]<class Model>(std::type_identity<Model>) {
    const auto after = test::example<Model>().solve({}, 0, 1, 1e-3, 0);
    EXPECT_EQ(after.velocity, 0) << Model::info.name;
    EXPECT_EQ(after.force, 0) << Model::info.name;
    EXPECT_EQ(after.state, typename Model::State{}) << Model::info.name;
  });
}

TEST(CoupledStep, HandsNanOnFromEveryInput) {
  for_each_model([]<class Model>(std::type_identity<Model>) {
    const Model model = test::example<Model>();
    for (const double v : {0.0, 0.3, -0.3}) {
      const auto state = model.advance({}, v, 0);
      for (int input = 0; input < 4; ++input) {
        Step step{v + 0.01, 1, 1e-2, v};
        (input == 0 ? step.free_velocity : input == 1 ? step.mobility : input == 2 ? step.dt : step.velocity) = nan;
        const auto after = model.solve(state, step.free_velocity, step.mobility, step.dt, step.velocity);
        EXPECT_TRUE(std::isnan(after.velocity)) << Model::info.name << " input " << input << " v " << v;
        EXPECT_TRUE(std::isnan(after.force)) << Model::info.name << " input " << input << " v " << v;
      }
      const auto resting = model.solve(state, 0, nan, 1e-2, v);
      EXPECT_TRUE(std::isnan(resting.velocity)) << Model::info.name << " v " << v;
    }
  });
  EXPECT_TRUE(std::isnan(test::standard_lugre().solve({nan}, 0.1, 1, 1e-3, 0.1).velocity));
  EXPECT_TRUE(std::isnan(test::standard_lugre().solve({nan}, 0.1, 1, 1e-3, 0.1).state.bristle));
}

TEST(CoupledStep, ForceHandsNanOn) {
  for_each_model([]<class Model>(std::type_identity<Model>) {
    const Model model = test::example<Model>();
    EXPECT_TRUE(std::isnan(model.force(model.advance({}, 0.1, 0), nan))) << Model::info.name;
    EXPECT_TRUE(std::isnan(model.force({}, nan))) << Model::info.name;
    EXPECT_TRUE(std::isnan(model.dissipated_power({}, nan))) << Model::info.name;
    if constexpr (is_set_valued<Model>) {
      EXPECT_TRUE(std::isnan(model.force({Mode::stick}, 0, nan))) << Model::info.name;
      EXPECT_TRUE(std::isnan(model.force({Mode::slip_plus}, nan, 1))) << Model::info.name;
    }
  });
}

TEST(CoupledStep, SurvivesExtremeInputs) {
  for_each_model([]<class Model>(std::type_identity<Model>) {
    const Model model = test::example<Model>();
    for (const double free : {-1e6, -1e-12, 1e-300, 1e6}) {
      for (const double mobility : {1e-12, 1e6}) {
        for (const double dt : {1e-12, 1e3}) {
          const auto after = model.solve(model.advance({}, free, 0), free, mobility, dt, free);
          EXPECT_TRUE(std::isfinite(after.velocity) && std::isfinite(after.force))
              << Model::info.name << " " << free << " " << mobility << " " << dt;
          EXPECT_LE(std::abs(after.velocity), std::abs(free) * (1 + 1e-12)) << Model::info.name;
        }
      }
    }
  });
}

}  // namespace
}  // namespace stiction::scalar
