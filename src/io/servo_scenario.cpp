#include "stiction/io/servo_scenario.h"

#include <algorithm>
#include <utility>

#include "model_section.h"
#include "run_section.h"
#include "scenario_table.h"
#include "signal_section.h"
#include "toml_section.h"

namespace stiction::io {
namespace {

sim::Servo read_servo(TomlSection& section) {
  sim::Servo::Params params;
  for (const auto& field : sim::Servo::fields) {
    const bool is_required = is_nan(field.fallback);
    params.*field.member =
        section.number(field.name, field.range, is_required ? std::nullopt : std::optional(field.fallback));
  }
  using sim::ServoMode;
  const std::vector<ServoMode> modes{ServoMode::voltage, ServoMode::current, ServoMode::torque};
  std::vector<std::string> names;
  for (const ServoMode mode : modes) {
    names.emplace_back(name_of(mode));
  }
  const std::string chosen = section.choice("mode", names, names.front());
  const ServoMode mode = modes[static_cast<std::size_t>(std::find(names.begin(), names.end(), chosen) - names.begin())];
  try {
    return sim::Servo::make(params, mode);
  } catch (const InvalidParameter& e) {
    if (section.has(e.problem().field)) {
      section.reject(e.problem().field, e.problem().allowed);
    }
    section.fail(section.path() + "." + e.what());
  }
}

}  // namespace

ServoScenario read_servo_scenario(const toml::table& table, const std::string& name,
                                  const std::filesystem::path& folder) {
  TomlSection root(table, "", name);
  ServoScenario scenario{
      root.text("title", ""), read_model(root.section("model"), folder).model, {}, {}, {}, {}, {}, {}};
  scenario.initial_states = read_initial(
      root.node("initial") != nullptr ? std::optional(root.section("initial")) : std::nullopt, scenario.model);
  for (const char* other : {"body", "load", "motion"}) {
    if (root.has(other)) {
      root.section(other).fail(std::string("[") + other + "] cannot be combined with [servo], which is body and load");
    }
  }
  TomlSection section = root.section("servo");
  scenario.servo = read_servo(section);
  scenario.start.position = section.number("position", finite, 0.0);
  scenario.start.velocity = section.number("velocity", finite, 0.0);
  auto& inputs = scenario.inputs;
  inputs.goal = read_signal(section, "goal", folder, true);
  if (section.node("supply_voltage") != nullptr) {
    inputs.supply_voltage = read_signal(section, "supply_voltage", folder);
  }
  inputs.external_torque = read_signal(section, "external_torque", folder, true);
  section.finish();
  std::optional<TomlSection> output;
  if (root.node("output") != nullptr) {
    output.emplace(root.section("output"));
    scenario.columns = output->choices("columns", named_columns(sim::no_servo_rows(scenario.model)).names);
  }
  const double time_scale =
      std::min({inputs.goal.time_scale(), inputs.supply_voltage.time_scale(), inputs.external_torque.time_scale()});
  scenario.options = read_options(root.section("integrator"), output, sim::Entry::servo, time_scale);
  if (output) {
    output->finish();
  }
  root.finish();
  return scenario;
}

sim::ServoTrajectory run(const ServoScenario& s) {
  return sim::simulate(s.model, s.servo, s.inputs, s.options, s.start, s.initial_states);
}

NamedColumns named_columns(const sim::ServoTrajectory& run, const std::vector<std::string>& wanted) {
  NamedColumns all{
      {"time", "position", "velocity", "friction", "motor_torque", "external_torque", "goal", "measured", "output"},
      {run.time, run.position, run.velocity, run.friction, run.motor_torque, run.external_torque, run.goal,
       run.measured, run.output}};
  all.names.insert(all.names.end(), run.state_names.begin(), run.state_names.end());
  all.values.insert(all.values.end(), run.states.begin(), run.states.end());
  return only(std::move(all), wanted);
}

}  // namespace stiction::io
