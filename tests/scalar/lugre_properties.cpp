// What must hold for LuGre whatever the parameters, the state, the velocity and the step.
#include <cmath>
#include <limits>

#include "support/property.h"

namespace stiction::scalar {
namespace {

using test::any_model;
using test::between;
using test::holds_for;
using test::log_between;
using test::signed_between;

constexpr int many = 100'000;
constexpr double epsilon = std::numeric_limits<double>::epsilon();

double invariant_limit(const LuGre& model) { return model.curve(0.0) / model.stiffness; }

/// Inside the invariant set, on its edge in one case out of six.
LuGre::State any_state(const LuGre& model) { return {clip(*between(-1.2, 1.2), -1.0, 1.0) * invariant_limit(model)}; }

TEST(LuGreAdvanceProperty, StaysFiniteAndInsideTheInvariantSet) {
  holds_for(many, [] {
    const auto model = any_model<LuGre>();
    const auto state = any_state(model);
    const auto next = model.advance(state, *signed_between(1e-12, 1e3), *log_between(1e-9, 1));
    RC_ASSERT(std::isfinite(next.bristle));
    RC_ASSERT(std::abs(next.bristle) <= invariant_limit(model));
  });
}

TEST(LuGreAdvanceProperty, IsOddToTheLastBit) {
  holds_for(many, [] {
    const auto model = any_model<LuGre>();
    const auto state = any_state(model);
    const double velocity = *signed_between(1e-12, 1e3);
    const double dt = *log_between(1e-9, 1);
    const auto next = model.step(state, velocity, dt);
    const auto mirrored = model.step({-state.bristle}, -velocity, dt);
    RC_ASSERT(mirrored.state.bristle == -next.state.bristle);
    RC_ASSERT(mirrored.force == -next.force);
  });
}

TEST(LuGreAdvanceProperty, TwoStepsAreOneLongerStep) {
  holds_for(many, [] {
    const auto model = any_model<LuGre>();
    const auto state = any_state(model);
    const double velocity = *signed_between(1e-9, 1e3);
    const double first = *log_between(1e-9, 0.5);
    const double second = *log_between(1e-9, 0.5);
    const auto twice = model.advance(model.advance(state, velocity, first), velocity, second);
    const auto once = model.advance(state, velocity, first + second);
    RC_ASSERT(std::abs(twice.bristle - once.bristle) <= 16 * epsilon * invariant_limit(model));
  });
}

TEST(LuGreAdvanceProperty, NeverPassesTheSteadyState) {
  holds_for(many, [] {
    const auto model = any_model<LuGre>();
    const auto state = any_state(model);
    const double velocity = *signed_between(1e-9, 1e3);
    RC_PRE(velocity != 0);
    const double settled = model.steady_state(velocity).bristle;
    const double next = model.advance(state, velocity, *log_between(1e-9, 1)).bristle;
    RC_ASSERT(next >= std::min(state.bristle, settled) && next <= std::max(state.bristle, settled));
  });
}

TEST(LuGreAdvanceProperty, MovesAtTheRateForAShortStep) {
  holds_for(many / 5, [] {
    const auto model = any_model<LuGre>();
    const auto state = any_state(model);
    const double velocity = *signed_between(1e-6, 1);
    const double pull = model.stiffness * std::abs(velocity) / model.curve(velocity);
    const double dt = 1e-5 / (pull + 1e-3);
    const double moved = model.advance(state, velocity, dt).bristle - state.bristle;
    const double rate = model.rate(state, velocity).bristle;
    RC_ASSERT(std::abs(moved - rate * dt) <= 1e-5 * std::abs(rate) * dt + 4 * epsilon * invariant_limit(model));
  });
}

TEST(LuGreForceProperty, InSteadySlidingLiesBetweenCoulombAndStaticLevel) {
  holds_for(many, [] {
    const auto model = any_model<LuGre>();
    const double velocity = *signed_between(1e-9, 1e3);
    RC_PRE(velocity != 0);
    const double speed = std::abs(velocity);
    const auto settled = model.advance(any_state(model), velocity, 1e15 / speed);
    const double friction = std::copysign(1.0, velocity) * model.force(settled, velocity);
    const double viscous = model.viscous.coefficient * speed;
    const double slack = 8 * epsilon * (model.curve.static_force + model.damping.at_rest * speed + viscous);
    RC_ASSERT(friction >= model.curve.coulomb_force + viscous - slack);
    RC_ASSERT(friction <= model.curve.static_force + viscous + slack);
  });
}

/// F v − dS/dt may be rounded below zero by this much.
double rounding_of_power(const LuGre& model, const LuGre::State& state, double velocity) {
  const double elastic = model.stiffness * std::abs(state.bristle);
  const double rate = std::abs(velocity) * (1 + elastic / model.curve(velocity));
  return 8 * epsilon * ((elastic + model.damping.at_rest * rate) * std::abs(velocity) + elastic * rate);
}

TEST(LuGreDissipationProperty, PowerTurnsIntoHeatWhereEquation30Holds) {
  holds_for(many, [] {
    const auto model = any_model<LuGre>();
    const auto state = any_state(model);
    const double speed = std::min(1e3, model.dissipative_speed()) * *log_between(1e-9, 1);
    const double velocity = *between(-1, 1) < 0 ? -speed : speed;
    RC_ASSERT(model.dissipativity_margin(velocity) >= -8 * epsilon * model.curve.static_force);
    RC_ASSERT(model.dissipated_power(state, velocity) >= -rounding_of_power(model, state, velocity));
  });
}

TEST(LuGreDissipationProperty, EquationThirtyHoldsAtEverySpeedForASmallEnoughDampingVelocity) {
  holds_for(many, [] {
    auto params = any_model<LuGre>().params();
    const double limit = LuGre(params).largest_dissipative_damping_velocity();
    params.damping_velocity = limit * *log_between(1e-3, 1 - 1e-9);
    const auto model = LuGre::make(params);
    const auto state = any_state(model);
    const double velocity = limit * *signed_between(1e-6, 1e3);
    RC_ASSERT(model.dissipativity_margin(velocity) >= 0);
    RC_ASSERT(model.dissipated_power(state, velocity) >= -rounding_of_power(model, state, velocity));
  });
}

}  // namespace
}  // namespace stiction::scalar
