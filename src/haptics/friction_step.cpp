#include "stiction/haptics/friction_step.h"

#include <algorithm>

namespace stiction::haptics {
namespace {

using spatial::ContactResult;

/// Relative tolerance on the duality gap: the motion of a cycle is then accurate to 0.1 %, micrometres or less.
constexpr double loop_gap = 1e-6;

void copy_forces(const spatial::StaticFriction& solver, std::span<ContactResult> forces) noexcept {
  std::ranges::copy(solver.contacts(), forces.begin());
}

class ConeProgram final : public FrictionStep {
 public:
  ConeProgram(std::size_t max_contacts, int sides, spatial::Metric metric)
      : solver_(max_contacts, sides), options_{.metric = metric, .gap = loop_gap} {}

  FrictionMotion step(const Situation& situation, std::span<ContactResult> forces) noexcept override {
    if (!solver_.set(situation.contacts, *situation.load)) {
      return {{}, Phase::fault};
    }
    // The outcome of the last cycle is tried first. A contact that slips in the optimum proves that friction does not
    // hold, so the verdict is only computed if none does.
    if (!held_) {
      solution_ = solver_.solve(options_);
      if (any_slides()) {
        copy_forces(solver_, forces);
        return {solution_.motion, Phase::slides};
      }
    }
    const spatial::Verdict verdict = solver_.verdict();
    const bool solved = !held_;
    held_ = verdict.holds();
    if (!solved && (situation.forces || !held_)) {
      solution_ = solver_.solve(options_);
    }
    if (held_) {
      if (situation.forces) {
        copy_forces(solver_, forces);
      }
      for (ContactResult& force : forces) {
        force.state = spatial::ContactState::sticks;
      }
      return {verdict.motion, Phase::held, verdict.rank};
    }
    copy_forces(solver_, forces);
    return {solution_.motion, Phase::slides, verdict.rank};
  }
  void reset() noexcept override {
    held_ = false;
    solver_.forget();
  }

 private:
  [[nodiscard]] bool any_slides() const noexcept {
    return std::ranges::any_of(solver_.contacts(),
                               [](const ContactResult& c) { return c.state == spatial::ContactState::slides; });
  }

  spatial::StaticFriction solver_;
  spatial::Options options_;
  spatial::Solution solution_;
  bool held_ = false;
};

class SwitchedFriction final : public FrictionStep {
 public:
  SwitchedFriction(std::size_t max_contacts, int sides) : solver_(max_contacts, sides) {}

  FrictionMotion step(const Situation& situation, std::span<ContactResult> forces) noexcept override {
    if (!solver_.set(situation.contacts, *situation.load)) {
      return {{}, Phase::fault};
    }
    const spatial::Verdict verdict = solver_.verdict();
    if (!verdict.holds()) {
      return {situation.frictionless, Phase::slides};
    }
    if (situation.forces) {  // forces that hold it; the paper's program gives them as well
      static_cast<void>(solver_.solve({.gap = loop_gap}));
      copy_forces(solver_, forces);
    }
    for (ContactResult& force : forces) {
      force.state = spatial::ContactState::sticks;
    }
    return {verdict.motion, Phase::held, verdict.rank};
  }
  void reset() noexcept override { solver_.forget(); }

 private:
  spatial::StaticFriction solver_;
};

}  // namespace

std::unique_ptr<FrictionStep> make_cone_program(std::size_t max_contacts, int sides, spatial::Metric metric) {
  return std::make_unique<ConeProgram>(max_contacts, sides, metric);
}
std::unique_ptr<FrictionStep> make_switched_friction(std::size_t max_contacts, int sides) {
  return std::make_unique<SwitchedFriction>(max_contacts, sides);
}

}  // namespace stiction::haptics
