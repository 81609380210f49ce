#include "stiction/haptics/friction_step.h"

#include <algorithm>

namespace stiction::haptics {
namespace {

using spatial::ContactResult;

void copy_forces(const spatial::StaticFriction& solver, std::span<ContactResult> forces) noexcept {
  std::ranges::copy(solver.contacts(), forces.begin());
}

class ConeProgram final : public FrictionStep {
 public:
  ConeProgram(std::size_t most_contacts, int sides, spatial::Metric metric)
      : solver_(most_contacts, sides), options_{.metric = metric} {}

  FrictionMotion step(const Situation& situation, std::span<ContactResult> forces) noexcept override {
    if (!solver_.set(situation.contacts, *situation.load)) {
      return {{}, Phase::fault};
    }
    const spatial::Verdict verdict = solver_.verdict();
    const spatial::Solution solution = solver_.solve(options_);
    copy_forces(solver_, forces);
    if (verdict.holds) {
      for (ContactResult& force : forces) {
        force.state = spatial::ContactState::sticks;
      }
      return {verdict.motion, Phase::held, verdict.rank};
    }
    return {solution.motion, Phase::slides, verdict.rank};
  }

 private:
  spatial::StaticFriction solver_;
  spatial::Options options_;
};

class SwitchedFriction final : public FrictionStep {
 public:
  SwitchedFriction(std::size_t most_contacts, int sides) : solver_(most_contacts, sides) {}

  FrictionMotion step(const Situation& situation, std::span<ContactResult> forces) noexcept override {
    if (!solver_.set(situation.contacts, *situation.load)) {
      return {{}, Phase::fault};
    }
    const spatial::Verdict verdict = solver_.verdict();
    if (!verdict.holds) {
      return {situation.frictionless, Phase::slides};
    }
    // One of the forces that hold it, to show; the paper's program has them as well.
    static_cast<void>(solver_.solve());
    copy_forces(solver_, forces);
    return {verdict.motion, Phase::held, verdict.rank};
  }

 private:
  spatial::StaticFriction solver_;
};

}  // namespace

std::unique_ptr<FrictionStep> make_cone_program(std::size_t most_contacts, int sides, spatial::Metric metric) {
  return std::make_unique<ConeProgram>(most_contacts, sides, metric);
}
std::unique_ptr<FrictionStep> make_switched_friction(std::size_t most_contacts, int sides) {
  return std::make_unique<SwitchedFriction>(most_contacts, sides);
}

}  // namespace stiction::haptics
