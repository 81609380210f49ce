// Armstrong's model: a spring in stick, lag and dwell time in slip.
#include "stiction/scalar/armstrong.h"

#include <gtest/gtest.h>

#include <cmath>

#include "stiction/sim/line.h"

namespace stiction::scalar {
namespace {

Armstrong::Params set() {
  return {.stiffness = 1e4,
          .coulomb_force = 1,
          .viscous = 0.1,
          .static_excess = 0.5,
          .stribeck_velocity = 0.01,
          .lag = 0.02,
          .dwell_time = 2};
}

Armstrong::State after(const Armstrong& model, double velocity, double seconds, Armstrong::State state = {}) {
  for (int i = 0; i < 1000; ++i) {
    state = model.advance(state, velocity, seconds / 1000);
  }
  return state;
}

TEST(Armstrong, IsASpringInStick) {
  const auto model = Armstrong::make(set());
  const auto state = model.advance({}, 1e-3, 0.1);  // 0.1 mm
  EXPECT_EQ(state.mode, Mode::stick);
  EXPECT_NEAR(model.force(state, 1e-3), 1.0, 1e-12);
  EXPECT_NEAR(model.energy(state), 0.5 * 1e4 * 1e-8, 1e-15);
}

TEST(Armstrong, BreaksAwayAtTheFullStaticForceAfterALongRest) {
  const auto model = Armstrong::make(set());
  const double reach = 1.5 / 1e4;
  EXPECT_EQ(model.advance({}, 1e-3, 0.999 * reach / 1e-3).mode, Mode::stick);
  EXPECT_EQ(model.advance({}, 1e-3, 1.001 * reach / 1e-3).mode, Mode::slip_plus);
  EXPECT_EQ(model.advance({}, -1e-3, 1.001 * reach / 1e-3).mode, Mode::slip_minus);
}

TEST(Armstrong, SlidingFrictionFollowsTheVelocityOfALagBefore) {
  const auto model = Armstrong::make(set());
  Armstrong::State state = after(model, 0.05, 1);
  const auto law = [](double v, double late) { return 1 + 0.5 / (1 + std::pow(late / 0.01, 2)) + 0.1 * v; };
  EXPECT_NEAR(model.force(state, 0.05), law(0.05, 0.05), 1e-12);
  // The velocity jumps: for 20 ms only the viscous term knows.
  for (int i = 1; i <= 40; ++i) {
    state = model.advance(state, 0.2, 1e-3);
    const double late = i < 20 ? 0.05 : 0.2;
    if (std::abs(i - 20) > 1) {
      ASSERT_NEAR(model.force(state, 0.2), law(0.2, late), 1e-12) << i;
    }
  }
}

TEST(Armstrong, WithoutLagFollowsThePresentVelocity) {
  auto params = set();
  params.lag = 0;
  const auto model = Armstrong::make(params);
  const auto state = after(model, 0.05, 1);
  EXPECT_NEAR(model.force(state, 0.02), 1 + 0.5 / 5 + 0.002, 1e-14);
}

TEST(Armstrong, StaticForceGrowsWithTheTimeAtRest) {
  const auto model = Armstrong::make(set());
  const auto slid = after(model, 0.05, 1);
  const double onset = 0.5 / (1 + 25);  // F_S,a at the end of the slip
  for (const double rest : {0.0, 0.5, 2.0, 50.0}) {
    const auto stuck = model.advance(slid, 0, rest);
    ASSERT_EQ(stuck.mode, Mode::stick);
    EXPECT_NEAR(model.breakaway_force(stuck, 0), 1 + onset + (0.5 - onset) * rest / (rest + 2), 1e-12) << rest;
  }
}

TEST(Armstrong, ForceDoesNotJumpFromSlipToStick) {
  const auto model = Armstrong::make(set());
  const auto slid = after(model, 0.05, 1);
  const double sliding = model.force(slid, 0);  // the Stribeck term still sees 0.05
  const auto stuck = model.transition(slid, 0);
  EXPECT_EQ(stuck.mode, Mode::stick);
  EXPECT_NEAR(model.force(stuck, 0), sliding, 1e-12);
  EXPECT_GT(model.guards(stuck, 0, 0)[0], 0);
}

TEST(Armstrong, FixedStepsFollowTheAccurateSolver) {
  const auto model = Armstrong::make(set());
  const sim::Load pull{.spring = sim::Spring{.stiffness = 2, .damping = 2, .anchor = sim::Ramp{0, 2, 0, 20}}};
  const auto exact = sim::simulate(model, {.mass = 1}, pull, {.duration = 20, .output_interval = 0.1});
  double travel = 0;
  for (const auto method : {sim::Method::backward_euler, sim::Method::sdirk2}) {
    const auto run = sim::simulate(model, {.mass = 1}, pull,
                                   {.method = method, .duration = 20, .output_interval = 0.1, .step = 1e-4});
    for (std::size_t i = 0; i < run.time.size(); ++i) {
      ASSERT_NEAR(run.position[i], exact.position[i], 2e-3) << run.time[i];
      travel = std::max(travel, run.position[i]);
    }
  }
  EXPECT_GT(travel, 0.5);
}

TEST(Armstrong, SlipEndsInTheAccurateSolverWhenTheVelocityPassesZero) {
  const auto model = Armstrong::make(set());
  const auto run = sim::simulate(model, {.mass = 1, .velocity = 0.5}, {}, {.duration = 2, .output_interval = 1e-3},
                                 model.transition({}, 0));
  bool stuck = false;
  for (std::size_t i = 0; i < run.time.size(); ++i) {
    const double mode = run.states.back()[i];
    stuck = stuck || mode == 0;
    ASSERT_EQ(mode == 0, stuck) << "stays stuck";
    if (mode == 1) {
      ASSERT_GE(run.velocity[i], -1e-9);
    }
  }
  EXPECT_TRUE(stuck);
}

}  // namespace
}  // namespace stiction::scalar
