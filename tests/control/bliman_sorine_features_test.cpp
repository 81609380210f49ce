// Four features of a friction loop and the four parameters behind them: one-to-one, or refused.
#include "stiction/control/bliman_sorine_features.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "stiction/scalar/lugre.h"
#include "stiction/scalar/presets.h"
#include "support/random.h"

namespace stiction::control {
namespace {

using scalar::BlimanSorine2;

BlimanSorine2::Params drawn(test::Random& random) {
  const double f2 = random.log_between(0.02, 3);
  return {.force_1 = f2 + random.log_between(0.1, 2),
          .force_2 = f2,
          .ratio = random.log_between(0.02, 0.9),
          .distance = random.log_between(1e-5, 1),
          .viscous = 0};
}

TEST(BlimanSorineFeatures, AreThoseOfTheModelAfterAReversal) {
  // Recomputed in long double by a scan of F(s) = f₁ (1 − 2 e^(−s/(η ε))) − f₂ (1 − 2 e^(−s/ε)).
  test::Random random(1);
  for (int n = 0; n < 50; ++n) {
    const auto p = drawn(random);
    const auto features = features_of(p, 0.1);
    const auto friction = [&](long double s) {
      return p.force_1 * (1 - 2 * std::exp(-s / (static_cast<long double>(p.ratio) * p.distance))) -
             p.force_2 * (1 - 2 * std::exp(-s / p.distance));
    };
    const long double peak = features.peak_distance;
    EXPECT_NEAR(static_cast<double>(friction(peak)), features.peak_force, 1e-12 * features.peak_force);
    EXPECT_GE(friction(peak), friction(peak * 1.001L));
    EXPECT_GE(friction(peak), friction(peak * 0.999L));
    EXPECT_NEAR(features.kinetic_force, p.force_1 - p.force_2, 1e-15);
    const double left = static_cast<double>(friction(features.settling_distance)) - features.kinetic_force;
    EXPECT_NEAR(left, 0.1 * (features.peak_force - features.kinetic_force), 1e-9 * features.peak_force);
    EXPECT_GT(features.settling_distance, features.peak_distance);
  }
}

TEST(BlimanSorineFeatures, GiveTheParametersBack) {
  test::Random random(2);
  for (int n = 0; n < 2000; ++n) {
    const auto p = drawn(random);
    const auto features = features_of(p, random.between(0.02, 0.5));
    if (features.peak_force < features.kinetic_force * 1.0001) {
      continue;  // an overshoot that is not there
    }
    const auto fit = identify_bliman_sorine(features);
    ASSERT_EQ(fit.verdict, LoopVerdict::identified) << n;
    // Close to η = 1 the ratio hardly depends on η: D − D_least ~ (1 − η)².
    const double tolerance = 1e-9 / square(1 - p.ratio);
    EXPECT_NEAR(fit.params.ratio / p.ratio, 1, tolerance);
    EXPECT_NEAR(fit.params.distance / p.distance, 1, tolerance);
    EXPECT_NEAR(fit.params.force_2 / p.force_2, 1, tolerance);
    EXPECT_NEAR(fit.params.force_1 / p.force_1, 1, tolerance);
    EXPECT_GT(fit.settling_ratio, fit.min_settling_ratio);
  }
}

TEST(BlimanSorineFeatures, AreOneToOneBecauseTheSettlingRatioFallsWithEta) {
  for (const double overshoot : {1e-4, 1e-2, 0.1786, 1.0, 10.0}) {
    for (const double share : {0.01, 0.05, 0.3}) {
      double before = infinity;
      for (int i = 0; i <= 400; ++i) {
        const double eta = std::pow(10, -6.0 + 6.0 * i / 400);
        const double ratio = settling_ratio(eta, overshoot, share);
        // Near η = 1 the curve is flat, and rounding of 1 − η shows.
        ASSERT_LT(ratio, before * (1 + 1e-9)) << eta << " " << overshoot << " " << share;
        before = ratio;
      }
      EXPECT_NEAR(before, min_settling_ratio(overshoot, share), 1e-9 * before);
    }
  }
  // 2/(L − 1) e^−L = overshoot and (1 + a) e^−a = 0.05:  D = 1 + a/L, by hand for an overshoot of 2 e⁻²: L = 2.
  EXPECT_NEAR(min_settling_ratio(2 * std::exp(-2)), 1 + 4.7438645183905783 / 2, 1e-12);
}

TEST(BlimanSorineFeatures, AreRefusedWhereNoParametersGiveThem) {
  LoopFeatures features{0.28, 0.33, 1e-3, 3.13e-3, 0.05};
  EXPECT_EQ(identify_bliman_sorine(features).verdict, LoopVerdict::drops_too_fast);
  features.settling_distance = 3.15e-3;
  EXPECT_EQ(identify_bliman_sorine(features).verdict, LoopVerdict::identified);
  features.peak_force = 0.28;
  EXPECT_EQ(identify_bliman_sorine(features).verdict, LoopVerdict::no_overshoot);
  features.kinetic_force = -1;
  EXPECT_EQ(identify_bliman_sorine(features).verdict, LoopVerdict::out_of_range);
  EXPECT_EQ(identify_bliman_sorine(LoopFeatures{std::nan(""), 1, 1, 2}).verdict, LoopVerdict::out_of_range);
  EXPECT_EQ(identify_bliman_sorine(LoopFeatures{1, 1.2, 1, 0.5}).verdict, LoopVerdict::out_of_range);
  for (int i = 0; i <= static_cast<int>(LoopVerdict::out_of_range); ++i) {
    EXPECT_GT(std::string(reason_of(static_cast<LoopVerdict>(i))).size(), 5U);
  }
}

struct Log {
  std::vector<double> position, force;
};
template <class Model>
Log cyclic_log(const Model& model, double amplitude, double frequency, int rows, double noise = 0) {
  test::Random random(9);
  typename Model::State state{};
  Log log;
  const double dt = 1e-4;
  const double duration = 3 * 6.283185307179586 / frequency;
  const auto steps = static_cast<int>(duration / dt);
  for (int i = 0; i < steps; ++i) {
    const double v = amplitude * frequency * std::cos(frequency * (i + 0.5) * dt);
    state = model.advance(state, v, dt);
    if (i % (steps / rows) == 0) {
      log.position.push_back(amplitude * std::sin(frequency * (i + 1) * dt));
      log.force.push_back(model.force(state, 0) + noise * random.between(-1, 1));
    }
  }
  return log;
}

TEST(BlimanSorineFeatures, FromALogGiveTheModelBack) {
  auto params = scalar::preset::table2_bliman_sorine_2().params();
  params.viscous = 0;
  const auto log = cyclic_log(BlimanSorine2::make(params), 0.1, 1, 20000);
  const auto fit = identify_bliman_sorine(log.position, log.force);
  ASSERT_EQ(fit.verdict, LoopVerdict::identified) << reason_of(fit.verdict);
  EXPECT_EQ(fit.half_loops, 5U);
  EXPECT_NEAR(fit.params.force_1 / params.force_1, 1, 2e-3);
  EXPECT_NEAR(fit.params.force_2 / params.force_2, 1, 1e-2);
  EXPECT_NEAR(fit.params.ratio / params.ratio, 1, 1e-2);
  EXPECT_NEAR(fit.params.distance / params.distance, 1, 1e-2);
}

TEST(BlimanSorineFeatures, FromALogThatCannotTellAreRefused) {
  auto params = scalar::preset::table2_bliman_sorine_2().params();
  params.viscous = 0;
  const auto model = BlimanSorine2::make(params);
  const auto verdict = [](const Log& log) { return identify_bliman_sorine(log.position, log.force).verdict; };
  EXPECT_EQ(verdict(cyclic_log(model, 0.01, 1, 5000)), LoopVerdict::not_settled);
  EXPECT_EQ(verdict(cyclic_log(scalar::preset::table2_dahl(), 0.1, 1, 5000)), LoopVerdict::no_overshoot);
  EXPECT_EQ(verdict({}), LoopVerdict::no_loop);
  EXPECT_EQ(verdict({std::vector<double>(1000, 1), std::vector<double>(1000, 1)}), LoopVerdict::no_loop);
  auto broken = cyclic_log(model, 0.1, 1, 5000);
  broken.force[100] = std::nan("");
  EXPECT_EQ(verdict(broken), LoopVerdict::no_loop);
  // Under an imposed slow motion LuGre has a peak that looks right, and rises again before it turns.
  EXPECT_EQ(verdict(cyclic_log(scalar::preset::olsson_table2(), 0.1, 0.3, 5000)), LoopVerdict::depends_on_speed);
  // A drop from the peak within a tenth of its distance.
  auto sudden = cyclic_log(model, 0.1, 1, 20000);
  for (std::size_t i = 1; i < sudden.position.size(); ++i) {
    const double direction = sgn(sudden.position[i] - sudden.position[i - 1]);
    const double distance = 0.1 + direction * sudden.position[i];
    sudden.force[i] = direction * (distance < 0.005    ? 0.33 * (2 * distance / 0.005 - 1)
                                   : distance < 0.0055 ? 0.3
                                                       : 0.28);
  }
  EXPECT_EQ(verdict(sudden), LoopVerdict::drops_too_fast);
  EXPECT_EQ(identify_bliman_sorine(sudden.position, sudden.force).params.force_1, 0);
  // One direction alone has twice the friction.
  auto lopsided = cyclic_log(model, 0.1, 1, 20000);
  for (double& f : lopsided.force) {
    f *= f > 0 ? 2 : 1;
  }
  EXPECT_EQ(verdict(lopsided), LoopVerdict::halves_disagree);
}

}  // namespace
}  // namespace stiction::control
