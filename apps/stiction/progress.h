// A progress bar on a terminal; nothing on a pipe.
#pragma once

#include <mutex>
#include <string>

namespace stiction::cli {

class ProgressBar {
 public:
  ProgressBar();
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// Safe from several threads.
  void show(const std::string& label, double fraction);
  void clear();

 private:
  std::mutex mutex_;
  bool terminal_;
  int last_percent_ = -1;
};

}  // namespace stiction::cli
