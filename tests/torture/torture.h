// What every torture test shares: its options, cheap reproducible random numbers, and how a failure is reported.
//
// A run is a number of cases, each with a seed of its own that follows from the run's seed and the case's number. The
// message of a failure ends with the options that run this case alone.
#pragma once

#include <bit>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace stiction::torture {

struct Options {
  double steps = 1e6;             // in all
  std::uint64_t seed = 1;         // of the run
  std::string only;               // a part of the area, e.g. one model; empty: all
  std::int64_t single_case = -1;  // run this case of `only` alone
};

/// From `--steps N --seed N --only NAME --case N`; STICTION_TORTURE_STEPS and _SEED in the environment go before the
/// defaults. Exits with 2 at anything else.
inline Options options_from(int argc, char** argv, double default_steps) {
  Options options;
  options.steps = default_steps;
  const auto number = [](const char* text, const char* name) {
    char* end = nullptr;
    const double value = std::strtod(text, &end);
    if (end == text || *end != '\0' || !(value >= 0 && value <= 1e15)) {
      std::fprintf(stderr, "%s = %s: must be a number in [0, 1e15]\n", name, text);
      std::exit(2);
    }
    return value;
  };
  if (const char* steps = std::getenv("STICTION_TORTURE_STEPS")) {
    options.steps = number(steps, "STICTION_TORTURE_STEPS");
  }
  if (const char* seed = std::getenv("STICTION_TORTURE_SEED")) {
    options.seed = static_cast<std::uint64_t>(number(seed, "STICTION_TORTURE_SEED"));
  }
  for (int i = 1; i < argc; i += 2) {
    const std::string_view name = argv[i];
    if (i + 1 >= argc || (name != "--steps" && name != "--seed" && name != "--only" && name != "--case")) {
      std::fprintf(stderr, "usage: %s [--steps N] [--seed N] [--only NAME] [--case N]\n", argv[0]);
      std::exit(2);
    }
    if (name == "--only") {
      options.only = argv[i + 1];
    } else if (const double value = number(argv[i + 1], argv[i]); name == "--steps") {
      options.steps = value;
    } else if (name == "--seed") {
      options.seed = static_cast<std::uint64_t>(value);
    } else {
      options.single_case = static_cast<std::int64_t>(value);
    }
  }
  return options;
}

/// The seed of one case.
inline std::uint64_t case_seed(std::uint64_t run_seed, std::uint64_t part, std::uint64_t number) {
  std::uint64_t x = run_seed * 0x9e3779b97f4a7c15U ^ (part + 1) * 0xd1b54a32d192ed03U ^ number * 0x8cb92ba72f3d8dd7U;
  x = (x ^ (x >> 32U)) * 0xd6e8feb86659fd93U;
  return x ^ (x >> 32U);
}

/// A few nanoseconds for each number, the same on every machine.
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
  bool one_in(std::uint64_t n) { return bits() % n == 0; }
  double sign() { return (bits() & 1U) != 0 ? 1.0 : -1.0; }
  /// Log-uniform over the powers of two from 2^low to 2^high.
  double over_powers_of_two(int low, int high) {
    const std::uint64_t x = bits();
    const auto exponent =
        static_cast<std::uint64_t>(low + 1023) + (x >> 52U) * static_cast<std::uint64_t>(high - low) / 4096;
    return std::bit_cast<double>(exponent << 52U | (x & ((std::uint64_t{1} << 52U) - 1)));
  }
  double log_between(double low, double high) { return low * std::pow(high / low, unit()); }

 private:
  std::uint64_t state_;
};

inline double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace stiction::torture
