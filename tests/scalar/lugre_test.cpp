#include "stiction/scalar/lugre.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/models.h"
#include "support/random.h"

namespace stiction::scalar {
namespace {

using test::standard_lugre;
using test::table2_lugre;

/// Fourth-order Runge–Kutta for ż at constant velocity: an independent way to `advance`.
double integrated(const LuGre& model, double z, double velocity, double dt, int steps) {
  const auto rate = [&](double at) { return model.rate({at}, velocity).bristle; };
  const double h = dt / steps;
  for (int i = 0; i < steps; ++i) {
    const double k1 = rate(z);
    const double k2 = rate(z + h / 2 * k1);
    const double k3 = rate(z + h / 2 * k2);
    const double k4 = rate(z + h * k3);
    z += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  return z;
}

TEST(LuGre, SteadySlidingFollowsTheStribeckCurve) {
  const LuGre model = standard_lugre();
  for (const double v : {1e-5, 1e-3, 2e-3, 0.1, -1e-5, -1e-3, -0.1}) {
    const auto settled = model.steady_state(v);
    EXPECT_NEAR(model.rate(settled, v).bristle, 0, 4e-16 * std::abs(v));
    const double g = 1 + 0.5 * std::exp(-square(v / 1e-3));
    EXPECT_NEAR(model.force(settled, v), std::copysign(g, v) + 0.4 * v, 1e-14);
    EXPECT_NEAR(model.steady_force(v), std::copysign(g, v) + 0.4 * v, 1e-15);
  }
  EXPECT_EQ(model.steady_state(0).bristle, 0);
  EXPECT_EQ(model.steady_force(0), 0);
}

TEST(LuGre, AdvanceReachesTheSteadyStateInOneLongStep) {
  const LuGre model = standard_lugre();
  for (const double v : {1e-4, 0.3, -2e-3}) {
    EXPECT_EQ(model.advance(model.steady_state(-v), v, 1e6).bristle, model.steady_state(v).bristle);
  }
}

TEST(LuGre, AdvanceIsTheClosedFormForConstantVelocity) {
  const LuGre model = table2_lugre();
  for (const double v : {1e-4, 0.01, -0.2}) {
    for (const double z : {0.0, 5e-4, -1.2e-3}) {
      for (const double dt : {1e-6, 1e-3, 0.05}) {
        const long double g = 0.28L + 0.05L * std::exp(-square(v / 0.01L));
        const long double settled = std::copysign(g / 260, v);
        const long double exact = settled + (z - settled) * std::exp(-260 * std::abs((long double)(v)) / g * dt);
        EXPECT_NEAR(model.advance({z}, v, dt).bristle, static_cast<double>(exact), 1e-18) << v << " " << z << " " << dt;
        EXPECT_NEAR(model.advance({z}, v, dt).bristle, integrated(model, z, v, dt, 2000), 1e-15);
      }
    }
  }
}

TEST(LuGre, AtRestNothingMovesAndTheBristleHoldsItsLoad) {
  const LuGre model = standard_lugre();
  for (const double load : {0.0, 0.7, -1.49}) {
    const auto state = model.at_rest(load);
    EXPECT_DOUBLE_EQ(model.force(state, 0), load);
    EXPECT_EQ(model.rate(state, 0).bristle, 0);
    EXPECT_EQ(model.advance(state, 0, 1e3), state);
  }
}

TEST(LuGre, StepIsAdvanceThenForce) {
  test::Random random(8);
  for (int i = 0; i < 2000; ++i) {
    const LuGre model = LuGre::make(test::drawn_params<LuGre>(random));
    const LuGre::State state{random.between(-1, 1) * model.largest_deflection()};
    const double v = random.sign() * random.log_between(1e-6, 10);
    const double dt = random.log_between(1e-7, 1);
    const auto stepped = model.step(state, v, dt);
    ASSERT_EQ(stepped.state, model.advance(state, v, dt));
    ASSERT_EQ(stepped.force, model.force(stepped.state, v));
    ASSERT_EQ(stepped.velocity, v);
  }
}

TEST(LuGre, SmallMotionsAreThoseOfASpring) {
  const LuGre model = standard_lugre();
  const double dt = 1e-6;
  LuGre::State state;
  for (int i = 0; i < 100; ++i) {
    state = model.advance(state, 1e-4, dt);
  }
  const double moved = 100 * dt * 1e-4;
  EXPECT_NEAR(state.bristle, moved, 1e-3 * moved);
  EXPECT_LT(state.bristle, moved);
}

TEST(LuGre, SlowPullReachesTheBreakAwayForceAndAFastOneLess) {
  const LuGre model = standard_lugre();
  const auto largest_force = [&](double v) {
    const double dt = 1e-8 / v;
    double peak = 0;
    LuGre::State state;
    for (int i = 0; i < 100'000; ++i) {
      state = model.advance(state, v, dt);
      peak = std::max(peak, model.stiffness * state.bristle);
    }
    return peak;
  };
  EXPECT_NEAR(largest_force(1e-7), 1.5, 1e-6);
  EXPECT_LT(largest_force(1e-3), 1.2);
  EXPECT_NEAR(largest_force(1e-1), 1.0, 1e-9);
}

TEST(LuGre, ReversalTurnsTheForceAroundOverTwiceTheDeflection) {
  const LuGre model = standard_lugre();
  const double v = 1e-6;
  const LuGre::State forward = model.steady_state(v);
  const double z = model.advance(forward, -v, 1e-6 / v).bristle;
  // dz/ds = −1 − σ₀ z / g from z = g/σ₀:  z = (2 e^(−σ₀ s/g) − 1) g/σ₀
  const double g = model.curve(v);
  EXPECT_NEAR(z, (2 * std::exp(-1e5 * 1e-6 / g) - 1) * g / 1e5, 1e-19);
  EXPECT_EQ(model.advance(forward, -v, 1e3).bristle, -forward.bristle);
}

TEST(LuGre, DampingFadesWithSpeed) {
  auto params = table2_lugre().params();
  params.damping_velocity = 4;
  const LuGre fading = LuGre::make(params);
  for (const double v : {0.0, 1.0, 4.0, -10.0}) {
    EXPECT_NEAR(fading.damping(v), 0.6 * std::exp(-square(v / 4)), 1e-16);
    EXPECT_EQ(table2_lugre().damping(v), 0.6);
  }
  EXPECT_FALSE(fading.damping.constant());
  EXPECT_TRUE(table2_lugre().damping.constant());
}

TEST(LuGre, HandsNanOnFromEveryInput) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const LuGre model = standard_lugre();
  EXPECT_TRUE(std::isnan(model.rate({nan}, 1e-3).bristle));
  EXPECT_TRUE(std::isnan(model.rate({0}, nan).bristle));
  EXPECT_TRUE(std::isnan(model.force({nan}, 1e-3)));
  EXPECT_TRUE(std::isnan(model.force({0}, nan)));
  EXPECT_TRUE(std::isnan(model.advance({nan}, 1e-3, 1e-3).bristle));
  EXPECT_TRUE(std::isnan(model.advance({1e-6}, nan, 1e-3).bristle));
  EXPECT_TRUE(std::isnan(model.advance({1e-6}, 1e-3, nan).bristle));
  EXPECT_TRUE(std::isnan(model.step({1e-6}, nan, 1e-3).force));
}

TEST(LuGre, StateCanBeSavedAndRestored) {
  const LuGre::State state{1.25e-6};
  EXPECT_EQ(LuGre::unpack(LuGre::pack(state), {}), state);
  EXPECT_EQ(standard_lugre().typical()[0], 1.5e-5);
}

}  // namespace
}  // namespace stiction::scalar
