#include "signals.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace stiction::identify {
namespace {

constexpr double median_of_normal = 0.6745;  // of |x|, for a deviation of 1

/// Noise from differences of this order, whose variance is C(2·order, order) σ² for white noise.
double difference_noise(std::vector<double> signal, int order) {
  double variance = 1;
  for (int i = 1; i <= order; ++i) {
    variance *= static_cast<double>(order + i) / i;
    for (std::size_t k = 0; k + 1 < signal.size(); ++k) {
      signal[k] = signal[k + 1] - signal[k];
    }
    signal.pop_back();
  }
  for (double& value : signal) {
    value = std::abs(value);
  }
  return median(std::move(signal)) / median_of_normal / std::sqrt(variance);
}

/// The quantum of a signal whose changes are small multiples of it, such as encoder counts; 0 for other signals.
double quantum_of(const std::vector<double>& signal) {
  std::vector<double> steps;
  for (std::size_t k = 0; k + 1 < signal.size(); ++k) {
    if (const double step = std::abs(signal[k + 1] - signal[k]); step > 0) {
      steps.push_back(step);
    }
  }
  if (steps.empty()) {
    return 0;
  }
  const double quantum = *std::min_element(steps.begin(), steps.end());
  const auto multiples = std::count_if(steps.begin(), steps.end(), [quantum](double step) {
    return std::abs(step / quantum - std::round(step / quantum)) < 0.05;
  });
  const bool few = median(steps) < 20 * quantum;
  return few && 10 * multiples > 9 * std::ssize(steps) ? quantum : 0;
}

/// The deviation of the middle one of five points from the cubic through the others, in standard deviations of a point.
double off_neighbours(std::span<const double, 5> x, std::span<const double, 5> y) {
  double cubic = 0;
  double squares = 1;
  constexpr std::array<std::size_t, 4> others{0, 1, 3, 4};
  for (const std::size_t i : others) {
    double weight = 1;  // of Lagrange's polynomial
    for (const std::size_t j : others) {
      weight *= i == j ? 1 : (x[2] - x[j]) / (x[i] - x[j]);
    }
    cubic += weight * y[i];
    squares += weight * weight;
  }
  return std::abs(y[2] - cubic) / std::sqrt(squares);
}

}  // namespace

double median(std::vector<double> values) {
  if (values.empty()) {
    return 0;
  }
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

double mean(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double range_of(const std::vector<double>& values) {
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  return *high - *low;
}

double line_slope(std::span<const double> time, std::span<const double> signal) {
  const double t = mean(time);
  const double s = mean(signal);
  double tt = 0;
  double ts = 0;
  for (std::size_t i = 0; i < time.size(); ++i) {
    tt += (time[i] - t) * (time[i] - t);
    ts += (time[i] - t) * (signal[i] - s);
  }
  return tt > 0 ? ts / tt : 0;
}

std::vector<double> slope_of(const std::vector<double>& time, const std::vector<double>& signal, std::size_t half) {
  const std::size_t n = time.size();
  std::vector<double> slopes(n);
  for (std::size_t k = 0; k < n; ++k) {
    const std::size_t from = k > half ? k - half : 0;
    const std::size_t count = std::min(n - 1, k + half) - from + 1;
    slopes[k] = line_slope({&time[from], count}, {&signal[from], count});
  }
  return slopes;
}

std::vector<double> spline_curvature(const std::vector<double>& time, const std::vector<double>& signal) {
  const std::size_t n = time.size();
  std::vector<double> curvature(n, 0);
  // h₀ m₀ + 2 (h₀ + h₁) m₁ + h₁ m₂ = 6 (slope₁ − slope₀), a row for each inner sample, by elimination
  std::vector<double> above(n, 0);
  for (std::size_t k = 1; k + 1 < n; ++k) {
    const double before = time[k] - time[k - 1];
    const double after = time[k + 1] - time[k];
    const double second_difference = (signal[k + 1] - signal[k]) / after - (signal[k] - signal[k - 1]) / before;
    const double pivot = 2 * (before + after) - before * above[k - 1];
    above[k] = after / pivot;
    curvature[k] = (6 * second_difference - before * curvature[k - 1]) / pivot;
  }
  for (std::size_t k = n; k-- > 1;) {
    curvature[k - 1] -= above[k - 1] * curvature[k];
  }
  return curvature;
}

double noise_of(const std::vector<double>& signal) {
  if (signal.size() < 20) {
    return 0;
  }
  // Motion that is fast relative to the sampling contributes to third differences; in higher ones it is attenuated
  // while white noise is not, so these are used then.
  const double third = difference_noise(signal, 3);
  double spread = third;
  for (int order = 4; order <= 8; ++order) {
    const double higher = difference_noise(signal, order);
    spread = higher < 0.8 * third ? std::min(spread, higher) : spread;
  }
  return std::max({spread, quantum_of(signal) / std::sqrt(12.0), 1e-7 * range_of(signal)});
}

std::optional<double> noise_of(const Sweep& sweep) {
  constexpr std::size_t min_points = 4;
  std::vector<double> repeated;
  std::vector<double> deviations;
  for (const double direction : {1.0, -1.0}) {
    std::vector<std::pair<double, double>> points;  // logarithm of the speed, torque
    for (std::size_t k = 0; k < sweep.velocity.size(); ++k) {
      if (direction * sweep.velocity[k] > 0) {
        points.emplace_back(std::log(direction * sweep.velocity[k]), sweep.torque[k]);
      }
    }
    std::sort(points.begin(), points.end());
    std::vector<double> x;
    std::vector<double> y;
    for (std::size_t begin = 0; begin < points.size();) {
      std::size_t end = begin;
      double sum = 0;
      while (end < points.size() && points[end].first - points[begin].first < 1e-3) {
        sum += points[end++].second;
      }
      const auto count = static_cast<double>(end - begin);
      for (std::size_t k = begin; k < end && count > 1; ++k) {
        repeated.push_back(std::abs(points[k].second - sum / count) / std::sqrt(1 - 1 / count));
      }
      x.push_back(points[begin].first);
      y.push_back(sum / count);
      begin = end;
    }
    for (std::size_t k = 2; k + 2 < x.size(); ++k) {
      deviations.push_back(
          off_neighbours(std::span<const double, 5>(&x[k - 2], 5), std::span<const double, 5>(&y[k - 2], 5)));
    }
  }
  const std::vector<double>& use = repeated.size() >= min_points ? repeated : deviations;
  if (use.size() < min_points) {
    return std::nullopt;
  }
  return median(use) / median_of_normal;
}

}  // namespace stiction::identify
