#include "stiction/scalar/elasto_plastic.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "stiction/sim/line.h"
#include "support/models.h"
#include "support/random.h"
#include "support/runge_kutta.h"

namespace stiction::scalar::elasto_plastic_test {
namespace {

const ElastoPlastic servo = preset::table2_elasto_plastic();
const double elastic = 0.7 * 0.28 / 260;  // z_ba

constexpr double accuracy = 5e-7;  // of `advance` in the plastic range, as a share of that range

/// g(v), in long double and from the numbers of Table 2.
long double curve(long double v) { return 0.28L + 0.05L * std::exp(-(v / 0.01L) * (v / 0.01L)); }

/// α(z, v) as Dupont et al. write it.
long double alpha(long double z, long double v) {
  const long double settled = curve(v) / 260;
  const long double ba = elastic;
  if (z * v <= 0 || std::abs(z) <= ba) {
    return 0;
  }
  if (std::abs(z) >= settled) {
    return 1;
  }
  return 0.5L * std::sin(std::numbers::pi_v<long double> * (std::abs(z) - (settled + ba) / 2) / (settled - ba)) + 0.5L;
}

TEST(ElastoPlastic, RateAndForceFollowAlphaInItsThreeRanges) {
  test::Random random(31);
  int seen[3] = {0, 0, 0};
  for (int i = 0; i < 20'000; ++i) {
    const double z = random.between(-1.3, 1.3) * 0.33 / 260;
    const double v = random.sign() * random.log_between(1e-5, 1);
    const long double a = alpha(z, v);
    ++seen[a == 0 ? 0 : (a == 1 ? 2 : 1)];
    const long double rate = v * (1 - a * std::abs(z) / (curve(v) / 260));
    ASSERT_NEAR(servo.rate({z}, v).bristle, static_cast<double>(rate), 4e-15 * std::abs(v));
    const long double force = 260.0L * z + 0.6L * rate + 0.0176L * v;
    ASSERT_NEAR(servo.force({z}, v), static_cast<double>(force), 4e-15 * (1 + std::abs(v)));
  }
  for (const int count : seen) {
    EXPECT_GT(count, 1000);
  }
}

TEST(ElastoPlastic, IsASpringWithinTheElasticRange) {
  // Bit for bit: z + v dt, in one step or in many, and back
  EXPECT_EQ(servo.advance({0}, 0x1p-10, 0.5).bristle, 0x1p-11);
  EXPECT_EQ(servo.advance({0x1p-11}, -0x1p-10, 0.75).bristle, -0x1p-12);
  ElastoPlastic::State state;
  for (int i = 0; i < 700; ++i) {
    state = servo.advance(state, 0x1p-10, 0x1p-10);
    ASSERT_EQ(state.bristle, (i + 1) * 0x1p-20);
  }
  EXPECT_DOUBLE_EQ(servo.force(state, 0x1p-10), 260 * 700 * 0x1p-20 + (0.6 + 0.0176) * 0x1p-10);
}

TEST(ElastoPlastic, AReversalIsElasticAllTheWayToTheOtherSide) {
  const double v = 0.05;
  const double settled = servo.steady_state(v).bristle;
  ASSERT_GT(settled, 1.4 * elastic);
  const double way = settled + elastic;  // from +z_ss back to −z_ba
  EXPECT_NEAR(servo.advance({settled}, -v, 0.5 * way / v).bristle, settled - 0.5 * way, 1e-18);
  EXPECT_NEAR(servo.advance({settled}, -v, way / v).bristle, -elastic, 1e-18);
  EXPECT_GT(servo.advance({settled}, -v, 1.1 * way / v).bristle, -elastic - 0.1 * way + 1e-6) << "then plastic";
}

TEST(ElastoPlastic, SettlesOnTheStribeckCurve) {
  for (const double v : {-0.3, -0.01, 1e-4, 2e-3, 0.02, 5.0}) {
    const double settled = static_cast<double>(std::copysign(curve(v) / 260, static_cast<long double>(v)));
    EXPECT_NEAR(servo.advance({0}, v, 1 / std::abs(v)).bristle, settled, 4e-16 * std::abs(settled)) << v;
    EXPECT_NEAR(servo.steady_state(v).bristle, settled, 4e-16 * std::abs(settled));
    EXPECT_NEAR(servo.rate({settled}, v).bristle, 0, 1e-14 * std::abs(v));
    EXPECT_NEAR(servo.force({settled}, v), servo.steady_force(v), 1e-13);
    EXPECT_NEAR(servo.steady_force(v), 260 * settled + 0.0176 * v, 1e-15);
  }
}

TEST(ElastoPlastic, AboveTheCurveItFallsExponentially) {
  // α = 1: ż = |v| (1 − z/z_ss)
  const double v = 0.05;
  const double settled = servo.steady_state(v).bristle;
  const double start = 0.33 / 260;
  for (const double way : {1e-5, 3e-4, 1e-3, 1e-2}) {
    const double expected = settled + (start - settled) * std::exp(-way / settled);
    EXPECT_NEAR(servo.advance({start}, v, way / v).bristle, expected, 1e-18) << way;
    EXPECT_NEAR(servo.advance({-start}, -v, way / v).bristle, -expected, 1e-18) << way;
  }
}

TEST(ElastoPlastic, AdvanceSolvesItsRateEquation) {
  test::Random random(32);
  for (int i = 0; i < 300; ++i) {
    const double v = random.sign() * random.log_between(1e-4, 1);
    const double settled = servo.steady_state(std::abs(v)).bristle;
    const double z = random.between(-1, 1) * 0.33 / 260;
    const double way = random.log_between(1e-2, 20) * (settled - elastic);
    const double expected = test::runge_kutta(servo, {z}, v, way / std::abs(v), 20'000).bristle;
    ASSERT_NEAR(servo.advance({z}, v, way / std::abs(v)).bristle, expected, accuracy * (settled - elastic))
        << "from " << z / settled << " at " << v << " over " << way / settled;
  }
}

TEST(ElastoPlastic, OneStepIsAsGoodAsMany) {
  test::Random random(33);
  for (int i = 0; i < 2000; ++i) {
    const ElastoPlastic model = ElastoPlastic::make(test::drawn_params<ElastoPlastic>(random));
    const double v = random.sign() * random.log_between(1e-6, 10);
    const double width = model.steady_state(std::abs(v)).bristle - model.elastic_deflection;
    const double z = random.between(-1, 1) * model.largest_deflection();
    const double time = random.log_between(1e-3, 1e3) * width / std::abs(v);
    const ElastoPlastic::State whole = model.advance({z}, v, time);
    ElastoPlastic::State parts{z};
    for (int part = 0; part < 37; ++part) {
      parts = model.advance(parts, v, time / 37);
    }
    ASSERT_NEAR(whole.bristle, parts.bristle, 2 * accuracy * width + 1e-14 * model.largest_deflection());
  }
}

/// How far the body has slipped: what the bristle does not give back.
double slip(const sim::Trajectory& run) { return run.position.back() - run.states[0].back(); }

TEST(ElastoPlastic, VibrationInsideTheElasticRangeCausesNoDriftWhereLuGreDrifts) {
  // 0.11 ± 0.03 N m about half of the 0.196 N m that the elastic range takes
  const sim::Load load{.force = sim::Sine{0.03, 20, 0, 0.11}};
  const sim::Body shaft{.mass = test::table2_inertia, .position = 0.11 / 260};
  for (const auto method : {sim::Method::cvode, sim::Method::sdirk2, sim::Method::backward_euler}) {
    const sim::Options options{.method = method, .duration = 100, .output_interval = 1};
    const auto still = sim::simulate(servo, shaft, load, options, servo.at_rest(0.11));
    const auto drifting = sim::simulate(test::table2_lugre(), shaft, load, options, {0.11 / 260});
    EXPECT_LT(std::abs(slip(still)), 1e-15) << sim::name_of(method);
    EXPECT_GT(slip(drifting), 1e-3) << sim::name_of(method);
  }
}

TEST(ElastoPlastic, VibrationBeyondTheElasticRangeDoesDrift) {
  const sim::Load load{.force = sim::Sine{0.1, 20, 0, 0.15}};
  const auto run = sim::simulate(servo, {.mass = test::table2_inertia}, load, {.duration = 20, .output_interval = 1});
  EXPECT_GT(slip(run), 1e-3);
}

TEST(ElastoPlastic, CoupledStepSolvesBothEquations) {
  test::Random random(34);
  for (int i = 0; i < 5000; ++i) {
    const double z = random.between(-1.1, 1.1) * 0.33 / 260;
    const double v = random.between(-0.1, 0.1);
    const double dt = random.log_between(1e-5, 1e-2);
    const double mobility = 1 / test::table2_inertia;
    const double free = v + mobility * dt * random.between(-0.8, 0.8);
    const auto next = servo.solve({z}, {.free_velocity = free, .mobility = mobility, .velocity = v, .dt = dt});
    const long double w = next.velocity;
    const long double z_next = next.state.bristle;
    const long double rate = w * (1 - alpha(z_next, w) * std::abs(z_next) / (curve(w) / 260));
    ASSERT_NEAR(static_cast<double>(z_next), static_cast<double>(z + dt * rate),
                1e-17 + 1e-15 * dt * std::abs(next.velocity));
    ASSERT_NEAR(next.force, static_cast<double>(260 * z_next + 0.6L * rate + 0.0176L * w),
                1e-14 + 1e-14 * std::abs(next.velocity));
    ASSERT_NEAR(next.velocity, free - mobility * dt * next.force, 1e-13 * (1 + mobility * dt));
  }
}

// Curves that a user brings.

template <class Curve, class Damping, class Viscous>
auto plastic(double stiffness, double elastic_deflection, Curve g, Damping damping, Viscous viscous) {
  return PlasticBristle<double, Curve, Damping, Viscous>{stiffness, elastic_deflection, g, damping, viscous};
}

TEST(PlasticBristle, TakesLambdasForItsCurves) {
  const auto model = plastic(
      1e4, 5e-5, [](double v) { return 1 + 1 / (1 + std::abs(v)); },
      [](double v) { return 10 * std::exp(-std::abs(v)); }, [](double v) { return 3 * v * std::abs(v); });
  const double v = 0.5;
  const double settled = (1 + 1 / 1.5) / 1e4;
  EXPECT_NEAR(model.advance({0}, v, 100).bristle, settled, 1e-18);
  EXPECT_NEAR(model.force({settled}, v), 1 + 1 / 1.5 + 0.75, 1e-12);
  EXPECT_NEAR(model.force({4e-5}, v), 0.4 + 10 * std::exp(-0.5) * 0.5 + 0.75, 1e-12) << "elastic: ż = v";
  const double middle = (settled + 5e-5) / 2;  // α = ½
  EXPECT_NEAR(model.rate({middle}, v).bristle, v * (1 - 0.5 * middle / settled), 1e-15);
  EXPECT_NEAR(model.force({middle}, v), 1e4 * middle + 10 * std::exp(-0.5) * v * (1 - 0.5 * middle / settled) + 0.75,
              1e-12);
  EXPECT_NEAR(model.advance({0}, v, 4e-4).bristle, test::runge_kutta(model, {0}, v, 4e-4, 10'000).bristle,
              accuracy * (settled - 5e-5));
}

TEST(PlasticBristle, WithTheNamedCurvesAsLambdasIsElastoPlasticBitForBit) {
  const auto model = plastic(
      servo.stiffness, servo.elastic_deflection, [](double v) { return servo.curve(v); },
      [](double v) { return servo.damping(v); }, [](double v) { return servo.viscous(v); });
  test::Random random(36);
  for (int i = 0; i < 2000; ++i) {
    const double z = random.between(-1, 1) * servo.largest_deflection();
    const double v = random.sign() * random.log_between(1e-5, 1);
    ASSERT_EQ(model.force({z}, v), servo.force({z}, v));
    ASSERT_EQ(model.advance({z}, v, 1e-2).bristle, servo.advance({z}, v, 1e-2).bristle);
    // Without a velocity scale of its own the lambda walks in other strides: the same root to rounding.
    const auto mine = model.solve({z}, {.free_velocity = v, .mobility = 400, .velocity = v, .dt = 1e-4});
    const auto named = servo.solve({z}, {.free_velocity = v, .mobility = 400, .velocity = v, .dt = 1e-4});
    ASSERT_NEAR(mine.velocity, named.velocity, 1e-14);
    ASSERT_NEAR(mine.force, named.force, 1e-12);
  }
}

}  // namespace
}  // namespace stiction::scalar::elasto_plastic_test
