// Numbers of a signal, and random numbers that repeat on every machine.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <span>
#include <vector>

namespace stiction::lab {

inline double rms(std::span<const double> x) {
  double sum = 0;
  for (const double value : x) {
    sum += value * value;
  }
  return std::sqrt(sum / static_cast<double>(x.size()));
}

/// Root mean square of the values whose time is at least `from`.
inline double rms_after(const std::vector<double>& time, const std::vector<double>& values, double from) {
  double sum = 0;
  double count = 0;
  for (std::size_t i = 0; i < time.size(); ++i) {
    if (time[i] >= from) {
      sum += values[i] * values[i];
      ++count;
    }
  }
  return std::sqrt(sum / count);
}

inline double largest_size(std::span<const double> x) {
  double largest = 0;
  for (const double value : x) {
    largest = std::max(largest, std::abs(value));
  }
  return largest;
}

inline double mean(std::span<const double> x) {
  double sum = 0;
  for (const double value : x) {
    sum += value;
  }
  return sum / static_cast<double>(x.size());
}

/// The fourth moment over the square of the second, less 3: 0 for a Gaussian signal, −1.5 for a sine.
inline double excess_kurtosis(std::span<const double> x) {
  const double centre = mean(x);
  double second = 0;
  double fourth = 0;
  for (const double value : x) {
    const double square = (value - centre) * (value - centre);
    second += square;
    fourth += square * square;
  }
  return static_cast<double>(x.size()) * fourth / (second * second) - 3;
}

/// The n-th draw follows from the seed and n alone (SplitMix64). The seed is mixed first: otherwise consecutive seeds
/// would give the same draws, shifted by one.
class Random {
 public:
  explicit Random(std::uint64_t seed) : start_(mixed(~seed)) {}

  /// In (0, 1).
  double uniform() {
    return (static_cast<double>(mixed(start_ + ++count_ * 0x9E3779B97F4A7C15U) >> 11U) + 0.5) * 0x1p-53;
  }
  /// With mean 0 and variance 1 (Box and Muller).
  double gaussian() {
    const double size = std::sqrt(-2 * std::log(uniform()));
    return size * std::cos(2 * std::numbers::pi * uniform());
  }

 private:
  static std::uint64_t mixed(std::uint64_t x) {
    x = (x ^ (x >> 30U)) * 0xBF58476D1CE4E5B9U;
    x = (x ^ (x >> 27U)) * 0x94D049BB133111EBU;
    return x ^ (x >> 31U);
  }

  std::uint64_t start_;
  std::uint64_t count_ = 0;
};

}  // namespace stiction::lab
