#include "progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace stiction::cli {
namespace {

/// A terminal that has gone away is no reason to stop.
void print(const std::string& text) { std::fwrite(text.data(), 1, text.size(), stderr); }

}  // namespace

ProgressBar::ProgressBar() : terminal_(::isatty(STDERR_FILENO) != 0) {}

ProgressBar::~ProgressBar() { clear(); }

void ProgressBar::show(const std::string& label, double fraction) {
  const std::scoped_lock lock(mutex_);
  const int percent = static_cast<int>(100 * std::clamp(fraction, 0.0, 1.0));
  if (!terminal_ || percent == last_percent_) {
    return;
  }
  last_percent_ = percent;
  print(fmt::format("\r[{:<30}] {:3d} %  {:<40.40}", std::string(static_cast<std::size_t>(percent) * 30 / 100, '='),
                    percent, label));
}

void ProgressBar::clear() {
  const std::scoped_lock lock(mutex_);
  if (terminal_ && last_percent_ >= 0) {
    print("\r\033[K");
  }
  last_percent_ = -1;
}

}  // namespace stiction::cli
