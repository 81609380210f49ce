// Is a loop positive real? Textbook cases, and the loops of the paper.
#include "stiction/control/passivity.h"

#include <gtest/gtest.h>

#include <complex>
#include <limits>

#include "support/models.h"

namespace stiction::control {
namespace {

bool passive(const Polynomial& numerator, const Polynomial& denominator) {
  return positive_real({numerator, denominator}).passive();
}

TEST(PositiveReal, KnowsTextbookCases) {
  EXPECT_TRUE(passive({1}, {1, 1}));
  EXPECT_TRUE(passive({1, 2}, {1, 1}));
  EXPECT_FALSE(passive({1}, {1, 1, 1}));         // turns by 180°
  EXPECT_TRUE(passive({1, 1}, {1, 1, 1}));       // Re = 1/|D|²
  EXPECT_FALSE(passive({1, 1.001}, {1, 1, 1}));  // the zero beyond the sum of the poles: Re < 0 at high ω
  EXPECT_TRUE(passive({1, 0.999}, {1, 1, 1}));
  EXPECT_FALSE(passive({-1}, {1, 1}));
  EXPECT_FALSE(passive({1}, {1, -1}));
}

TEST(PositiveReal, KnowsPolesOnTheAxisAndAtInfinity) {
  EXPECT_TRUE(passive({1}, {1, 0}));              // 1/s
  EXPECT_FALSE(passive({1}, {1, 0, 0}));          // 1/s²
  EXPECT_FALSE(passive({-1}, {1, 0}));            // −1/s
  EXPECT_TRUE(passive({1, 0}, {1, 0, 4}));        // s/(s² + 4), lossless
  EXPECT_FALSE(passive({-1, 0}, {1, 0, 4}));      // a negative residue
  EXPECT_FALSE(passive({1}, {1, 0, 4}));          // an imaginary one
  EXPECT_TRUE(passive({1, 0}, {1}));              // s
  EXPECT_FALSE(passive({1, 0, 0}, {1}));          // s²
  EXPECT_FALSE(passive({-1, 0}, {1}));            // −s
  EXPECT_TRUE(passive({1, 0, 4}, {1, 0}));        // s + 4/s
  EXPECT_TRUE(passive({3, 0, 0}, {2, 1, 0, 0}));  // s² cancels: 3/(2 s + 1)
}

TEST(PositiveReal, SeesADipBetweenTwoFrequencies) {
  // (s² + a s + 1)/(s² + b s + c): Re ≥ 0 iff a b + 2 √c ≥ c + 1, i.e. (√c − 1)² ≤ a b
  const auto g = [](double a, double b, double c) { return passive({1, a, 1}, {1, b, c}); };
  EXPECT_TRUE(g(1, 1.0000001, 4));
  EXPECT_TRUE(g(1, 1, 4));
  EXPECT_FALSE(g(1, 0.9999999, 4));
  EXPECT_TRUE(g(0.1, 10, 4));
  EXPECT_FALSE(g(0.01, 1, 4));
  EXPECT_TRUE(g(1e-3, 4e3, 9));
  EXPECT_FALSE(g(1e-3, 3.999e3, 9));
}

TEST(PositiveReal, SaysWhereTheRealPartIsLeast) {
  const TransferFunction g{{1, 0.01, 1}, {1, 1, 4}};
  const auto verdict = positive_real(g);
  ASSERT_EQ(verdict.verdict, PositiveReal::negative_real_part);
  const auto real_part = [](double w) {
    const std::complex<double> s(0, w);
    return ((s * s + 0.01 * s + 1.0) / (s * s + s + 4.0)).real();
  };
  EXPECT_NEAR(verdict.real_part, real_part(verdict.frequency), 1e-12);
  for (double w = 0.01; w < 100; w *= 1.001) {
    EXPECT_GE(real_part(w), verdict.real_part - 1e-12) << w;
  }
}

TEST(PositiveReal, GivesTheReason) {
  EXPECT_EQ(positive_real({{1}, {1, 1}}).verdict, PositiveReal::yes);
  EXPECT_EQ(positive_real({{1}, {1, -1}}).verdict, PositiveReal::unstable);
  EXPECT_EQ(positive_real({{1}, {1, 0, 4}}).verdict, PositiveReal::unstable);
  EXPECT_EQ(positive_real({{1}, {1, 1, 1}}).verdict, PositiveReal::negative_real_part);
  EXPECT_EQ(positive_real({{1}, {0}}).verdict, PositiveReal::not_a_function);
  EXPECT_EQ(positive_real({{}, {1}}).verdict, PositiveReal::not_a_function);
  EXPECT_EQ(positive_real({{1}, {1, infinity}}).verdict, PositiveReal::not_a_function);
  EXPECT_EQ(positive_real({{1}, {1, 1, 1, 1, 1, 1, 1, 1, 1, 1}}).verdict, PositiveReal::not_a_function);
  for (const auto verdict :
       {PositiveReal::yes, PositiveReal::unstable, PositiveReal::negative_real_part, PositiveReal::not_a_function}) {
    EXPECT_FALSE(std::string(PassivityVerdict{verdict}.text()).empty());
  }
}

TEST(PassivityConditions, HoldForTheVelocityLoopOfTable1) {
  const auto friction = scalar::LuGre::make({.stiffness = 19.6,
                                             .damping = 5.75,
                                             .coulomb_force = 1,
                                             .static_force = 1.18,
                                             .stribeck_velocity = 0.015,
                                             .viscous = 1});
  const Pid::Params gains{.proportional = 42.336, .integral = 54.0225};
  const auto conditions = velocity_loop_conditions(friction, gains);
  EXPECT_TRUE(conditions.passive());
  EXPECT_NEAR(conditions.conditions[1].left, 829.8, 0.05);
  EXPECT_NEAR(conditions.conditions[1].right, 310.6, 0.05);
  EXPECT_TRUE(positive_real(velocity_loop(friction, 1, gains)).passive());
}

TEST(PassivityConditions, DoNotHoldForTheServoOfFigures18To20) {
  const auto friction = test::table2_lugre();
  const Pid::Params gains{.proportional = 6.21, .integral = 62.1, .derivative = 0.207};
  const auto conditions = servo_conditions(friction, test::table2_inertia, gains);
  EXPECT_FALSE(conditions.passive());
  ASSERT_NE(conditions.failed(), nullptr);
  EXPECT_STREQ(conditions.failed()->text, "sigma1 K_d >= sigma0 m");
  EXPECT_NEAR(conditions.failed()->left, 0.124, 5e-4);
  EXPECT_NEAR(conditions.failed()->right, 0.598, 5e-4);
  EXPECT_EQ(positive_real(servo_loop(friction, test::table2_inertia, gains)).verdict, PositiveReal::negative_real_part);
}

TEST(PassivityConditions, AgreeOnTheEdge) {
  const auto friction = test::table2_lugre();
  // σ₁ K_d = σ₀ m and σ₀ K_p = σ₁ K_i: the denominator has a factor of the numerator and a pair of poles on the axis
  const double ratio = friction.stiffness / friction.damping.at_rest;
  const Pid::Params gains{.proportional = 3, .integral = 3 * ratio, .derivative = ratio * 0.25};
  EXPECT_EQ(servo_conditions(friction, 0.25, gains).passive(),
            positive_real(servo_loop(friction, 0.25, gains)).passive());
  const Pid::Params none{};
  EXPECT_TRUE(velocity_loop_conditions(friction, none).passive());
  EXPECT_TRUE(positive_real(velocity_loop(friction, 1, none)).passive());  // (σ₁ s + σ₀)/(m s)
}

}  // namespace
}  // namespace stiction::control
