#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/random.h"

namespace stiction::scalar::bliman_sorine_test {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

// Made to have the sliding friction 0.28 N m, the peak 0.33 N m and the stiffness 260 N m/rad of Olsson's Table 2.
const BlimanSorine2::Params like_table2{
    .force_1 = 0.3247175838483214, .force_2 = 0.04471758384832137, .ratio = 0.1, .distance = 0.012317147133211125};

TEST(BlimanSorine1, IsDahlWithExponentOne) {
  test::Random random(34);
  for (int i = 0; i < 5'000; ++i) {
    auto p = test::drawn_params<BlimanSorine1>(random);
    p.viscous = 0;
    const auto model = BlimanSorine1::make(p);
    const auto dahl = Dahl::make({.stiffness = p.force / p.distance, .coulomb_force = p.force});
    const double x = p.force * random.between(-1, 1);
    const double v = random.sign() * random.log_between(1e-6, 1);
    const double dt = random.log_between(1e-6, 1e-1);
    ASSERT_NEAR(model.advance({x}, v, dt).x1, dahl.advance({x}, v, dt).force, 8 * epsilon * p.force);
    ASSERT_NEAR(model.rate({x}, v).x1, dahl.rate({x}, v).force, 8 * epsilon * p.force / p.distance * std::abs(v));
    ASSERT_NEAR(model.dissipated_power({x}, v), dahl.dissipated_power({x}, v), 8 * epsilon * p.force * std::abs(v));
    ASSERT_NEAR(model.energy({x}), dahl.energy({x}), 8 * epsilon * p.force * p.distance);
    const double free = v * random.between(-2, 2);
    const auto solved = model.solve({x}, {.free_velocity = free, .mobility = 1, .velocity = v, .dt = dt});
    const auto same = dahl.solve({x}, {.free_velocity = free, .mobility = 1, .velocity = v, .dt = dt});
    const double slope = 1 + dt * dt * p.force / p.distance;  // of v⁺ + dt F(v⁺)
    ASSERT_NEAR(solved.force, same.force, 16 * epsilon * (p.force + slope / dt * (std::abs(free) + std::abs(v)))) << i;
  }
}

TEST(BlimanSorine1, BuildsUpOverItsDistance) {
  const auto model = BlimanSorine1::make({.force = 2, .distance = 1e-3, .viscous = 0.5});
  EXPECT_NEAR(model.advance({}, 1e-3, 1).x1, 2 * (1 - std::exp(-1.0)), 4e-16);
  EXPECT_EQ(model.advance({}, 1, 1).x1, 2);
  EXPECT_DOUBLE_EQ(model.force({2}, 3), 3.5);
  EXPECT_DOUBLE_EQ(model.linearised(5).natural_frequency, std::sqrt(2e3 / 5));
  EXPECT_DOUBLE_EQ(model.linearised(5).damping_ratio, 0.5 / (2 * std::sqrt(5 * 2e3)));
}

/// The largest force on the way from a state in steps of a ten-thousandth, with its distance.
std::pair<double, double> peak_from(const BlimanSorine2& model, const BlimanSorine2::State& start) {
  const double step = model.peak_distance() / 1e4;
  double best = 0;
  double height = -infinity;
  for (int i = 1; i < 30'000; ++i) {
    const double force = model.force(model.advance(start, i * step, 1), 0);
    if (force > height) {
      height = force;
      best = i * step;
    }
  }
  return {best, height};
}

TEST(BlimanSorine2, PeakHasTheDistanceAndTheHeightOfTheClosedForm) {
  test::Random random(35);
  for (int i = 0; i < 20; ++i) {
    auto p = i == 0 ? like_table2 : test::drawn_params<BlimanSorine2>(random);
    p.viscous = 0;
    const auto model = BlimanSorine2::make(p);
    // s_p = η ε/(1 − η) ln(f₁/(η f₂)),   F* = f₁ − f₂ + 2 (f₂ e^(−s_p/ε) − f₁ e^(−s_p/(η ε)))
    const double s = p.ratio * p.distance / (1 - p.ratio) * std::log(p.force_1 / (p.ratio * p.force_2));
    EXPECT_NEAR(model.peak_distance(), s, 1e-14 * s);
    const double excess =
        2 * (p.force_2 * std::exp(-s / p.distance) - p.force_1 * std::exp(-s / (p.ratio * p.distance)));
    const auto [distance, height] = peak_from(model, model.steady_state(-1));
    EXPECT_NEAR(distance, s, 2e-4 * s);
    EXPECT_NEAR(height, p.force_1 - p.force_2 + excess, 1e-8 * p.force_1);
    const auto [zero_distance, zero_height] = peak_from(model, {});
    EXPECT_NEAR(zero_distance, s, 2e-4 * s);
    EXPECT_NEAR(zero_height - (p.force_1 - p.force_2), excess / 2, 1e-8 * p.force_1) << "half of it from rest";
    if (i == 0) {
      EXPECT_NEAR(height, 0.33, 1e-9);
      EXPECT_NEAR(zero_height, 0.305, 1e-9);
    }
  }
}

TEST(BlimanSorine2, IsItsClosedFormInExtendedPrecision) {
  test::Random random(36);
  for (int i = 0; i < 10'000; ++i) {
    const auto p = test::drawn_params<BlimanSorine2>(random);
    const BlimanSorine2::State state{p.force_1 * random.between(-1, 1), p.force_2 * random.between(-1, 1)};
    const double x = random.sign() * random.log_between(1e-4, 1e2) * p.distance;
    const long double direction = sgn(x);
    const auto relaxed = [&](long double from, long double to, long double distance) {
      return to + (from - to) * std::exp(-std::abs(x) / distance);
    };
    const auto next = BlimanSorine2::make(p).advance(state, x, 1);
    const long double fast = static_cast<long double>(p.ratio) * p.distance;
    ASSERT_NEAR(next.x1, static_cast<double>(relaxed(state.x1, direction * p.force_1, fast)), 8 * epsilon * p.force_1);
    ASSERT_NEAR(next.x2, static_cast<double>(relaxed(state.x2, -direction * p.force_2, p.distance)),
                8 * epsilon * p.force_2);
  }
}

TEST(BlimanSorine2, SettlesOnTheDifferenceOfItsForces) {
  auto p = like_table2;
  p.viscous = 0.0176;
  const auto model = BlimanSorine2::make(p);
  for (const double v : {0.01, -0.01, 2.0}) {
    const auto settled = model.advance({}, v, 1e3);
    EXPECT_EQ(settled, model.steady_state(v));
    EXPECT_NEAR(model.force(settled, v), 0.28 * sgn(v) + 0.0176 * v, 1e-15);
  }
}

TEST(BlimanSorine2, SmallMotionsAreThoseOfEquation28) {
  auto p = like_table2;
  p.viscous = 0.0176;
  const auto model = BlimanSorine2::make(p);
  const double stiffness = (p.force_1 - p.ratio * p.force_2) / (p.ratio * p.distance);
  EXPECT_NEAR(stiffness, 260, 1e-9);
  const double x = 1e-12;
  EXPECT_NEAR(model.force(model.advance({}, x, 1), 0) / x, stiffness, 1e-6 * stiffness);
  const auto linear = model.linearised(0.0023);
  EXPECT_DOUBLE_EQ(linear.natural_frequency, std::sqrt(stiffness / 0.0023));
  EXPECT_DOUBLE_EQ(linear.damping_ratio,
                   0.0176 / 2 * std::sqrt(p.distance * p.ratio / (0.0023 * (p.force_1 - p.ratio * p.force_2))));
}

TEST(BlimanSorine2, TendsToCoulombFrictionWithStictionForAShortDistance) {
  // ε → 0: behind a vanishing peak the force is f₁ − f₂ at once.
  auto p = like_table2;
  for (const double distance : {1e-3, 1e-6, 1e-9}) {
    p.distance = distance;
    const auto model = BlimanSorine2::make(p);
    const auto [where, height] = peak_from(model, model.steady_state(-1));
    EXPECT_NEAR(height, 0.33, 1e-9);
    EXPECT_LT(where, distance);
    EXPECT_NEAR(model.force(model.advance(model.steady_state(-1), 40 * distance, 1), 0), 0.28, 1e-15);
  }
}

}  // namespace
}  // namespace stiction::scalar::bliman_sorine_test
