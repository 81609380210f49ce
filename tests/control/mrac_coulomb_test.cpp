// Adaptive Coulomb compensation by model reference: closed forms at constant speed, and the Lyapunov function.
#include "stiction/control/mrac_coulomb.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>

#include "stiction/scalar/coulomb.h"
#include "support/random.h"

namespace stiction::control {
namespace {

MracCoulomb::Params good() {
  return {.inertia = 2, .bandwidth = 10, .coulomb_gain = 80, .viscous_gain = 0, .saturation_velocity = 1e-3};
}

TEST(MracCoulomb, NamesTheParameterThatIsWrong) {
  auto params = good();
  params.bandwidth = 0;
  ASSERT_TRUE(MracCoulomb::check(params));
  EXPECT_STREQ(MracCoulomb::check(params)->field, "bandwidth");
  params = good();
  params.max_coulomb = -1;
  EXPECT_STREQ(MracCoulomb::check(params)->field, "max_coulomb");
  EXPECT_THROW(MracCoulomb::make(params), InvalidParameter);
  EXPECT_FALSE(MracCoulomb::check(good()));
}

TEST(MracCoulomb, ObeysTheClosedFormAtConstantSpeed) {
  // v > 0 throughout: e'' + a e' + (γ/J) e = 0 with e(0) = 0 and e'(0) = (â − F_C)/J.
  const auto controller = MracCoulomb::make(good());
  const double friction = 3;
  const double speed = 5;
  const auto largest_difference = [&](double dt) {
    double v = speed;
    MracCoulomb::State state{speed, 0, 0};
    double worst = 0;
    for (int i = 0; i * dt < 2; ++i) {
      const double t = i * dt;
      const std::complex<double> root = std::sqrt(std::complex<double>(25 - 80.0 / 2));
      const double error = (-friction / 2 * std::exp(-5 * t) * std::sinh(root * t) / root).real();
      const auto out = controller.step(state, speed, v, dt);
      worst = std::max(worst, std::abs(out.error - error));
      state = out.state;
      v += dt / 2 * (out.force - friction);
    }
    EXPECT_NEAR(state.coulomb, friction, 1e-3);
    return worst;
  };
  const double coarse = largest_difference(1e-3);
  const double fine = largest_difference(5e-4);
  EXPECT_LT(fine, 5e-4);
  EXPECT_NEAR(coarse / fine, 2, 0.2) << "first order in the sample time";
}

TEST(MracCoulomb, LowersItsLyapunovFunctionForAnyParameters) {
  // V = J e²/2 + (â − F_C)²/(2γ) + (b̂ − F_v)²/(2γ_v) while the drive moves faster than the saturation velocity.
  test::Random random(3);
  for (int n = 0; n < 200; ++n) {
    const double inertia = random.log_between(0.1, 10);
    const double bandwidth = random.log_between(3, 30);
    const double coulomb = random.log_between(0.1, 3);
    const double viscous = random.log_between(0.1, 3);
    const double gain = random.log_between(0.1, 2) * inertia * bandwidth * bandwidth;
    const double viscous_gain = random.log_between(0.1, 1) * inertia * bandwidth * bandwidth;
    const auto controller = MracCoulomb::make({.inertia = inertia,
                                               .bandwidth = bandwidth,
                                               .coulomb_gain = gain,
                                               .viscous_gain = viscous_gain,
                                               .saturation_velocity = 1e-3});
    const double level = 1 + coulomb / (inertia * bandwidth);  // enough to keep moving
    MracCoulomb::State state{level, 0, 0};
    double v = level;
    const double dt = 1e-3 / bandwidth;
    double before = infinity;
    double first = 0;
    for (int i = 0; i < 8000; ++i) {
      const double e = v - state.model_velocity;
      const double lyapunov = inertia * e * e / 2 + square(state.coulomb - coulomb) / (2 * gain) +
                              square(state.viscous - viscous) / (2 * viscous_gain);
      first = i == 0 ? lyapunov : first;
      ASSERT_LE(lyapunov, before);
      ASSERT_GT(v, 1e-3);
      const double reference = level * (1 + 0.3 * std::sin(bandwidth * i * dt));
      // Steps of dt may raise V in second order: by the coupling of e with the estimates, and because the drive moves
      // by Euler's rule and the model exactly.
      before = lyapunov + 1.2 * dt * dt *
                              ((gain + viscous_gain * v * v) / inertia * lyapunov +
                               inertia * square(bandwidth) * std::abs(e * (reference - state.model_velocity)) + 1e-12);
      const auto out = controller.step(state, reference, v, dt);
      v += dt / inertia * (out.force - coulomb - viscous * v);
      state = out.state;
    }
    EXPECT_LT(before, 0.9 * first);
  }
}

TEST(MracCoulomb, FindsTheLevelOfADriveThatTrulySticks) {
  const double gain = MracCoulomb::coulomb_gain_for(1, 20, 0.7);
  const auto controller = MracCoulomb::make(
      {.inertia = 1, .bandwidth = 20, .coulomb_gain = gain, .saturation_velocity = 2e-3, .max_coulomb = 5});
  const auto friction = scalar::Coulomb::make({.coulomb_force = 1});
  MracCoulomb::State state;
  scalar::Coulomb::State contact;
  double v = 0;
  double late = 0;
  double early = 0;
  const double dt = 1e-3;
  for (int i = 0; i < 60000; ++i) {
    const double reference = 0.5 * std::sin(0.5 * i * dt);
    const auto out = controller.step(state, reference, v, dt);
    const auto next =
        friction.solve(contact, {.free_velocity = v + dt * out.force, .mobility = 1, .velocity = v, .dt = dt});
    v = next.velocity;
    contact = next.state;
    state = out.state;
    (i < 5000 ? early : late) = std::max(i == 30000 ? 0 : (i < 5000 ? early : late), std::abs(out.error));
  }
  EXPECT_NEAR(state.coulomb, 1, 0.05);
  EXPECT_LT(late, early);
}

TEST(MracCoulomb, StaysInsideItsBoundsAndIgnoresWhatIsNotANumber) {
  auto params = good();
  params.viscous_gain = 50;
  params.max_coulomb = 2;
  params.max_viscous = 0.5;
  const auto controller = MracCoulomb::make(params);
  test::Random random(8);
  MracCoulomb::State state;
  for (int i = 0; i < 10000; ++i) {
    state = controller.step(state, random.between(-5, 5), random.between(-5, 5), 1e-2).state;
    ASSERT_GE(state.coulomb, 0);
    ASSERT_LE(state.coulomb, 2);
    ASSERT_GE(state.viscous, 0);
    ASSERT_LE(state.viscous, 0.5);
  }
  const auto nothing = controller.step(state, 1, std::nan(""), 1e-2);
  EXPECT_TRUE(std::isnan(nothing.force));
  EXPECT_EQ(nothing.state, state);
}

}  // namespace
}  // namespace stiction::control
