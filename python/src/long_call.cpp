#include "long_call.h"

#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

#include "core.h"

namespace stiction::python {
namespace {

/// Thrown inside work that shall stop; the caller gets what made it stop.
struct Stopped {};

constexpr std::chrono::milliseconds between_looks{20};

}  // namespace

void LongCall::report(double fraction) {
  fraction_ = fraction;
  if (source_.stop_requested()) {
    throw Stopped();
  }
}

void LongCall::tell() {
  if (const double fraction = fraction_; progress_ && fraction != told_) {
    told_ = fraction;
    progress_(fraction);
  }
}

void LongCall::run_to_end(const std::function<void()>& work) {
  std::exception_ptr thrown = nullptr;  // by the work
  std::exception_ptr raised = nullptr;  // by a signal handler, or by the caller's progress function
  {
    const py::gil_scoped_release release;
    std::mutex mutex;
    std::condition_variable ended;
    bool done = false;
    std::thread worker([&] {
      try {
        work();
      } catch (...) {
        thrown = std::current_exception();
      }
      const std::scoped_lock lock(mutex);
      done = true;
      ended.notify_one();
    });
    std::unique_lock lock(mutex);
    while (!ended.wait_for(lock, between_looks, [&] { return done; })) {
      if (raised) {
        continue;
      }
      lock.unlock();
      {
        const py::gil_scoped_acquire acquire;
        try {
          if (PyErr_CheckSignals() != 0) {
            throw py::error_already_set();
          }
          tell();
        } catch (...) {
          raised = std::current_exception();
          source_.request_stop();
        }
      }
      lock.lock();
    }
    lock.unlock();
    worker.join();
  }
  if (raised) {
    std::rethrow_exception(raised);
  }
  if (thrown) {
    std::rethrow_exception(thrown);
  }
  tell();
}

}  // namespace stiction::python
