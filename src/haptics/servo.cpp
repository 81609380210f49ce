#include "stiction/haptics/servo.h"

#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <ctime>

#include "../require.h"

namespace stiction::haptics {
namespace {

constexpr double nanoseconds = 1e9;

double seconds(clockid_t clock) noexcept {
  timespec now{};
  ::clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / nanoseconds;
}

/// Sleeps until a time of the monotonic clock; false if interrupted by a signal.
bool sleep_until(double time) noexcept {
  timespec until{};
  until.tv_sec = static_cast<std::time_t>(time);
  until.tv_nsec = static_cast<long>((time - static_cast<double>(until.tv_sec)) * nanoseconds);
  return ::clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr) != EINTR;
}

struct Switches {
  std::int64_t involuntary = 0, voluntary = 0;
};
Switches switches_of_thread() noexcept {
  rusage usage{};
  ::getrusage(RUSAGE_THREAD, &usage);
  return {usage.ru_nivcsw, usage.ru_nvcsw};  // NOLINT(cppcoreguidelines-pro-type-union-access): glibc has them in one
}

/// Sets a priority for its lifetime, if the system permits.
class Priority {
 public:
  explicit Priority(int priority) noexcept {
    if (priority <= 0) {
      return;
    }
    sched_param wanted{};
    wanted.sched_priority = priority;
    ::pthread_getschedparam(::pthread_self(), &policy_, &before_);
    granted_ = ::pthread_setschedparam(::pthread_self(), SCHED_FIFO, &wanted) == 0;
  }
  ~Priority() {
    if (granted_) {
      ::pthread_setschedparam(::pthread_self(), policy_, &before_);
    }
  }
  Priority(const Priority&) = delete;
  Priority& operator=(const Priority&) = delete;
  [[nodiscard]] bool granted() const noexcept { return granted_; }

 private:
  int policy_ = SCHED_OTHER;
  sched_param before_{};
  bool granted_ = false;
};

/// Sends a zero wrench to the device, however the loop ends.
class ZeroWrenchOnExit {
 public:
  ZeroWrenchOnExit(Device& device, const double& time) noexcept : device_(device), time_(time) {}
  ~ZeroWrenchOnExit() { device_.write(time_, {.safe = true}); }
  ZeroWrenchOnExit(const ZeroWrenchOnExit&) = delete;
  ZeroWrenchOnExit& operator=(const ZeroWrenchOnExit&) = delete;

 private:
  Device& device_;
  const double& time_;
};

void check(const ServoOptions& options) {
  constexpr Range priorities{0, 99, true, true, "0 to 99"};
  require("duration", options.duration, positive_or_infinite);
  require("time_out", options.time_out, positive_or_infinite);
  require("ramp", options.ramp, non_negative);
  require("priority", options.priority, priorities);
  require("forces_every", static_cast<double>(options.forces_every), non_negative);
  if (options.budget) {
    constexpr Range budgets{0, infinity, true, true, ">= 0, or inf"};
    require("budget", *options.budget, budgets);
  }
}

}  // namespace

Blame blame(const ServoCycle& cycle, double budget) noexcept {
  if (cycle.wall <= budget) {
    return Blame::none;
  }
  if (cycle.cpu > budget) {
    return Blame::own;
  }
  return cycle.waits > 0 ? Blame::waited : Blame::system;
}

ServoReport run_servo(Renderer& renderer, Device& device, const ServoOptions& options, ServoRecord* record,
                      const std::function<void(const ServoCycle&)>& after) {
  check(options);
  const double period = renderer.params().period;
  const double budget = options.budget.value_or(period);
  const Priority priority(options.priority);
  ServoReport report;
  report.had_priority = priority.granted();
  ServoCycle now;
  const ZeroWrenchOnExit silence(device, now.time);
  now.target = renderer.body();
  bool first = true;
  const double start = seconds(CLOCK_MONOTONIC);
  for (std::uint64_t tick = 0;; ++tick) {
    now.time = static_cast<double>(tick) * period;
    bool stopped = options.stop && options.stop();
    while (options.real_time && !stopped && !sleep_until(start + now.time)) {
      stopped = options.stop && options.stop();
    }
    if (stopped || now.time >= options.duration) {
      break;
    }
    const double begin = seconds(CLOCK_MONOTONIC);
    const double cpu = seconds(CLOCK_THREAD_CPUTIME_ID);
    const Switches before = switches_of_thread();

    now.hand = device.read(now.time);
    const bool fresh = now.hand.age <= options.time_out;  // false for NaN
    if (fresh) {
      now.target = now.hand.pose;
    }
    // Full output at once if there is a pose from the start, otherwise over the ramp
    const double step = first || options.ramp == 0 ? 1 : period / options.ramp;
    now.gain = fresh ? std::min(1.0, (first ? 0 : now.gain) + step) : 0;
    first = false;
    now.forces = options.forces_every > 0 && tick % static_cast<std::uint64_t>(options.forces_every) == 0;
    now.cycle = renderer.step(now.target, now.forces);
    if (now.cycle.phase == Phase::fault) {
      now.gain = 0;  // and the force returns over the ramp
    }
    now.output = scaled(now.gain, now.cycle.output);
    device.write(now.time, {now.output, now.cycle.phase, !fresh});

    const Switches after_it = switches_of_thread();
    now.cpu = seconds(CLOCK_THREAD_CPUTIME_ID) - cpu;
    const double end = seconds(CLOCK_MONOTONIC);
    now.wall = end - begin;
    now.switches = after_it.involuntary - before.involuntary;
    now.waits = after_it.voluntary - before.voluntary;
    now.late = options.real_time ? begin - start - now.time : 0;

    ++report.cycles;
    report.safe += fresh ? 0 : 1;
    report.faults += now.cycle.phase == Phase::fault ? 1 : 0;
    report.longest = std::max(report.longest, now.wall);
    report.latest = std::max(report.latest, now.late);
    const Blame whose = blame(now, budget);
    report.overruns += whose != Blame::none ? 1 : 0;
    report.stolen += whose == Blame::system ? 1 : 0;
    report.waited += whose == Blame::waited ? 1 : 0;
    report.own += whose == Blame::own ? 1 : 0;
    if (record != nullptr) {
      record->add(now);
    }
    if (after) {
      after(now);
    }
    if (options.real_time) {
      // Skip the periods that have passed
      const double periods = (seconds(CLOCK_MONOTONIC) - start) / period;
      if (periods >= static_cast<double>(tick + 2)) {
        const auto next = static_cast<std::uint64_t>(periods);
        report.skipped += next - tick - 1;
        tick = next - 1;
      }
    }
  }
  report.seconds = seconds(CLOCK_MONOTONIC) - start;
  return report;
}

Halts find_halts(double duration, double limit) {
  require("duration", duration, positive);
  require("limit", limit, positive);
  Halts found;
  const double end = seconds(CLOCK_MONOTONIC) + duration;
  // Intervals as long as the limit: the thread's CPU clock is read between them, the monotonic clock within
  for (double start = end - duration; start < end;) {
    const double cpu = seconds(CLOCK_THREAD_CPUTIME_ID);
    start = seconds(CLOCK_MONOTONIC);
    double now = start;
    double halt = 0;
    while (now - start < limit) {
      const double next = seconds(CLOCK_MONOTONIC);
      halt = std::max(halt, next - now);
      now = next;
    }
    if (halt > limit) {
      const double off_core = now - start - (seconds(CLOCK_THREAD_CPUTIME_ID) - cpu);
      ++found.count;
      found.as_own += halt - off_core > limit ? 1 : 0;
      found.longest = std::max(found.longest, halt);
    }
    start = now;
  }
  return found;
}

}  // namespace stiction::haptics
