// Two bodies on a line with friction between them: a block on a moving table, a clutch, a shaft in its sleeve.
#pragma once

#include <span>
#include <utility>

#include "stiction/export.h"
#include "stiction/sim/line.h"
#include "stiction/sim/pair_trajectory.h"
#include "stiction/sim/steps.h"
#include "stiction/sim/trajectory.h"

namespace stiction::sim {

///   m₁ dv₁/dt = u₁ − F,   m₂ dv₂/dt = u₂ + F,   F the friction model's at v₁ − v₂
/// Each load acts between its body and the ground; the first one's normal load is that of the contact. Friction depends
/// only on the relative motion, with the reduced mass 1/(1/m₁ + 1/m₂) and the load (u₁/m₁ − u₂/m₂)/(1/m₁ + 1/m₂): the
/// force that a sticking contact must transmit so that both bodies move together.
template <class Model>
struct PairState {
  double position_1 = 0, velocity_1 = 0, integral_1 = 0;  // [m], [m/s], of the controller
  double position_2 = 0, velocity_2 = 0, integral_2 = 0;
  typename Model::State friction{};

  friend bool operator==(const PairState&, const PairState&) = default;
};

/// Sets the relative velocity of both bodies, conserving their total momentum.
template <class Model>
PairState<Model> with_relative_velocity(PairState<Model> y, double mass_1, double mass_2, double relative) noexcept {
  const double change = relative - (y.velocity_1 - y.velocity_2);
  if (change != 0) {
    y.velocity_1 += change * mass_2 / (mass_1 + mass_2);
    y.velocity_2 = y.velocity_1 - relative;
  }
  return y;
}

/// The force that the contact must transmit so that both bodies move together under u₁ and u₂ [N].
inline double load_between(double mass_1, double mass_2, double u1, double u2) noexcept {
  return (u1 / mass_1 - u2 / mass_2) / (1 / mass_1 + 1 / mass_2);
}

/// One implicit stage of length s for both bodies and the friction between them, by the model's own coupled `solve`.
/// The velocities of `present` select the root if there are several, and give the load for models that need it.
template <scalar::Dynamics Model>
std::pair<PairState<Model>, double> pair_stage(const Model& model, double mass_1, double mass_2,
                                               const LinearLoad& load_1, const LinearLoad& load_2,
                                               const PairState<Model>& base, const PairState<Model>& present,
                                               double s) noexcept {
  const auto one = without_friction(mass_1, load_1, base.position_1, base.velocity_1, base.integral_1, s);
  const auto two = without_friction(mass_2, load_2, base.position_2, base.velocity_2, base.integral_2, s);
  const double load = load_between(mass_1, mass_2, one.load_at(present.velocity_1), two.load_at(present.velocity_2));
  const double motor = load_between(mass_1, mass_2, one.motor_at(present.velocity_1), two.motor_at(present.velocity_2));
  const auto solved = solve_under_load(model, base.friction, one.velocity - two.velocity, 1 / one.mass + 1 / two.mass,
                                       s, present.velocity_1 - present.velocity_2, load, motor, load_1.normal);
  const double force = solved.force;

  PairState<Model> next = base;
  next.friction = solved.state;
  next.velocity_1 = one.velocity - s * force / one.mass;
  next.velocity_2 = two.velocity + s * force / two.mass;
  // The relative velocity is bitwise that of the solution, so that sticking bodies move as one.
  next = with_relative_velocity(next, mass_1, mass_2, solved.velocity);
  next.position_1 += s * next.velocity_1;
  next.position_2 += s * (next.velocity_1 - seen_velocity(model, solved.state, solved.velocity));
  next.integral_1 += s * load_1.error(next.position_1, next.velocity_1);
  next.integral_2 += s * load_2.error(next.position_2, next.velocity_2);
  return {next, force};
}

/// Simulates two bodies with friction between them from t = 0 to the end: cvode, sdirk2 or backward_euler. Throws
/// InvalidParameter, SolverFailure.
STICTION_EXPORT PairTrajectory simulate(const scalar::ModelView& model, const Body& body_1, const Body& body_2,
                                        const Load& load_1, const Load& load_2, const Options& options,
                                        const scalar::AnyState& friction);
template <scalar::Model M>
PairTrajectory simulate(const M& model, const Body& body_1, const Body& body_2, const Load& load_1, const Load& load_2,
                        const Options& options, const typename M::State& friction = {}) {
  const scalar::ModelView view(model);
  return simulate(view, body_1, body_2, load_1, load_2, options, scalar::AnyState(*view.table(), friction));
}
/// `states`: the friction states at t = 0, in the order of state_names; empty: at rest without load.
STICTION_EXPORT PairTrajectory simulate(const scalar::AnyModel& model, const Body& body_1, const Body& body_2,
                                        const Load& load_1, const Load& load_2, const Options& options,
                                        std::span<const double> states = {});

}  // namespace stiction::sim
