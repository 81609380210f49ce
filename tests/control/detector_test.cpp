// Does the error of a loop show friction? The statistics against closed forms, and the verdicts on logs made here.
#include "stiction/control/detector.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "support/random.h"

namespace stiction::control {
namespace {

constexpr double pi = std::numbers::pi;

double gauss(test::Random& random) {
  return std::sqrt(-2 * std::log(1 - random.unit())) * std::cos(2 * pi * random.unit());
}

/// x⁺ = a x + √(1 − a²) N: correlated, with variance 1.
std::vector<double> autoregressive(std::uint64_t seed, std::size_t n, double a) {
  test::Random random(seed);
  std::vector<double> x(n);
  double value = gauss(random);
  for (double& sample : x) {
    sample = value;
    value = a * value + std::sqrt(1 - a * a) * gauss(random);
  }
  return x;
}

TEST(Detector, FourierTransformIsTheSumItStandsFor) {
  test::Random random(4);
  std::vector<std::complex<double>> x(32);
  for (auto& value : x) {
    value = {random.between(-1, 1), random.between(-1, 1)};
  }
  auto y = x;
  detail::fourier_transform(y);
  for (std::size_t k = 0; k < x.size(); ++k) {
    std::complex<long double> sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      sum += std::complex<long double>(x[i]) *
             std::polar(1.0L, -2 * std::numbers::pi_v<long double> * static_cast<long double>(i * k) / 32);
    }
    EXPECT_NEAR(static_cast<double>(std::abs(std::complex<long double>(y[k]) - sum)), 0, 1e-14);
  }
}

TEST(Detector, CountsWhatCorrelatedSamplesAreWorth) {
  // ρ = a^k: Σ ρ⁴ = (1 + a⁴)/(1 − a⁴)
  for (const double a : {0.0, 0.5, 0.9}) {
    const double a4 = std::pow(a, 4);
    EXPECT_NEAR(detail::fourth_power_correlation(autoregressive(1, 100000, a)) / ((1 + a4) / (1 - a4)), 1, 0.05) << a;
  }
}

TEST(Detector, SpreadOfTheKurtosisIsThatOfManyGaussianLogs) {
  for (const double a : {0.0, 0.9}) {
    double squares = 0;
    double claimed = 0;
    int alarms = 0;
    constexpr int logs = 1000;
    for (int i = 0; i < logs; ++i) {
      const auto found =
          detect_friction(autoregressive(static_cast<std::uint64_t>(100 + i), 2000, a), {}, {.slides = true});
      squares += square(found.excess_kurtosis) / logs;
      claimed += square(found.kurtosis_spread) / logs;
      alarms += found.verdict == FrictionVerdict::friction ? 1 : 0;
    }
    EXPECT_NEAR(std::sqrt(squares / claimed), 1, 0.1) << a;
    EXPECT_LE(alarms, 12) << a;  // 0.5 % of one test; 12 or more of 1000 has a probability of 0.5 %
  }
}

TEST(Detector, ScoreOfTheKurtosisIsStandardNormal) {
  // Upper 5 % and 1 % points of the kurtosis of Gaussian samples (Pearson and Hartley, table 34 C).
  EXPECT_NEAR(detail::upper_tail(detail::kurtosis_score(3.57, 200)), 0.05, 0.003);
  EXPECT_NEAR(detail::upper_tail(detail::kurtosis_score(3.98, 200)), 0.01, 0.001);
  EXPECT_NEAR(detail::upper_tail(detail::kurtosis_score(3.26, 1000)), 0.05, 0.004);
}

std::vector<double> sine_reference(std::size_t n, double periods) {
  std::vector<double> reference(n);
  for (std::size_t i = 0; i < n; ++i) {
    reference[i] = 0.7 * std::sin(2 * pi * periods * static_cast<double>(i) / static_cast<double>(n));
  }
  return reference;
}

TEST(Detector, SeesTailsAndErrorsThatTurnWithTheMotion) {
  const std::size_t n = 8000;
  const auto reference = sine_reference(n, 16.3);
  auto error = autoregressive(6, n, 0.5);
  EXPECT_EQ(detect_friction(error, reference).verdict, FrictionVerdict::no_friction);

  auto spiky = error;
  for (std::size_t i = 40; i < n; i += 200) {
    spiky[i] += 8;
  }
  const auto tails = detect_friction(spiky);
  EXPECT_EQ(tails.verdict, FrictionVerdict::friction);
  EXPECT_GT(tails.confidence, 0.99);

  auto turning = error;  // no tails, but a square wave that turns with the reference
  for (std::size_t i = 1; i < n; ++i) {
    turning[i] += 0.8 * sgn(reference[i] - reference[i - 1]);
  }
  const auto found = detect_friction(turning, reference);
  EXPECT_EQ(found.verdict, FrictionVerdict::friction);
  EXPECT_LT(found.reversal_p, 1e-3);
  EXPECT_GT(found.tail_p, 0.01) << "it is the reversals that tell";
}

TEST(Detector, TakesTheLinearAnswerToTheReferenceOutFirst) {
  const std::size_t n = 8000;
  const auto reference = sine_reference(n, 16.3);
  auto error = autoregressive(7, n, 0.5);
  double lag = 0;
  for (std::size_t i = 1; i < n; ++i) {
    lag += 0.01 * (1000 * (reference[i] - reference[i - 1]) - lag);
    error[i] += 30 * lag + 5 * reference[i];
  }
  const auto found = detect_friction(error, reference);
  EXPECT_GT(found.explained, 0.95);
  EXPECT_NEAR(found.excess_kurtosis, 0, 4 * found.kurtosis_spread);
  EXPECT_EQ(found.verdict, FrictionVerdict::no_friction) << found.reason;
  EXPECT_NE(detect_friction(error).verdict, FrictionVerdict::no_friction) << "without the reference it cannot know";
}

TEST(Detector, FindsReversalsOfPositionsAndOfVelocities) {
  const auto reference = sine_reference(4000, 5);
  const auto turns = detail::reversals_of(reference, LoopKind::position);
  ASSERT_EQ(turns.size(), 10U);
  for (std::size_t k = 0; k < turns.size(); ++k) {
    EXPECT_NEAR(static_cast<double>(turns[k].index), 200.0 + 400.0 * static_cast<double>(k), 1);
    EXPECT_EQ(turns[k].direction, k % 2 == 0 ? -1 : 1);
  }
  const auto crossings = detail::reversals_of(reference, LoopKind::velocity);
  ASSERT_EQ(crossings.size(), 9U);
  EXPECT_NEAR(static_cast<double>(crossings[0].index), 400, 1);
  EXPECT_EQ(crossings[0].direction, -1);
}

TEST(Detector, CannotTellFromWhatDoesNotTell) {
  const auto reason = [](const std::vector<double>& error, const std::vector<double>& reference = {}) {
    const auto found = detect_friction(error, reference);
    EXPECT_EQ(found.verdict, FrictionVerdict::cannot_tell) << found.reason;
    EXPECT_EQ(found.confidence, 0);
    return std::string(found.reason);
  };
  const auto noise = autoregressive(1, 4000, 0.5);
  EXPECT_NE(reason({}).find("short"), std::string::npos);
  EXPECT_NE(reason(std::vector<double>(199, 1)).find("short"), std::string::npos);
  EXPECT_NE(reason(std::vector<double>(4000, 0.1)).find("constant"), std::string::npos);
  auto broken = noise;
  broken[17] = std::nan("");
  EXPECT_NE(reason(broken).find("finite"), std::string::npos);
  EXPECT_NE(reason(noise, broken).find("finite"), std::string::npos);
  EXPECT_NE(reason(noise, {1, 2, 3}).find("length"), std::string::npos);
  EXPECT_NE(reason(noise).find("stuck"), std::string::npos);
  EXPECT_NE(reason(autoregressive(2, 4000, 0.9995)).find("correlated"), std::string::npos);
  EXPECT_NE(reason(noise, sine_reference(4000, 2)).find("rarely"), std::string::npos);
  EXPECT_NE(reason(noise, sine_reference(4000, 0.2)).find("rarely"), std::string::npos);
  auto light = noise;
  for (double& x : light) {
    x = std::round(x / 3) + 0.01 * x;  // hardly more than one step of a quantiser
  }
  test::Random random(3);
  std::vector<double> uniform(4000);
  for (double& x : uniform) {
    x = random.between(-1, 1);
  }
  EXPECT_NE(reason(uniform).find("lighter"), std::string::npos);
  std::vector<double> steps(4000);
  std::vector<double> triangle(4000);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    steps[i] = i / 200 % 2 == 0 ? 1 : -1;
    triangle[i] = std::abs(static_cast<double>(i % 200) - 100);
  }
  EXPECT_NE(reason(noise, steps).find("jumps"), std::string::npos);
  EXPECT_NE(reason(noise, triangle).find("one speed"), std::string::npos);
}

TEST(Detector, DoesNotDependOnUnits) {
  const auto reference = sine_reference(6000, 12.3);
  auto error = autoregressive(6, 6000, 0.7);
  const auto found = detect_friction(error, reference);
  auto scaled_reference = reference;
  for (double& x : error) {
    x *= 0x1p-20;
  }
  for (double& x : scaled_reference) {
    x *= 0x1p-14;
  }
  const auto again = detect_friction(error, scaled_reference);
  EXPECT_EQ(again.verdict, found.verdict);
  EXPECT_NEAR(again.excess_kurtosis, found.excess_kurtosis, 1e-9);
  EXPECT_EQ(again.reversal_p, found.reversal_p);
  EXPECT_NEAR(again.rms, found.rms * 0x1p-20, 1e-12);
}

}  // namespace
}  // namespace stiction::control
