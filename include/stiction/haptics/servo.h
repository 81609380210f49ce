// The servo loop between a device and a renderer: fixed rate, timing statistics, and a safe state if the device stops
// sending poses. Linux.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "stiction/export.h"
#include "stiction/haptics/device.h"
#include "stiction/haptics/renderer.h"

namespace stiction::haptics {

struct ServoOptions {
  double duration = infinity;         // [s]
  bool real_time = true;              // one cycle per period of the renderer; otherwise as fast as possible
  double time_out = 0.1;              // if the pose is older than this, the output is 0 [s]
  double ramp = 0.5;                  // time in which the output returns after that, and after a fault [s]
  std::optional<double> budget = {};  // for a cycle [s], ≥ 0; none: the period
  int priority = 0;                   // of SCHED_FIFO, 1 to 99, if the system permits; 0: unchanged
  long forces_every = 0;            // cycles between computing the friction of each contact (Renderer::step); 0: never
  std::function<bool()> stop = {};  // called before each cycle: true ends the loop
};

/// One cycle of the loop.
struct ServoCycle {
  double time = 0;            // scheduled start [s]
  double late = 0;            // delay of the actual start [s]; 0 unless in real time
  double wall = 0;            // duration: reading, rendering, writing [s]
  double cpu = 0;             // CPU time of the thread in that [s]
  std::int64_t switches = 0;  // involuntary context switches
  std::int64_t waits = 0;     // voluntary context switches: it slept, or waited for something
  HandSample hand;
  Pose target;          // the input of the renderer: the hand's pose, or the last fresh one
  double gain = 1;      // of the output: 0 in the safe state and in a fault
  bool forces = false;  // the friction of each contact was computed
  Cycle cycle;
  Vector6 output{};  // to the device: gain times the renderer's
};

/// The cause of a cycle that exceeded its budget.
enum class Blame : std::uint8_t {
  none,    // within the budget
  system,  // CPU time within the budget, no wait: another thread, an interrupt or a hypervisor had the core
  waited,  // CPU time within the budget, and it waited: for the device, a lock, a page from disk
  own,     // CPU time above the budget, as the system counts it; that may include time taken by a hypervisor
};
[[nodiscard]] STICTION_EXPORT Blame blame(const ServoCycle& cycle, double budget) noexcept;

/// A record of cycles, allocated before the loop starts.
class ServoRecord {
 public:
  explicit ServoRecord(std::size_t capacity) : cycles_(capacity) {}
  void add(const ServoCycle& cycle) noexcept {
    if (count_ < cycles_.size()) {
      cycles_[count_] = cycle;
      ++count_;
    } else {
      ++left_out_;
    }
  }
  [[nodiscard]] std::span<const ServoCycle> cycles() const noexcept { return std::span(cycles_).first(count_); }
  [[nodiscard]] std::size_t left_out() const noexcept { return left_out_; }

 private:
  std::vector<ServoCycle> cycles_;
  std::size_t count_ = 0, left_out_ = 0;
};

struct ServoReport {
  std::size_t cycles = 0;
  std::size_t safe = 0;      // cycles without a fresh pose
  std::size_t faults = 0;    // cycles in which no motion was found
  std::size_t skipped = 0;   // periods skipped because the previous cycle was still running
  std::size_t overruns = 0;  // cycles that took longer than the budget. Of these, by `blame`:
  std::size_t stolen = 0;    //   Blame::system
  std::size_t waited = 0;    //   Blame::waited
  std::size_t own = 0;       //   Blame::own
  double longest = 0;        // longest cycle [s]
  double latest = 0;         // largest delay of a cycle's start [s]
  double seconds = 0;        // wall time of the whole loop
  bool had_priority = false;
};

/// Runs until the duration is over or `stop` returns true, and then sends a zero wrench to the device. Until the first
/// pose arrives the hand is taken to be at the body's pose. In the safe state the renderer continues with the last
/// pose. `after` is called after each cycle, outside the measured time. The loop itself does not allocate. Throws
/// InvalidParameter, and whatever `after` and `stop` throw.
STICTION_EXPORT ServoReport run_servo(Renderer& renderer, Device& device, const ServoOptions& options,
                                      ServoRecord* record = nullptr,
                                      const std::function<void(const ServoCycle&)>& after = {});

/// Interruptions of a loop that only reads the clock.
struct Halts {
  std::size_t count = 0;   // times the clock advanced by more than the limit between two readings
  std::size_t as_own = 0;  // of these, counted as CPU time of the thread, although it did not run
  double longest = 0;      // [s]
};
/// Runs such a loop for `duration` [s]; `limit` [s]. Throws InvalidParameter.
STICTION_EXPORT Halts find_halts(double duration, double limit);

}  // namespace stiction::haptics
