// The filter for the bristle, and adaptation that finds how large the friction is.
#include "stiction/control/adaptive.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "stiction/control/pid.h"
#include "stiction/sim/sampled.h"
#include "support/models.h"

namespace stiction::control {
namespace {

using scalar::LuGre;
using test::table2_inertia;
using test::table2_lugre;
using Filter = BristleFilter<double>;

TEST(BristleFilter, AtRestIsTheForceOverTheStiffness) {
  const LuGre model = table2_lugre();
  Filter::State state{0, 0, true};
  double t = 0;
  for (const double dt : {1e-4, 3e-3, 1e-6, 2e-2}) {
    state = Filter::advance(state, model, 1, 0, 0.2, dt);
    t += dt;
    EXPECT_NEAR(state.bristle, 0.2 / 260 * (1 - std::exp(-260 / 0.6 * t)), 1e-16);
  }
}

TEST(BristleFilter, IsTheFilterOfThePaperWithoutADerivative) {
  // z_m = ξ − (J/σ₁) v,  σ₁ dξ/dt = −σ₀ ξ + (σ₀ J/σ₁ − F_v) v + u, by small midpoint steps in long double
  const LuGre model = table2_lugre();
  const long double mass = 0.0023L;
  const long double s0 = 260;
  const long double s1 = 0.6L;
  const long double fv = 0.0176L;
  Filter::State state{0, 0.1, true};
  long double xi = mass / s1 * 0.1L;
  long double v = 0.1L;
  for (int sample = 0; sample < 40; ++sample) {
    const long double next = std::sin(0.3L * static_cast<long double>(sample));
    const double force = 0.4 * std::cos(0.2 * sample);
    const long double h = 1e-3L / 4000;
    for (int i = 0; i < 4000; ++i) {
      const auto rate = [&](long double x, long double at) {
        const long double w = v + (next - v) * at / 4000;
        return (-s0 * x + (s0 * mass / s1 - fv) * w + force) / s1;
      };
      const auto at = static_cast<long double>(i);
      xi += h * rate(xi + h / 2 * rate(xi, at), at + 0.5L);
    }
    v = next;
    state = Filter::advance(state, model, 0.0023, static_cast<double>(v), force, 1e-3);
    EXPECT_NEAR(state.bristle, static_cast<double>(xi - mass / s1 * v), 1e-10);
  }
}

TEST(BristleFilter, FindsTheTrueBristleOfAMovingBody) {
  const LuGre model = table2_lugre();
  sim::SampledBody<LuGre> body{model, table2_inertia, {}, 4};
  Filter::State state;
  double worst = 0;
  const double h = 2e-4;
  double force = 0;
  for (int i = 0; i < 20000; ++i) {
    state = Filter::advance(state, model, table2_inertia, body.state.velocity, force, h);
    if (i * h > 0.1) {
      worst = std::max(worst, std::abs(state.bristle - body.state.friction.bristle));
    }
    force = 0.4 * std::sin(3 * i * h);
    body.hold(force, h);
  }
  EXPECT_LT(worst, 2e-3 * 0.33 / 260);
}

/// A servo that follows a sine with all that happens known exactly; `friction_at` is its friction at a position.
template <class Adaptive, class Friction>
void follow_a_sine(Adaptive& adaptive, double amplitude, const Friction& friction_at, double duration) {
  auto pid = Pid::make({.proportional = 6.21, .integral = 62.1, .derivative = 0.207});
  sim::SampledBody<LuGre> body{friction_at(0), table2_inertia, {.velocity = amplitude}};
  const double h = 1e-3;
  double u = 0;
  for (int i = 0; i * h < duration; ++i) {
    const double reference = amplitude * std::sin(i * h);
    const double x = body.state.position;
    const double v = body.state.velocity;
    const double friction = adaptive.step(v, x, x - reference, u, h);
    u = pid.step(reference - x, amplitude * std::cos(i * h) - v, friction - table2_inertia * reference, h);
    body.friction = friction_at(x);
    body.hold(u, h);
  }
}

LuGre with_levels(double factor) {
  auto params = table2_lugre().params();
  params.coulomb_force *= factor;
  params.static_force *= factor;
  return LuGre(params);
}

TEST(AdaptiveCompensator, FindsTheRatioOfTheFriction) {
  for (const double factor : {0.5, 1.0, 2.0}) {
    auto adaptive =
        AdaptiveCompensator::make(table2_lugre(), {.mass = table2_inertia, .adaptation = 3000, .gain = 0.05});
    follow_a_sine(
        adaptive, 1, [&](double) { return with_levels(factor); }, 30);
    EXPECT_NEAR(adaptive.friction_ratio(), factor, 0.01 * factor);
    EXPECT_DOUBLE_EQ(adaptive.state.theta[0], 1 / adaptive.friction_ratio());
  }
}

TEST(AdaptiveCompensator, LearnsFrictionThatDependsOnThePosition) {
  BasicAdaptiveCompensator<double, HarmonicRegressor<double>> adaptive(
      table2_lugre(), {.mass = table2_inertia, .adaptation = 300, .gain = 0.05});
  const auto theta = [](double x) { return 0.8 + 0.3 * std::cos(x) - 0.2 * std::sin(x); };
  const auto friction_at = [&](double x) { return with_levels(1 / theta(x)); };
  follow_a_sine(adaptive, 3, friction_at, 60);  // nearly a whole turn
  EXPECT_NEAR(adaptive.state.theta[0], 0.8, 0.01);
  EXPECT_NEAR(adaptive.state.theta[1], 0.3, 0.01);
  EXPECT_NEAR(adaptive.state.theta[2], -0.2, 0.01);
}

TEST(AdaptiveCompensator, WithoutAdaptationIsTheObserver) {
  const LuGre model = table2_lugre();
  auto adaptive = AdaptiveCompensator::make(model, {.mass = 1, .adaptation = 0, .gain = 0.5, .scale = 0.7});
  auto observer = LuGreObserver::make(model, {.gain = 0.5, .scale = 0.7, .headroom = 20});
  for (int i = 0; i < 1000; ++i) {
    const double v = 0.2 * std::sin(0.02 * i);
    EXPECT_EQ(adaptive.step(v, 1e-3, 0.1, 1e-3), observer.step(v, 1e-3, 1e-3));
  }
}

TEST(AdaptiveCompensator, ThetaMovesByTheGradientLaw) {
  const LuGre model = table2_lugre();
  auto adaptive = AdaptiveCompensator::make(model, {.mass = 0.0023, .adaptation = 300, .gain = 0.05});
  adaptive.step(0.5, 0, 0.3, 1e-3);
  const auto before = adaptive.state;
  adaptive.step(0.6, 0, 0.4, 1e-3);
  const auto& now = adaptive.state;
  const double slope =
      -300 * model.stiffness * 0.6 / model.curve(0.6) * now.bristle * (now.filter.bristle - now.bristle);
  EXPECT_NEAR(now.theta[0] - before.theta[0], slope * 1e-3, 1e-15);
  EXPECT_NE(now.theta[0], before.theta[0]);
}

TEST(AdaptiveCompensator, KeepsThetaInItsLimits) {
  auto adaptive = AdaptiveCompensator::make(table2_lugre(), {.mass = 1, .adaptation = 1e9, .gain = 0});
  double least = 10;
  double most = 0;
  for (int i = 0; i < 1000; ++i) {
    adaptive.step(i % 2 == 0 ? 1 : 0.5, 0, i < 500 ? 100 : -100, 1e-3);
    least = std::min(least, adaptive.state.theta[0]);
    most = std::max(most, adaptive.state.theta[0]);
  }
  EXPECT_NEAR(least, 0.1, 1e-15);
  EXPECT_NEAR(most, 4, 1e-15);
}

TEST(AdaptiveCompensator, ASampleThatCannotBeUsedGivesNanAndLeavesTheStateAlone) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  auto adaptive = AdaptiveCompensator::make(table2_lugre(), {.mass = 1, .adaptation = 1, .gain = 0});
  adaptive.step(0.1, 0, 0.3, 1e-3);
  const auto before = adaptive.state;
  EXPECT_TRUE(std::isnan(adaptive.step(nan, 0, 0.3, 1e-3)));
  EXPECT_TRUE(std::isnan(adaptive.step(0.1, nan, 0.3, 1e-3)));
  EXPECT_TRUE(std::isnan(adaptive.step(0.1, 0, infinity, 1e-3)));
  EXPECT_TRUE(std::isnan(adaptive.step(0.1, nan, 0, 0.3, 1e-3)));
  EXPECT_TRUE(std::isnan(adaptive.step(0.1, 0, 0.3, -1)));
  EXPECT_EQ(adaptive.state, before);
}

TEST(AdaptiveCompensator, NamesWhatIsWrong) {
  EXPECT_STREQ(AdaptiveCompensator::check({.mass = 0, .adaptation = 1, .gain = 1})->field, "mass");
  EXPECT_STREQ(AdaptiveCompensator::check({.mass = 1, .adaptation = -1, .gain = 1})->field, "adaptation");
  EXPECT_STREQ(
      AdaptiveCompensator::check({.mass = 1, .adaptation = 1, .gain = 1, .min_theta = 2, .max_theta = 1})->field,
      "max_theta");
}

}  // namespace
}  // namespace stiction::control
