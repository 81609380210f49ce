// A progress bar with the remaining time, on a terminal; nothing on a pipe.
#pragma once

#include <chrono>
#include <mutex>
#include <string>

namespace stiction::cli {

/// Text for a remaining time [s], e.g. "1:05 left".
std::string time_left(double seconds);

class ProgressBar {
 public:
  ProgressBar();
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// Safe from several threads. The remaining time is estimated from the elapsed time.
  void show(const std::string& label, double fraction);
  void clear();

 private:
  std::mutex mutex_;
  bool terminal_;
  int last_percent_ = -1;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point last_shown_;
};

}  // namespace stiction::cli
