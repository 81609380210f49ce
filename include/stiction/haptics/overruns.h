// Overruns of a real-time loop: the cycles that took too long, and the time that they take when replayed.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "stiction/export.h"
#include "stiction/haptics/servo.h"

namespace stiction::haptics {

struct Overrun {
  std::size_t number = 0;      // of the cycle
  ServoCycle cycle;            // as recorded
  double replayed = infinity;  // shortest time when replayed [s]
  bool same = true;            // the replay gave bitwise the same contacts, motion and force
  bool cleared = false;        // the replay is the same, and within the budget
};

/// Thread CPU time cannot distinguish a cycle's own work from time that a hypervisor takes without the system's
/// knowledge. A replay can: a renderer does the same work for the same hand poses, whether they came from a path or a
/// device, so an excess that does not recur was not the cycle's own.
class STICTION_EXPORT Overruns {
 public:
  /// `expected`: number of cycles to reserve memory for.
  explicit Overruns(double budget, std::size_t expected = 0) : budget_(budget) { inputs_.reserve(expected); }

  /// Records a cycle. All cycles of the loop must be added, in order.
  void add(const ServoCycle& cycle);

  /// Replays all cycles up to the last overrun, with a renderer in the initial state of the loop's. Time spent in the
  /// device is counted as recorded.
  void replay(Renderer& renderer) noexcept;
  /// Replays with new renderers while there are cycles of `Blame::own`, at most three times.
  void settle(const std::function<Renderer()>& at_start);

  [[nodiscard]] std::span<const Overrun> all() const noexcept { return all_; }
  /// By the clocks, but cleared cycles of `Blame::own` count as `Blame::system`.
  [[nodiscard]] Blame blame(const Overrun& overrun) const noexcept;
  [[nodiscard]] std::size_t count(Blame whose) const noexcept;
  /// Number of cycles that are `Blame::own` by the clocks, but cleared.
  [[nodiscard]] std::size_t cleared() const noexcept;
  /// The longest replay of one of these [s].
  [[nodiscard]] double longest_replay() const noexcept;
  [[nodiscard]] double budget() const noexcept { return budget_; }

 private:
  struct Input {
    Pose target;
    bool forces;
  };
  [[nodiscard]] bool was_cleared(const Overrun& overrun) const noexcept {
    return overrun.cleared && haptics::blame(overrun.cycle, budget_) == Blame::own;
  }

  double budget_;
  std::vector<Input> inputs_;
  std::vector<Overrun> all_;
};

}  // namespace stiction::haptics
