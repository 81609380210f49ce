#include "progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace stiction::cli {
namespace {

/// A closed terminal is no reason to stop.
void print(const std::string& text) { std::fwrite(text.data(), 1, text.size(), stderr); }

}  // namespace

std::string time_left(double seconds) {
  const auto rounded = static_cast<long>(std::ceil(std::clamp(seconds, 0.0, 1e6)));
  return rounded < 3600 ? fmt::format("{}:{:02} left", rounded / 60, rounded % 60)
                        : fmt::format("{} h {:02} min left", rounded / 3600, rounded / 60 % 60);
}

ProgressBar::ProgressBar() : terminal_(::isatty(STDERR_FILENO) != 0) {}

ProgressBar::~ProgressBar() { clear(); }

void ProgressBar::show(const std::string& label, double fraction) {
  const std::scoped_lock lock(mutex_);
  const double done = std::clamp(fraction, 0.0, 1.0);
  const int percent = static_cast<int>(100 * done);
  const auto now = std::chrono::steady_clock::now();
  if (!terminal_ || (percent == last_percent_ && now - last_shown_ < std::chrono::seconds(1))) {
    return;
  }
  last_percent_ = percent;
  last_shown_ = now;
  // An estimate from the first moments would be a guess.
  constexpr double min_elapsed = 2;  // [s]
  const double seconds = std::chrono::duration<double>(now - start_).count();
  const std::string left = seconds > min_elapsed && done > 0.01 ? time_left(seconds * (1 - done) / done) : "";
  print(fmt::format("\r[{:<30}] {:3d} %  {:<40.40} {:<12}",
                    std::string(static_cast<std::size_t>(percent) * 30 / 100, '='), percent, label, left));
}

void ProgressBar::clear() {
  const std::scoped_lock lock(mutex_);
  if (terminal_ && last_percent_ >= 0) {
    print("\r\033[K");
  }
  last_percent_ = -1;
}

}  // namespace stiction::cli
