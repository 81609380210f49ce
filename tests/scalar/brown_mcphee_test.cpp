#include <gtest/gtest.h>

#include <cmath>

#include "support/random.h"

namespace stiction::scalar::brown_mcphee_test {
namespace {

const BrownMcPhee model =
    BrownMcPhee::make({.coulomb_force = 2, .static_force = 3, .transition_velocity = 0.01, .viscous = 0.5});

TEST(BrownMcPhee, IsItsFormula) {
  test::Random random(31);
  for (int i = 0; i < 2'000; ++i) {
    const auto p = test::drawn_params<BrownMcPhee>(random);
    const double v = random.sign() * p.transition_velocity * random.log_between(1e-6, 1e6);
    const long double x = static_cast<long double>(v) / p.transition_velocity;
    const long double force =
        p.coulomb_force * std::tanh(4 * x) +
        (static_cast<long double>(p.static_force) - p.coulomb_force) * x / ((x * x / 4 + 0.75L) * (x * x / 4 + 0.75L)) +
        static_cast<long double>(p.viscous) * v;
    ASSERT_NEAR(BrownMcPhee::make(p).force({}, v), static_cast<double>(force),
                2e-15 * static_cast<double>(std::abs(force)))
        << i;
  }
}

TEST(BrownMcPhee, AtTheTransitionVelocityIsALittleBelowTheStaticForce) {
  // F(v_t) = F_S − F_C (1 − tanh 4) + F_v v_t
  EXPECT_DOUBLE_EQ(model.force({}, 0.01), 3 - 2 * (1 - std::tanh(4.0)) + 0.5 * 0.01);
  EXPECT_NEAR(1 - std::tanh(4.0), 0.00067, 1e-5);
}

TEST(BrownMcPhee, PeaksJustBehindTheTransitionVelocity) {
  const auto dry = BrownMcPhee::make({.coulomb_force = 2, .static_force = 3, .transition_velocity = 0.01});
  double peak = 0;
  double height = 0;
  for (double v = 0.005; v < 0.05; v += 1e-6) {
    if (dry.force({}, v) > height) {
      height = dry.force({}, v);
      peak = v;
    }
  }
  EXPECT_GT(peak, 0.01);
  EXPECT_LT(peak, 0.0102);
  EXPECT_LT(height, 3);
  EXPECT_GT(height, 3 - 2 * 0.00068);
}

TEST(BrownMcPhee, RisesFromRestWithItsDamping) {
  // d₀ = (4 F_C + 16/9 (F_S − F_C))/v_t + F_v
  EXPECT_DOUBLE_EQ(model.damping_at_rest(), (8 + 16.0 / 9) / 0.01 + 0.5);
  EXPECT_NEAR(model.force({}, 1e-9) / 1e-9, model.damping_at_rest(), 1e-9 * model.damping_at_rest());
  EXPECT_EQ(model.force({}, 0), 0);
}

TEST(BrownMcPhee, ComesDownToCoulombAndViscousFriction) {
  for (const double v : {10.0, 1e3, 1e9}) {
    EXPECT_NEAR(model.force({}, v), 2 + 0.5 * v, 1e-6 + 1e-15 * v);
    EXPECT_EQ(model.force({}, -v), -model.force({}, v));
  }
}

TEST(BrownMcPhee, CreepsUnderASmallLoadAtLoadOverDamping) {
  const double load = 1e-3;
  double v = 0;
  for (int i = 0; i < 200; ++i) {
    v = model.solve({}, {.free_velocity = v + 0.01 * load, .mobility = 1, .velocity = v, .dt = 0.01}).velocity;
  }
  EXPECT_NEAR(v, load / model.damping_at_rest(), 1e-6 * v);
}

}  // namespace
}  // namespace stiction::scalar::brown_mcphee_test
