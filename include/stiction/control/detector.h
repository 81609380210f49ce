// Detects friction in a control loop from the distribution of its tracking error. Not for real-time loops: these
// functions allocate.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "stiction/control/detector_statistics.h"
#include "stiction/problem.h"

namespace stiction::control {

enum class FrictionVerdict { friction, no_friction, cannot_tell };

struct DetectorOptions {
  LoopKind loop = LoopKind::position;
  double significance = 0.01;    // probability of a false alarm, shared by the two tests [-], in (0, 0.5)
  double heavy_tails = 2;        // excess kurtosis that would indicate friction [-], > 0
  double reversal_effect = 0.3;  // mean error at reversals over the rms that would indicate friction [-], > 0
  std::size_t min_samples = 200;
  double min_effective = 20;  // effective number of independent samples, given their correlation
  std::size_t min_reversals = 12;
  bool slides = false;  // the user knows that the body slides back and forth, even if no reference shows it
};

struct Detection {
  FrictionVerdict verdict = FrictionVerdict::cannot_tell;
  double confidence = 0;  // in the verdict, at most 0.999; 0 if it cannot tell
  const char* reason = "";
  std::size_t samples = 0;
  double rms = 0;              // of the error, without its mean [as the error]
  double largest = 0;          // magnitude of the error
  double explained = 0;        // share of its variance that follows the reference linearly [-]
  double excess_kurtosis = 0;  // of the residual; 0 for Gaussian, > 0 for heavy tails
  double kurtosis_spread = 0;  // its standard deviation for a Gaussian residual
  double effective_samples = 0;
  double tail_p = 1;           // p-value of the tails: their probability without friction
  std::size_t reversals = 0;   // of the reference
  double reversal_effect = 0;  // mean error that changes sign with the reversals, over the rms of the residual
  double reversal_spread = 0;
  double reversal_p = 1;  // p-value of the effect: its probability without friction
};

namespace detail {

/// Does the error change sign with the motion? Each segment between reversals is divided into four bins; the mean error
/// in each, times the direction, has mean 0 without friction. A randomisation test compares the statistic
/// Σ_bins (Σ b)²/Σ b² with its values for random signs of the segments; it only assumes symmetric noise.
inline void judge_reversals(std::span<const double> rest, double rms, const std::vector<Reversal>& reversals,
                            Detection& out) {
  constexpr std::size_t bins = 4;
  std::vector<std::array<double, bins>> stretches;
  for (std::size_t k = 0; k + 1 < reversals.size(); ++k) {
    const std::size_t length = reversals[k + 1].index - reversals[k].index;
    if (length < 2 * bins) {
      continue;
    }
    std::array<double, bins> means{};
    for (std::size_t j = 0; j < bins; ++j) {
      const std::size_t from = reversals[k].index + j * length / bins;
      const std::size_t to = reversals[k].index + (j + 1) * length / bins;
      for (std::size_t i = from; i < to; ++i) {
        means[j] += reversals[k].direction * rest[i] / static_cast<double>(to - from);
      }
    }
    stretches.push_back(means);
  }
  if (stretches.size() < 2) {
    return;
  }
  std::array<double, bins> squares{};
  for (const auto& stretch : stretches) {
    for (std::size_t j = 0; j < bins; ++j) {
      squares[j] += square(stretch[j]);
    }
  }
  std::uint64_t random = 1;
  const auto statistic = [&](bool flip) {
    std::array<double, bins> sums{};
    for (const auto& stretch : stretches) {
      random = random * 6364136223846793005U + 1442695040888963407U;
      const double sign = flip && (random >> 63U) != 0 ? -1 : 1;
      for (std::size_t j = 0; j < bins; ++j) {
        sums[j] += sign * stretch[j];
      }
    }
    double sum = 0;
    for (std::size_t j = 0; j < bins; ++j) {
      sum += squares[j] > 0 ? square(sums[j]) / squares[j] : 0;
    }
    return sum;
  };
  const double measured = statistic(false);
  constexpr int trials = 4999;
  int as_large = 1;
  for (int trial = 0; trial < trials; ++trial) {
    as_large += statistic(true) >= measured * (1 - 1e-12) ? 1 : 0;
  }
  out.reversal_p = as_large / (trials + 1.0);
  const auto count = static_cast<double>(stretches.size());
  double effect = 0;
  double spread = 0;
  for (std::size_t j = 0; j < bins; ++j) {
    double mean = 0;
    for (const auto& stretch : stretches) {
      mean += stretch[j] / count;
    }
    effect += square(mean) / bins;
    spread += std::max(0.0, squares[j] / count - square(mean)) / (count * bins);
  }
  out.reversal_effect = std::sqrt(std::max(0.0, effect - spread)) / rms;  // without the contribution of chance
  out.reversal_spread = std::sqrt(spread) / rms;
}

}  // namespace detail

/// Whether the error of a loop shows friction. `error` is equally spaced, without the start-up transient. `reference`
/// has the same length, or is empty if there is none or it is constant. Test 1, after Olsson et al. 1998, section 6:
/// without friction and with Gaussian noise the error is Gaussian; friction gives it heavy tails. The part that follows
/// the reference linearly is removed first. The kurtosis of the residual is compared with its spread for a Gaussian
/// signal of the same autocorrelation, √(24 Σρ⁴/N). Test 2: without friction the residual does not depend on the
/// reversals of the reference.
inline Detection detect_friction(std::span<const double> error, std::span<const double> reference = {},
                                 const DetectorOptions& options = {}) {
  constexpr const char* reason_unseen =
      "the motion would not show friction: it reverses too rarely, or moves at one speed only";
  Detection out;
  const std::size_t n = error.size();
  out.samples = n;
  const auto finite = [](double x) { return std::isfinite(x); };
  if (!std::all_of(error.begin(), error.end(), finite) || !std::all_of(reference.begin(), reference.end(), finite)) {
    out.reason = "a value is not a finite number";
    return out;
  }
  if (n < options.min_samples) {
    out.reason = "too short: too few samples";
    return out;
  }
  if (!reference.empty() && reference.size() != n) {
    out.reason = "error and reference differ in length";
    return out;
  }
  bool moves = false;
  if (!reference.empty()) {
    const auto [low, high] = std::minmax_element(reference.begin(), reference.end());
    moves = *high - *low > 1e-12 * std::max(std::abs(*high), std::abs(*low));
  }
  const std::size_t first = moves ? n / detail::warm_up_share : 0;
  std::vector<double> rest(error.begin() + static_cast<std::ptrdiff_t>(first), error.end());
  const auto count = static_cast<double>(rest.size());
  double mean = 0;
  for (const double x : rest) {
    mean += x / count;
    out.largest = std::max(out.largest, std::abs(x));
  }
  double power = 0;
  for (double& x : rest) {
    x -= mean;
    power += square(x) / count;
  }
  out.rms = std::sqrt(power);
  if (!(out.rms > 1e-12 * out.largest)) {
    out.reason = "the error is constant";
    return out;
  }
  std::vector<detail::Reversal> reversals;
  bool visible = true;
  if (moves) {
    if (detail::jumps(reference)) {
      out.reason = "the reference jumps: the response of a linear loop to a jump looks like friction";
      return out;
    }
    const auto responses = detail::linear_responses(reference);
    visible = detail::nonlinear_share_of_friction(reference.subspan(first), options.loop, responses) > 0.05;
    detail::remove_linear_part(rest, responses);
    reversals = detail::reversals_of(reference.subspan(first), options.loop);
    out.reversals = reversals.size();
  }
  double second = 0;
  double fourth = 0;
  for (const double x : rest) {
    second += square(x) / count;
    fourth += square(square(x)) / count;
  }
  out.explained = 1 - second / power;
  if (second < 1e-4 * power) {  // the residual is only the error of the fit
    const bool seen = visible && out.reversals >= 4;
    out.verdict = seen ? FrictionVerdict::no_friction : FrictionVerdict::cannot_tell;
    out.confidence = seen ? 0.999 : 0;
    out.reason = seen ? "the error follows the reference linearly" : reason_unseen;
    return out;
  }
  out.effective_samples = count / detail::fourth_power_correlation(rest);
  out.excess_kurtosis = fourth / square(second) - 3;
  out.kurtosis_spread = std::sqrt(24 / out.effective_samples);
  const bool long_enough = out.effective_samples >= options.min_effective;
  const double score = detail::kurtosis_score(fourth / square(second), std::max(out.effective_samples, 8.0));
  out.tail_p = detail::upper_tail(score);
  if (reversals.size() >= options.min_reversals) {
    detail::judge_reversals(rest, std::sqrt(second), reversals, out);
  }

  // Either test may raise the alarm: Bonferroni correction.
  const double p = std::min(1.0, 2 * std::min(long_enough ? out.tail_p : 1, out.reversal_p));
  const bool judged_by_reversals = reversals.size() >= options.min_reversals;
  // Power: the tests must be sharp enough to have detected the smallest friction that counts.
  const double tails_margin = (options.heavy_tails - out.excess_kurtosis) / out.kurtosis_spread;
  const double reversal_margin = judged_by_reversals && out.reversal_spread > 0
                                     ? (options.reversal_effect - out.reversal_effect) / out.reversal_spread
                                     : infinity;
  const double margin = std::min(tails_margin, reversal_margin);
  if (p < options.significance) {
    out.verdict = FrictionVerdict::friction;
    out.confidence = std::min(0.999, 1 - p);
    out.reason = out.reversal_p < out.tail_p || !long_enough
                     ? "the error changes sign with the reversals of the reference"
                     : "the error has heavier tails than Gaussian noise gives";
  } else if (!long_enough) {
    out.reason = "too short: the samples are too strongly correlated";
  } else if (score < -3) {
    out.reason = "tails lighter than Gaussian: a periodic part or quantisation masks friction";
  } else if (moves && !(visible && judged_by_reversals)) {
    out.reason = reason_unseen;
  } else if (margin < 1.645) {
    out.reason = "too short or too noisy to rule friction out";
  } else if (!moves && !options.slides) {
    out.reason =
        "the error is Gaussian, but without a reference that moves the body may be stuck: a spring, not friction";
  } else {
    out.verdict = FrictionVerdict::no_friction;
    out.confidence = std::min(moves ? 0.999 : 0.9, 1 - detail::upper_tail(margin));
    out.reason =
        moves ? "the error is Gaussian and does not depend on the reversals of the reference" : "the error is Gaussian";
  }
  return out;
}

}  // namespace stiction::control
