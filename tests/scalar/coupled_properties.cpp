// What must hold for the coupled step of every model, whatever the parameters, the state and the step.
#include <cmath>
#include <limits>

#include "support/every_model.h"
#include "support/property.h"
#include "support/states.h"

namespace stiction::scalar {
namespace {

using test::affordable;
using test::any_model;
using test::between;
using test::holds_for;
using test::log_between;
using test::mirrored;
using test::signed_between;

constexpr int many = 4'000;
constexpr double epsilon = std::numeric_limits<double>::epsilon();

template <class Model>
class EveryModel : public testing::Test {};
template <class Model>
class OddModel : public testing::Test {};
template <class Model>
class StatelessModel : public testing::Test {};
template <class Model>
class SetValuedModel : public testing::Test {};
template <class Model>
class StoringModel : public testing::Test {};

TYPED_TEST_SUITE(EveryModel, test::EveryModel, test::ModelNames);
TYPED_TEST_SUITE(OddModel, test::ModelsThat<test::IsOdd>, test::ModelNames);
using Stateless =
    testing::Types<Coulomb, Viscous, Stiction, Stribeck, AsymmetricStribeck, Tabulated, BrownMcPhee, Specker, Tanh>;
TYPED_TEST_SUITE(StatelessModel, Stateless, test::ModelNames);
using SetValuedTypes =
    testing::Types<Coulomb, Stiction, Stribeck, AsymmetricStribeck, LoadDependentStribeck, Tabulated, Karnopp>;
TYPED_TEST_SUITE(SetValuedModel, SetValuedTypes, test::ModelNames);
using Storing = testing::Types<Dahl, ResetIntegrator, BlimanSorine1, LuGre, ElastoPlastic, Gms>;
TYPED_TEST_SUITE(StoringModel, Storing, test::ModelNames);

/// A body in a state that it can reach, and a step of it.
template <class Model>
struct Case {
  typename Model::State state;
  double velocity, free_velocity, mobility, dt;

  auto solved(const Model& model) const { return model.solve(state, free_velocity, mobility, dt, velocity); }
  Case in_mirror() const { return {mirrored<Model>(state), -velocity, -free_velocity, mobility, dt}; }
};

template <class Model>
typename Model::State any_state(const Model& model, double velocity) {
  return test::reachable_state(model, velocity, [] {
    return test::Move{*signed_between(1e-7, 1e1), *log_between(1e-6, 1e-1)};
  });
}

/// Loads from none to three times the friction, so that bodies slide, stop, stick, turn and break away.
template <class Model>
Case<Model> any_case(const Model& model) {
  Case<Model> c{};
  const double meant = *signed_between(1e-7, 1e1);
  c.state = any_state(model, meant);
  c.velocity = test::possible_velocity(model, c.state, meant);
  c.mobility = *log_between(1e-2, 1e2);
  c.dt = *log_between(1e-6, 1e-1);
  const double friction = std::abs(model.force(model.advance({}, 1.0, 1e9), 1.0));
  c.free_velocity = c.velocity + c.mobility * c.dt * friction * *between(-3, 3);
  return c;
}

/// How far the mirror image may be off, in rounding errors: only where a sum is taken in the other order.
template <class Model>
constexpr double mirror_error = 0;
template <>  // elements that stop are placed between forwards and backwards
constexpr double mirror_error<Gms> = 16 * epsilon;

TYPED_TEST(OddModel, CoupledStepIsOddToTheLastBit) {
  using Model = TypeParam;
  holds_for(affordable<Model>(many), [] {
    const auto model = any_model<Model>();
    const auto c = any_case(model);
    const auto there = c.solved(model);
    const auto back = c.in_mirror().solved(test::mirrored_model(model));
    RC_ASSERT(back.velocity == -there.velocity);
    RC_ASSERT(std::abs(back.force + there.force) <= mirror_error<Model> * std::abs(there.force));
    const auto seen = mirrored<Model>(there.state);
    RC_ASSERT(test::same_mode<Model>(back.state, seen));
    if (mirror_error<Model> == 0) {
      RC_ASSERT(back.state == seen);
    }
    for (std::size_t i = 0; i < Model::order; ++i) {
      RC_ASSERT(std::abs(Model::pack(back.state)[i] - Model::pack(seen)[i]) <=
                mirror_error<Model> * (model.typical()[i] + std::abs(there.force)));
    }
  });
}

TYPED_TEST(EveryModel, CoupledStepStaysFiniteAndInsideTheInvariantSet) {
  using Model = TypeParam;
  holds_for(affordable<Model>(many), [] {
    const auto model = any_model<Model>();
    const auto next = any_case(model).solved(model);
    RC_ASSERT(std::isfinite(next.velocity) && std::isfinite(next.force));
    RC_ASSERT(test::share_of_limits(model, next.state) <= 1 + 8 * epsilon);
  });
}

TYPED_TEST(StatelessModel, CoupledStepWithoutLoadNeverGainsKineticEnergyNorTurnsTheBody) {
  using Model = TypeParam;
  holds_for(many, [] {
    const auto model = any_model<Model>();
    const double velocity = *signed_between(1e-9, 1e2);
    const auto next =
        model.solve(any_state(model, velocity), velocity, *log_between(1e-3, 1e3), *log_between(1e-6, 1), velocity);
    RC_ASSERT(std::abs(next.velocity) <= std::abs(velocity));
    RC_ASSERT(next.velocity * velocity >= 0);
    RC_ASSERT(next.force * velocity >= 0);
  });
}

TYPED_TEST(StatelessModel, FrictionNeverDoesPositiveWork) {
  using Model = TypeParam;
  holds_for(many, [] {
    const auto model = any_model<Model>();
    const double velocity = *signed_between(1e-12, 1e3);
    const auto state = any_state(model, velocity);
    RC_ASSERT(model.force(state, velocity) * velocity >= 0);
    RC_ASSERT(model.dissipated_power(state, velocity) >= 0);
    const auto next = any_case(model).solved(model);
    RC_ASSERT(next.force * next.velocity >= 0);
  });
}

TYPED_TEST(SetValuedModel, AStuckBodyNeverMovesBelowBreakAwayAndAlwaysAboveIt) {
  using Model = TypeParam;
  holds_for(many, [] {
    const auto model = any_model<Model>();
    const double mobility = *log_between(1e-3, 1e3);
    const double dt = *log_between(1e-6, 1);
    const double direction = *between(-1, 1) < 0 ? -1 : 1;
    const double most = model.breakaway_force(direction);
    RC_PRE(std::isfinite(most));  // gears that lock themselves
    const double below = direction * most * *between(0, 1 - 1e-9);
    const double above = direction * most * *between(1 + 1e-9, 3);
    const auto held = model.solve({}, mobility * dt * below, mobility, dt, 0);
    RC_ASSERT(held.velocity == 0.0);
    RC_ASSERT(std::abs(held.force - below) <= 4 * epsilon * most);
    RC_ASSERT(model.solve({}, mobility * dt * above, mobility, dt, 0).velocity * direction > 0);
  });
}

/// Storage functions are known for a constant s(v) alone.
template <class Model>
Model any_storing_model() {
  if constexpr (std::is_same_v<Model, Gms>) {
    auto params = any_model<Gms>().params;
    params.static_force = params.coulomb_force;
    return Gms::make(params);
  } else {
    return any_model<Model>();
  }
}

TYPED_TEST(StoringModel, EnergyOfBodyAndFrictionNeverGrowsWithoutLoad) {
  using Model = TypeParam;
  holds_for(many, [] {
    const auto model = any_storing_model<Model>();
    auto c = any_case(model);
    c.free_velocity = c.velocity;
    const auto next = c.solved(model);
    if constexpr (requires { model.dissipativity_margin(next.velocity); }) {
      RC_PRE(model.dissipativity_margin(next.velocity) > 0);
    }
    if constexpr (std::is_same_v<Model, ResetIntegrator>) {
      RC_PRE(test::same_mode<Model>(c.state, next.state));  // a step has one force: before the drop, or behind it
    }
    const double before = square(c.velocity) / (2 * c.mobility) + model.energy(c.state);
    const double after = square(next.velocity) / (2 * c.mobility) + model.energy(next.state);
    RC_ASSERT(after <= before * (1 + 1e-12));
  });
}

}  // namespace
}  // namespace stiction::scalar
