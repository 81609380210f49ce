// Calls that may take long: they can be stopped by Ctrl-C, and show how far they are.
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <stop_token>
#include <type_traits>

namespace stiction::python {

/// Runs work in a thread of its own, without the interpreter's lock, while the calling thread lets Python's signal
/// handlers run. Where one raises, as that of Ctrl-C does, or the caller's progress function, the work is asked to
/// stop, and the exception goes on as soon as it has. So it does not matter in which of its threads the work asks.
class LongCall {
 public:
  /// `progress` is called from the calling thread, some times a second and at the end; none: nobody is told.
  explicit LongCall(std::function<void(double)> progress = {}) : progress_(std::move(progress)) {}

  /// For work that can be asked to stop.
  [[nodiscard]] std::stop_token stop() const { return source_.get_token(); }
  /// For work that tells how far it is: throws where it shall stop. Safe from several threads.
  void report(double fraction);
  /// `report` as a function.
  [[nodiscard]] std::function<void(double)> reporter() {
    return [this](double fraction) { report(fraction); };
  }

  /// What `work()` gives. It must not touch Python's objects.
  template <class Work>
  std::invoke_result_t<Work> run(const Work& work) {
    std::optional<std::invoke_result_t<Work>> result;
    run_to_end([&] { result.emplace(work()); });
    return std::move(*result);
  }

 private:
  void run_to_end(const std::function<void()>& work);
  void tell();

  std::function<void(double)> progress_;
  std::stop_source source_;
  std::atomic<double> fraction_ = -1;  // as reported
  double told_ = -1;
};

}  // namespace stiction::python
