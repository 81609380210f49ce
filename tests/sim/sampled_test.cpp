// A body under a force that is held from sample to sample.
#include "stiction/sim/sampled.h"

#include <gtest/gtest.h>

#include "stiction/scalar/coulomb.h"
#include "stiction/scalar/gear.h"
#include "stiction/sim/line.h"
#include "support/models.h"

namespace stiction::sim {
namespace {

TEST(SampledBody, MovesAsAFixedStepSimulationUnderTheSameForce) {
  const auto model = test::table2_lugre();
  const Steps force{{0, 0.5, 1.0}, {0.5, -0.2, 0.4}};
  const auto run = simulate(model, {.mass = test::table2_inertia}, {.force = force},
                            {.method = Method::sdirk2, .duration = 1.5, .output_interval = 1.5, .step = 2.5e-4});
  SampledBody<scalar::LuGre> body{model, test::table2_inertia, {}, 4};
  for (int i = 0; i < 1500; ++i) {
    body.hold(i < 500 ? 0.5 : (i < 1000 ? -0.2 : 0.4), 1e-3);
  }
  // The simulation sees the new force at the end of the step before it jumps.
  EXPECT_NEAR(body.state.position, run.position.back(), 1e-3 * std::abs(run.position.back()));
  EXPECT_NEAR(body.state.velocity, run.velocity.back(), 1e-3 * std::abs(run.velocity.back()));
}

TEST(SampledBody, MoreSubstepsAreSmallerSteps) {
  const auto model = test::table2_lugre();
  SampledBody<scalar::LuGre> coarse{model, test::table2_inertia, {}, 4};
  SampledBody<scalar::LuGre> fine{model, test::table2_inertia};
  for (int i = 0; i < 100; ++i) {
    coarse.hold(0.5, 1e-3);
    for (int k = 0; k < 4; ++k) {
      fine.hold(0.5, 1e-3 / 4);
    }
  }
  EXPECT_EQ(coarse.state, fine.state);
}

TEST(SampledBody, WithAGearHoldsMoreWhereAMotorPushes) {
  const auto gear = scalar::Gear::make({.coulomb_force = 1, .motor_gain = 1});
  SampledBody<scalar::Gear> driven{gear};
  SampledBody<scalar::Gear> pushed{gear};
  driven.hold(0, 1, 3);
  pushed.hold(3, 1);
  EXPECT_EQ(driven.state.position, 0);
  EXPECT_GT(pushed.state.position, 0.9);
}

TEST(SampledBody, HoldsStillBelowBreakAwayAndMayChangeItsFriction) {
  SampledBody<scalar::Coulomb> body{scalar::Coulomb::make({.coulomb_force = 1})};
  body.hold(0.9, 10);
  EXPECT_EQ(body.state.position, 0);
  body.friction = scalar::Coulomb::make({.coulomb_force = 0.5});
  body.hold(0.9, 1e-3);
  EXPECT_NEAR(body.state.velocity, 0.4e-3, 1e-15);
}

}  // namespace
}  // namespace stiction::sim
