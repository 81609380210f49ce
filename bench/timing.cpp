#include "timing.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <stdexcept>

namespace stiction::bench {

std::pair<Timing, Timing> time_both(int operations, const std::function<void()>& ours,
                                    const std::function<void()>& baseline, int rounds) {
  std::vector<double> a;
  std::vector<double> b;
  const auto timed = [&](const std::function<void()>& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count() / operations;
  };
  for (int i = 0; i < rounds; ++i) {
    a.push_back(timed(ours));
    b.push_back(timed(baseline));
  }
  const auto summary = [](std::vector<double>& times) {
    std::sort(times.begin(), times.end());
    return Timing{times[times.size() / 2], times.back()};
  };
  return {summary(a), summary(b)};
}

void require_same(const std::string& what, double deviation, double allowed) {
  if (!(deviation <= allowed)) {
    throw std::runtime_error(
        fmt::format("bench: {}: answers differ by {:.2g}, at most {:.2g} is allowed", what, deviation, allowed));
  }
}

}  // namespace stiction::bench
