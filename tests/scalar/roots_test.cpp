#include "stiction/roots.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/random.h"

namespace stiction {
namespace {

template <class Function>
double root_between(double a, double b, double tolerance, const Function& f) {
  return root_in(Bracket<double>{a, f(a), b, f(b)}, tolerance, f);
}

TEST(RootIn, FindsRootsOfSmoothFunctions) {
  EXPECT_NEAR(root_between(0, 2, 1e-15, [](double x) { return x * x - 2; }), std::sqrt(2.0), 4e-16);
  EXPECT_NEAR(root_between(0, 1, 1e-15, [](double x) { return std::cos(x) - x; }), 0.7390851332151607, 4e-16);
  EXPECT_NEAR(root_between(1, -1, 1e-15, [](double x) { return std::tanh(x - 0.3); }), 0.3, 4e-16);
}

TEST(RootIn, FindsRootsOfNastyFunctions) {
  EXPECT_NEAR(root_between(-1, 4, 1e-12, [](double x) { return std::cbrt(x); }), 0, 1e-12);
  EXPECT_NEAR(root_between(-1, 1.7, 1e-12, [](double x) { return std::pow(x - 0.1, 9); }), 0.1, 1e-11);
  EXPECT_NEAR(root_between(0, 1e9, 1e-9, [](double x) { return x < 123.456 ? -1e-12 : 1e12; }), 123.456, 1e-8);
}

TEST(RootIn, ReturnsAnEndThatIsARoot) {
  const auto line = [](double x) { return x - 1; };
  EXPECT_EQ(root_between(1, 3, 0, line), 1.0);
  EXPECT_EQ(root_between(-3, 1, 0, line), 1.0);
}

TEST(RootIn, NeedsAtMost110EvaluationsEvenForAJump) {
  int evaluations = 0;
  const auto jump = [&](double x) {
    ++evaluations;
    return x < 0.1 ? -1.0 : 1.0;
  };
  EXPECT_NEAR(root_between(-1e300, 1e300, 0, jump), 0.1, 1e-16);
  EXPECT_LE(evaluations, 112);
  evaluations = 0;
  EXPECT_NEAR(root_between(-1, 1, 0, jump), 0.1, 1e-15);
  EXPECT_LE(evaluations, 80);
}

TEST(RootIn, FindsRootsOfAnySize) {
  for (const double root : {1e-300, 1e-100, 3e-30, 1e-8, 2.0, 1e15}) {
    for (const double power : {0.1, 1.0, root < 1e-100 ? 0.5 : 3.0}) {
      int evaluations = 0;
      const auto f = [&](double x) {
        ++evaluations;
        return std::copysign(std::pow(std::abs(x), power), x) - std::pow(root, power);
      };
      EXPECT_NEAR(root_between(0, 1e16, 0, f), root, 64 * std::numeric_limits<double>::epsilon() * root) << power;
      EXPECT_LE(evaluations, 112);
    }
  }
}

TEST(RootIn, GoesOnWhereTheFunctionIsSteep) {
  const auto steep = [](double x) { return 1e20 * x - 1; };
  EXPECT_GE(std::abs(steep(root_in(Bracket<double>{-1, steep(-1), 1, steep(1)}, 1e-10, steep))), 0);
  EXPECT_NEAR(root_in(Bracket<double>{-1, steep(-1), 1, steep(1)}, 1e-10, steep, 1e-12), 1e-20, 1e-32);
}

TEST(StoredMiddle, HalvesTheNumbersBetweenTwo) {
  EXPECT_EQ(stored_middle(1.0, 1.0), 1.0);
  EXPECT_EQ(stored_middle(1.0, 4.0), 2.0);
  EXPECT_EQ(stored_middle(-1.0, 1.0), 0.0);
  EXPECT_EQ(stored_middle(-4.0, -1.0), -2.0);
  EXPECT_EQ(stored_middle(1.0F, 4.0F), 2.0F);
  for (const double start : {-1e308, -1.0, 0.0, 5e-324, 1e308}) {
    double low = start;
    double high = 1.7e308;
    int halvings = 0;
    while (std::nextafter(low, high) < high) {
      const double middle = stored_middle(low, high);
      ASSERT_GE(middle, low);
      ASSERT_LE(middle, high);
      (middle < 0.1 ? low : high) = middle == low ? high : middle;
      ASSERT_LE(++halvings, 64);
    }
  }
}

TEST(RootIn, StaysInsideTheBracketForRandomCubics) {
  test::Random random(3);
  for (int i = 0; i < 20'000; ++i) {
    const double r = random.between(-1, 1);
    const double a = random.between(0, 5);
    const double b = random.between(0.1, 5);
    const auto cubic = [&](double x) { return (x - r) * (b + a * (x - r) * (x - r)); };
    ASSERT_NEAR(root_between(-1.5, 2, 1e-14, cubic), r, 2e-14);
  }
}

TEST(FirstRoot, IsTheOneNearestToTheStart) {
  const auto three = [](double x) { return (x + 0.5) * (x - 0.25) * (x - 3); };
  EXPECT_NEAR(first_root(5.0, -5.0, 1e-3, 1e-15, three), 3, 1e-14);
  EXPECT_NEAR(first_root(-5.0, 5.0, 1e-3, 1e-15, three), -0.5, 1e-14);
  EXPECT_NEAR(first_root(0.0, 5.0, 1e-3, 1e-15, three), 0.25, 1e-14);
  EXPECT_NEAR(first_root(0.3, -5.0, 1e-3, 1e-15, three), 0.25, 1e-14);
}

TEST(FirstRoot, IsFoundBesideTheStartThoughAnotherLiesBetweenItAndHalfOrTwiceTheStart) {
  for (const double near : {1e-3, 1e-6, 1e-12}) {
    const auto down = [&](double x) { return (x - (0.02 - near)) * (x - 0.011); };
    EXPECT_NEAR(first_root(0.02, 0.0, 1e-4, 0.0, down), 0.02 - near, 1e-17);
    const auto up = [&](double x) { return (x - (0.02 + near)) * (0.035 - x); };
    EXPECT_NEAR(first_root(0.02, 9.0, 1e-4, 0.0, up), 0.02 + near, 1e-17);
  }
}

TEST(FirstRoot, WalksThroughZeroAndFindsARootThere) {
  EXPECT_EQ(first_root(1.0, -1.0, 1e-3, 0.0, [](double x) { return x; }), 0.0);
  EXPECT_NEAR(first_root(1.0, -1.0, 1e-3, 0.0, [](double x) { return x + 1e-7; }), -1e-7, 1e-20);
}

TEST(FirstRoot, IsTheEndWhereTheFunctionKeepsItsSign) {
  EXPECT_EQ(first_root(1.0, 7.0, 1e-3, 0.0, [](double x) { return x + 1; }), 7.0);
  EXPECT_EQ(first_root(7.0, 0.0, 1e-3, 0.0, [](double x) { return x + 1; }), 0.0);
}

TEST(FirstRoot, ReturnsAStartThatIsARoot) {
  EXPECT_EQ(first_root(2.0, 9.0, 1e-3, 0.0, [](double x) { return x - 2; }), 2.0);
}

TEST(FirstRoot, IsNanWhereTheFunctionIsNan) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(std::isnan(first_root(0.0, 1.0, 1e-3, 0.0, [&](double) { return nan; })));
  EXPECT_TRUE(std::isnan(first_root(1.0, -1.0, 1e-3, 0.0, [&](double) { return nan; })));
}

}  // namespace
}  // namespace stiction
