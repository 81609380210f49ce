// Statistics for the friction detector: correlated samples, tails, linear responses to a reference, reversals.
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <numbers>
#include <span>
#include <utility>
#include <vector>

#include "stiction/math.h"

namespace stiction::control {

/// The controlled variable: at a reversal a reference position has an extremum, a reference velocity crosses zero.
enum class LoopKind { position, velocity };

namespace detail {

/// FFT in place; the number of values is a power of two.
inline void fourier_transform(std::vector<std::complex<double>>& x) {
  const std::size_t n = x.size();
  for (std::size_t i = 1, j = 0; i < n; ++i) {
    std::size_t bit = n >> 1U;
    for (; (j & bit) != 0; bit >>= 1U) {
      j ^= bit;
    }
    j ^= bit;
    if (i < j) {
      std::swap(x[i], x[j]);
    }
  }
  std::vector<std::complex<double>> twiddles(n / 2);
  for (std::size_t k = 0; k < n / 2; ++k) {
    twiddles[k] = std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(n));
  }
  for (std::size_t half = 1; half < n; half *= 2) {
    for (std::size_t start = 0; start < n; start += 2 * half) {
      for (std::size_t k = 0; k < half; ++k) {
        const auto a = x[start + k];
        const auto b = x[start + k + half] * twiddles[k * (n / (2 * half))];
        x[start + k] = a + b;
        x[start + k + half] = a - b;
      }
    }
  }
}

/// Σ ρ(k)⁴ over all lags up to half the number of samples, ρ the autocorrelation of a zero-mean signal.
inline double fourth_power_correlation(std::span<const double> x) {
  std::size_t size = 1;
  while (size < 2 * x.size()) {
    size *= 2;
  }
  std::vector<std::complex<double>> spectrum(size);
  std::copy(x.begin(), x.end(), spectrum.begin());
  fourier_transform(spectrum);
  for (auto& value : spectrum) {
    value = std::norm(value);
  }
  fourier_transform(spectrum);
  double sum = 1;
  for (std::size_t lag = 1; lag < x.size() / 2; ++lag) {
    // Unbiased: fewer products at long lags.
    const double rho =
        spectrum[lag].real() / spectrum[0].real() * static_cast<double>(x.size()) / static_cast<double>(x.size() - lag);
    sum += 2 * square(square(rho));
  }
  return sum;
}

/// Kurtosis of n independent Gaussian samples transformed to a standard normal score (Anscombe and Glynn 1983).
inline double kurtosis_score(double kurtosis, double n) {
  const double mean = 3 * (n - 1) / (n + 1);
  const double variance = 24 * n * (n - 2) * (n - 3) / (square(n + 1) * (n + 3) * (n + 5));
  const double x = (kurtosis - mean) / std::sqrt(variance);
  const double skew =
      6 * (n * n - 5 * n + 2) / ((n + 7) * (n + 9)) * std::sqrt(6 * (n + 3) * (n + 5) / (n * (n - 2) * (n - 3)));
  const double a = 6 + 8 / skew * (2 / skew + std::sqrt(1 + 4 / square(skew)));
  const double ratio = (1 - 2 / a) / (1 + x * std::sqrt(2 / (a - 4)));
  return (1 - 2 / (9 * a) - std::cbrt(ratio)) / std::sqrt(2 / (9 * a));
}

/// P(N > z) for a standard normal.
inline double upper_tail(double z) { return std::erfc(z / std::numbers::sqrt2) / 2; }

/// Subtracts the part of x that is linear in the columns: least squares by Cholesky factorisation, with a small ridge
/// because the columns of a sinusoidal reference are linearly dependent.
inline void remove_linear_part(std::vector<double>& x, const std::vector<std::vector<double>>& columns) {
  const std::size_t m = columns.size();
  std::vector<std::vector<double>> a(m, std::vector<double>(m));
  std::vector<double> b(m);
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      for (std::size_t k = 0; k < x.size(); ++k) {
        a[i][j] += columns[i][k] * columns[j][k];
      }
    }
    for (std::size_t k = 0; k < x.size(); ++k) {
      b[i] += columns[i][k] * x[k];
    }
    a[i][i] *= 1 + 1e-10;
  }
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = a[i][j];
      for (std::size_t k = 0; k < j; ++k) {
        sum -= a[i][k] * a[j][k];
      }
      a[i][j] = i == j ? std::sqrt(std::max(sum, 1e-12)) : sum / a[j][j];
    }
  }
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      b[i] -= a[i][k] * b[k];
    }
    b[i] /= a[i][i];
  }
  for (std::size_t i = m; i-- > 0;) {
    for (std::size_t k = i + 1; k < m; ++k) {
      b[i] -= a[k][i] * b[k];
    }
    b[i] /= a[i][i];
  }
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t k = 0; k < x.size(); ++k) {
      x[k] -= b[i] * columns[i][k];
    }
  }
}

/// The filters below start from a guess. Over the first tenth of the log its effect decays to e⁻³ or less.
inline constexpr std::size_t warm_up_share = 10;

/// Possible responses of a linear loop to a reference: the reference, its first and second differences, and the first
/// differences through low-pass filters with time constants from two samples to a thirtieth of the log. After the
/// warm-up, each with zero mean and unit norm.
inline std::vector<std::vector<double>> linear_responses(std::span<const double> reference) {
  const std::size_t n = reference.size();
  std::vector<std::vector<double>> columns;
  const auto add = [&](std::vector<double> column) {
    column.erase(column.begin(), column.begin() + static_cast<std::ptrdiff_t>(n / warm_up_share));
    double mean = 0;
    for (const double value : column) {
      mean += value / static_cast<double>(column.size());
    }
    double norm = 0;
    for (double& value : column) {
      value -= mean;
      norm += square(value);
    }
    if (norm > 0) {
      for (double& value : column) {
        value /= std::sqrt(norm);
      }
      columns.push_back(std::move(column));
    }
  };
  add({reference.begin(), reference.end()});
  std::vector<double> slope(n);
  std::vector<double> second_difference(n);
  for (std::size_t i = 1; i < n; ++i) {
    slope[i] = reference[i] - reference[i - 1];
    second_difference[i] = i > 1 ? slope[i] - slope[i - 1] : 0;
  }
  slope[0] = slope[1];
  add(slope);
  add(second_difference);
  constexpr int filters = 12;
  const double longest = static_cast<double>(n) / (3 * warm_up_share);
  for (int k = 0; k < filters; ++k) {
    const double samples = 2 * std::pow(longest / 2, k / (filters - 1.0));
    const double share = decay(1 / samples);
    std::vector<double> slow(n);
    slow[0] = slope[0];
    for (std::size_t i = 1; i < n; ++i) {
      slow[i] = slow[i - 1] + share * (slope[i] - slow[i - 1]);
    }
    add(std::move(slow));
  }
  return columns;
}

struct Reversal {
  std::size_t index;
  double direction;  // of the motion after it, ±1
};
/// Reversals of the motion by more than a fiftieth of its range, so that noise does not count.
inline std::vector<Reversal> reversals_of(std::span<const double> reference, LoopKind loop) {
  const auto [low, high] = std::minmax_element(reference.begin(), reference.end());
  const double threshold = 0.02 * (*high - *low);
  std::vector<Reversal> reversals;
  double direction = 0;
  std::size_t mark = 0;  // the farthest sample, or the last zero crossing
  for (std::size_t i = 1; i < reference.size() && threshold > 0; ++i) {
    if (loop == LoopKind::velocity) {
      mark = (reference[i] > 0) != (reference[i - 1] > 0) ? i : mark;
      const double now = std::abs(reference[i]) > threshold ? sgn(reference[i]) : direction;
      if (direction != 0 && now != direction) {
        reversals.push_back({mark, now});
      }
      direction = now;
    } else if (direction == 0) {
      direction = std::abs(reference[i] - reference[0]) > threshold ? sgn(reference[i] - reference[0]) : 0;
      mark = i;
    } else if (direction * (reference[i] - reference[mark]) > 0) {
      mark = i;
    } else if (direction * (reference[mark] - reference[i]) > threshold) {
      direction = -direction;
      reversals.push_back({mark, direction});
      mark = i;
    }
  }
  return reversals;
}

/// Whether a signal changes by rare jumps instead of gradually, from the kurtosis of its differences.
inline bool jumps(std::span<const double> signal) {
  double second = 0;
  double fourth = 0;
  for (std::size_t i = 1; i < signal.size(); ++i) {
    const double power = square(signal[i] - signal[i - 1]);
    second += power;
    fourth += square(power);
  }
  return fourth * static_cast<double>(signal.size() - 1) > 20 * square(second);
}

/// The share of a force F sgn(v) along the reference that no linear loop can reproduce [-]: 0 for motion back and forth
/// at one speed, where friction and a linear response look the same; 0.19 for a sine.
inline double nonlinear_share_of_friction(std::span<const double> reference, LoopKind loop,
                                          const std::vector<std::vector<double>>& responses) {
  std::vector<double> force(reference.size());
  for (std::size_t i = 1; i < force.size(); ++i) {
    force[i] = sgn(loop == LoopKind::velocity ? reference[i] : reference[i] - reference[i - 1]);
  }
  const auto norm = [&] {
    double sum = 0;
    for (const double x : force) {
      sum += square(x);
    }
    return sum;
  };
  const double before = norm();
  remove_linear_part(force, responses);
  return before > 0 ? norm() / before : 0;
}

}  // namespace detail

}  // namespace stiction::control
