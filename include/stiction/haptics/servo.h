// The loop between a device and a renderer: a fixed rate, measured, and safe where the device falls silent. Linux.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "stiction/haptics/device.h"
#include "stiction/haptics/renderer.h"

namespace stiction::haptics {

struct ServoOptions {
  double duration = infinity;       // [s]
  bool real_time = true;            // one cycle each period of the renderer; else one after the other, in its own time
  double time_out = 0.1;            // a pose that is older makes the output 0 [s]
  double ramp = 0.5;                // in which the output comes back after that, and after a fault [s]
  double budget = -1;               // for a cycle [s]; < 0: the period
  int priority = 0;                 // of SCHED_FIFO, 1 to 99, where the system allows it; 0: as the thread is
  long forces_every = 0;            // so many cycles the friction of each contact is wanted (Renderer::step); 0: never
  std::function<bool()> stop = {};  // asked before each cycle: true ends the loop
};

/// One cycle of the loop.
struct ServoCycle {
  double time = 0;            // for which it was due [s]
  double late = 0;            // woken after that [s]; 0 unless in real time
  double wall = 0;            // it took: reading, rendering, writing [s]
  double cpu = 0;             // of that on a core [s]
  std::int64_t switches = 0;  // times the system gave the core to another
  std::int64_t waits = 0;     // times the cycle gave it away: it slept, or waited for something
  HandSample hand;
  Pose target;          // that the renderer was given: the hand's, or the last fresh one
  double gain = 1;      // of the output: 0 in the safe state and in a fault
  bool forces = false;  // the friction of each contact was found
  Cycle cycle;
  spatial::Vector6 output{};  // what the device was told: gain times the renderer's
};

/// Whose fault it was that a cycle took longer than it may.
enum class Blame : std::uint8_t {
  none,    // within its budget
  system,  // on a core for less than the budget, and did not wait: another thread, an interrupt or a hypervisor had it
  waited,  // on a core for less than the budget, and waited: for the device, a lock, a page from disk
  own,     // on a core for longer than the budget, as the system counts. It may count what a hypervisor takes as well
};
[[nodiscard]] Blame blame(const ServoCycle& cycle, double budget) noexcept;

/// Room for a number of cycles, taken before the loop starts.
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
  std::size_t safe = 0;      // of them without a fresh pose
  std::size_t faults = 0;    // in which no motion was found
  std::size_t skipped = 0;   // periods that were over before the cycle before was
  std::size_t overruns = 0;  // cycles that took longer than the budget. Of them, by `blame`,
  std::size_t stolen = 0;    //   the system's
  std::size_t waited = 0;    //   waited
  std::size_t own = 0;       //   their own
  double longest = 0;        // cycle [s]
  double latest = 0;         // awakening [s]
  double seconds = 0;        // of the whole loop, by the clock
  bool had_priority = false;
};

/// Runs until the duration is over or `stop` says so, and then tells the device a wrench of 0. Before there is a pose
/// the hand is where the body is. In the safe state the renderer goes on with the last pose. `after` is called after
/// each cycle, outside of what is measured. The loop itself allocates nothing. Throws InvalidParameter, and what
/// `after` and `stop` throw.
ServoReport run_servo(Renderer& renderer, Device& device, const ServoOptions& options, ServoRecord* record = nullptr,
                      const std::function<void(const ServoCycle&)>& after = {});

/// What a machine does to a loop that reads the clock and nothing else.
struct Halts {
  std::size_t count = 0;   // times in which the clock went on by more than the limit between two readings
  std::size_t as_own = 0;  // of them counted as time of the thread: thread time does not see who took it
  double longest = 0;      // [s]
};
/// Watches for `duration` [s]. Throws InvalidParameter.
Halts find_halts(double duration, double limit);

}  // namespace stiction::haptics
