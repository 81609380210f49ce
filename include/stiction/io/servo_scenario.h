// A position servo described in a TOML file; docs/scenarios.md has the schema. Errors are those of scenario.h.
#pragma once

#include <string>
#include <vector>

#include "stiction/export.h"
#include "stiction/io/scenario.h"
#include "stiction/sim/servo.h"

namespace stiction::io {

struct ServoScenario {
  std::string title;
  scalar::AnyModel model;
  std::vector<double> initial_states;  // of the friction model, in the order of its state_names
  sim::Servo servo;
  sim::ServoInputs inputs;
  sim::Body start;  // position and velocity
  sim::Options options;
  std::vector<std::string> columns;  // to be written; empty: all
};

/// Runs the scenario.
STICTION_EXPORT sim::ServoTrajectory run(const ServoScenario& scenario);

/// time, position, velocity, friction, motor_torque, external_torque, goal, measured, output, and the model's states;
/// or only those in `wanted`, in that order.
STICTION_EXPORT NamedColumns named_columns(const sim::ServoTrajectory& trajectory,
                                           const std::vector<std::string>& wanted = {});

}  // namespace stiction::io
