#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "stiction/scalar/presets.h"
#include "support/random.h"

namespace stiction::scalar::specker_test {
namespace {

const Specker model =
    Specker::make({.coulomb_force = 2, .static_force = 3, .breakaway_velocity = 0.01, .viscous = 0.5});

TEST(Specker, IsItsFormula) {
  test::Random random(32);
  for (int i = 0; i < 2'000; ++i) {
    const auto p = test::drawn_params<Specker>(random);
    const double v = random.sign() * p.breakaway_velocity * random.log_between(1e-6, 1e6);
    const long double x = v / (std::sqrt(2.0L) * p.breakaway_velocity);
    const long double force = std::sqrt(2 * std::numbers::e_v<long double>) *
                                  (static_cast<long double>(p.static_force) - p.coulomb_force) * std::exp(-x * x) * x +
                              p.coulomb_force * std::tanh(10.0L * v / p.breakaway_velocity) +
                              static_cast<long double>(p.viscous) * v;
    ASSERT_NEAR(Specker::make(p).force({}, v), static_cast<double>(force), 1e-14 * static_cast<double>(std::abs(force)))
        << i;
  }
}

TEST(Specker, PeaksAtTheBreakawayVelocityWithTheStaticForce) {
  EXPECT_NEAR(model.force({}, 0.01), 3 + 0.5 * 0.01, 2 * 2 * (1 - std::tanh(10.0)));
  const auto dry = Specker::make({.coulomb_force = 2, .static_force = 3, .breakaway_velocity = 0.01});
  for (const double off : {0.9, 0.99, 1.01, 1.1}) {
    EXPECT_LT(dry.force({}, 0.01 * off), dry.force({}, 0.01)) << off;
  }
  // The tanh still rises: 20 F_C/v_b e^(−20) shifts the peak by 2e-8 of v_b.
  const double slope = (dry.force({}, 0.01 * (1 + 1e-4)) - dry.force({}, 0.01 * (1 - 1e-4))) / 2e-6;
  EXPECT_NEAR(slope, 0, 1e-4);
}

TEST(Specker, RisesFromRestWithItsDamping) {
  // d₀ = √(2e) (F_S − F_C)/v_St + F_C/v_C + F_v
  const double damping = std::sqrt(2 * std::numbers::e) / (std::numbers::sqrt2 * 0.01) + 2 / 0.001 + 0.5;
  EXPECT_NEAR(model.damping_at_rest(), damping, 1e-15 * damping);
  EXPECT_NEAR(model.force({}, 1e-9) / 1e-9, damping, 1e-9 * damping);
  EXPECT_EQ(model.force({}, 0), 0);
}

TEST(Specker, ComesDownToCoulombAndViscousFrictionAndStaysFinite) {
  const auto dry = Specker::make({.coulomb_force = 2, .static_force = 3, .breakaway_velocity = 0.01});
  for (const double v : {1.0, 1e3, 1e160, 1e300}) {
    EXPECT_EQ(dry.force({}, v), 2);
    EXPECT_EQ(dry.force({}, -v), -2);
  }
  EXPECT_DOUBLE_EQ(model.force({}, 1e3), 502);
}

TEST(Specker, CreepsUnderASmallLoadAtLoadOverDamping) {
  const double load = 1e-3;
  double v = 0;
  for (int i = 0; i < 200; ++i) {
    v = model.solve({}, {.free_velocity = v + 0.01 * load, .mobility = 1, .velocity = v, .dt = 0.01}).velocity;
  }
  EXPECT_NEAR(v, load / model.damping_at_rest(), 1e-6 * v);
}

TEST(Specker, CoupledStepOfASlidingBodyTakesTheRootBesideItAndDoesNotFallDownTheCurve) {
  const Specker servo = preset::table2_specker();
  const double mobility = 1 / preset::olsson_table2_mass;
  const double dt = 1.2e-3;
  const double v = 0.02;
  for (const double less : {1e-12, 1e-8, 1e-5, 1e-4}) {
    // v⁺ = v − less solves the step; so do two smaller velocities, the next one beyond v/2.
    const double free = v - less + mobility * dt * servo.force({}, v - less);
    EXPECT_NEAR(servo.solve({}, {.free_velocity = free, .mobility = mobility, .velocity = v, .dt = dt}).velocity,
                v - less, 2e-17)
        << less;
  }
}

}  // namespace
}  // namespace stiction::scalar::specker_test
