// A body on a contact patch, or a patch with an imposed motion, described in a TOML file; docs/planar/scenarios.md has
// the schema. Errors are those of scenario.h.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "stiction/export.h"
#include "stiction/io/scenario.h"
#include "stiction/sim/any_patch.h"

namespace stiction::io {

struct PlanarScenario {
  std::string title;
  sim::AnyPatch model;
  sim::PlanarBody body = {};  // with its load, normal force and jumps
  sim::PlanarState start = {};
  std::function<planar::Twist(double t)> motion = {};  // instead of a body: of the upper surface at the patch's origin
  sim::PlanarOptions options = {};
  double step = 0;                        // fixed [s]; 0: the accurate solver
  std::vector<std::string> columns = {};  // to be written; empty: all
  std::string note = {};                  // a warning about the run; empty: none
};

/// Runs the scenario, with the first row at t = 0. Throws sim::SolverFailure.
STICTION_EXPORT sim::PlanarRun run(const PlanarScenario& scenario);

/// time, normal_force, x, y, angle, vx, vy, spin, fx, fy, torque; or only those in `wanted`, in that order.
STICTION_EXPORT NamedColumns named_columns(const sim::PlanarRun& run, const std::vector<std::string>& wanted = {});

}  // namespace stiction::io
