#include "stiction/io/scenario.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "model_section.h"
#include "stiction/io/csv.h"
#include "stiction/io/file.h"
#include "toml_section.h"

namespace stiction::io {
namespace {

using sim::Signal;

constexpr std::array methods{sim::Method::cvode,
                             sim::Method::sdirk2,
                             sim::Method::backward_euler,
                             sim::Method::explicit_euler,
                             sim::Method::semi_implicit_euler,
                             sim::Method::runge_kutta_4};

void require_rising(const TomlSection& section, const std::vector<double>& times, const std::vector<double>& values) {
  if (times.size() != values.size()) {
    section.fail(fmt::format("'{0}.times' has {1} numbers and '{0}.values' {2}: must be as many", section.path(),
                             times.size(), values.size()));
  }
  if (std::adjacent_find(times.begin(), times.end(), [](double a, double b) { return !(a < b); }) != times.end()) {
    section.reject("times", "strictly rising");
  }
}

Signal::Term read_csv_term(TomlSection& section, const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / section.text("file");
  const std::string time_name = section.text("time", "time");
  const std::string value_name = section.text("value");
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(file, ignored)) {
    section.reject("file", fmt::format("a file that can be read: there is none at {}", file.string()));
  }
  const Csv csv = read_csv(file);
  for (const auto& [key, name] : {std::pair("time", time_name), std::pair("value", value_name)}) {
    if (std::find(csv.names.begin(), csv.names.end(), name) == csv.names.end()) {
      const std::string allowed = fmt::format("one of the columns of {}: {}", csv.file, fmt::join(csv.names, ", "));
      if (section.has(key)) {
        section.reject(key, allowed);
      }
      section.fail(fmt::format("'{}.{}' is missing: must be {}", section.path(), key, allowed));
    }
  }
  sim::Table table{csv.column(time_name), csv.column(value_name)};
  for (std::size_t i = 1; i < table.times.size(); ++i) {
    if (!(table.times[i - 1] < table.times[i])) {
      throw InputError(fmt::format("{}: column '{}' falls or repeats in row {} ({:g}): must rise strictly", csv.file,
                                   time_name, i + 1, table.times[i]));
    }
  }
  return table;
}

Signal::Term read_term(TomlSection section, const std::filesystem::path& folder) {
  const std::string type = section.choice("type", {"constant", "ramp", "sine", "steps", "table", "csv"});
  Signal::Term term;
  if (type == "constant") {
    term = sim::Constant{section.number("value", finite)};
  } else if (type == "ramp") {
    sim::Ramp ramp;
    ramp.from = section.number("from", finite, 0.0);
    ramp.to = section.number("to", finite);
    ramp.start = section.number("start", finite, 0.0);
    ramp.end = section.number("end", finite);
    ramp.smooth = section.flag("smooth", false);
    if (!(ramp.end > ramp.start)) {
      section.reject("end", fmt::format("> start ({:g})", ramp.start));
    }
    term = ramp;
  } else if (type == "sine") {
    sim::Sine sine;
    sine.amplitude = section.number("amplitude", finite);
    sine.frequency = section.number("frequency", positive);
    sine.phase = section.number("phase", finite, 0.0);
    sine.offset = section.number("offset", finite, 0.0);
    term = sine;
  } else if (type == "csv") {
    term = read_csv_term(section, folder);
  } else {
    auto times = section.numbers("times");
    auto values = section.numbers("values");
    require_rising(section, times, values);
    term = type == "steps" ? Signal::Term(sim::Steps{times, values}) : Signal::Term(sim::Table{times, values});
  }
  section.finish();
  return term;
}

/// A number, a table with a type, or a list of these, which are added.
Signal read_signal(TomlSection& section, const std::string& key, const std::filesystem::path& folder,
                   bool optional = false) {
  const std::string allowed =
      "a finite number, a table with a type (constant, ramp, sine, steps, table, csv), or a list of these";
  const toml::node* node = optional ? section.node(key) : &section.required_node(key, allowed);
  if (node == nullptr) {
    return {};
  }
  const auto one = [&](const toml::node& element) -> Signal::Term {
    if (const auto* table = element.as_table()) {
      return read_term({*table, section.path().empty() ? key : section.path() + "." + key, section.file()}, folder);
    }
    const auto value = element.value<double>();
    if (!element.is_number() || !value || !finite.holds(*value)) {
      section.reject(element, key, allowed);
    }
    return sim::Constant{*value};
  };
  std::vector<Signal::Term> terms;
  if (const auto* list = node->as_array()) {
    if (list->empty()) {
      section.reject(key, allowed);
    }
    for (const toml::node& element : *list) {
      terms.push_back(one(element));
    }
  } else {
    terms.push_back(one(*node));
  }
  return Signal(std::move(terms));
}

std::vector<double> read_initial(std::optional<TomlSection> section, const scalar::AnyModel& model) {
  std::vector<double> states;
  std::visit(
      [&]<class M>(const M& chosen) {
        const auto at_rest = M::pack(chosen.at_rest(0));
        for (std::size_t i = 0; i < scalar::states_in_use(chosen); ++i) {
          states.push_back(section ? section->number(M::state_names[i], finite, at_rest[i]) : at_rest[i]);
        }
      },
      model);
  if (section) {
    section->finish();
  }
  return states;
}

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
  section.finish();
  return load;
}

sim::Body read_body(TomlSection section) {
  const sim::Body body{section.number("mass", positive), section.number("position", finite, 0.0),
                       section.number("velocity", finite, 0.0)};
  section.finish();
  return body;
}

sim::Options read_options(TomlSection section, std::optional<TomlSection>& output) {
  std::vector<std::string> names;
  for (const sim::Method method : methods) {
    names.emplace_back(sim::name_of(method));
  }
  sim::Options options;
  const std::string chosen = section.choice("method", names, "sdirk2");
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
  options.output_interval =
      output ? output->number("interval", positive, options.duration / 1000) : options.duration / 1000;
  if (const auto problem = sim::Options::check(options)) {
    if (std::string_view(problem->field) == "output_interval" && output && output->has("interval")) {
      output->reject("interval", problem->allowed);
    }
    if (section.has(problem->field)) {
      section.reject(problem->field, problem->allowed);
    }
    section.fail(InvalidParameter::describe(*problem));
  }
  section.finish();
  return options;
}

Scenario read_all(const toml::table& table, const std::string& name, const std::filesystem::path& folder) {
  TomlSection root(table, "", name);
  Scenario scenario{root.text("title", ""), read_model(root.section("model")).model, {}, {}, {}, {}, {}, {}};
  scenario.initial_states = read_initial(
      root.node("initial") != nullptr ? std::optional(root.section("initial")) : std::nullopt, scenario.model);
  if (root.has("motion")) {
    if (root.has("body") || root.has("load")) {
      root.section("motion").fail("[motion] imposes the velocity: it cannot stand beside [body] or [load]");
    }
    TomlSection motion = root.section("motion");
    scenario.imposed_velocity = read_signal(motion, "velocity", folder);
    if (motion.node("normal") != nullptr) {
      scenario.load.normal = read_signal(motion, "normal", folder);
    }
    motion.finish();
  } else {
    root.required_node("body", "a table [body], or [motion] in its place: one of them says what moves");
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
  scenario.options = read_options(root.section("integrator"), output);
  if (output) {
    output->finish();
  }
  root.finish();
  return scenario;
}

}  // namespace

Scenario parse_scenario(std::string_view text, const std::string& name, const std::filesystem::path& folder) {
  return read_all(parse_toml(text, name), name, folder);
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

NamedColumns named_columns(const sim::Trajectory& trajectory, const std::vector<std::string>& wanted) {
  NamedColumns all{{"time", "position", "velocity", "friction", "load"},
                   {trajectory.time, trajectory.position, trajectory.velocity, trajectory.friction, trajectory.load}};
  all.names.insert(all.names.end(), trajectory.state_names.begin(), trajectory.state_names.end());
  all.values.insert(all.values.end(), trajectory.states.begin(), trajectory.states.end());
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

}  // namespace stiction::io
