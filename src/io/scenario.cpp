#include "stiction/io/scenario.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "model_section.h"
#include "run_section.h"
#include "scenario_table.h"
#include "signal_section.h"
#include "stiction/io/file.h"
#include "toml_section.h"

namespace stiction::io {
namespace {

sim::Load read_load(TomlSection section, const std::filesystem::path& folder) {
  sim::Load load;
  load.force = read_signal(section, "force", folder, true);
  if (section.node("spring") != nullptr) {
    TomlSection spring = section.section("spring");
    load.spring = sim::Spring{spring.number("stiffness", non_negative), spring.number("damping", non_negative, 0.0),
                              read_signal(spring, "anchor", folder, true)};
    spring.finish();
  }
  if (section.node("controller") != nullptr) {
    TomlSection pid = section.section("controller");
    const bool on_velocity = pid.choice("on", {"position", "velocity"}, "position") == "velocity";
    load.controller = sim::Pid{on_velocity ? sim::Pid::On::velocity : sim::Pid::On::position,
                               read_signal(pid, "reference", folder, true),
                               pid.number("proportional", non_negative, 0.0), pid.number("integral", non_negative, 0.0),
                               on_velocity ? 0.0 : pid.number("derivative", non_negative, 0.0)};
    pid.finish();
  }
  if (section.node("normal") != nullptr) {
    load.normal = read_signal(section, "normal", folder);
  }
  if (section.node("motor") != nullptr) {
    load.motor = read_signal(section, "motor", folder);
  }
  section.finish();
  return load;
}

sim::Body read_body(TomlSection section) {
  const sim::Body body{section.number("mass", positive), section.number("position", finite, 0.0),
                       section.number("velocity", finite, 0.0)};
  section.finish();
  return body;
}

}  // namespace

Scenario read_line_scenario(const toml::table& table, const std::string& name, const std::filesystem::path& folder) {
  TomlSection root(table, "", name);
  Scenario scenario{root.text("title", ""), read_model(root.section("model"), folder).model, {}, {}, {}, {}, {}, {}};
  scenario.initial_states = read_initial(
      root.node("initial") != nullptr ? std::optional(root.section("initial")) : std::nullopt, scenario.model);
  if (root.has("motion")) {
    if (root.has("body") || root.has("load")) {
      root.section("motion").fail("[motion] imposes the velocity: it cannot be combined with [body] or [load]");
    }
    TomlSection motion = root.section("motion");
    scenario.imposed_velocity = read_signal(motion, "velocity", folder);
    if (motion.node("normal") != nullptr) {
      scenario.load.normal = read_signal(motion, "normal", folder);
    }
    motion.finish();
  } else {
    root.required_node("body", "a table [body], or [motion] instead: one of them defines what moves");
    scenario.body = read_body(root.section("body"));
    if (root.node("load") != nullptr) {
      scenario.load = read_load(root.section("load"), folder);
    }
  }
  std::optional<TomlSection> output;
  if (root.node("output") != nullptr) {
    output.emplace(root.section("output"));
    const auto nothing = sim::no_rows(scenario.model);
    scenario.columns = output->choices("columns", named_columns(nothing).names);
  }
  const double time_scale = scenario.imposed_velocity
                                ? std::min(scenario.imposed_velocity->time_scale(), scenario.load.normal.time_scale())
                                : scenario.load.time_scale();
  scenario.options =
      read_options(root.section("integrator"), output,
                   scenario.imposed_velocity ? sim::Entry::imposed_velocity : sim::Entry::body, time_scale);
  if (output) {
    output->finish();
  }
  root.finish();
  return scenario;
}

std::vector<double> read_initial(std::optional<TomlSection> section, const scalar::AnyModel& model) {
  std::vector<double> states;
  const auto at_rest = scalar::AnyModel::pack(model.at_rest(0));
  for (std::size_t i = 0; i < model.states_in_use(); ++i) {
    states.push_back(section ? section->number(model.table()->state_names[i], finite, at_rest[i]) : at_rest[i]);
  }
  if (section) {
    section->finish();
  }
  return states;
}

sim::Options read_options(TomlSection section, std::optional<TomlSection>& output, sim::Entry entry,
                          double time_scale) {
  const auto& methods = sim::methods_of(entry);
  std::vector<std::string> names;
  for (const sim::Method method : methods) {
    names.emplace_back(sim::name_of(method));
  }
  sim::Options options;
  const std::string chosen =
      section.choice("method", names, entry == sim::Entry::imposed_velocity ? "midpoint" : "sdirk2");
  options.method = methods[static_cast<std::size_t>(std::find(names.begin(), names.end(), chosen) - names.begin())];
  options.duration = section.number("duration", positive);
  const bool adaptive = options.method == sim::Method::cvode;
  if (section.has(adaptive ? "step" : "relative_tolerance")) {
    section.reject(adaptive ? "step" : "relative_tolerance", adaptive
                                                                 ? "left out: method = \"cvode\" chooses its own steps"
                                                                 : "left out: only method = \"cvode\" has it");
  }
  if (adaptive) {
    options.relative_tolerance = section.number("relative_tolerance", positive, options.relative_tolerance);
  } else {
    options.step = section.number("step", positive, std::min(options.step, options.duration));
  }
  options.max_steps = read_max_steps(section, options.max_steps);
  options.output_interval =
      output ? output->number("interval", positive, options.duration / 1000) : options.duration / 1000;
  require_valid(options, time_scale, section, output);
  section.finish();
  return options;
}

long read_max_steps(TomlSection& section, long fallback) {
  constexpr Range counts{1, 1e15, true, true, "a whole number from 1 to 1e15"};
  return section.count("max_steps", counts, fallback);
}

void require_valid(const sim::Options& options, double time_scale, TomlSection& section,
                   std::optional<TomlSection>& output) {
  const std::string work = sim::too_much_work(options, time_scale);
  if (const auto problem = sim::Options::check(options)) {
    const bool counts = std::string_view(problem->allowed).starts_with(">= duration");  // rows or steps
    const std::string allowed = problem->allowed + (counts ? fmt::format(" ({})", work) : "");
    if (std::string_view(problem->field) == "output_interval" && output && output->has("interval")) {
      output->reject("interval", allowed);
    }
    if (section.has(problem->field)) {
      section.reject(problem->field, allowed);
    }
    section.fail(InvalidParameter::describe({problem->field, problem->value, allowed.c_str()}));
  }
  if (!work.empty()) {
    section.fail(fmt::format("{}.{}", section.path(), work));
  }
}

Scenario parse_scenario(std::string_view text, const std::string& name, const std::filesystem::path& folder) {
  return read_line_scenario(parse_toml(text, name), name, folder);
}

Scenario read_scenario(const std::filesystem::path& path) {
  return parse_scenario(read_text(path), path.string(), path.parent_path());
}

sim::Trajectory run(const Scenario& scenario) {
  return scenario.imposed_velocity
             ? sim::drive(scenario.model, *scenario.imposed_velocity, scenario.options, scenario.initial_states,
                          scenario.load.normal)
             : sim::simulate(scenario.model, scenario.body, scenario.load, scenario.options, scenario.initial_states);
}

NamedColumns only(NamedColumns all, const std::vector<std::string>& wanted) {
  if (wanted.empty()) {
    return all;
  }
  NamedColumns chosen;
  for (const std::string& name : wanted) {
    const auto found = std::find(all.names.begin(), all.names.end(), name);
    if (found == all.names.end()) {
      throw InputError(fmt::format("no column '{}': must be one of {}", name, fmt::join(all.names, ", ")));
    }
    chosen.names.push_back(name);
    chosen.values.push_back(all.values[static_cast<std::size_t>(found - all.names.begin())]);
  }
  return chosen;
}

NamedColumns named_columns(const sim::Trajectory& trajectory, const std::vector<std::string>& wanted) {
  NamedColumns all{{"time", "position", "velocity", "friction", "load"},
                   {trajectory.time, trajectory.position, trajectory.velocity, trajectory.friction, trajectory.load}};
  all.names.insert(all.names.end(), trajectory.state_names.begin(), trajectory.state_names.end());
  all.values.insert(all.values.end(), trajectory.states.begin(), trajectory.states.end());
  return only(std::move(all), wanted);
}

}  // namespace stiction::io
