#include "inspect_signals.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace stiction::identify::inspection {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double longest_hole = 4.5;  // intervals
constexpr std::size_t held_rows = 5;
constexpr std::size_t max_half = 25;

/// σ of white noise on a smooth signal: its third differences have √20 σ, and their median absolute value is 0.6745 of
/// their deviation.
double noise_of(std::span<const double> values) {
  std::vector<double> thirds;
  for (std::size_t k = 3; k < values.size(); ++k) {
    const double third = values[k] - 3 * values[k - 1] + 3 * values[k - 2] - values[k - 3];
    if (std::isfinite(third)) {
      thirds.push_back(std::abs(third));
    }
  }
  return quantile(std::move(thirds), 0.5) / (0.6745 * std::sqrt(20.0));
}

/// The step of which nearly all changes between rows are multiples, if it is more than how numbers are printed.
std::optional<double> step_of(std::span<const double> values, double range) {
  std::vector<double> changes;
  for (std::size_t k = 1; k < values.size(); ++k) {
    const double change = std::abs(values[k] - values[k - 1]);
    if (change > 1e-9 * range) {
      changes.push_back(change);
    }
  }
  if (changes.size() < 20) {
    return std::nullopt;
  }
  const double least = *std::min_element(changes.begin(), changes.end());
  std::vector<double> singles;
  std::copy_if(changes.begin(), changes.end(), std::back_inserter(singles), [&](double x) { return x < 1.5 * least; });
  const double step = quantile(singles, 0.5);
  std::size_t near = 0;
  std::size_t multiples = 0;
  for (const double change : changes) {
    const double count = change / step;
    if (count < 20) {
      ++near;
      multiples += std::abs(count - std::round(count)) < 0.05 ? 1 : 0;
    }
  }
  // Steps finer than a 20000th of the range are the digits of the file rather than the sensor's.
  const bool seen = step > range / 20'000 && 50 * multiples > 49 * near && 4 * near > changes.size();
  return seen ? std::optional(step) : std::nullopt;
}

/// Rows of runs of at least five at one end of the range; `near` counts those within 1 % of the range of that end.
std::size_t held_at(std::span<const double> values, double end, double tolerance, double range, std::size_t& near) {
  std::size_t held = 0;
  std::size_t run = 0;
  for (const double value : values) {
    const double distance = std::abs(value - end);
    if (distance <= tolerance) {
      ++run;
      held += run == held_rows ? held_rows : run > held_rows ? 1 : 0;
    } else {
      run = 0;
      near += distance < 0.01 * range + tolerance ? 1 : 0;
    }
  }
  return held;
}

}  // namespace

double quantile(std::vector<double> values, double share) {
  if (values.empty()) {
    return 0;
  }
  const auto place = static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), values.begin() + place, values.end());
  return values[static_cast<std::size_t>(place)];
}

SignalSummary summary_of(std::span<const double> values) {
  SignalSummary result;
  std::vector<double> finite;
  std::copy_if(values.begin(), values.end(), std::back_inserter(finite), [](double x) { return std::isfinite(x); });
  result.missing = values.size() - finite.size();
  if (finite.empty()) {
    return result;
  }
  const auto [low, high] = std::minmax_element(finite.begin(), finite.end());
  result.low = *low;
  result.high = *high;
  const double range = result.high - result.low;
  if (!(range > 0)) {
    return result;
  }
  result.step = step_of(finite, range);
  result.noise = noise_of(finite);
  const double tolerance = std::max(1e-9 * range, result.step ? *result.step / 4 : 0);
  for (const double end : {result.low, result.high}) {
    std::size_t near = 0;
    const std::size_t held = held_at(finite, end, tolerance, range, near);
    const double share = static_cast<double>(held) / static_cast<double>(finite.size());
    result.held += share;
    result.saturated |= share >= 0.005 && held > 3 * near;
  }
  return result;
}

Clock clock_of(std::span<const double> time, std::vector<std::size_t>& rows_in_order) {
  Clock clock;
  rows_in_order.clear();
  std::vector<double> intervals;
  double latest = -std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < time.size(); ++k) {
    if (!std::isfinite(time[k])) {
      continue;
    }
    if (time[k] > latest) {
      if (!rows_in_order.empty()) {
        intervals.push_back(time[k] - latest);
      }
      rows_in_order.push_back(k);
      latest = time[k];
    } else {
      clock.repeated += time[k] == latest ? 1 : 0;
      clock.backwards += time[k] < latest ? 1 : 0;
    }
  }
  if (intervals.empty()) {
    return clock;
  }
  clock.duration = latest - time[rows_in_order.front()];
  clock.interval = quantile(intervals, 0.5);
  double sum = 0;
  std::size_t count = 0;
  for (const double interval : intervals) {
    if (interval > longest_hole * clock.interval) {
      ++clock.gaps;
      clock.longest_gap = std::max(clock.longest_gap, interval);
    } else {
      sum += (interval - clock.interval) * (interval - clock.interval);
      ++count;
    }
  }
  clock.jitter = count > 0 ? std::sqrt(sum / static_cast<double>(count)) / clock.interval : 0;
  return clock;
}

std::vector<double> slope(std::span<const double> time, std::span<const double> values, std::size_t half,
                          double interval) {
  std::vector<double> result(values.size(), nan);
  const auto m = static_cast<double>(half);
  // Σ j² for j = −m … m
  const double sum_of_squares = m * (m + 1) * (2 * m + 1) / 3;
  for (std::size_t k = half; k + half < values.size(); ++k) {
    const double span = time[k + half] - time[k - half];
    if (span > 2 * m * 1.5 * interval + longest_hole * interval) {
      continue;
    }
    double sum = 0;
    for (std::size_t j = 1; j <= half; ++j) {
      sum += static_cast<double>(j) * (values[k + j] - values[k - j]);
    }
    result[k] = sum / sum_of_squares * (2 * m) / span;
  }
  return result;
}

std::size_t half_window(std::span<const double> time, std::span<const double> position, const SignalSummary& summary,
                        double interval) {
  const double noise = std::max(summary.noise, summary.step.value_or(0) / std::sqrt(12.0));
  const std::size_t widest = std::min(max_half, position.size() / 8);
  if (widest < 2) {
    return 1;
  }
  std::vector<double> speed;
  const std::size_t stride = std::max<std::size_t>(1, position.size() / 20'000);
  for (std::size_t k = widest; k + widest < position.size(); k += stride) {
    const double v = (position[k + widest] - position[k - widest]) / (time[k + widest] - time[k - widest]);
    if (std::isfinite(v)) {
      speed.push_back(std::abs(v));
    }
  }
  const double usual = quantile(std::move(speed), 0.9);
  std::size_t half = 1;
  for (; half < widest; ++half) {
    // The deviation of a slope through 2m + 1 samples is σ / (T √(m (m + 1) (2m + 1) / 3)).
    const auto m = static_cast<double>(half);
    if (noise / (interval * std::sqrt(m * (m + 1) * (2 * m + 1) / 3)) <= 0.02 * usual) {
      break;
    }
  }
  return half;
}

std::optional<double> position_over_velocity(std::span<const double> time, std::span<const double> position,
                                             std::span<const double> velocity) {
  const std::size_t stride = std::max<std::size_t>(1, time.size() / 500);
  double both = 0;
  double one = 0;
  double other = 0;
  double integral = 0;
  std::size_t last = 0;
  for (std::size_t k = 1; k < time.size(); ++k) {
    integral += (time[k] - time[k - 1]) * (velocity[k] + velocity[k - 1]) / 2;
    if (k - last >= stride) {
      const double change = position[k] - position[last];
      if (std::isfinite(integral) && std::isfinite(change)) {
        both += integral * change;
        one += integral * integral;
        other += change * change;
      }
      integral = 0;
      last = k;
    }
  }
  // Only where the two follow each other at all is their ratio one of units.
  const bool related = one > 0 && other > 0 && both * both > 0.8 * one * other;
  return related ? std::optional(both / one) : std::nullopt;
}

Regression regress(const std::vector<std::vector<double>>& columns, std::span<const double> right_side) {
  const std::size_t n = columns.size();
  std::vector<double> scale(n);
  std::vector<std::vector<double>> matrix(n, std::vector<double>(2 * n));
  std::vector<double> right(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = 0;
      for (std::size_t k = 0; k < right_side.size(); ++k) {
        sum += columns[i][k] * columns[j][k];
      }
      matrix[i][j] = matrix[j][i] = sum;
    }
    for (std::size_t k = 0; k < right_side.size(); ++k) {
      right[i] += columns[i][k] * right_side[k];
    }
    scale[i] = std::sqrt(matrix[i][i]);
  }
  Regression result{std::vector<double>(n), std::vector<double>(n, std::numeric_limits<double>::infinity())};
  // With columns of length 1, the diagonal of the inverse is the inflation. Gauss and Jordan, without pivots: the
  // matrix is symmetric and positive.
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      matrix[i][j] = scale[i] > 0 && scale[j] > 0 ? matrix[i][j] / scale[i] / scale[j] : 0;
    }
    matrix[i][n + i] = 1;
  }
  for (std::size_t i = 0; i < n; ++i) {
    if (!(matrix[i][i] > 1e-10)) {
      return result;
    }
    const double pivot = matrix[i][i];
    for (double& entry : matrix[i]) {
      entry /= pivot;
    }
    for (std::size_t row = 0; row < n; ++row) {
      const double factor = matrix[row][i];
      for (std::size_t j = 0; row != i && factor != 0 && j < 2 * n; ++j) {
        matrix[row][j] -= factor * matrix[i][j];
      }
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    result.inflation[i] = matrix[i][n + i];
    for (std::size_t j = 0; j < n; ++j) {
      result.values[i] += matrix[i][n + j] * right[j] / scale[j];
    }
    result.values[i] /= scale[i];
  }
  return result;
}

}  // namespace stiction::identify::inspection
