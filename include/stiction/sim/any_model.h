// `simulate` and `drive` for a model chosen at run time: line.h and two_bodies.h for every model in the registry,
// compiled once.
#pragma once

#include <span>

#include "stiction/export.h"
#include "stiction/scalar/registry.h"
#include "stiction/sim/pair_trajectory.h"
#include "stiction/sim/signal.h"
#include "stiction/sim/trajectory.h"

namespace stiction::sim {

/// Simulates a body with friction under a load. `states`: the friction states at t = 0, in the order of state_names;
/// empty: at rest without load.
STICTION_EXPORT Trajectory simulate(const scalar::AnyModel& model, const Body& body, const Load& load,
                                    const Options& options, std::span<const double> states = {});

/// Simulates two bodies with friction between them (two_bodies.h).
STICTION_EXPORT PairTrajectory simulate(const scalar::AnyModel& model, const Body& body_1, const Body& body_2,
                                        const Load& load_1, const Load& load_2, const Options& options,
                                        std::span<const double> states = {});

/// Friction under an imposed velocity.
STICTION_EXPORT Trajectory drive(const scalar::AnyModel& model, const Signal& velocity, const Options& options,
                                 std::span<const double> states = {}, const Signal& normal = 1.0);

/// An empty trajectory with the columns of such a run.
STICTION_EXPORT Trajectory no_rows(const scalar::AnyModel& model);

}  // namespace stiction::sim
