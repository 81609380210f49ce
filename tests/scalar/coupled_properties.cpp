// What must hold for the coupled step of every model, whatever the parameters, the state and the step.
#include <cmath>
#include <limits>

#include "support/model_kinds.h"
#include "support/property.h"
#include "support/states.h"

namespace stiction::scalar {
namespace {

using test::any_model;
using test::between;
using test::holds_for;
using test::log_between;
using test::ModelKind;
using test::signed_between;

constexpr int many = 4'000;
constexpr double epsilon = std::numeric_limits<double>::epsilon();

class EveryModel : public test::EveryModel {};
INSTANTIATE_TEST_SUITE_P(Models, EveryModel, test::every_model(), test::name_of);
class OddModel : public test::EveryModel {};
INSTANTIATE_TEST_SUITE_P(Models, OddModel, test::models_that([](const ModelKind& kind) { return kind.is_odd(); }),
                         test::name_of);
class StatelessModel : public test::EveryModel {};
INSTANTIATE_TEST_SUITE_P(Models, StatelessModel, test::models_that([](const ModelKind& kind) {
                           return kind.table->order == 0 && !kind.table->follows_load;
                         }),
                         test::name_of);
class SetValuedModel : public test::EveryModel {};
INSTANTIATE_TEST_SUITE_P(Models, SetValuedModel, test::models_that([](const ModelKind& kind) {
                           return kind.table->sticks && kind.table->order == 0 && kind.name() != "karnopp-original";
                         }),
                         test::name_of);
class StoringModel : public test::EveryModel {};
INSTANTIATE_TEST_SUITE_P(Models, StoringModel,
                         test::models_named({"dahl", "reset-integrator", "bliman-sorine-1", "lugre", "elasto-plastic",
                                             "gms"}),
                         test::name_of);

/// A body in a state that it can reach, and a step of it.
struct Case {
  AnyState state;
  CoupledStep<double> step;

  [[nodiscard]] auto solved(const AnyModel& model) const { return model.solve(state, step); }
  [[nodiscard]] Case in_mirror(const ModelKind& kind) const {
    return {kind.mirrored(state), {-step.free_velocity, step.mobility, -step.velocity, step.dt}};
  }
};

AnyState any_state(const AnyModel& model, double velocity) {
  return test::reachable_state(model, velocity, [] {
    return test::Move{*signed_between(1e-7, 1e1), *log_between(1e-6, 1e-1)};
  });
}

/// Loads from none to three times the friction, so that bodies slide, stop, stick, turn and break away.
Case any_case(const AnyModel& model) {
  const double meant = *signed_between(1e-7, 1e1);
  const AnyState state = any_state(model, meant);
  const double velocity = model.velocity_after(state, meant);  // one that is held does not move
  const double mobility = *log_between(1e-2, 1e2);
  const double dt = *log_between(1e-6, 1e-1);
  const double friction = std::abs(model.force(model.advance(model.initial(), 1.0, 1e9), 1.0));
  const double free_velocity = velocity + mobility * dt * friction * *between(-3, 3);
  return {state, {free_velocity, mobility, velocity, dt}};
}

TEST_P(OddModel, CoupledStepIsOddToTheLastBit) {
  // How far the mirror image may be off, in rounding errors: only where a sum is taken in the other order. Elements of
  // GMS that stop are placed between forwards and backwards.
  const double mirror_error = kind.name() == "gms" ? 16 * epsilon : 0;
  holds_for(kind.affordable(many), [&] {
    const AnyModel model = any_model(kind);
    const Case c = any_case(model);
    const auto there = c.solved(model);
    const auto back = c.in_mirror(kind).solved(kind.mirrored_model(model));
    RC_ASSERT(back.velocity == -there.velocity);
    RC_ASSERT(std::abs(back.force + there.force) <= mirror_error * std::abs(there.force));
    const auto seen = kind.mirrored(there.state);
    RC_ASSERT(test::same_mode(back.state, seen));
    if (mirror_error == 0) {
      RC_ASSERT(back.state == seen);
    }
    for (std::size_t i = 0; i < kind.table->order; ++i) {
      RC_ASSERT(std::abs(AnyModel::pack(back.state)[i] - AnyModel::pack(seen)[i]) <=
                mirror_error * (model.typical()[i] + std::abs(there.force)));
    }
  });
}

TEST_P(EveryModel, CoupledStepStaysFiniteAndInsideTheInvariantSet) {
  holds_for(kind.affordable(many), [&] {
    const AnyModel model = any_model(kind);
    const auto next = any_case(model).solved(model);
    RC_ASSERT(std::isfinite(next.velocity) && std::isfinite(next.force));
    RC_ASSERT(test::share_of_limits(kind, model, next.state) <= 1 + 8 * epsilon);
  });
}

TEST_P(StatelessModel, CoupledStepWithoutLoadNeverGainsKineticEnergyNorTurnsTheBody) {
  holds_for(many, [&] {
    const AnyModel model = any_model(kind);
    const double velocity = *signed_between(1e-9, 1e2);
    const AnyState state = any_state(model, velocity);
    const double mobility = *log_between(1e-3, 1e3);
    const auto next = model.solve(
        state, {.free_velocity = velocity, .mobility = mobility, .velocity = velocity, .dt = *log_between(1e-6, 1)});
    RC_ASSERT(std::abs(next.velocity) <= std::abs(velocity));
    RC_ASSERT(next.velocity * velocity >= 0);
    RC_ASSERT(next.force * velocity >= 0);
  });
}

TEST_P(StatelessModel, FrictionNeverDoesPositiveWork) {
  holds_for(many, [&] {
    const AnyModel model = any_model(kind);
    const double velocity = *signed_between(1e-12, 1e3);
    const auto state = any_state(model, velocity);
    RC_ASSERT(model.force(state, velocity) * velocity >= 0);
    RC_ASSERT(model.dissipated_power(state, velocity) >= 0);
    const auto next = any_case(model).solved(model);
    RC_ASSERT(next.force * next.velocity >= 0);
  });
}

TEST_P(SetValuedModel, AStuckBodyNeverMovesBelowBreakAwayAndAlwaysAboveIt) {
  holds_for(many, [&] {
    const AnyModel model = any_model(kind);
    const double mobility = *log_between(1e-3, 1e3);
    const double dt = *log_between(1e-6, 1);
    const double direction = *between(-1, 1) < 0 ? -1 : 1;
    const double most = kind.breakaway_force(model, direction).value();
    RC_PRE(std::isfinite(most));  // gears that lock themselves
    const double below = direction * most * *between(0, 1 - 1e-9);
    const double above = direction * most * *between(1 + 1e-9, 3);
    const auto pushed = [&](double load) {
      return model.solve(model.initial(),
                         {.free_velocity = mobility * dt * load, .mobility = mobility, .velocity = 0, .dt = dt});
    };
    const auto held = pushed(below);
    RC_ASSERT(held.velocity == 0.0);
    RC_ASSERT(std::abs(held.force - below) <= 4 * epsilon * most);
    RC_ASSERT(pushed(above).velocity * direction > 0);
  });
}

/// Storage functions are known for a constant s(v) alone.
AnyModel any_storing_model(const ModelKind& kind) {
  const AnyModel model = any_model(kind);
  if (const auto* gms = model.as<Gms>()) {
    auto params = gms->params();
    params.static_force = params.coulomb_force;
    return Gms::make(params);
  }
  return model;
}

TEST_P(StoringModel, EnergyOfBodyAndFrictionNeverGrowsWithoutLoad) {
  holds_for(many, [&] {
    const AnyModel model = any_storing_model(kind);
    Case c = any_case(model);
    c.step.free_velocity = c.step.velocity;
    const auto next = c.solved(model);
    RC_PRE(kind.dissipativity_margin(model, next.velocity).value_or(1) > 0);
    if (model.as<ResetIntegrator>() != nullptr) {
      RC_PRE(test::same_mode(c.state, next.state));  // a step has one force: before the drop, or behind it
    }
    const double before = square(c.step.velocity) / (2 * c.step.mobility) + model.energy(c.state);
    const double after = square(next.velocity) / (2 * c.step.mobility) + model.energy(next.state);
    RC_ASSERT(after <= before * (1 + 1e-12));
  });
}

}  // namespace
}  // namespace stiction::scalar
