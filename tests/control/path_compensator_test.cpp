// Compensation in path coordinates: the friction follows from the path alone.
#include "stiction/control/path_compensator.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/random.h"

namespace stiction::control {
namespace {

const scalar::Dahl dahl = scalar::Dahl::make({.stiffness = 260, .coulomb_force = 0.28});
const scalar::BlimanSorine2 bliman_sorine = scalar::BlimanSorine2::make(
    {.force_1 = 0.3247, .force_2 = 0.0447, .ratio = 0.1, .distance = 0.0123, .viscous = 0.0176});

TEST(PathCompensator, IsDahlsCurveOverTheDisplacement) {
  const auto compensator = DahlPathCompensator::make(dahl, {.share = 0.9});
  auto out = compensator.step({}, 5);
  EXPECT_EQ(out.force, 0) << "the path begins at the first position";
  for (int i = 1; i <= 100; ++i) {
    out = compensator.step(out.state, 5 + i * 1e-5);
    // F = F_C (1 − e^(−σ s/F_C)); the positions are rounded at 5
    ASSERT_NEAR(out.force, 0.9 * 0.28 * -std::expm1(-260 * i * 1e-5 / 0.28), 1e-12);
  }
}

TEST(PathCompensator, DoesNotDependOnHowThePathIsCutOrOnTime) {
  const auto compensator = BlimanSorinePathCompensator::make(bliman_sorine, {});
  test::Random random(5);
  for (int n = 0; n < 100; ++n) {
    auto coarse = compensator.step({}, 0);
    auto fine = coarse;
    double x = 0;
    for (int turn = 0; turn < 6; ++turn) {
      const double goal = random.between(-0.05, 0.05);
      coarse = compensator.step(coarse.state, goal);
      const int pieces = 1 + static_cast<int>(random.between(1, 200));
      for (int i = 1; i <= pieces; ++i) {
        fine = compensator.step(fine.state, i == pieces ? goal : x + (goal - x) * i / pieces);
      }
      x = goal;
      ASSERT_NEAR(coarse.force, fine.force, 1e-13);
    }
  }
}

TEST(PathCompensator, ComesToTheModelsOwnForceWithoutItsViscousPart) {
  const auto compensator = BlimanSorinePathCompensator::make(bliman_sorine, {});
  scalar::BlimanSorine2::State state;
  auto out = compensator.step({}, 0);
  double x = 0;
  for (int i = 0; i < 2000; ++i) {
    const double v = 0.2 * std::cos(0.01 * i);
    state = bliman_sorine.advance(state, v, 1e-3);
    x += v * 1e-3;
    out = compensator.step(out.state, x);
    ASSERT_NEAR(out.force, bliman_sorine.force(state, v) - 0.0176 * v, 1e-12);
  }
}

TEST(PathCompensator, ADeadBandTakesNoiseOutThatWouldWearTheModelDown) {
  const double noise = 2e-5;
  const auto held_after_noise = [&](double dead_band) {
    const auto compensator = DahlPathCompensator::make(dahl, {.dead_band = dead_band});
    auto out = compensator.step({}, 0);
    out = compensator.step(out.state, 0.01);  // sliding
    test::Random random(11);
    for (int i = 0; i < 20000; ++i) {
      out = compensator.step(out.state, 0.01 + noise * random.between(-0.5, 0.5));
    }
    return out.force;
  };
  EXPECT_LT(held_after_noise(0), 0.05) << "without it, the friction of a body at rest is lost";
  EXPECT_NEAR(held_after_noise(noise), 0.28, 1e-4);
  // A true reversal is followed, late by the band.
  const auto compensator = DahlPathCompensator::make(dahl, {.dead_band = noise});
  auto out = compensator.step({}, 0);
  out = compensator.step(out.state, 0.02);
  out = compensator.step(out.state, 0.02 - 1e-3);
  EXPECT_NEAR(out.force, 0.28 * (-1 + 2 * std::exp(-260 * (1e-3 - noise) / 0.28)), 1e-5);
}

TEST(PathCompensator, RefusesBadParametersAndIgnoresWhatIsNotANumber) {
  EXPECT_STREQ(DahlPathCompensator::check({.dead_band = -1})->field, "dead_band");
  EXPECT_STREQ(DahlPathCompensator::check({.share = 2.5})->field, "share");
  const auto compensator = DahlPathCompensator::make(dahl, {});
  const auto before = compensator.step(compensator.step({}, 0).state, 1e-4);
  const auto after = compensator.step(before.state, std::nan(""));
  EXPECT_TRUE(std::isnan(after.force));
  EXPECT_EQ(after.state, before.state);
}

}  // namespace
}  // namespace stiction::control
