// Reproducible random numbers for tests: the n-th draw depends on the seed and n alone, on every machine.
#pragma once

#include <cmath>
#include <cstdint>

#include "support/models.h"

namespace stiction::test {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t bits() {
    std::uint64_t x = state_ += 0x9e3779b97f4a7c15U;  // SplitMix64
    x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
    return x ^ (x >> 31U);
  }
  /// In [0, 1).
  double unit() { return static_cast<double>(bits() >> 11U) * 0x1p-53; }
  double between(double low, double high) { return low + (high - low) * unit(); }
  double log_between(double low, double high) { return low * std::pow(high / low, unit()); }
  double sign() { return (bits() & 1U) != 0 ? 1.0 : -1.0; }
  double operator()(const Interval& values) { return log_between(values.low, values.high); }

 private:
  std::uint64_t state_;
};

}  // namespace stiction::test
