// Work spread over all cores.
#pragma once

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace stiction::identify {

/// Runs job(i) for i < count on all cores. The first exception thrown by a job is rethrown here once all have ended.
template <class Job>
void in_parallel(std::size_t count, const Job& job) {
  std::atomic<std::size_t> next = 0;
  std::exception_ptr failure;
  std::mutex failing;
  const auto work = [&] {
    try {
      for (std::size_t i = next++; i < count; i = next++) {
        job(i);
      }
    } catch (...) {
      const std::lock_guard lock(failing);
      failure = failure ? failure : std::current_exception();
      next = count;
    }
  };
  {
    std::vector<std::jthread> workers;  // joined before what they use is destroyed
    const std::size_t threads = std::min<std::size_t>(count, std::max(1U, std::thread::hardware_concurrency()));
    for (std::size_t i = 1; i < threads; ++i) {
      workers.emplace_back(work);
    }
    work();
  }
  if (failure) {
    std::rethrow_exception(failure);
  }
}

}  // namespace stiction::identify
