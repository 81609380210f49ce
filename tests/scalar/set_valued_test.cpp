#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "support/models.h"
#include "support/random.h"

namespace stiction::scalar::set_valued_test {
namespace {

const Coulomb coulomb = Coulomb::make({.coulomb_force = 2, .viscous = 0.5});
const Stiction stiction_model = Stiction::make({.coulomb_force = 2, .static_force = 3, .viscous = 0.5});
const Stribeck stribeck = Stribeck::make(
    {.coulomb_force = 2, .static_force = 3, .stribeck_velocity = 0.1, .stribeck_exponent = 1, .viscous = 0.5});
const AsymmetricStribeck asymmetric = AsymmetricStribeck::make({.coulomb_force_plus = 2,
                                                                .static_force_plus = 3,
                                                                .stribeck_velocity_plus = 0.1,
                                                                .stribeck_exponent_plus = 1,
                                                                .viscous_plus = 0.5,
                                                                .coulomb_force_minus = 4,
                                                                .static_force_minus = 6,
                                                                .stribeck_velocity_minus = 0.2,
                                                                .stribeck_exponent_minus = 2,
                                                                .viscous_minus = 1});

template <class Model>
class SetValuedModel : public testing::Test {};
using Models = testing::Types<Coulomb, Stiction, Stribeck, AsymmetricStribeck>;
TYPED_TEST_SUITE(SetValuedModel, Models);

TEST(Coulomb, SlidingForceIsConstantPlusViscous) {
  EXPECT_DOUBLE_EQ(coulomb.force({}, 4), 2 + 2);
  EXPECT_DOUBLE_EQ(coulomb.force({}, -4), -4);
  EXPECT_EQ(coulomb.force({}, 0), 0);
}

TEST(Stiction, DropsToTheCoulombLevelOnceItMoves) {
  EXPECT_EQ(stiction_model.breakaway_force(1), 3);
  EXPECT_DOUBLE_EQ(stiction_model.force({Mode::slip_plus}, 1e-300), 2);
}

TEST(Stribeck, SlidingForceIsTheCurveWithTheSignOfVelocity) {
  for (const double v : {1e-6, 0.05, 0.1, 3.0}) {
    const double force = 2 + std::exp(-v / 0.1) + 0.5 * v;
    EXPECT_DOUBLE_EQ(stribeck.force({}, v), force);
    EXPECT_DOUBLE_EQ(stribeck.force({}, -v), -force);
  }
  EXPECT_EQ(stribeck.force({Mode::slip_plus}, 0, 99), 3) << "just moving: the static level";
}

TEST(AsymmetricStribeck, EachDirectionHasItsOwnCurve) {
  for (const double v : {0.05, 0.1, 3.0}) {
    EXPECT_DOUBLE_EQ(asymmetric.force({}, v), 2 + std::exp(-v / 0.1) + 0.5 * v);
    EXPECT_DOUBLE_EQ(asymmetric.force({}, -v), -(4 + 2 * std::exp(-square(v / 0.2)) + v));
  }
  EXPECT_EQ(asymmetric.breakaway_force(1), 3);
  EXPECT_EQ(asymmetric.breakaway_force(-1), 6);
  EXPECT_EQ(asymmetric.force({}, 0, 100), 3);
  EXPECT_EQ(asymmetric.force({}, 0, -100), -6);
}

TEST(AsymmetricStribeck, EqualSidesAreStribeck) {
  const AsymmetricStribeck equal = AsymmetricStribeck::make({2, 3, 0.1, 1, 0.5, 2, 3, 0.1, 1, 0.5});
  for (const double v : {-2.0, -0.1, -1e-4, 0.0, 1e-4, 0.1, 2.0}) {
    EXPECT_EQ(equal.force({}, v), stribeck.force({}, v));
    EXPECT_EQ(equal.solve({}, {.free_velocity = v, .mobility = 0.3, .velocity = 0, .dt = 0.1}).velocity,
              stribeck.solve({}, {.free_velocity = v, .mobility = 0.3, .velocity = 0, .dt = 0.1}).velocity);
  }
}

TYPED_TEST(SetValuedModel, AtRestFrictionEqualsTheLoadUpToBreakAway) {
  const auto model = test::example<TypeParam>();
  const double most = model.breakaway_force(1);
  const double least = -model.breakaway_force(-1);
  for (const double share : {0.0, 0.3, 0.999, 1.0}) {
    EXPECT_EQ(model.force({}, 0, share * most), share * most);
    EXPECT_EQ(model.force({}, 0, share * least), share * least);
  }
  EXPECT_EQ(model.force({}, 0, 2 * most), most);
  EXPECT_EQ(model.force({}, 0, 2 * least), least);
}

TYPED_TEST(SetValuedModel, GuardsArePositiveInsideTheMode) {
  const auto model = test::example<TypeParam>();
  const double most = model.breakaway_force(1);
  const double least = -model.breakaway_force(-1);
  const auto stuck = model.guards({Mode::stick}, 0, most / 2);
  EXPECT_DOUBLE_EQ(stuck[0], most / 2);
  EXPECT_DOUBLE_EQ(stuck[1], most / 2 - least);
  EXPECT_LT(model.guards({Mode::stick}, 0, 1.01 * most)[0], 0);
  EXPECT_LT(model.guards({Mode::stick}, 0, 1.01 * least)[1], 0);
  EXPECT_EQ(model.guards({Mode::slip_plus}, 0.5, 0)[0], 0.5);
  EXPECT_LT(model.guards({Mode::slip_plus}, -0.1, 0)[0], 0);
  EXPECT_EQ(model.guards({Mode::slip_minus}, -0.5, 0)[0], 0.5);
}

TYPED_TEST(SetValuedModel, TransitionsLeadFromStickToBothDirectionsAndBackThroughStick) {
  const auto model = test::example<TypeParam>();
  EXPECT_EQ(model.transition({Mode::stick}, 0).mode, Mode::slip_plus);
  EXPECT_EQ(model.transition({Mode::stick}, 1).mode, Mode::slip_minus);
  EXPECT_EQ(model.transition({Mode::slip_plus}, 0).mode, Mode::stick);
  EXPECT_EQ(model.transition({Mode::slip_minus}, 0).mode, Mode::stick);
}

TYPED_TEST(SetValuedModel, AdvanceTakesTheModeFromTheVelocity) {
  const auto model = test::example<TypeParam>();
  EXPECT_EQ(model.advance({}, 1e-9, 1).mode, Mode::slip_plus);
  EXPECT_EQ(model.advance({}, -1e-9, 1).mode, Mode::slip_minus);
  EXPECT_EQ(model.advance({Mode::slip_plus}, 0, 1).mode, Mode::stick);
  EXPECT_EQ(model.at_rest(1).mode, Mode::stick);
}

TYPED_TEST(SetValuedModel, CoupledStepHoldsAStuckBodyUpToBreakAwayExactly) {
  const auto model = test::example<TypeParam>();
  const double mobility = 0.25;
  const double dt = 0.125;  // powers of two: v_free = mobility·dt·load without rounding
  for (const double share : {-1.0, -0.5, 0.0, 0.5, 1.0}) {
    const double load = share * (share < 0 ? model.breakaway_force(-1) : model.breakaway_force(1));
    const auto held = model.solve(
        {Mode::stick}, {.free_velocity = mobility * dt * load, .mobility = mobility, .velocity = 0, .dt = dt});
    EXPECT_EQ(held.velocity, 0.0);
    EXPECT_EQ(held.force, load);
    EXPECT_EQ(held.state.mode, Mode::stick);
  }
}

TYPED_TEST(SetValuedModel, CoupledStepBreaksAwayBeyondTheBreakAwayForce) {
  const auto model = test::example<TypeParam>();
  const double load = 1.001 * model.breakaway_force(1);
  const auto loose =
      model.solve({Mode::stick}, {.free_velocity = 0.25 * 0.125 * load, .mobility = 0.25, .velocity = 0, .dt = 0.125});
  EXPECT_GT(loose.velocity, 0);
  EXPECT_EQ(loose.state.mode, Mode::slip_plus);
  EXPECT_EQ(loose.force, model.force(loose.state, loose.velocity));
}

TYPED_TEST(SetValuedModel, CoupledStepStopsASlowBodyAndHoldsItThere) {
  const auto model = test::example<TypeParam>();
  const double gain = 0.25 * 0.125;
  const double v = 0.5 * gain * model.force({}, 1e-12);
  const auto stopped =
      model.solve({Mode::slip_plus}, {.free_velocity = v, .mobility = 0.25, .velocity = v, .dt = 0.125});
  EXPECT_EQ(stopped.velocity, 0.0);
  EXPECT_EQ(stopped.state.mode, Mode::stick);
  EXPECT_DOUBLE_EQ(stopped.force, v / gain);
}

TYPED_TEST(SetValuedModel, CoupledStepTurnsABodyAroundUnderAStrongLoad) {
  const auto model = test::example<TypeParam>();
  const double gain = 0.25 * 0.125;
  const double back = -3 * gain * model.breakaway_force(-1);
  const auto turned =
      model.solve({Mode::slip_plus}, {.free_velocity = back, .mobility = 0.25, .velocity = 1e-3, .dt = 0.125});
  EXPECT_LT(turned.velocity, 0);
  EXPECT_EQ(turned.state.mode, Mode::slip_minus);
  EXPECT_LT(turned.force, 0);
}

TYPED_TEST(SetValuedModel, CoupledStepOfAStuckBodyUnderALoadBetweenSlidingAndStaticLevelStays) {
  const auto model = test::example<TypeParam>();
  const double fast = model.velocity_scale() * 10;
  const double load = (std::min(model.force({}, fast), model.breakaway_force(1)) + model.breakaway_force(1)) / 2;
  EXPECT_EQ(
      model.solve({Mode::stick}, {.free_velocity = 0.01 * load, .mobility = 1, .velocity = 0, .dt = 0.01}).velocity,
      0.0);
}

TEST(StribeckCoupledStep, ASlidingBodySlidesOnThoughItCouldAlsoStop) {
  const Stribeck steep = Stribeck::make({.coulomb_force = 1, .static_force = 3, .stribeck_velocity = 1e-3});
  const double dt = 0.01;
  const double v = 0.02;
  const auto sliding =
      steep.solve({Mode::slip_plus}, {.free_velocity = v + dt * 1.0, .mobility = 1, .velocity = v, .dt = dt});
  EXPECT_NEAR(sliding.velocity, v, 1e-15);
  EXPECT_NEAR(sliding.force, 1, 1e-12);
  const auto stuck = steep.solve({Mode::stick}, {.free_velocity = dt * 2.9, .mobility = 1, .velocity = 0, .dt = dt});
  EXPECT_EQ(stuck.velocity, 0.0) << "the same law holds a stuck body under 2.9 N";
}

TEST(CoulombCoupledStep, IsTheClip) {
  const Coulomb dry = Coulomb::make({.coulomb_force = 2});
  for (double free = -1; free <= 1; free += 0.01) {
    const auto solved = dry.solve({}, {.free_velocity = free, .mobility = 0.5, .velocity = 0, .dt = 0.25});
    EXPECT_NEAR(solved.force, clip(free / 0.125, -2.0, 2.0), 1e-15);
    EXPECT_NEAR(solved.velocity, free - 0.125 * solved.force, 2e-16);
  }
}

TEST(CoulombCoupledStep, IsTheClosedFormWhateverTheModeAndThePresentVelocity) {
  test::Random random(41);
  constexpr double eps = std::numeric_limits<double>::epsilon();
  int slides = 0;
  for (int i = 0; i < 5'000; ++i) {
    const Coulomb::Params p{.coulomb_force = random.log_between(1e-3, 1e3), .viscous = random.log_between(1e-4, 1e4)};
    const double mobility = random.log_between(1e-2, 1e4);
    const double dt = random.log_between(1e-6, 1);
    const double level = mobility * dt * p.coulomb_force;
    const double free = random.sign() * level * random.log_between(1e-3, 1e3);
    // v⁺ = sgn(v_free) max(0, |v_free| − h F_C)/(1 + h F_v)
    const long double excess = std::max(0.0L, static_cast<long double>(std::abs(free)) - level);
    const auto speed = static_cast<double>(excess / (1 + static_cast<long double>(mobility * dt) * p.viscous));
    slides += speed > 0 ? 1 : 0;
    for (const Mode mode : {Mode::slip_minus, Mode::stick, Mode::slip_plus}) {
      for (const double present : {-free, 0.0, free}) {
        const auto solved = Coulomb::make(p).solve(
            {mode}, {.free_velocity = free, .mobility = mobility, .velocity = present, .dt = dt});
        ASSERT_NEAR(solved.velocity, std::copysign(speed, free), 2 * eps * speed) << i;
        const double force = speed > 0 ? p.coulomb_force + p.viscous * speed : std::abs(free) / (mobility * dt);
        ASSERT_NEAR(solved.force, std::copysign(force, free), 4 * eps * force) << i;
        ASSERT_EQ(solved.state.mode, speed == 0 ? Mode::stick : (free > 0 ? Mode::slip_plus : Mode::slip_minus)) << i;
      }
    }
  }
  EXPECT_GT(slides, 2'000);
  EXPECT_LT(slides, 3'000);
}

}  // namespace
}  // namespace stiction::scalar::set_valued_test
