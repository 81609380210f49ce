#include "stiction/haptics/overruns.h"

#include <algorithm>

namespace stiction::haptics {
namespace {

bool same_work(const Cycle& a, const Cycle& b) noexcept {
  return a.phase == b.phase && a.contacts == b.contacts && a.field_queries == b.field_queries && a.motion == b.motion &&
         a.body == b.body && a.coupling == b.coupling;
}

double rendering(const Cycle& cycle) noexcept { return 1e-6 * cycle.microseconds[3]; }

}  // namespace

void Overruns::add(const ServoCycle& cycle) {
  if (haptics::blame(cycle, budget_) != Blame::none) {
    all_.push_back({.number = inputs_.size(), .cycle = cycle});
  }
  inputs_.push_back({cycle.target, cycle.forces});
}

void Overruns::replay(Renderer& renderer) noexcept {
  std::size_t number = 0;
  for (Overrun& overrun : all_) {
    for (; number < overrun.number; ++number) {
      renderer.step(inputs_[number].target, inputs_[number].forces);
    }
    const Cycle& again = renderer.step(inputs_[number].target, inputs_[number].forces);
    ++number;
    overrun.same = overrun.same && same_work(overrun.cycle.cycle, again);
    const double device = overrun.cycle.wall - rendering(overrun.cycle.cycle);
    overrun.replayed = std::min(overrun.replayed, device + rendering(again));
    overrun.cleared = overrun.same && overrun.replayed <= budget_;
  }
}

void Overruns::settle(const std::function<Renderer()>& at_start) {
  constexpr int max_runs = 3;
  for (int run = 0; run < max_runs && count(Blame::own) > 0; ++run) {
    Renderer renderer = at_start();
    replay(renderer);
  }
}

Blame Overruns::blame(const Overrun& overrun) const noexcept {
  return was_cleared(overrun) ? Blame::system : haptics::blame(overrun.cycle, budget_);
}

std::size_t Overruns::count(Blame whose) const noexcept {
  return static_cast<std::size_t>(std::ranges::count(all_, whose, [&](const Overrun& o) { return blame(o); }));
}

std::size_t Overruns::cleared() const noexcept {
  return static_cast<std::size_t>(std::ranges::count_if(all_, [&](const Overrun& o) { return was_cleared(o); }));
}

double Overruns::longest_replay() const noexcept {
  double longest = 0;
  for (const Overrun& o : all_) {
    longest = was_cleared(o) ? std::max(longest, o.replayed) : longest;
  }
  return longest;
}

}  // namespace stiction::haptics
