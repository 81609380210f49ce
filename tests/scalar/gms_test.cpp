#include "stiction/scalar/gms.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "stiction/sim/line.h"
#include "support/models.h"
#include "support/random.h"
#include "support/runge_kutta.h"

namespace stiction::scalar::gms_test {
namespace {

const Gms servo = preset::table2_gms();

/// The same without the Stribeck effect: s = 0.28 at every speed.
Gms flat() {
  auto params = servo.params();
  params.static_force = params.coulomb_force;
  params.viscous = 0;
  return Gms::make(params);
}

/// The virgin curve of `flat`: Σ min(kᵢ x, αᵢ s).
double virgin(double x) {
  double sum = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    sum += std::min(servo.params().stiffness[i] * x, servo.params().share[i] * 0.28);
  }
  return sum;
}

/// After a displacement in steps of random length.
Gms::State moved(const Gms& model, Gms::State state, double displacement, test::Random& random) {
  const double speed = std::copysign(random.log_between(1e-4, 1), displacement);
  double left = displacement / speed;
  while (left > 0) {
    const double dt = std::min(left, random.log_between(1e-3, 1) * std::abs(displacement / speed));
    state = model.advance(state, speed, dt);
    left -= dt;
  }
  return state;
}

TEST(Gms, VirginCurveIsPiecewiseLinear) {
  const Gms model = flat();
  test::Random random(51);
  Gms::State state;
  double x = 0;
  for (int i = 0; i < 100; ++i) {
    state = moved(model, state, 5e-5, random);
    x += 5e-5;
    ASSERT_NEAR(model.force(state, 1e-3), virgin(x), 1e-14) << x;
  }
  EXPECT_NEAR(model.force(state, 1e-3), 0.28, 1e-15) << "all slip";
  EXPECT_EQ(state.slipping, 15U);
  EXPECT_NEAR(virgin(1e-5) / 1e-5, 260, 1e-9) << "Σ kᵢ";
}

TEST(Gms, ReversalsFollowMasingsRule) {
  const Gms model = flat();
  test::Random random(52);
  for (const double peak : {2e-4, 8e-4, 1.7e-3, 6e-3}) {
    for (const double direction : {1.0, -1.0}) {
      const auto turned = moved(model, {}, direction * peak, random);
      for (double back = 0; back < 3 * peak; back += peak / 13) {
        const auto state = moved(model, turned, -direction * back, random);
        // F = F_r − 2 f(Δx/2), until the loop meets the virgin curve of the other direction
        const double expected = back < 2 * peak ? virgin(peak) - 2 * virgin(back / 2) : -virgin(back - peak);
        ASSERT_NEAR(direction * model.force(state, 0), expected, 1e-14) << peak << " " << back;
      }
    }
  }
}

TEST(Gms, AClosedInnerLoopIsForgottenAndTheOuterLoopRemembered) {
  const Gms model = flat();
  test::Random random(53);
  for (int trial = 0; trial < 200; ++trial) {
    const double peak = random.between(5e-4, 4e-3);
    const double back = random.between(0.1, 1.5) * peak;
    const double inner = random.between(0.05, 0.9) * back;
    const double innermost = random.between(0.05, 0.9) * inner;
    const auto outer = moved(model, moved(model, {}, peak, random), -back, random);
    auto looped = moved(model, moved(model, outer, inner, random), -innermost, random);
    looped = moved(model, moved(model, looped, innermost, random), -inner, random);
    for (std::size_t i = 0; i < 4; ++i) {
      ASSERT_NEAR(looped.force[i], outer.force[i], 1e-14);
    }
    const double on = random.between(0, 1) * peak;
    ASSERT_NEAR(model.force(moved(model, looped, -on, random), 0), model.force(moved(model, outer, -on, random), 0),
                1e-14);
  }
}

TEST(Gms, AnyPathIsThatOfFourCutOffSprings) {
  const Gms model = flat();
  test::Random random(54);
  Gms::State state;
  std::array<double, 4> force{};
  for (int i = 0; i < 2000; ++i) {
    const double displacement = random.sign() * random.log_between(1e-6, 1e-2);
    state = moved(model, state, displacement, random);
    for (std::size_t e = 0; e < 4; ++e) {
      const double limit = model.params().share[e] * 0.28;
      force[e] = std::clamp(force[e] + model.params().stiffness[e] * displacement, -limit, limit);
      ASSERT_NEAR(state.force[e], force[e], 1e-13);
      state.force[e] = force[e];  // so that rounding does not add up
    }
  }
}

TEST(Gms, SlippingElementsFollowTheStribeckCurveWithTheRateC) {
  for (const double direction : {1.0, -1.0}) {
    const Gms::State slow = servo.advance({}, direction * 2e-3, 100);
    const double before = servo.curve(2e-3);
    const double after = servo.curve(0.05);
    for (std::size_t i = 0; i < 4; ++i) {
      ASSERT_NEAR(slow.force[i], direction * servo.params().share[i] * before, 1e-15);
    }
    for (const double t : {1e-3, 0.1, 0.3, 2.0}) {
      const Gms::State fast = servo.advance(slow, direction * 0.05, t);
      for (std::size_t i = 0; i < 4; ++i) {
        // dF/dt = C (α − F/s):  F = α s + (F₀ − α s) exp(−C t/s)
        const double expected = servo.params().share[i] * (after + (before - after) * std::exp(-1.0 * t / after));
        ASSERT_NEAR(fast.force[i], direction * expected, 1e-15) << t;
      }
    }
  }
}

TEST(Gms, SettlesOnTheStribeckCurve) {
  for (const double v : {-0.3, -0.01, 1e-4, 2e-3, 0.02, 5.0}) {
    const double s = 0.28 + 0.05 * std::exp(-square(v / 0.01));
    const auto settled = servo.advance(servo.advance({}, v, 1 / std::abs(v)), v, 100);
    EXPECT_NEAR(servo.force(settled, v), std::copysign(s, v) + 0.0176 * v, 1e-14) << v;
    EXPECT_NEAR(servo.steady_force(v), std::copysign(s, v) + 0.0176 * v, 1e-15);
  }
}

TEST(Gms, AllElementsStickAgainWhenTheMotionTurnsOrStops) {
  const Gms::State sliding = servo.advance({}, 0.05, 10);
  ASSERT_EQ(sliding.slipping, 15U);
  ASSERT_EQ(sliding.direction, 1);
  EXPECT_EQ(servo.advance(sliding, 0.02, 1e-6).slipping, 15U) << "slower in the same direction: slips on";
  for (const double v : {-1e-3, -0.5}) {
    const Gms::State turned = servo.advance(sliding, v, 1e-9);
    EXPECT_EQ(turned.slipping, 0U);
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_NEAR(turned.force[i], sliding.force[i] + servo.params().stiffness[i] * v * 1e-9, 1e-17) << "as a spring";
    }
  }
  const Gms::State stopped = servo.advance(sliding, 0, 1);
  EXPECT_EQ(stopped.slipping, 0U);
  EXPECT_EQ(stopped.force, sliding.force);
  // s(v) is higher at a slow start: all springs stretch on before they slip
  const Gms::State slow = servo.advance(stopped, 1e-4, 0.1);
  EXPECT_EQ(slow.slipping, 0U);
  EXPECT_NEAR(servo.force(slow, 1e-4), servo.force(stopped, 1e-4) + 260 * 1e-5, 1e-15);
}

TEST(Gms, AnElementAboveItsNewLimitSlipsAtOnce) {
  const Gms::State slow = servo.advance({}, 1e-4, 100);
  const Gms::State stuck{slow.force, 0, 0};
  const Gms::State fast = servo.advance(stuck, 0.1, 0.05);  // s falls from 0.33 to 0.28
  const double s = servo.curve(0.1);
  EXPECT_EQ(fast.slipping, 15U);
  for (std::size_t i = 0; i < 4; ++i) {
    const double limit = servo.params().share[i] * s;
    EXPECT_NEAR(fast.force[i], limit + (slow.force[i] - limit) * std::exp(-0.05 / s), 1e-15);
  }
}

TEST(Gms, AdvanceSolvesItsRateEquationInEveryMode) {
  test::Random random(55);
  for (int i = 0; i < 200; ++i) {
    const double v = random.sign() * random.log_between(1e-4, 0.1);
    const double before = random.unit() < 0.5 ? v : -v;
    const auto start =
        servo.advance({}, before * random.between(0.2, 2), random.log_between(1e-4, 1) * 1e-2 / std::abs(v));
    // The states in which the motion goes on: no event within the time
    const auto at_once = servo.advance(start, v, 0);
    const double time = random.log_between(1e-3, 1);
    const auto end = servo.advance(at_once, v, time);
    if (end.slipping != at_once.slipping) {
      continue;
    }
    const auto expected = test::runge_kutta(servo, at_once, v, time, 2000);
    for (std::size_t e = 0; e < 4; ++e) {
      ASSERT_NEAR(end.force[e], expected.force[e], 1e-12);
    }
  }
}

TEST(Gms, OneStepIsMany) {
  test::Random random(56);
  for (int i = 0; i < 2000; ++i) {
    const Gms model = Gms::make(test::drawn_params<Gms>(random));
    const double v = random.sign() * random.log_between(1e-6, 1);
    const auto start = model.advance({}, v * random.between(-2, 2), random.log_between(1e-6, 1));
    const double time = random.log_between(1e-6, 10);
    const auto whole = model.advance(start, v, time);
    auto parts = start;
    for (int part = 0; part < 37; ++part) {
      parts = model.advance(parts, v, time / 37);
    }
    ASSERT_NEAR(model.force(whole, v), model.force(parts, v),
                1e-12 * (model.params().static_force + model.params().viscous * std::abs(v)));
  }
}

// Under v = V sin ωt the elements slip when kᵢ x(t) = αᵢ s(v(t)); all stick again when v = 0.

constexpr double frequency = 3;
constexpr double fastest = 0.012;

double slip_time(std::size_t element) {
  const auto room = [&](double t) {
    const double x = fastest / frequency * (1 - std::cos(frequency * t));
    return servo.params().share[element] * (0.28 + 0.05 * std::exp(-square(fastest * std::sin(frequency * t) / 0.01))) -
           servo.params().stiffness[element] * x;
  };
  double low = 0;
  double high = 0;
  while (room(high) > 0) {
    high += 1e-4;
  }
  low = high - 1e-4;
  for (int i = 0; i < 100; ++i) {
    const double middle = (low + high) / 2;
    (room(middle) > 0 ? low : high) = middle;
  }
  return low;
}

TEST(Gms, SlipsUnderAnImposedVelocityAreLocatedToAMicrosecond) {
  const sim::Signal velocity(sim::Sine{fastest, frequency});
  const auto slipping_at = [&](double time) {
    const auto run = sim::drive(servo, velocity, {.duration = time, .output_interval = time});
    return run.states.back().back();
  };
  double expected = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    const double time = slip_time(i);
    ASSERT_LT(time, std::numbers::pi / frequency);
    EXPECT_EQ(slipping_at(time - 1e-6), expected) << i;
    expected += std::pow(2.0, i);
    EXPECT_EQ(slipping_at(time + 1e-6), expected) << i;
  }
  EXPECT_EQ(slipping_at(std::numbers::pi / frequency - 1e-6), 15);
  EXPECT_EQ(slipping_at(std::numbers::pi / frequency + 1e-6), 0);
}

/// The model's equations, stepped by explicit Euler.
struct Stepper {
  std::array<double, 4> force{};
  std::array<bool, 4> slips{};
  double before = 0;

  void step(double v, double h) {
    const double s = 0.28 + 0.05 * std::exp(-square(v / 0.01));
    for (std::size_t i = 0; i < 4; ++i) {
      const double k = servo.params().stiffness[i];
      const double a = servo.params().share[i];
      if (v * before < 0) {
        slips[i] = false;
      }
      slips[i] = slips[i] || (std::abs(force[i]) >= a * s && force[i] * v > 0);
      force[i] += h * (slips[i] ? std::copysign(1.0, v) * (a - std::abs(force[i]) / s) : k * v);
    }
    before = v;
  }
};

TEST(Gms, LocatedEventsGiveWhatVerySmallStepsGive) {
  const sim::Signal velocity(std::vector<sim::Signal::Term>{sim::Sine{0.02, 4}, sim::Sine{0.015, 11}});
  const auto run = sim::drive(servo, velocity, {.duration = 3, .output_interval = 0.05});
  const auto fixed = sim::drive(
      servo, velocity, {.method = sim::Method::midpoint, .duration = 3, .output_interval = 0.05, .step = 1e-5});
  Stepper stepper;
  constexpr double h = 1e-6;
  int step = 0;
  for (std::size_t row = 0; row < run.time.size(); ++row) {
    for (; step * h < run.time[row] - h / 2; ++step) {
      stepper.step(velocity.at((step + 0.5) * h), h);
    }
    double sum = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      sum += stepper.force[i];
    }
    const double viscous = 0.0176 * velocity.at(run.time[row]);
    ASSERT_NEAR(run.friction[row], sum + viscous, 5e-6) << run.time[row];
    ASSERT_NEAR(fixed.friction[row], run.friction[row], 1e-6) << run.time[row];
  }
}

TEST(Gms, ABodyThatStopsIsHeld) {
  // Slides to a stop under a load below F_C; then nothing moves.
  for (const auto method : {sim::Method::sdirk2, sim::Method::backward_euler}) {
    const auto run = sim::simulate(servo, {.mass = test::table2_inertia, .velocity = 2}, {.force = 0.1},
                                   {.method = method, .duration = 5, .output_interval = 0.01});
    const std::size_t last = run.time.size() - 1;
    EXPECT_NEAR(run.position[last], run.position[last - 100], 1e-9) << sim::name_of(method);
    EXPECT_NEAR(run.friction[last], 0.1, 1e-6) << sim::name_of(method);
    EXPECT_GT(run.position[last], 0.01);
  }
}

TEST(Gms, DissipatedPowerIsWhatTheEnergyLeaves) {
  const auto state = servo.advance({}, 0.02, 0.05);
  for (const double v : {0.02, -0.01, 0.3}) {
    const auto now = servo.advance(state, v, 0);
    const double h = 1e-8;
    const auto later = servo.advance(now, v, h);
    const double stored = (servo.energy(later) - servo.energy(now)) / h;
    EXPECT_NEAR(servo.dissipated_power(now, v), servo.force(now, v) * v - stored, 1e-6 * std::abs(v));
  }
  EXPECT_NEAR(servo.energy({{0.1, 0.2}}), 0.01 / (2 * 104) + 0.04 / (2 * 78), 1e-18);
}

}  // namespace
}  // namespace stiction::scalar::gms_test
