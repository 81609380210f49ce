// What must hold for the coupled step of every model, whatever the parameters, the state and the step.
#include <cmath>
#include <limits>

#include "support/property.h"

namespace stiction::scalar {
namespace {

using test::any_model;
using test::between;
using test::holds_for;
using test::is_memoryless;
using test::is_set_valued;
using test::log_between;
using test::signed_between;

constexpr int many = 20'000;
constexpr double epsilon = std::numeric_limits<double>::epsilon();

template <class Model>
class EveryModel : public testing::Test {};
template <class Model>
class StatelessModel : public testing::Test {};
template <class Model>
class SetValuedModel : public testing::Test {};

template <class Variant>
struct AsTypes;
template <class... Model>
struct AsTypes<std::variant<Model...>> {
  using Types = testing::Types<Model...>;
};

struct ModelNames {
  template <class Model>
  static std::string GetName(int) {
    return Model::info.name;
  }
};

TYPED_TEST_SUITE(EveryModel, AsTypes<AnyModel>::Types, ModelNames);
using Stateless = testing::Types<Coulomb, Viscous, Stiction, Stribeck, AsymmetricStribeck, Tanh>;
TYPED_TEST_SUITE(StatelessModel, Stateless, ModelNames);
using SetValuedTypes = testing::Types<Coulomb, Stiction, Stribeck, AsymmetricStribeck>;
TYPED_TEST_SUITE(SetValuedModel, SetValuedTypes, ModelNames);

struct Inputs {
  double velocity, free_velocity, mobility, dt;
};

/// Loads from none to three times the friction, so that bodies slide, stop, stick, turn and break away.
template <class Model>
Inputs any_inputs(const Model& model) {
  Inputs in{};
  in.velocity = *signed_between(1e-7, 1e1);
  in.mobility = *log_between(1e-2, 1e2);
  in.dt = *log_between(1e-6, 1e-1);
  const double friction = std::abs(model.force(model.advance({}, 1.0, 1e9), 1.0));
  in.free_velocity = in.velocity + in.mobility * in.dt * friction * *between(-3, 3);
  return in;
}

template <class Model>
typename Model::State any_state(const Model& model, double velocity) {
  if constexpr (Model::order == 0) {
    return model.advance({}, velocity, 0);
  } else {
    return {*between(-1, 1) * model.largest_deflection()};
  }
}

template <class Model>
typename Model::State mirrored(const typename Model::State& state) {
  if constexpr (is_set_valued<Model>) {
    return {static_cast<Mode>(-static_cast<int>(state.mode))};
  } else if constexpr (is_memoryless<Model>) {
    return {};
  } else {
    return {-state.bristle};
  }
}

/// The model seen in a mirror: itself, but for the one that knows its directions.
template <class Model>
Model mirrored_model(const Model& model) {
  if constexpr (std::is_same_v<Model, AsymmetricStribeck>) {
    const auto& p = model.params;
    return AsymmetricStribeck::make({p.coulomb_force_minus, p.static_force_minus, p.stribeck_velocity_minus,
                                     p.stribeck_exponent_minus, p.viscous_minus, p.coulomb_force_plus,
                                     p.static_force_plus, p.stribeck_velocity_plus, p.stribeck_exponent_plus,
                                     p.viscous_plus});
  } else {
    return model;
  }
}

TYPED_TEST(EveryModel, CoupledStepIsOddToTheLastBit) {
  using Model = TypeParam;
  holds_for(many, [] {
    const auto model = any_model<Model>();
    const auto in = any_inputs(model);
    const auto state = any_state(model, in.velocity);
    const auto there = model.solve(state, in.free_velocity, in.mobility, in.dt, in.velocity);
    const auto back =
        mirrored_model(model).solve(mirrored<Model>(state), -in.free_velocity, in.mobility, in.dt, -in.velocity);
    RC_ASSERT(back.velocity == -there.velocity);
    RC_ASSERT(back.force == -there.force);
    RC_ASSERT(back.state == mirrored<Model>(there.state));
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
    const auto in = any_inputs(model);
    const auto next = model.solve(any_state(model, in.velocity), in.free_velocity, in.mobility, in.dt, in.velocity);
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
    const double below = direction * most * *between(0, 1 - 1e-9);
    const double above = direction * most * *between(1 + 1e-9, 3);
    const auto held = model.solve({}, mobility * dt * below, mobility, dt, 0);
    RC_ASSERT(held.velocity == 0.0);
    RC_ASSERT(std::abs(held.force - below) <= 4 * epsilon * most);
    RC_ASSERT(model.solve({}, mobility * dt * above, mobility, dt, 0).velocity * direction > 0);
  });
}

TEST(LuGreCoupledProperty, EnergyOfBodyAndBristleNeverGrowsWithoutLoad) {
  holds_for(50'000, [] {
    const auto model = any_model<LuGre>();
    const double velocity = *signed_between(1e-7, 1e1);
    const auto state = any_state(model, velocity);
    const double mass = *log_between(1e-2, 1e2);
    const auto next = model.solve(state, velocity, 1 / mass, *log_between(1e-6, 1e-1), velocity);
    RC_PRE(model.dissipativity_margin(next.velocity) > 0);
    const double before = mass * square(velocity) / 2 + model.energy(state);
    const double after = mass * square(next.velocity) / 2 + model.energy(next.state);
    RC_ASSERT(after <= before * (1 + 1e-12));
  });
}

TEST(LuGreCoupledProperty, BristleStaysInTheInvariantSet) {
  holds_for(50'000, [] {
    const auto model = any_model<LuGre>();
    const auto in = any_inputs(model);
    const auto next = model.solve(any_state(model, in.velocity), in.free_velocity, in.mobility, in.dt, in.velocity);
    RC_ASSERT(std::isfinite(next.velocity) && std::isfinite(next.force));
    RC_ASSERT(std::abs(next.state.bristle) <= model.largest_deflection() * (1 + 8 * epsilon));
  });
}

}  // namespace
}  // namespace stiction::scalar
