// Work spread over all cores.
#pragma once

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

namespace stiction::identify {

/// Runs job(i) for i < count on all cores.
template <class Job>
void in_parallel(std::size_t count, const Job& job) {
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < count; i = next++) {
      job(i);
    }
  };
  std::vector<std::thread> others;
  const std::size_t threads = std::min<std::size_t>(count, std::max(1U, std::thread::hardware_concurrency()));
  for (std::size_t i = 1; i < threads; ++i) {
    others.emplace_back(work);
  }
  work();
  for (std::thread& other : others) {
    other.join();
  }
}

}  // namespace stiction::identify
