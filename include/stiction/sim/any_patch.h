// Runs of a contact patch whose model is chosen at run time. Rows begin at t = 0.
#pragma once

#include <functional>
#include <variant>

#include "stiction/export.h"
#include "stiction/planar/distributed.h"
#include "stiction/planar/reduced.h"
#include "stiction/planar/soft_finger.h"
#include "stiction/sim/planar_body.h"

namespace stiction::sim {

using AnyPatch = std::variant<planar::Distributed, planar::Reduced<planar::SurfaceTable>,
                              planar::Reduced<planar::Ellipsoid>, planar::SoftFingerModel>;

/// "distributed", "reduced" (also for a soft finger) or "ellipsoid".
const char* name_of(const AnyPatch& patch) noexcept;
/// Relative to the patch's origin.
planar::Point centre_of_pressure(const AnyPatch& patch) noexcept;

/// The accurate solvers of planar_body.h. The interval between rows is adjusted so that the last row is at the end.
STICTION_EXPORT PlanarRun simulate(const PlanarBody& body, const AnyPatch& patch, const PlanarState& start,
                                   const PlanarOptions& options);

/// Steps of about `step` [s], > 0 (PlanarSteps), with rows at those next to multiples of the interval. Loads and normal
/// forces are those in the middle of a step; tolerances and max_step have no effect. Throws InvalidParameter, and
/// SolverFailure if more than 1 % of the steps have no solution.
STICTION_EXPORT PlanarRun simulate_fixed_step(const PlanarBody& body, const AnyPatch& patch, const PlanarState& start,
                                              const PlanarOptions& options, double step);

/// Motion of the patch's upper surface, at its origin, that does not depend on friction.
struct ImposedMotion {
  std::function<planar::Twist(double t)> velocity;
  std::function<double(double t)> normal_force;  // [N]; < 0: no contact
};
/// Steps as above, at the velocity in the middle of each step. Throws InvalidParameter.
STICTION_EXPORT PlanarRun drive(const ImposedMotion& motion, const AnyPatch& patch, const PlanarOptions& options,
                                double step);

}  // namespace stiction::sim
