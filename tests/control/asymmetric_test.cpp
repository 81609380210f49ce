// Friction that differs between the directions: the static law, and what is learned from command and velocity.
#include "stiction/control/asymmetric.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/random.h"

namespace stiction::control {
namespace {

TEST(AsymmetricCompensator, IsTheLawItStates) {
  const auto law = AsymmetricCompensator::make({.coulomb_plus = 2,
                                                .viscous_plus = 0.5,
                                                .coulomb_minus = 3,
                                                .viscous_minus = 0.25,
                                                .saturation_velocity = 0.1,
                                                .share = 0.8});
  EXPECT_EQ(law.force(0), 0);
  EXPECT_DOUBLE_EQ(law.force(4), 0.8 * (2 + 0.5 * 4));
  EXPECT_DOUBLE_EQ(law.force(-4), -0.8 * (3 + 0.25 * 4));
  EXPECT_DOUBLE_EQ(law.force(0.05), 0.8 * (1 + 0.025));
  EXPECT_DOUBLE_EQ(law.force(-0.05), -0.8 * (1.5 + 0.0125));
  EXPECT_DOUBLE_EQ(law.slope_at_rest(), 0.8 * (3 / 0.1 + 0.25));
  EXPECT_DOUBLE_EQ(law.force(-4, {.coulomb_minus = 1}), -0.8);
  EXPECT_TRUE(std::isnan(law.force(std::nan(""))));
  EXPECT_STREQ(
      AsymmetricCompensator::check({.coulomb_plus = 1, .coulomb_minus = 1, .saturation_velocity = 1, .share = 3})
          ->field,
      "share");
}

const DirectionalFriction truth{.coulomb_plus = 1.3, .viscous_plus = 0.4, .coulomb_minus = 0.8, .viscous_minus = 0.9};

double friction_at(double v, double direction) {
  return direction > 0 ? truth.coulomb_plus + truth.viscous_plus * v : -truth.coulomb_minus + truth.viscous_minus * v;
}

/// Runs a drive that truly sticks under a torque that is held over each sample, with exact steps in each direction.
template <class Each>
void run_drive(double inertia, double dt, double duration, const Each& each) {
  double v = 0;
  for (int i = 0; i * dt < duration; ++i) {
    const double t = i * dt;
    const double force = 4 * std::sin(0.9 * t) + 1.5 * std::sin(2.3 * t);
    double left = dt;
    while (left > 0) {
      double direction = sgn(v);
      if (direction == 0) {
        direction = force > truth.coulomb_plus ? 1 : force < -truth.coulomb_minus ? -1 : 0;
        if (direction == 0) {
          break;  // stuck
        }
      }
      // v(t) = v_∞ + (v − v_∞) e^(−F_v t/J), until it stops
      const double viscous = direction > 0 ? truth.viscous_plus : truth.viscous_minus;
      const double settled = v + (force - friction_at(v, direction)) / viscous;
      const double next = settled + (v - settled) * std::exp(-viscous / inertia * left);
      if (v != 0 && next * v <= 0) {
        left -= inertia / viscous * std::log((v - settled) / -settled);
        v = 0;
      } else {
        v = next;
        left = 0;
      }
    }
    each(force, v, dt);
  }
}

TEST(AsymmetricIdentifier, FindsFourNumbersOfADriveThatTrulySticks) {
  const double inertia = 0.5;
  const auto worst_at = [&](double dt) {
    const auto identifier = AsymmetricIdentifier::make({.inertia = inertia,
                                                        .min_velocity = 0.05,
                                                        .filter_time = 0.02,
                                                        .memory = infinity,
                                                        .coulomb_deviation = 1e3,
                                                        .viscous_deviation = 1e3});
    auto state = identifier.start();
    run_drive(inertia, dt, 40, [&](double force, double v, double h) { state = identifier.step(state, force, v, h); });
    const auto found = state.friction();
    return std::max(
        {std::abs(found.coulomb_plus - truth.coulomb_plus), std::abs(found.viscous_plus - truth.viscous_plus),
         std::abs(found.coulomb_minus - truth.coulomb_minus), std::abs(found.viscous_minus - truth.viscous_minus)});
  };
  // v between samples is an exponential and not a straight line: second order in dt, beside e^−8 of the reversal.
  EXPECT_LT(worst_at(1e-3), 1e-3);
  EXPECT_LT(worst_at(4e-3), 1e-3);
}

TEST(AsymmetricIdentifier, HasTheDefaultsItDocumentsAndNamesWhatIsWrong) {
  const AsymmetricIdentifier::Params params{.inertia = 1, .min_velocity = 0.1, .filter_time = 0.01};
  EXPECT_FALSE(AsymmetricIdentifier::check(params));
  for (const auto& field : AsymmetricIdentifier::fields) {
    EXPECT_TRUE(std::isnan(field.fallback) || params.*field.member == field.fallback) << field.name;
  }
  EXPECT_STREQ(AsymmetricIdentifier::check({.inertia = 1, .min_velocity = 0, .filter_time = 0.01})->field,
               "min_velocity");
}

TEST(AsymmetricIdentifier, LearnsADirectionOnlyWhileItMovesInIt) {
  const auto identifier =
      AsymmetricIdentifier::make({.inertia = 1, .min_velocity = 0.1, .filter_time = 0.01, .memory = 10});
  const DirectionalFriction guess{1, 2, 3, 4};
  auto state = identifier.start(guess);
  for (int i = 0; i < 1000; ++i) {
    state = identifier.step(state, 5, 0.09, 1e-3);  // too slow
  }
  EXPECT_EQ(state.friction(), guess);
  for (int i = 0; i < 50; ++i) {
    state = identifier.step(state, 5, 2, 1e-3);  // not for long enough
  }
  EXPECT_EQ(state.friction(), guess);
  for (int i = 0; i < 20000; ++i) {
    state = identifier.step(state, 5, 2, 1e-3);
  }
  EXPECT_NEAR(state.plus.coulomb + 2 * state.plus.viscous, 5, 1e-3) << "one speed tells the sum alone";
  EXPECT_EQ(state.minus.coulomb, 3);
  EXPECT_EQ(state.minus.viscous, 4);
  const auto kept = state;
  EXPECT_EQ(identifier.step(state, std::nan(""), 1, 1e-3), kept);
  EXPECT_EQ(identifier.step(state, 1, 1, 0), kept);
}

TEST(AsymmetricIdentifier, ForgetsAndStaysBoundedWithoutExcitation) {
  const auto identifier = AsymmetricIdentifier::make({.inertia = 0.5,
                                                      .min_velocity = 0.05,
                                                      .filter_time = 0.02,
                                                      .memory = 2,
                                                      .coulomb_deviation = 10,
                                                      .viscous_deviation = 10});
  auto state = identifier.start();
  // The Coulomb level of the log rises by a half at 40 s, which the drive does not know: only the command shows it.
  double t = 0;
  run_drive(0.5, 1e-3, 80, [&](double force, double v, double dt) {
    t += dt;
    const double extra = t > 40 ? 0.65 * sgn(v) : 0;
    state = identifier.step(state, force + extra, v, dt);
  });
  EXPECT_NEAR(state.plus.coulomb, truth.coulomb_plus + 0.65, 0.02);
  EXPECT_NEAR(state.minus.coulomb, truth.coulomb_minus + 0.65, 0.02);
  for (int i = 0; i < 1000000; ++i) {
    state = identifier.step(state, 3, 2, 1e-3);  // an hour at one speed
  }
  EXPECT_LE(state.plus.p11, 100);
  EXPECT_LE(state.plus.p22, 100);
  EXPECT_GE(state.plus.p11 * state.plus.p22 - square(state.plus.p12), -1e-9);
  EXPECT_NEAR(state.plus.coulomb + 2 * state.plus.viscous, 3, 1e-3);
}

}  // namespace
}  // namespace stiction::control
