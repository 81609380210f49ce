// The cycles of a loop that took too long, and what the same cycles take when they run again.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "stiction/haptics/servo.h"

namespace stiction::haptics {

struct Overrun {
  std::size_t number = 0;   // of the cycle
  ServoCycle cycle;         // as it was
  double again = infinity;  // the least that it took when it ran again [s]
  bool same = true;         // that gave the same contacts, motion and force, to the last digit
  bool cleared = false;     // it is the same, and within the budget
};

/// Thread time cannot tell a cycle's own work from what a hypervisor takes without telling the system. The same cycle
/// once more can: a renderer does the same work for the same poses of the hand, whether they came from a path or a
/// device, so what does not come again was not the cycle's.
class Overruns {
 public:
  /// `expected`: cycles that there is room for from the start.
  explicit Overruns(double budget, std::size_t expected = 0) : budget_(budget) { inputs_.reserve(expected); }

  /// All cycles of the loop, in their order.
  void add(const ServoCycle& cycle);

  /// All cycles up to the last that took too long, by a renderer that is as the loop's was at its start. What the
  /// device took is counted as it was.
  void run_again(Renderer& renderer) noexcept;
  /// The same with new renderers while there are cycles of `Blame::own`, three times at most.
  void settle(const std::function<Renderer()>& at_start);

  [[nodiscard]] std::span<const Overrun> all() const noexcept { return all_; }
  /// By the clocks; those of `Blame::own` that are cleared belong to `Blame::system`.
  [[nodiscard]] Blame blame(const Overrun& overrun) const noexcept;
  [[nodiscard]] std::size_t count(Blame whose) const noexcept;
  /// Those that are `Blame::own` by the clocks, and cleared.
  [[nodiscard]] std::size_t cleared() const noexcept;
  /// The longest that one of these took when it ran again [s].
  [[nodiscard]] double longest_again() const noexcept;
  [[nodiscard]] double budget() const noexcept { return budget_; }

 private:
  struct Input {
    Pose target;
    bool forces;
  };
  [[nodiscard]] bool only_again(const Overrun& overrun) const noexcept {
    return overrun.cleared && haptics::blame(overrun.cycle, budget_) == Blame::own;
  }

  double budget_;
  std::vector<Input> inputs_;
  std::vector<Overrun> all_;
};

}  // namespace stiction::haptics
