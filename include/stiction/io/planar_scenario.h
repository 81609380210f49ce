// A body on a contact patch, or a patch with an imposed motion, described in a TOML file; docs/planar/scenarios.md has
// the schema. Errors are those of scenario.h.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "stiction/export.h"
#include "stiction/io/scenario.h"
#include "stiction/sim/planar_body.h"

namespace stiction::io {

using PlanarModel = std::variant<planar::Distributed, planar::Reduced<planar::SurfaceTable>,
                                 planar::Reduced<planar::Ellipsoid>, planar::SoftFingerModel>;

struct PlanarScenario {
  std::string title;
  PlanarModel model;
  planar::Point centre_of_pressure = {};  // relative to the patch's origin
  sim::PlanarBody body = {};              // with its load, normal force and jumps
  sim::PlanarState start = {};
  std::function<planar::Twist(double t)> motion = {};  // instead of a body: of the upper surface at the patch's origin
  sim::PlanarOptions options = {};
  double step = 0;                        // fixed [s]; 0: the accurate solver
  std::vector<std::string> columns = {};  // to be written; empty: all
  std::string note = {};                  // a warning about the run; empty: none
};

/// A file is a planar scenario if it has one of the tables [patch], [friction] and [contact]. Throws InputError.
using AnyScenario = std::variant<Scenario, PlanarScenario>;
STICTION_EXPORT AnyScenario read_any_scenario(const std::filesystem::path& path);

/// The same from text; `name` is the file name in messages, and paths are relative to `folder`.
STICTION_EXPORT AnyScenario parse_any_scenario(std::string_view text, const std::string& name,
                                               const std::filesystem::path& folder);

/// Runs the scenario, with the first row at t = 0. Throws sim::SolverFailure.
STICTION_EXPORT sim::PlanarRun run(const PlanarScenario& scenario);

/// "distributed", "reduced" (also for a soft finger) or "ellipsoid".
STICTION_EXPORT std::string name_of(const PlanarModel& model);

/// time, normal_force, x, y, angle, vx, vy, spin, fx, fy, torque; or only those in `wanted`, in that order.
STICTION_EXPORT NamedColumns named_columns(const sim::PlanarRun& run, const std::vector<std::string>& wanted = {});

}  // namespace stiction::io
