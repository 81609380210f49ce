// The limit on how much a search may simulate, with progress reports through which the caller may stop it.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <functional>

namespace stiction::identify {

/// Counts simulated steps, in units of one LuGre step. Steps and not seconds, so that the same data give the same
/// result on every machine.
class Budget {
 public:
  Budget(std::size_t steps, const std::function<void(double)>& progress)
      : limit_(steps), max_(steps), progress_(progress) {}

  void spend(std::size_t steps) noexcept { spent_ += steps; }  // from any thread
  [[nodiscard]] std::size_t spent() const noexcept { return spent_; }
  [[nodiscard]] std::size_t remaining() const noexcept { return limit_ - std::min(limit_, spent()); }
  [[nodiscard]] bool exhausted() const noexcept { return spent() >= limit_; }
  void allow(std::size_t steps) noexcept { limit_ = std::min(steps, max_); }  // in total, never more than initially

  /// Reports progress to the caller, which may throw to stop. Only from the calling thread.
  void report() const {
    if (progress_) {
      progress_(std::min(1.0, static_cast<double>(spent()) / static_cast<double>(max_)));
    }
  }

 private:
  std::atomic<std::size_t> spent_ = 0;
  std::size_t limit_, max_;
  const std::function<void(double)>& progress_;
};

}  // namespace stiction::identify
