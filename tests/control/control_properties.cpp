// What must hold for the controllers whatever the parameters, the measurements and the step.
#include <array>
#include <cmath>
#include <complex>

#include "stiction/control/adaptive.h"
#include "stiction/control/compensator.h"
#include "stiction/control/passivity.h"
#include "stiction/control/pid.h"
#include "support/property.h"

namespace stiction::control {
namespace {

using scalar::LuGre;
using test::any_model;
using test::between;
using test::holds_for;
using test::log_between;
using test::signed_between;

constexpr int many = 20'000;

TEST(PidProperty, TheOutputKeepsItsLimitsAndTheIntegralStaysFinite) {
  holds_for(many, [] {
    const double high = *signed_between(1e-3, 1e3);
    const double low = high - *log_between(1e-3, 1e3);
    Pid pid({.proportional = *signed_between(1e-3, 1e3),
             .integral = *signed_between(1e-3, 1e3),
             .derivative = *signed_between(1e-3, 1e3),
             .tracking_time = *between(-1, 1) < 0 ? 0 : *log_between(1e-6, 10),
             .min_output = low,
             .max_output = high});
    for (int i = 0; i < 20; ++i) {
      const double output = pid.step(*signed_between(1e-6, 1e3), *signed_between(1e-6, 1e3), *log_between(1e-9, 1));
      RC_ASSERT(output >= low && output <= high);
      RC_ASSERT(std::isfinite(pid.state.integral));
    }
  });
}

TEST(VelocityEstimatorProperty, LiesBetweenTheSpeedsItHasSeen) {
  holds_for(many, [] {
    VelocityEstimator estimator({.corner = *log_between(1e-2, 1e6)});
    double x = *signed_between(1e-6, 10);
    double least = 0;
    double most = 0;
    estimator.step(x, 1);
    for (int i = 0; i < 20; ++i) {
      const double dt = *log_between(1e-6, 1);
      const double v = *signed_between(1e-6, 1e2);
      const double before = x;
      x += v * dt;
      least = std::min(least, (x - before) / dt);
      most = std::max(most, (x - before) / dt);
      const double seen = estimator.step(x, dt);
      const double rounding = 1e-15 * (most - least);
      RC_ASSERT(seen >= least - rounding && seen <= most + rounding);
    }
  });
}

TEST(LuGreObserverProperty, StaysBoundedUnderAnythingAndIsOddToTheLastBit) {
  holds_for(many, [] {
    const auto model = any_model<LuGre>();
    const double headroom = *log_between(1, 10);
    LuGreObserver observer(model, {.gain = *log_between(1e-3, 1e3), .headroom = headroom});
    auto mirrored = observer;
    const double most = headroom * model.largest_deflection();
    for (int i = 0; i < 10; ++i) {
      const double v = *signed_between(1e-9, 1e3);
      const double e = *signed_between(1e-9, 1e2);
      const double dt = *log_between(1e-9, 1e2);
      const double force = observer.step(v, e, dt);
      RC_ASSERT(std::isfinite(force));
      RC_ASSERT(std::abs(observer.state.bristle) <= most);
      RC_ASSERT(mirrored.step(-v, -e, dt) == -force);
    }
  });
}

TEST(LuGreObserverProperty, TwoStepsAreOneLongerStep) {
  holds_for(many, [] {
    const auto model = any_model<LuGre>();
    LuGreObserver twice(model, {.gain = *log_between(1e-3, 1e1), .headroom = 1e6});
    twice.state.bristle = *between(-1, 1) * model.largest_deflection();
    auto once = twice;
    const double v = *signed_between(1e-9, 1e3);
    const double e = *between(-1, 1) * std::abs(v);
    const double first = *log_between(1e-9, 0.5);
    const double second = *log_between(1e-9, 0.5);
    twice.step(v, e, first);
    twice.step(v, e, second);
    once.step(v, e, first + second);
    const double scale = model.largest_deflection() * (1 + twice.params.gain);
    RC_ASSERT(std::abs(twice.state.bristle - once.state.bristle) <= 1e-14 * scale);
  });
}

TEST(LuGreObserverProperty, ComesToItsSteadyState) {
  holds_for(many, [] {
    const auto model = any_model<LuGre>();
    LuGreObserver observer(model, {.gain = *log_between(1e-3, 1), .headroom = 1e6});
    const double v = *signed_between(1e-6, 1e2);
    RC_PRE(v != 0);
    const double e = *between(-1, 1) * std::abs(v);
    observer.step(v, e, 1e9);
    // ẑ = (v − k e) g(v)/(σ₀ |v|)
    const double settled = (v - observer.params.gain * e) * model.curve(v) / (model.stiffness * std::abs(v));
    RC_ASSERT(std::abs(observer.state.bristle - settled) <= 1e-13 * model.largest_deflection());
  });
}

TEST(AdaptiveProperty, StaysBoundedUnderAnything) {
  holds_for(many, [] {
    const auto model = any_model<LuGre>();
    BasicAdaptiveCompensator<double, HarmonicRegressor<double>> adaptive(
        model,
        {.mass = *log_between(1e-3, 1e2), .adaptation = *log_between(1e-3, 1e12), .gain = *log_between(1e-3, 1e3)});
    for (int i = 0; i < 10; ++i) {
      const double force = adaptive.step(*signed_between(1e-9, 1e2), *between(-10, 10), *signed_between(1e-9, 10),
                                         *signed_between(1e-6, 1e3), *log_between(1e-6, 1));
      RC_ASSERT(std::isfinite(force));
      RC_ASSERT(adaptive.state.effective >= 0.1 && adaptive.state.effective <= 4);
      for (const double theta : adaptive.state.theta) {
        RC_ASSERT(std::isfinite(theta));
      }
    }
  });
}

TEST(CompensatorProperty, OfFrictionThatOpposesMotionOpposesMotion) {
  holds_for(many, [] {
    StribeckCompensator compensator(any_model<scalar::Stribeck>(), {.saturation_velocity = *log_between(1e-6, 1)});
    const double v = *signed_between(1e-9, 1e2);
    const double force = compensator.step(v, 1e-3);
    RC_ASSERT(force * v >= 0);
    RC_ASSERT(compensator.step(-v, 1e-3) == -force);
  });
}

// Passivity -----------------------------------------------------------------------------------------------------------

Pid::Params any_gains() {
  return {.proportional = *log_between(1e-3, 1e6),
          .integral = *log_between(1e-3, 1e6),
          .derivative = *log_between(1e-3, 1e6)};
}

/// Whether rounding cannot decide: one of the conditions holds or fails by very little.
template <std::size_t N>
bool on_the_edge(const PassivityConditions<N>& c) {
  return std::any_of(c.conditions.begin(), c.conditions.end(), [](const Condition& condition) {
    return std::abs(condition.left - condition.right) < 1e-9 * (std::abs(condition.left) + std::abs(condition.right));
  });
}

TEST(PassivityProperty, ClosedFormAndGeneralCheckAgreeForVelocityLoops) {
  holds_for(many, [] {
    const auto friction = any_model<LuGre>();
    auto gains = any_gains();
    gains.integral = gains.proportional * friction.stiffness / friction.damping.at_rest * *log_between(1e-2, 1e2);
    const auto conditions = velocity_loop_conditions(friction, gains);
    RC_PRE(!on_the_edge(conditions));
    RC_CLASSIFY(conditions.passive());
    RC_ASSERT(positive_real(velocity_loop(friction, *log_between(1e-3, 1e3), gains)).passive() == conditions.passive());
  });
}

TEST(PassivityProperty, ClosedFormAndGeneralCheckAgreeForServos) {
  holds_for(many, [] {
    const auto friction = any_model<LuGre>();
    const double ratio = friction.stiffness / friction.damping.at_rest;
    const double mass = *log_between(1e-3, 1e3);
    auto gains = any_gains();
    gains.integral = gains.proportional * ratio * *log_between(1e-2, 1e1);
    gains.derivative = mass * ratio * *log_between(1e-1, 1e2);
    const auto conditions = servo_conditions(friction, mass, gains);
    RC_PRE(!on_the_edge(conditions));
    RC_CLASSIFY(conditions.passive());
    RC_ASSERT(positive_real(servo_loop(friction, mass, gains)).passive() == conditions.passive());
  });
}

struct Random {
  TransferFunction g;
  std::vector<std::complex<double>> zeros, poles;
  double gain;

  [[nodiscard]] std::complex<double> at(double frequency) const {
    const std::complex<double> s(0, frequency);
    std::complex<double> value = gain;
    for (const auto& zero : zeros) value *= s - zero;
    for (const auto& pole : poles) value /= s - pole;
    return value;
  }
};

/// Real and paired roots in the left half plane.
std::vector<std::complex<double>> any_roots(int count) {
  std::vector<std::complex<double>> roots;
  while (static_cast<int>(roots.size()) < count) {
    const double size = *log_between(0.1, 10);
    if (static_cast<int>(roots.size()) + 2 <= count && *between(0, 1) < 0.5) {
      const double angle = *between(1.6, 3.1);
      roots.push_back(std::polar(size, angle));
      roots.push_back(std::polar(size, -angle));
    } else {
      roots.emplace_back(-size);
    }
  }
  return roots;
}

Polynomial product(double gain, const std::vector<std::complex<double>>& roots) {
  std::vector<std::complex<double>> c{gain};
  for (const auto& root : roots) {
    c.emplace_back(0);
    for (std::size_t i = c.size() - 1; i > 0; --i) {
      c[i] -= root * c[i - 1];
    }
  }
  Polynomial p;
  for (const auto& value : c) {
    p.push_back(value.real());
  }
  return p;
}

TEST(PassivityProperty, AgreesWithALookAtManyFrequencies) {
  holds_for(4000, [] {
    Random random;
    const int order = *rc::gen::inRange(1, 6);
    random.poles = any_roots(order);
    random.zeros = any_roots(order - *rc::gen::inRange(0, 2));
    random.gain = *log_between(0.1, 10);
    random.g = {product(random.gain, random.zeros), product(1, random.poles)};
    const auto verdict = positive_real(random.g);
    double worst = infinity;
    double size = 0;
    for (double w = 1e-3; w < 1e3; w *= 1.01) {
      const auto value = random.at(w);
      worst = std::min(worst, value.real() / std::abs(value));
      size = std::max(size, std::abs(value));
    }
    RC_CLASSIFY(verdict.passive());
    if (verdict.passive()) {
      RC_ASSERT(worst > -1e-9);
    } else {
      RC_ASSERT(verdict.verdict == PositiveReal::negative_real_part);
      const auto value = random.at(verdict.frequency);
      RC_ASSERT(value.real() < 1e-12 * size);
      RC_ASSERT(std::abs(value.real() - verdict.real_part) <= 1e-8 * std::abs(value) + 1e-12 * size);
    }
    RC_ASSERT(!(worst < -1e-6) || !verdict.passive());
  });
}

}  // namespace
}  // namespace stiction::control
