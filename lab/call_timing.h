// What one call in a loop costs.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <vector>

namespace stiction::lab {

/// Time of one call [ns]. Calls are timed in groups of 16, with steady_clock around each group and the time of an empty
/// group taken off. `worst` is the slowest group over 16: it includes interruptions by other work on the machine.
struct CallTiming {
  double median = 0;
  double rare = 0;  // exceeded by one group in a thousand
  double worst = 0;
  long calls = 0;
};

/// Number of different inputs with which a call is timed.
inline constexpr std::size_t inputs = 4096;

namespace detail {

using Clock = std::chrono::steady_clock;

inline constexpr int group = 16;

/// A sink the optimiser cannot see through.
inline volatile double sink = 0;

inline double nanoseconds(Clock::duration time) { return std::chrono::duration<double, std::nano>(time).count(); }

template <class Call>
std::vector<double> group_times(long calls, double max_seconds, Call&& call) {
  std::vector<double> times;
  times.reserve(static_cast<std::size_t>(calls / group));
  const auto begin = Clock::now();
  for (long i = 0; i < calls; i += group) {
    double sum = 0;
    const auto start = Clock::now();
    for (long j = 0; j < group; ++j) {
      sum += call(static_cast<std::size_t>(i + j) % inputs);
    }
    sink = sum;
    const auto stop = Clock::now();
    times.push_back(nanoseconds(stop - start));
    if (nanoseconds(stop - begin) > 1e9 * max_seconds) {
      break;
    }
  }
  return times;
}

/// The quantile of the times at this share.
inline double quantile(std::vector<double>& times, double share) {
  const auto quantile = times.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(times.size() - 1));
  std::nth_element(times.begin(), quantile, times.end());
  return *quantile;
}

}  // namespace detail

/// Times call(i), with i cycling from 0 to inputs − 1. It must return a number that depends on all it has computed.
template <class Call>
CallTiming timed(long calls, double max_seconds, Call&& call) {
  auto empty = detail::group_times(16 * 1024, max_seconds, [](std::size_t) { return 0.0; });
  const double overhead = detail::quantile(empty, 0.5);
  auto times = detail::group_times(calls, max_seconds, call);
  const auto for_one = [&](double share) {
    return std::max(0.0, detail::quantile(times, share) - overhead) / detail::group;
  };
  return {for_one(0.5), for_one(0.999), for_one(1), detail::group * static_cast<long>(times.size())};
}

}  // namespace stiction::lab
