// Curves that a user brings.
#include "stiction/scalar/bristle.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/models.h"
#include "support/random.h"

namespace stiction::scalar {
namespace {

template <class Curve, class Damping, class Viscous>
auto bristle(double stiffness, Curve curve, Damping damping, Viscous viscous) {
  return Bristle<double, Curve, Damping, Viscous>{stiffness, curve, damping, viscous};
}

TEST(Bristle, TakesLambdasForItsCurves) {
  const auto model = bristle(
      1e4, [](double v) { return 2 / (1 + std::abs(v)); }, [](double v) { return 10 * std::exp(-std::abs(v)); },
      [](double v) { return 3 * v * std::abs(v); });
  const double v = 0.5;
  const double settled = 2 / 1.5 / 1e4;
  EXPECT_DOUBLE_EQ(model.advance({0}, v, 100).bristle, settled);
  EXPECT_NEAR(model.force({settled}, v), 2 / 1.5 + 0.75, 1e-12);
  EXPECT_NEAR(model.force({0}, v), 10 * std::exp(-0.5) * 0.5 + 0.75, 1e-12);
  EXPECT_NEAR(model.energy({1e-4}), 0.5e-4, 1e-18);
}

TEST(Bristle, WithTheNamedCurvesAsLambdasIsLuGreBitForBit) {
  const LuGre lugre = test::standard_lugre();
  const auto model = bristle(
      lugre.stiffness, [&](double v) { return lugre.curve(v); }, [&](double v) { return lugre.damping(v); },
      [&](double v) { return lugre.viscous(v); });
  test::Random random(12);
  for (int i = 0; i < 2000; ++i) {
    const double z = random.between(-1.5e-5, 1.5e-5);
    const double v = random.sign() * random.log_between(1e-6, 1);
    ASSERT_EQ(model.rate({z}, v).bristle, lugre.rate({z}, v).bristle);
    ASSERT_EQ(model.force({z}, v), lugre.force({z}, v));
    ASSERT_EQ(model.advance({z}, v, 1e-3).bristle, lugre.advance({z}, v, 1e-3).bristle);
    // Without steepness() the lambda's step always walks to the first root: the same root to rounding.
    ASSERT_NEAR(model.solve({z}, {.free_velocity = v, .mobility = 1, .velocity = v, .dt = 1e-4}).velocity,
                lugre.solve({z}, {.free_velocity = v, .mobility = 1, .velocity = v, .dt = 1e-4}).velocity, 1e-15);
  }
}

TEST(Bristle, CoupledStepWithLambdasSolvesItsEquation) {
  const auto model = bristle(
      5e4, [](double v) { return 1 + 0.4 / (1 + square(v / 2e-3)); }, [](double) { return 80.0; },
      [](double v) { return 0.2 * v; });
  test::Random random(13);
  for (int i = 0; i < 5000; ++i) {
    const double z = random.between(-1, 1) * 1.4 / 5e4;
    const double v = random.between(-0.1, 0.1);
    const double dt = random.log_between(1e-5, 1e-2);
    const double free = v + dt * random.between(-3, 3);
    const auto next = model.solve({z}, {.free_velocity = free, .mobility = 1, .velocity = v, .dt = dt});
    const double w = next.velocity;
    const double g = 1 + 0.4 / (1 + square(w / 2e-3));
    const double z_next = (z + dt * w) / (1 + dt * 5e4 * std::abs(w) / g);
    ASSERT_NEAR(next.state.bristle, z_next, 1e-18);
    ASSERT_NEAR(w, free - dt * (5e4 * z_next + 80 * (z_next - z) / dt + 0.2 * w), 1e-13);
  }
}

TEST(Bristle, DahlIsABristleOnAConstantCurve) {
  const auto dahl = bristle(
      100, [](double) { return 2.0; }, [](double) { return 0.0; }, [](double) { return 0.0; });
  double x = 0;
  decltype(dahl)::State state;
  for (int i = 0; i < 1000; ++i) {
    state = dahl.advance(state, 0.01, 1e-2);
    x += 1e-4;
  }
  // F = F_C (1 − exp(−σ x / F_C)): rate independent
  EXPECT_NEAR(dahl.force(state, 0.01), 2 * (1 - std::exp(-100 * x / 2)), 1e-12);
}

}  // namespace
}  // namespace stiction::scalar
