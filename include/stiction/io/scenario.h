// A simulation described in a TOML file: model, body or imposed motion, inputs, integrator, outputs. docs/scenarios.md
// has the schema. Every error names file:line:column, the offending value and what is allowed.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "stiction/export.h"
#include "stiction/scalar/any_model.h"
#include "stiction/sim/line.h"

namespace stiction::io {

struct Scenario {
  std::string title;
  scalar::AnyModel model;
  std::vector<double> initial_states;  // of the friction model, in the order of its state_names
  sim::Body body;
  sim::Load load;
  std::optional<sim::Signal> imposed_velocity;  // instead of a body under a load
  sim::Options options;
  std::vector<std::string> columns;  // to be written; empty: all
};

/// Reads and checks a scenario; throws InputError.
STICTION_EXPORT Scenario read_scenario(const std::filesystem::path& path);

/// The same from text; `name` is the file name in messages, and paths of CSV files are relative to `folder`.
STICTION_EXPORT Scenario parse_scenario(std::string_view text, const std::string& name,
                                        const std::filesystem::path& folder);

/// Runs the scenario.
STICTION_EXPORT sim::Trajectory run(const Scenario& scenario);

/// Columns of a trajectory with their names: time, position, velocity, friction, load, and the model's states. All of
/// them, or only those in `wanted`, in that order; throws InputError if one does not exist.
struct NamedColumns {
  std::vector<std::string> names;
  std::vector<std::vector<double>> values;
};
STICTION_EXPORT NamedColumns named_columns(const sim::Trajectory& trajectory,
                                           const std::vector<std::string>& wanted = {});
STICTION_EXPORT NamedColumns only(NamedColumns all, const std::vector<std::string>& wanted);

/// The name among `known` that is closest to a mistyped one, for "did you mean"; empty if none is close.
STICTION_EXPORT std::string closest(std::string_view mistyped, const std::vector<std::string>& known);

}  // namespace stiction::io
