#include "stiction/scalar/leuven.h"

#include <gtest/gtest.h>

#include <cmath>

#include "stiction/sim/line.h"
#include "support/models.h"
#include "support/random.h"
#include "support/runge_kutta.h"

namespace stiction::scalar::leuven_test {
namespace {

const Leuven servo = preset::table2_leuven();

Leuven with_exponent(double n) {
  auto params = servo.params();
  params.exponent = n;
  return Leuven::make(params);
}

double hysteresis(const Leuven::State& state) {
  double sum = 0;
  for (const double force : state.force) {
    sum += force;
  }
  return sum;
}

/// s(v) of Table 2.
double curve(double v) { return 0.28 + 0.05 * std::exp(-square(v / 0.01)); }

/// The equations for a constant velocity, over the distance: dz/dx = 1 − sgn(y)|y|ⁿ with y = F_h(z)/s along the motion.
/// z goes one way only, so each force is that of its spring, cut off. Runge-Kutta in long double.
Leuven::State solution(const Leuven& model, const Leuven::State& start, double v, double time, int steps) {
  const long double direction = v > 0 ? 1 : -1;
  const long double s = curve(v);
  const long double n = model.params().exponent;
  const auto force = [&](std::size_t i, long double z) {
    const long double limit = model.params().limit[i];
    return std::clamp(start.force[i] + model.params().stiffness[i] * direction * z, -limit, limit);
  };
  const auto slope = [&](long double z) {
    long double y = 0;
    for (std::size_t i = 0; i < model.params().stiffness.size; ++i) {
      y += direction * force(i, z) / s;
    }
    return 1 - std::copysign(std::pow(std::abs(y), n), y);
  };
  const long double h = std::abs(v) * time / steps;
  long double z = 0;
  for (int i = 0; i < steps; ++i) {
    const long double k1 = slope(z);
    const long double k2 = slope(z + h / 2 * k1);
    const long double k3 = slope(z + h / 2 * k2);
    const long double k4 = slope(z + h * k3);
    z += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  Leuven::State end;
  for (std::size_t i = 0; i < model.params().stiffness.size; ++i) {
    end.force[i] = static_cast<double>(force(i, z));
  }
  return end;
}

/// Advance against the equations, from rest, from sliding either way, from above s(v), over short and long distances.
void expect_advance_solves(const Leuven& model, double tolerance) {
  test::Random random(61);
  double worst = 0;
  for (int i = 0; i < 100; ++i) {
    const double v = random.sign() * random.log_between(1e-4, 0.1);
    const auto start =
        model.advance({}, v * random.between(-1, 0.3), random.log_between(1e-2, 30) * 1e-3 / std::abs(v));
    const double time = random.log_between(1e-2, 5) * 1e-3 / std::abs(v);
    const auto expected = solution(model, start, v, time, 1500);
    const auto end = model.advance(start, v, time);
    for (std::size_t e = 0; e < 4; ++e) {
      worst = std::max(worst, std::abs(end.force[e] - expected.force[e]));
      ASSERT_NEAR(end.force[e], expected.force[e], tolerance)
          << "element " << e << " after " << std::abs(v) * time << " m at " << v;
    }
  }
  std::cout << "largest difference " << worst << " N m\n";
}

TEST(Leuven, AdvanceIsExactForTheExponentOne) { expect_advance_solves(servo, 2e-9); }

TEST(Leuven, AdvanceFollowsTheEquationsForOtherExponents) {
  for (const double n : {2.0, 3.0, 1.5, 1.1, 6.0}) {
    expect_advance_solves(with_exponent(n), 1e-6 * 0.28);
  }
}

TEST(Leuven, RateIsTheSlopeOfAdvance) {
  test::Random random(62);
  for (const double n : {1.0, 2.0, 3.0}) {
    const Leuven model = with_exponent(n);
    for (int i = 0; i < 300; ++i) {
      const double v = random.sign() * random.log_between(1e-4, 0.1);
      const auto start = model.advance({}, v * random.between(-1, 1), random.log_between(1e-2, 3) * 1e-3 / std::abs(v));
      const double h = 1e-8 / std::abs(v);
      const auto end = model.advance(start, v, h);
      const auto rate = model.rate(start, v);
      for (std::size_t e = 0; e < 4; ++e) {
        const double gap = model.params().limit[e] - std::abs(start.force[e]);
        if (gap > 2e-6 || gap == 0) {  // not about to slip
          ASSERT_NEAR((end.force[e] - start.force[e]) / h, rate.force[e], 1e-4 * 104 * std::abs(v)) << e;
        }
      }
    }
  }
}

TEST(Leuven, RateOfTheDeflectionFollowsItsEquation) {
  // σ₁ ż is what force adds to F_h and F_v v
  test::Random random(63);
  for (const double n : {1.0, 2.0, 3.5}) {
    const Leuven model = with_exponent(n);
    for (int i = 0; i < 1000; ++i) {
      Leuven::State state;
      for (std::size_t e = 0; e < 4; ++e) {
        state.force[e] = random.between(-1, 1) * model.params().limit[e];
      }
      const double v = random.sign() * random.log_between(1e-5, 1);
      const double y = hysteresis(state) / curve(v);
      const double zdot = v * (1 - sgn(v) * sgn(y) * std::pow(std::abs(y), n));
      ASSERT_NEAR(model.force(state, v), hysteresis(state) + 0.6 * zdot + 0.0176 * v, 1e-14);
      const auto rate = model.rate(state, v);
      for (std::size_t e = 0; e < 4; ++e) {
        ASSERT_NEAR(rate.force[e], model.params().stiffness[e] * zdot, 1e-13 * (1 + std::abs(v)) * 104);
      }
    }
  }
}

TEST(Leuven, AnElementAtItsLimitStaysThereUntilTheDeflectionTurns) {
  Leuven::State state;
  state.force = {0.033, -0.066, 0.01, 0.02};
  EXPECT_EQ(servo.rate(state, 0.01).force[0], 0);
  EXPECT_GT(servo.rate(state, 0.01).force[1], 0);
  EXPECT_LT(servo.rate(state, -0.01).force[0], 0);
  EXPECT_EQ(servo.rate(state, -0.01).force[1], 0);
  EXPECT_EQ(servo.rate(state, 0).force[0], 0);
  EXPECT_EQ(servo.advance(state, 0.01, 1e-4).force[0], 0.033);
  EXPECT_LT(servo.advance(state, -0.01, 1e-4).force[0], 0.033);
}

TEST(Leuven, SettlesOnTheStribeckCurve) {
  for (const double n : {1.0, 2.0, 3.0}) {
    const Leuven model = with_exponent(n);
    for (const double v : {-0.3, -0.01, 1e-4, 2e-3, 0.02, 5.0}) {
      const double expected = std::copysign(curve(v), v) + 0.0176 * v;
      EXPECT_NEAR(model.force(model.advance({}, v, 1 / std::abs(v)), v), expected, 1e-12) << n << " " << v;
      EXPECT_NEAR(model.force(model.advance(model.advance({}, v, 0.1 / std::abs(v)), v, 0.5 / std::abs(v)), v),
                  expected, 1e-12);
      EXPECT_NEAR(model.steady_force(v), expected, 1e-15);
    }
  }
}

TEST(Leuven, AboveTheCurveTheBristleGoesBack) {
  // Slow sliding leaves F_h near 0.33; at 0.1 rad/s s is 0.28
  const auto slow = servo.advance({}, 1e-4, 1e4);
  ASSERT_NEAR(hysteresis(slow), curve(1e-4), 1e-12);
  double before = hysteresis(slow);
  auto state = slow;
  for (int i = 0; i < 50; ++i) {
    state = servo.advance(state, 0.1, 1e-3);
    ASSERT_LE(hysteresis(state), before);
    before = hysteresis(state);
  }
  EXPECT_NEAR(hysteresis(state), curve(0.1), 1e-3);
  EXPECT_LT(servo.advance(slow, 0.1, 1e-3).force[0], slow.force[0]) << "every element unloads";
}

TEST(Leuven, AnElementMaySlipBackwardsOnTheWayDownToTheCurve) {
  auto params = servo.params();
  params.limit = {0.033, 0.066, 0.099, 0.3};
  for (const double n : {1.0, 2.0, 3.0}) {
    params.exponent = n;
    const Leuven model = Leuven::make(params);
    Leuven::State start;
    start.force = {-0.0329, 0.066, 0.099, 0.2};  // F_h = 0.332, s(0.1) = 0.28
    for (const double time : {1e-5, 1e-4, 1e-3, 1e-2}) {
      const auto expected = solution(model, start, 0.1, time, 3000);
      const auto end = model.advance(start, 0.1, time);
      for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_NEAR(end.force[i], expected.force[i], 1e-7) << n << " " << time;
      }
    }
    EXPECT_EQ(model.advance(start, 0.1, 1e-3).force[0], -0.033);
  }
}

// With a high exponent the bristle follows the body in presliding: then the elements are cut-off springs.

TEST(Leuven, PreslidingFollowsTheVirginCurveAndMasingsRule) {
  const Leuven model = with_exponent(12);
  const auto virgin = [&](double x) {
    double sum = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      sum += std::min(model.params().stiffness[i] * x, model.params().limit[i]);
    }
    return sum;
  };
  const double peak = 6e-4;  // F_h = 0.125, (0.125/0.33)¹² = 8e-6
  Leuven::State state;
  for (int i = 1; i <= 60; ++i) {
    state = model.advance(state, 1e-3, 0.01);
    ASSERT_NEAR(hysteresis(state), virgin(i * 1e-5), 1e-6);
  }
  EXPECT_EQ(state.force[0], 0.033) << "the first element slips";
  for (int i = 1; i <= 120; ++i) {
    state = model.advance(state, -1e-3, 0.01);
    ASSERT_NEAR(hysteresis(state), virgin(peak) - 2 * virgin(i * 1e-5 / 2), 2e-6);
  }
}

TEST(Leuven, AClosedInnerLoopIsForgottenAndTheOuterLoopRemembered) {
  const Leuven model = with_exponent(12);
  const auto along = [&](Leuven::State state, std::initializer_list<double> way) {
    for (const double x : way) {
      state = model.advance(state, std::copysign(1e-3, x), std::abs(x) / 1e-3);
    }
    return state;
  };
  const auto outer = along({}, {6e-4, -4e-4});
  const auto looped = along(outer, {3e-4, -1e-4, 1e-4, -3e-4});
  const auto unlike = along(outer, {3e-4, -1e-4});
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(looped.force[i], outer.force[i], 1e-6);
  }
  EXPECT_GT(std::abs(hysteresis(unlike) - hysteresis(outer)), 1e-2);
  EXPECT_NEAR(hysteresis(along(looped, {-3e-4})), hysteresis(along(outer, {-3e-4})), 1e-6);
}

TEST(Leuven, OneStepIsMany) {
  test::Random random(64);
  for (int i = 0; i < 2000; ++i) {
    auto params = test::drawn_params<Leuven>(random);
    params.exponent = i % 2 == 0 ? 1 : random.log_between(1, 8);
    const Leuven model = Leuven::make(params);
    const double v = random.sign() * random.log_between(1e-6, 1);
    const auto start = model.advance({}, v * random.between(-2, 2), random.log_between(1e-6, 1));
    const double time = random.log_between(1e-6, 10);
    auto parts = start;
    for (int part = 0; part < 37; ++part) {
      parts = model.advance(parts, v, time / 37);
    }
    const auto whole = model.advance(start, v, time);
    ASSERT_NEAR(hysteresis(whole), hysteresis(parts), (i % 2 == 0 ? 1e-11 : 2e-6) * params.static_force)
        << params.exponent;
  }
}

TEST(Leuven, TheAccurateSolverAndExactStepsAgree) {
  const sim::Signal velocity(std::vector<sim::Signal::Term>{sim::Sine{0.02, 4}, sim::Sine{0.015, 11}});
  for (const double n : {1.0, 2.0}) {
    const Leuven model = with_exponent(n);
    const auto cvode =
        sim::drive(model, velocity, {.duration = 3, .output_interval = 0.05, .relative_tolerance = 1e-10});
    const auto steps = sim::drive(
        model, velocity, {.method = sim::Method::midpoint, .duration = 3, .output_interval = 0.05, .step = 1e-5});
    for (std::size_t i = 0; i < cvode.time.size(); ++i) {
      ASSERT_NEAR(cvode.friction[i], steps.friction[i], 1e-6) << n << " " << cvode.time[i];
    }
  }
}

TEST(Leuven, CoupledStepSolvesItsEquations) {
  test::Random random(65);
  for (const double n : {1.0, 2.0}) {
    const Leuven model = with_exponent(n);
    for (int i = 0; i < 2000; ++i) {
      const auto state = model.advance({}, random.sign() * random.log_between(1e-4, 0.1), random.log_between(1e-4, 1));
      const double v = random.between(-0.05, 0.05);
      const double dt = random.log_between(1e-5, 1e-3);
      const double mobility = 1 / test::table2_inertia;
      const double free = v + mobility * dt * random.between(-0.6, 0.6);
      const auto next = model.solve(state, {.free_velocity = free, .mobility = mobility, .velocity = v, .dt = dt});
      const double w = next.velocity;
      const double y = hysteresis(next.state) / curve(w);
      const double z = dt * w * (1 - sgn(w) * sgn(y) * std::pow(std::abs(y), n));
      for (std::size_t e = 0; e < 4; ++e) {
        const double limit = model.params().limit[e];
        ASSERT_NEAR(next.state.force[e], std::clamp(state.force[e] + model.params().stiffness[e] * z, -limit, limit),
                    1e-13);
      }
      ASSERT_NEAR(next.force, hysteresis(next.state) + 0.6 * z / dt + 0.0176 * w, 1e-11);
      ASSERT_NEAR(w, free - mobility * dt * next.force, 1e-12);
    }
  }
}

}  // namespace
}  // namespace stiction::scalar::leuven_test
