// Simulation of a body on a line with friction, and of friction under an imposed velocity.
#pragma once

#include <span>

#include "stiction/export.h"
#include "stiction/scalar/any_model.h"
#include "stiction/sim/load.h"
#include "stiction/sim/signal.h"
#include "stiction/sim/trajectory.h"

namespace stiction::sim {

/// Simulates a body with friction under a load from t = 0 to the end. Throws InvalidParameter, SolverFailure.
STICTION_EXPORT Trajectory simulate(const scalar::ModelView& model, const Body& body, const Load& load,
                                    const Options& options, const scalar::AnyState& friction);
template <scalar::Model M>
Trajectory simulate(const M& model, const Body& body, const Load& load, const Options& options,
                    const typename M::State& friction = {}) {
  const scalar::ModelView view(model);
  return simulate(view, body, load, options, scalar::AnyState(*view.table(), friction));
}
/// `states`: the friction states at t = 0, in the order of state_names; empty: at rest without load.
STICTION_EXPORT Trajectory simulate(const scalar::AnyModel& model, const Body& body, const Load& load,
                                    const Options& options, std::span<const double> states = {});

/// Friction under an imposed velocity. `load` in the result is the force needed to keep a massless body moving.
/// Method::midpoint: exact steps of the friction state at the mid-step velocity (second order). Throws
/// InvalidParameter, SolverFailure.
STICTION_EXPORT Trajectory drive(const scalar::ModelView& model, const Signal& velocity, const Options& options,
                                 const scalar::AnyState& friction, const Signal& normal = 1.0);
template <scalar::Model M>
Trajectory drive(const M& model, const Signal& velocity, const Options& options, const typename M::State& friction = {},
                 const Signal& normal = 1.0) {
  const scalar::ModelView view(model);
  return drive(view, velocity, options, scalar::AnyState(*view.table(), friction), normal);
}
STICTION_EXPORT Trajectory drive(const scalar::AnyModel& model, const Signal& velocity, const Options& options,
                                 std::span<const double> states = {}, const Signal& normal = 1.0);

/// An empty trajectory with the columns of such a run.
STICTION_EXPORT Trajectory no_rows(const scalar::AnyModel& model);

}  // namespace stiction::sim
