#include <gtest/gtest.h>

#include <cmath>

#include "support/models.h"

namespace stiction::scalar {
namespace {

TEST(Viscous, IsLinearByDefault) {
  const Viscous model = Viscous::make({.viscous = 0.7});
  EXPECT_EQ(model.force({}, 3), 0.7 * 3);
  EXPECT_EQ(model.force({}, -3), 0.7 * -3);
  EXPECT_EQ(model.damping_at_rest(), 0.7);
}

TEST(Viscous, FollowsItsPowerWithTheSignOfVelocity) {
  for (const double exponent : {0.5, 1.5, 2.0, 3.0}) {
    const Viscous model = Viscous::make({.viscous = 2, .exponent = exponent});
    EXPECT_DOUBLE_EQ(model.force({}, 0.3), 2 * std::pow(0.3, exponent));
    EXPECT_DOUBLE_EQ(model.force({}, -0.3), -2 * std::pow(0.3, exponent));
    EXPECT_EQ(model.force({}, 0), 0);
  }
}

TEST(Viscous, CoupledStepIsTheClosedForm) {
  const Viscous linear = Viscous::make({.viscous = 3});
  const Viscous quadratic = Viscous::make({.viscous = 3, .exponent = 2});
  const Viscous root = Viscous::make({.viscous = 3, .exponent = 0.5});
  for (const double free : {-2.0, -1e-6, 0.0, 1e-9, 0.4, 100.0}) {
    const double gain = 0.5 * 0.1;
    EXPECT_NEAR(linear.solve({}, {.free_velocity = free, .mobility = 0.5, .velocity = free, .dt = 0.1}).velocity,
                free / (1 + 3 * gain), 4e-16 * std::abs(free));
    // w + 3 gain w² = |free|
    const double w = 2 * std::abs(free) / (1 + std::sqrt(1 + 12 * gain * std::abs(free)));
    EXPECT_NEAR(quadratic.solve({}, {.free_velocity = free, .mobility = 0.5, .velocity = free, .dt = 0.1}).velocity,
                std::copysign(w, free), 4e-16 * std::abs(free));
    // s² + 3 gain s = |free| with s = √w
    const double s = 2 * std::abs(free) / (3 * gain + std::sqrt(9 * gain * gain + 4 * std::abs(free)));
    EXPECT_NEAR(root.solve({}, {.free_velocity = free, .mobility = 0.5, .velocity = free, .dt = 0.1}).velocity,
                std::copysign(s * s, free), 1e-14 * std::abs(free));
  }
}

TEST(Tanh, SaturatesAtTheCoulombLevel) {
  const Tanh model = Tanh::make({.coulomb_force = 2, .transition_velocity = 0.01, .viscous = 0.1});
  EXPECT_DOUBLE_EQ(model.force({}, 0.01), 2 * std::tanh(1.0) + 0.001);
  EXPECT_DOUBLE_EQ(model.force({}, -5), -2.5);
  EXPECT_DOUBLE_EQ(model.damping_at_rest(), 200.1);
}

TEST(Tanh, CreepsUnderALoadThatRealFrictionWouldHold) {
  const Tanh model = Tanh::make({.coulomb_force = 2, .transition_velocity = 0.01});
  double v = 0;
  for (int i = 0; i < 1000; ++i) {
    v = model.solve({}, {.free_velocity = v + 0.01 * 1.0, .mobility = 1, .velocity = v, .dt = 0.01}).velocity;
  }
  EXPECT_NEAR(v, 0.01 * std::atanh(0.5), 1e-12);
}

TEST(Memoryless, NothingToRememberOrToAdvance) {
  const Tanh model = test::example<Tanh>();
  EXPECT_EQ(Tanh::order, 0U);
  EXPECT_EQ(model.rate({}, 1), Tanh::State{});
  EXPECT_EQ(model.advance({}, 1, 1), model.at_rest(3));
  EXPECT_TRUE(model.typical().empty());
}

}  // namespace
}  // namespace stiction::scalar
