#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "support/random.h"

namespace stiction::scalar::dahl_test {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

Dahl with_exponent(double exponent) {
  return Dahl::make({.stiffness = 260, .coulomb_force = 0.28, .exponent = exponent});
}
/// A displacement as σ x/F_C.
Dahl::State moved(const Dahl& model, Dahl::State state, double way) {
  return model.advance(state, way * model.params().coulomb_force / model.params().stiffness, 1);
}

struct Knee {
  double exponent, way;
};

TEST(Dahl, ReachesNearlyAllFrictionAfterTheKnownWay) {
  // From 0 to 0.95 F_C: (0.05^(1−α) − 1)/(α − 1), and ln 20 for α = 1.
  for (const Knee& knee :
       {Knee{0.5, 1.5527864045}, Knee{1, 2.9957322736}, Knee{1.5, 6.9442719100}, Knee{2, 19.0}, Knee{3, 199.5}}) {
    const Dahl model = with_exponent(knee.exponent);
    EXPECT_NEAR(moved(model, {}, knee.way).force, 0.95 * 0.28, 1e-11) << knee.exponent;
    EXPECT_NEAR(moved(model, {}, -knee.way).force, -0.95 * 0.28, 1e-11) << knee.exponent;
  }
}

TEST(Dahl, IsItsClosedFormInExtendedPrecision) {
  test::Random random(33);
  for (int i = 0; i < 20'000; ++i) {
    auto p = test::drawn_params<Dahl>(random);
    p.exponent = i % 4 == 0 ? 1 : (i % 4 == 1 ? 2 : random.between(0.3, 4));
    const double force = p.coulomb_force * random.between(-1, 1);
    const double x = random.sign() * random.log_between(1e-4, 1e4) * p.coulomb_force / p.stiffness;
    const long double direction = sgn(x);
    const long double k = static_cast<long double>(p.stiffness) * std::abs(x) / p.coulomb_force;
    const long double w0 = 1 - direction * force / p.coulomb_force;
    const long double alpha = p.exponent;
    const long double bracket = std::pow(w0, 1 - alpha) + (alpha - 1) * k;
    const long double w = alpha == 1 ? w0 * std::exp(-k) : (bracket > 0 ? std::pow(bracket, 1 / (1 - alpha)) : 0.0L);
    const auto expected = static_cast<double>(direction * p.coulomb_force * (1 - w));
    ASSERT_NEAR(Dahl::make(p).advance({force}, x, 1).force, expected, 8 * epsilon * p.coulomb_force) << i;
  }
}

/// w − u with u + k u^α = w, by bisection in extended precision.
long double implicit_drop(long double w, long double k, long double alpha) {
  long double low = 0;
  long double high = 1;  // of log(u/w) from −2000 to 0: u may be many powers of ten below w
  const auto share = [](long double at) { return std::exp(2000 * (at - 1)); };
  for (int i = 0; i < 200; ++i) {
    const long double middle = (low + high) / 2;
    const long double u = w * share(middle);
    (u + k * std::pow(u, alpha) < w ? low : high) = middle;
  }
  const long double u = w * share(low);
  return u > w / 2 ? k * std::pow(u, alpha) : w - u;  // whichever has no difference of near numbers
}

TEST(Dahl, ImplicitStepIsItsRootInExtendedPrecision) {
  test::Random random(34);
  for (int i = 0; i < 20'000; ++i) {
    constexpr std::array exponents{0.5, 1.0, 1.5, 2.0, 3.0, 0.2, 4.0, 1.0000001, 0.9999999, 20.0};
    const std::size_t kind = static_cast<std::size_t>(i) % (exponents.size() + 2);
    const double alpha = kind < exponents.size() ? exponents[kind] : random.between(0.2, 4);
    // F_C = 1 and σ = 1: the displacement is k, and from 0 w is 1
    const Dahl model = Dahl::make({.stiffness = 1, .coulomb_force = 1, .exponent = alpha});
    const double force = i % 2 == 0 ? 0 : random.between(-1, 1);
    const double k = i % 3 == 0 ? std::pow(10, random.between(-300, 300)) : random.log_between(1e-6, 1e6);
    const auto expected = static_cast<double>(implicit_drop(1 - static_cast<long double>(force), k, alpha));
    const double found = model.implicit({force}, k, 1).force;
    ASSERT_NEAR(found, force + expected, 8 * epsilon) << "exponent " << alpha << ", k " << k << ", from " << force;
    if (force == 0) {
      ASSERT_NEAR(found, expected, 8 * (1 + alpha) * epsilon * expected) << "exponent " << alpha << ", k " << k;
    }
    ASSERT_EQ(model.implicit({-force}, -k, 1).force, -found);
  }
}

TEST(Dahl, ImplicitStepBearsExtremeArguments) {
  constexpr double huge = std::numeric_limits<double>::max();
  constexpr double tiny = std::numeric_limits<double>::denorm_min();
  for (const double alpha : {0.01, 0.2, 0.5, 0.7, 1.0, 1.5, 2.0, 3.0, 50.0, 100.0}) {
    const Dahl model = Dahl::make({.stiffness = 1, .coulomb_force = 1, .exponent = alpha});
    for (const double force : {-1.0, -0.5, 0.0, 1 - epsilon / 2, 1.0, 3.0}) {
      for (const double k : {0.0, tiny, 1.0, huge}) {
        const double after = model.implicit({force}, k, 1).force;
        EXPECT_GE(after, std::min(force, 1.0)) << alpha << " " << force << " " << k;
        EXPECT_LE(after, std::max(force, 1.0)) << alpha << " " << force << " " << k;
      }
      EXPECT_EQ(model.implicit({force}, 0, 1).force, force) << alpha;
      EXPECT_TRUE(std::isnan(model.implicit({force}, std::nan(""), 1).force)) << alpha << " " << force;
    }
    EXPECT_GT(model.implicit({0}, huge, 1).force, 0.999) << alpha;
  }
}

TEST(Dahl, SlopeAfterAReversalIsTwoToTheExponent) {
  for (const double exponent : {0.5, 1.0, 1.5, 2.0, 3.0}) {
    const Dahl model = with_exponent(exponent);
    const Dahl::State slid{0.28};
    EXPECT_NEAR(model.rate(slid, -1).force, -std::pow(2, exponent) * 260, 1e-12 * 260) << exponent;
    const double x = 1e-10;
    EXPECT_NEAR((model.advance(slid, -x, 1).force - 0.28) / -x, std::pow(2, exponent) * 260, 1e-5 * 260) << exponent;
    EXPECT_NEAR(model.rate({0}, 1).force, 260, 1e-12 * 260) << exponent;
  }
}

TEST(Dahl, BelowOneReachesCoulombFrictionAfterAFiniteWay) {
  const Dahl model = with_exponent(0.5);
  EXPECT_LT(moved(model, {}, 1.99).force, 0.28);
  EXPECT_EQ(moved(model, {}, 2.01).force, 0.28) << "k = 1/(1 − α) = 2";
  EXPECT_EQ(moved(model, {0.28}, 1).force, 0.28);
  EXPECT_EQ(model.rate({0.28}, 1).force, 0);
}

TEST(Dahl, ReturnsFromOutsideItsBounds) {
  for (const double exponent : {0.5, 1.0, 1.5, 2.0}) {
    const Dahl model = with_exponent(exponent);
    const double before = 0.5;
    EXPECT_LT(model.rate({before}, 1).force, 0) << exponent;
    const double after = moved(model, {before}, 0.1).force;
    EXPECT_LT(after, before) << exponent;
    EXPECT_GE(after, 0.28) << exponent;
  }
}

TEST(Dahl, LoopOfALongStrokeHasTheAreaOfItsClosedForm) {
  // α = 1: between ±F_C over a way D each stroke takes F_C (D − 2 F_C/σ (1 − e^(−σ D/F_C))).
  const Dahl model = with_exponent(1);
  const double stroke = 5e-3;
  const int pieces = 100'000;
  Dahl::State state{-0.28};
  double work = 0;
  for (int i = 0; i < pieces; ++i) {
    const double x = stroke / pieces;
    work += model.advance(state, x / 2, 1).force * x;
    state = model.advance(state, x, 1);
  }
  const double k = 260 * stroke / 0.28;
  EXPECT_NEAR(state.force, 0.28 * (1 - 2 * std::exp(-k)), 1e-12);
  EXPECT_NEAR(work, 0.28 * (stroke - 2 * 0.28 / 260 * (1 - std::exp(-k))), 1e-9 * work);
}

TEST(Dahl, PowerIsNeverGenerated) {
  for (const double exponent : {0.5, 1.0, 1.5, 3.0}) {
    const Dahl model = with_exponent(exponent);
    for (double share = -1; share <= 1; share += 1.0 / 64) {
      EXPECT_GE(model.dissipated_power({0.28 * share}, 0.1), 0) << exponent << " " << share;
    }
    EXPECT_EQ(model.dissipated_power({0}, 0.1), 0);
    EXPECT_NEAR(model.dissipated_power({0.28}, 0.1), 0.028, 1e-15);
  }
}

TEST(Dahl, RestsWithALoadUpToCoulombFriction) {
  const Dahl model = with_exponent(1);
  EXPECT_EQ(model.at_rest(0.1).force, 0.1);
  EXPECT_EQ(model.at_rest(-3).force, -0.28);
  EXPECT_EQ(model.linearised(2).natural_frequency, std::sqrt(130.0));
  EXPECT_EQ(model.linearised(2).damping_ratio, 0);
}

}  // namespace
}  // namespace stiction::scalar::dahl_test
