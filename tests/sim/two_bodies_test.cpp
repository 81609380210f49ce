// Two bodies with friction between them: they stick and move as one, slip when they should, and keep their momentum.
#include "stiction/sim/two_bodies.h"

#include <gtest/gtest.h>

#include <cmath>

#include "stiction/scalar/registry.h"
#include "support/models.h"

namespace stiction::sim::two_bodies_test {
namespace {

using scalar::Coulomb;
using scalar::Karnopp;
using scalar::Stiction;

constexpr std::array methods{Method::cvode, Method::sdirk2, Method::backward_euler};
const Stiction sticky = Stiction::make({.coulomb_force = 1, .static_force = 1.5});

Options options(Method method, double duration, double step = 1e-4) {
  return {.method = method, .duration = duration, .output_interval = duration / 200, .step = step};
}

TEST(TwoBodies, ThatStickMoveAsOneUnderAPushOnEither) {
  for (const Method method : methods) {
    for (const bool push_first : {true, false}) {
      // 2 N on 1 + 3 kg: 0.5 m/s². The contact carries 1.5 N where the light body is pushed (its limit), 0.5 N
      // otherwise.
      const Load push{.force = push_first ? 1.99 : 2.0};
      const Load none;
      const auto run = simulate(sticky, {.mass = 1}, {.mass = 3}, push_first ? push : none, push_first ? none : push,
                                options(method, 2, 1e-3));
      for (std::size_t i = 0; i < run.time.size(); ++i) {
        ASSERT_EQ(run.velocity_1[i], run.velocity_2[i]) << "as one, to the last bit";
        const double u = push_first ? 1.99 : 2.0;
        ASSERT_NEAR(run.velocity_1[i], u / 4 * run.time[i], 1e-8);
        ASSERT_NEAR(run.friction[i], push_first ? 3 * u / 4 : -u / 4, 1e-9);
      }
    }
  }
}

TEST(TwoBodies, SlipWhenTheContactCannotCarryTheLoad) {
  // u = 0.5 t on the light body: the contact needs 3/4 u and breaks away at u = 2, t = 4.
  for (const Method method : methods) {
    const auto run =
        simulate(sticky, {.mass = 1}, {.mass = 3}, {.force = Ramp{0, 5, 0, 10}}, {}, options(method, 6, 1e-4));
    const double tolerance = method == Method::cvode ? 1e-7 : 1e-3;
    for (std::size_t i = 0; i < run.time.size(); ++i) {
      const double t = run.time[i];
      const double common = 0.5 * std::min(t, 4.0) * std::min(t, 4.0) / 8;
      const double since = std::max(0.0, t - 4);
      // m₁ dv₁/dt = u − 1,  m₂ dv₂/dt = 1
      ASSERT_NEAR(run.velocity_1[i], common + (2 - 1) * since + 0.25 * since * since, tolerance) << t;
      ASSERT_NEAR(run.velocity_2[i], common + since / 3, tolerance) << t;
    }
  }
}

TEST(TwoBodies, KeepTheirMomentumWithoutALoad) {
  scalar::for_each_model([]<class Model>(std::type_identity<Model>) {
    const Model model = test::example<Model>();
    for (const Method method : {Method::sdirk2, Method::backward_euler}) {
      const auto run = simulate(model, {.mass = 2, .velocity = 0.3}, {.mass = 0.5, .velocity = -0.4}, {}, {},
                                options(method, 0.5, 1e-3));
      ASSERT_FALSE(run.diverged) << Model::info.name;
      for (std::size_t i = 0; i < run.time.size(); ++i) {
        ASSERT_NEAR(2 * run.velocity_1[i] + 0.5 * run.velocity_2[i], 0.4, 1e-12) << Model::info.name;
      }
    }
  });
}

TEST(TwoBodies, NextToAGiantIsOneBodyOnTheGround) {
  const auto lugre = test::standard_lugre();
  const Load load{.force = Sine{1.7, 3}, .spring = Spring{.stiffness = 2}};
  const auto pair = simulate(lugre, {.mass = 1}, {.mass = 1e12}, load, {}, options(Method::cvode, 5));
  const auto one = simulate(lugre, {.mass = 1}, load, options(Method::cvode, 5));
  for (std::size_t i = 0; i < one.time.size(); ++i) {
    ASSERT_NEAR(pair.position_1[i], one.position[i], 1e-8);
    ASSERT_NEAR(pair.friction[i], one.friction[i], 1e-5);
  }
}

TEST(TwoBodies, FixedStepsConvergeToTheAccurateSolver) {
  const auto lugre = scalar::LuGre::make(
      {.stiffness = 1e3, .damping = 10, .coulomb_force = 1, .static_force = 1.5, .stribeck_velocity = 0.1});
  const Load push{.force = Sine{1.2, 2}};
  const Load spring{.spring = Spring{.stiffness = 4, .damping = 0.2}};
  const auto end = [&](Method method, double step) {
    return simulate(lugre, {.mass = 1}, {.mass = 3}, push, spring, options(method, 4, step)).position_1.back();
  };
  const double exact =
      simulate(lugre, {.mass = 1}, {.mass = 3}, push, spring, {.duration = 4, .relative_tolerance = 1e-11})
          .position_1.back();
  for (const auto& [method, order] : {std::pair(Method::backward_euler, 1.0), std::pair(Method::sdirk2, 2.0)}) {
    const double coarse = std::abs(end(method, 2e-3) - exact);
    const double fine = std::abs(end(method, 1e-3) - exact);
    EXPECT_NEAR(std::log2(coarse / fine), order, 0.25);
  }
}

TEST(TwoBodies, WithFrictionThatFollowsTheLoadAreOneBodyOnTheGroundNextToAGiant) {
  const Load load{.force = Sine{3, 5}, .spring = Spring{.stiffness = 20, .damping = 0.5}, .normal = 0.7};
  const auto compare = [&](const auto& model) {
    for (const Method method : {Method::sdirk2, Method::backward_euler}) {
      const auto pair = simulate(model, {.mass = 1}, {.mass = 1e12}, load, {}, options(method, 3, 1e-3));
      const auto one = simulate(model, {.mass = 1}, load, options(method, 3, 1e-3));
      for (std::size_t i = 0; i < one.time.size(); ++i) {
        ASSERT_NEAR(pair.position_1[i], one.position[i], 1e-10) << model.info.name << " " << name_of(method);
        ASSERT_NEAR(pair.friction[i], one.friction[i], 1e-8) << model.info.name << " " << name_of(method);
      }
    }
  };
  compare(scalar::LoadDependentStribeck::make(
      {.coulomb_force = 1, .static_force = 1.5, .stribeck_velocity = 0.1, .viscous = 0.1, .load_gain = 0.3}));
  compare(scalar::LoadDependentDahl::make({.stiffness = 1e3, .coulomb_force = 1, .load_gain = 0.3}));
}

TEST(TwoBodies, GiveTheFrictionTheLoadAtTheEndOfTheStageAndThePresentVelocities) {
  const auto model = scalar::LoadDependentStribeck::make(
      {.coulomb_force = 1, .static_force = 1, .stribeck_velocity = 1, .load_gain = 0.3});
  const PairState<scalar::LoadDependentStribeck> base{.position_1 = 0.2,
                                                      .velocity_1 = 50,
                                                      .position_2 = -0.1,
                                                      .velocity_2 = -20,
                                                      .friction = {scalar::Mode::slip_plus}};
  auto present = base;
  present.velocity_1 = 60;
  present.velocity_2 = -10;
  const double s = 0.01;
  const LinearLoad one = Load{.force = 7, .spring = Spring{.stiffness = 30, .damping = 2}}.at(1);
  const LinearLoad two = Load{.spring = Spring{.stiffness = 50, .damping = 4}, .normal = 0.3}.at(1);
  const double u1 = 7 - 30 * (0.2 + s * 60) - 2 * 60;
  const double u2 = -50 * (-0.1 + s * -10) - 4 * -10;
  const double load = (u1 / 1 - u2 / 3) / (1.0 / 1 + 1.0 / 3);
  const auto [next, friction] = pair_stage(model, 1, 3, one, two, base, present, s);
  EXPECT_GT(next.velocity_1 - next.velocity_2, 1) << "slides, so that the friction tells the load";
  EXPECT_NEAR(friction, 1 + 0.3 * std::abs(load), 1e-12);
}

TEST(TwoBodies, WithFrictionThatFollowsTheLoadConvergeToTheAccurateSolver) {
  // Sliding all the time, so that nothing but the load in the friction is at stake.
  const auto model = scalar::LoadDependentStribeck::make(
      {.coulomb_force = 1, .static_force = 1, .stribeck_velocity = 1, .viscous = 0.1, .load_gain = 0.3});
  const Load push{.force = Sine{4, 5}};
  const Load spring{.spring = Spring{.stiffness = 30, .damping = 2}};
  const auto end = [&](Method method, double step, double tolerance = 1e-9) {
    return simulate(
               model, {.mass = 1, .velocity = 9}, {.mass = 3}, push, spring,
               {.method = method, .duration = 2, .output_interval = 0.1, .step = step, .relative_tolerance = tolerance})
        .position_2.back();
  };
  const double exact = end(Method::cvode, 1e-3, 1e-11);
  for (const Method method : {Method::backward_euler, Method::sdirk2}) {
    const double coarse = std::abs(end(method, 2e-3) - exact);
    const double fine = std::abs(end(method, 1e-3) - exact);
    EXPECT_GT(coarse / fine, 1.8) << name_of(method) << ": at least first order";
  }
}

TEST(TwoBodies, KarnoppsJumpKeepsTheMomentumAndTheBodiesTogetherAtRest) {
  const auto karnopp = Karnopp::make({.coulomb_force = 1, .static_force = 1.5, .zero_velocity = 0.01, .viscous = 0.1});
  for (const Method method : methods) {
    // The same push and pull: the momentum of both together is always zero.
    const auto run =
        simulate(karnopp, {.mass = 1}, {.mass = 1}, {.force = Sine{2, 1}}, {.force = Sine{-2, 1}}, options(method, 20));
    int together = 0;
    for (std::size_t i = 0; i < run.time.size(); ++i) {
      ASSERT_NEAR(run.velocity_1[i] + run.velocity_2[i], 0, 1e-9);
      const double relative = run.velocity_1[i] - run.velocity_2[i];
      ASSERT_TRUE(relative == 0 || std::abs(relative) >= 0.01 * (1 - 1e-9)) << relative;
      together += relative == 0 ? 1 : 0;
    }
    EXPECT_GT(together, 20);
    EXPECT_LT(together, 180);
  }
}

TEST(TwoBodies, KarnoppsJumpIsNotLostInTheRoundingOfLargeVelocities) {
  const auto karnopp = Karnopp::make({.coulomb_force = 1.5, .static_force = 2, .zero_velocity = 1e-3});
  for (const Method method : methods) {
    // The contact carries m₁/(m₁ + m₂) of the pull: it breaks away at 8 N, after 8 s, when both move at 8 m/s.
    const auto run =
        simulate(karnopp, {.mass = 1}, {.mass = 3}, {}, {.force = Ramp{0, 10, 0, 10}}, options(method, 10, 1e-3));
    for (std::size_t i = 0; i < run.time.size(); ++i) {
      if (run.time[i] < 8 - 1e-9) {
        ASSERT_EQ(run.velocity_1[i], run.velocity_2[i]) << run.time[i];
      }
    }
    EXPECT_NEAR(run.velocity_1.back(), 8 + 1.5 * 2, 2e-3);  // slid along by F_C for 2 s
  }
}

}  // namespace
}  // namespace stiction::sim::two_bodies_test
