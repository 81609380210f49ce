// The smooth laws of Brown and McPhee and of Specker: where they peak, how steep they are at rest, that they creep.
#include <gtest/gtest.h>

#include <cmath>

#include "stiction/scalar/brown_mcphee.h"
#include "stiction/scalar/specker.h"

namespace stiction::scalar {
namespace {

const BrownMcPhee brown =
    BrownMcPhee::make({.coulomb_force = 1, .static_force = 1.5, .transition_velocity = 0.01, .viscous = 0});
const Specker specker =
    Specker::make({.coulomb_force = 1, .static_force = 1.5, .breakaway_velocity = 0.01, .viscous = 0});

TEST(BrownMcPhee, PeaksAtItsTransitionVelocityJustBelowTheStaticForce) {
  EXPECT_NEAR(brown.resistance(0.01), 1.5 - (1 - std::tanh(4.0)), 1e-15);
  for (const double v : {0.008, 0.009, 0.011, 0.013}) {
    EXPECT_LT(brown.resistance(v), brown.resistance(0.01) + 5e-4) << "the tanh still rises by 0.07 % of F_C";
  }
  EXPECT_NEAR(brown.resistance(10), 1, 1e-6);
}

TEST(Specker, ReachesTheStaticForceAtItsBreakAwayVelocity) {
  // √(2e) e^(−1/2)/√2 = 1: the bell alone peaks at v_b with F_S − F_C
  EXPECT_NEAR(specker.resistance(0.01), 0.5 + std::tanh(10.0), 1e-14);
  EXPECT_LT(specker.resistance(0.0099), specker.resistance(0.01));
  EXPECT_LT(specker.resistance(0.0101), specker.resistance(0.01));
  EXPECT_NEAR(specker.resistance(1), 1, 1e-15);
  EXPECT_EQ(specker.resistance(1e300), 1) << "no 0·∞";
}

template <class Model>
void expect_slope_and_creep(const Model& model) {
  const double small = 1e-9;
  EXPECT_NEAR(model.resistance(small) / small / model.damping_at_rest(), 1, 1e-9);
  // A small constant load ends in a creep at F/d₀.
  double v = 0;
  for (int i = 0; i < 2000; ++i) {
    v = model.solve({}, {.free_velocity = v + 1e-3 * 1e-6, .mobility = 1, .velocity = v, .dt = 1e-3}).velocity;
  }
  EXPECT_NEAR(v / (1e-6 / model.damping_at_rest()), 1, 1e-6);
}

TEST(BrownMcPhee, CreepsAtTheLoadOverItsSlopeAtRest) {
  EXPECT_NEAR(brown.damping_at_rest(), (4 + 16.0 / 9 * 0.5) / 0.01, 1e-9);
  expect_slope_and_creep(brown);
}

TEST(Specker, CreepsAtTheLoadOverItsSlopeAtRest) {
  EXPECT_NEAR(specker.damping_at_rest(), std::sqrt(2 * std::exp(1.0)) * 0.5 / (std::sqrt(2.0) * 0.01) + 1 / 1e-3, 1e-9);
  expect_slope_and_creep(specker);
}

}  // namespace
}  // namespace stiction::scalar
