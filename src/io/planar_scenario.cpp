#include "stiction/io/planar_scenario.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "patch_section.h"
#include "run_section.h"
#include "scenario_table.h"
#include "signal_section.h"
#include "stiction/io/file.h"
#include "stiction/io/patch_file.h"

namespace stiction::io {
namespace {

using planar::Friction;
using planar::Patch;
using planar::Point;
using planar::Reduced;
using planar::SoftFinger;
using planar::SoftFingerModel;
using planar::Twist;
using planar::Wrench;
using sim::Signal;

Point read_point(TomlSection& section, const std::string& key) {
  if (section.node(key) == nullptr) {
    return {};
  }
  const auto values = section.numbers(key);
  if (values.size() != 2) {
    section.reject(key, "two numbers [x, y]");
  }
  return {values[0], values[1]};
}

Friction read_friction(TomlSection section) {
  std::optional<Friction> preset;
  if (section.has("preset")) {
    preset = section.choice("preset", {"waltersson-p0", "waltersson-p1"}) == "waltersson-p0"
                 ? planar::preset::waltersson_p0()
                 : planar::preset::waltersson_p1();
  }
  Friction friction = preset.value_or(Friction{});
  friction.elasto_plastic = section.choice("law", {"lugre", "elasto-plastic"}, "elasto-plastic") == "elasto-plastic";
  if (!friction.elasto_plastic && section.has("elastic_share")) {
    section.reject("elastic_share", "left out: only law = \"elasto-plastic\" has it");
  }
  for (const auto& field : planar::friction_fields) {
    const double fallback = preset ? friction.*field.member : field.fallback;
    friction.*field.member =
        section.number(field.name, field.range, std::isnan(fallback) ? std::nullopt : std::optional(fallback));
  }
  if (const auto problem = planar::check(friction)) {
    if (section.has(problem->field)) {
      section.reject(problem->field, problem->allowed);
    }
    section.fail(fmt::format("{}.{}", section.path(), InvalidParameter::describe(*problem)));
  }
  section.finish();
  return friction;
}

/// A patch, or a finger whose patch grows with its load.
std::variant<Patch, SoftFinger> read_surface(TomlSection section, const std::filesystem::path& folder) {
  if (section.has("file") && !section.has("shape")) {
    const std::filesystem::path file = folder / section.text("file");
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(file, ignored)) {
      section.reject("file", fmt::format("a readable file: there is none at {}", file.string()));
    }
    section.finish();
    return read_patch_file(file);
  }
  if (section.has("reach") && section.text("shape", "") == "soft-finger") {
    const bool per_newton = section.flag("per_newton", false);
    const SoftFinger finger{section.number("reach", planar::patch_sizes),
                            section.number("exponent", per_newton ? positive : planar::soft_finger_exponents, 2.0),
                            per_newton, section.number("largest", positive_or_infinite, infinity)};
    section.finish();
    return finger;
  }
  return read_patch(section, folder);
}

/// The largest value during a run, from samples and at jumps: slightly below the true one for some signals.
double largest(const Signal& signal, double duration) {
  std::vector<double> times = signal.breakpoints(duration);
  constexpr int samples = 10000;
  for (int i = 0; i <= samples; ++i) {
    times.push_back(duration * i / samples);
  }
  double result = -infinity;
  for (const double time : times) {
    result = std::max(result, signal.at(time));
  }
  return result;
}

struct Contact {
  sim::AnyPatch model;
  Signal normal_force;
};

Contact read_contact(TomlSection& section, const Friction& friction, const std::variant<Patch, SoftFinger>& surface,
                     double duration, const std::filesystem::path& folder) {
  const std::string model = section.choice("model", {"distributed", "reduced", "ellipsoid"}, "reduced");
  Signal normal_force = read_signal(section, "normal_force", folder);
  const double max_force = largest(normal_force, duration);
  if (const auto* finger = std::get_if<SoftFinger>(&surface)) {
    if (model != "reduced") {
      section.reject("model", "'reduced' for a patch that grows with its load");
    }
    if (!positive.holds(max_force)) {
      section.reject("normal_force", "> 0 at some time, for a patch that grows with it");
    }
    try {
      return {SoftFingerModel::make(friction, *finger, max_force), std::move(normal_force)};
    } catch (const InvalidParameter& problem) {
      section.fail(fmt::format("patch: {}", problem.what()));
    }
  }
  if (!(max_force >= 0)) {
    section.reject("normal_force", ">= 0 at some time");
  }
  const auto& patch = std::get<Patch>(surface);
  const auto chosen = [&]() -> sim::AnyPatch {
    if (model == "distributed") {
      return planar::Distributed::make({friction, patch});
    }
    if (model == "ellipsoid") {
      return Reduced<planar::Ellipsoid>::make({friction, patch.pressure_moments(), {}});
    }
    return Reduced<planar::SurfaceTable>::make({friction, patch.pressure_moments(), planar::SurfaceTable(patch)});
  };
  return {chosen(), std::move(normal_force)};
}

struct Times {
  sim::PlanarOptions options;
  double step = 0;
};

/// The same limits as in other scenarios.
Times read_times(TomlSection section, std::optional<TomlSection>& output, bool moved) {
  const bool fixed = section.choice("method", {"accurate", "fixed"}, moved ? "fixed" : "accurate") == "fixed";
  if (moved && !fixed) {
    section.reject("method", "'fixed', or left out, under [motion]");
  }
  if (section.has(fixed ? "relative_tolerance" : "step")) {
    section.reject(fixed ? "relative_tolerance" : "step",
                   fixed ? "left out: only method = \"accurate\" has it"
                         : "left out: method = \"accurate\" chooses its own steps");
  }
  sim::Options limits{.method = fixed ? sim::Method::backward_euler : sim::Method::cvode};
  Times times;
  sim::PlanarOptions& options = times.options;
  limits.duration = section.number("duration", positive);
  if (fixed) {
    limits.step = section.number("step", positive, std::min(1e-3, limits.duration));
    times.step = limits.step;
  } else {
    constexpr Range tolerances{1e-10, 1e-3, true, true, "in [1e-10, 1e-3]"};
    options.relative_tolerance = section.number("relative_tolerance", tolerances, options.relative_tolerance);
    options.absolute_tolerance = std::min(options.absolute_tolerance, 0.01 * options.relative_tolerance);
  }
  options.max_steps = limits.max_steps = read_max_steps(section, limits.max_steps);
  limits.output_interval =
      output ? output->number("interval", positive, limits.duration / 1000) : limits.duration / 1000;
  require_valid(limits, infinity, section, output);
  section.finish();
  options.duration = limits.duration;
  options.interval = std::min(limits.output_interval, limits.duration);
  return times;
}

/// Mass, gravity and initial state of a free body.
void read_body(TomlSection section, PlanarScenario& scenario) {
  scenario.body.mass = section.number("mass", positive);
  scenario.body.inertia = section.number("inertia", positive);
  scenario.body.gravity = read_point(section, "gravity");
  const Point velocity = read_point(section, "velocity");
  scenario.start = {read_point(section, "position"),
                    section.number("angle", finite, 0.0),
                    {velocity.x, velocity.y, section.number("spin", finite, 0.0)}};
  section.finish();
}

/// Number and position of the contacts of a body. Not for a patch whose motion is imposed.
void read_contact_position(TomlSection& section, sim::PlanarBody& body, bool moved) {
  for (const char* key : {"contacts", "carried", "at"}) {
    if (moved && section.has(key)) {
      section.reject(key, "left out: [motion] moves the patch itself");
    }
  }
  constexpr Range counts{1, 1000, true, true, "a whole number from 1 to 1000"};
  body.contacts = static_cast<int>(section.count("contacts", counts, 1));
  body.carried = section.flag("carried", false);
  body.contact = read_point(section, "at");
}

/// Three signals of a table.
std::array<Signal, 3> read_signals(TomlSection section, const std::array<const char*, 3>& keys,
                                   const std::filesystem::path& folder) {
  std::array<Signal, 3> signals;
  for (std::size_t i = 0; i < 3; ++i) {
    signals[i] = read_signal(section, keys[i], folder, true);
  }
  section.finish();
  return signals;
}

}  // namespace

PlanarScenario read_planar_scenario(const toml::table& table, const std::string& name,
                                    const std::filesystem::path& folder) {
  TomlSection root(table, "", name);
  const std::string title = root.text("title", "");
  const auto surface = read_surface(root.section("patch"), folder);
  const Friction friction = read_friction(root.section("friction"));
  const bool moved = root.has("motion");
  if (moved && (root.has("body") || root.has("load"))) {
    root.section("motion").fail("[motion] imposes the velocity: it cannot be combined with [body] or [load]");
  }
  std::optional<TomlSection> output;
  if (root.node("output") != nullptr) {
    output.emplace(root.section("output"));
  }
  const Times times = read_times(root.section("integrator"), output, moved);
  TomlSection section = root.section("contact");
  Contact contact = read_contact(section, friction, surface, times.options.duration, folder);
  PlanarScenario scenario{title, std::move(contact.model)};
  scenario.options = times.options;
  scenario.step = times.step;
  read_contact_position(section, scenario.body, moved);
  section.finish();

  std::array<Signal, 3> inputs;
  if (moved) {
    inputs = read_signals(root.section("motion"), {"vx", "vy", "spin"}, folder);
    scenario.motion = [inputs](double t) { return Twist{inputs[0].at(t), inputs[1].at(t), inputs[2].at(t)}; };
  } else {
    root.required_node("body", "a table [body], or [motion] instead: one of them defines what moves");
    read_body(root.section("body"), scenario);
    if (root.node("load") != nullptr) {
      inputs = read_signals(root.section("load"), {"fx", "fy", "torque"}, folder);
      scenario.body.load = [inputs](double t) { return Wrench{inputs[0].at(t), inputs[1].at(t), inputs[2].at(t)}; };
    }
  }
  scenario.body.normal_force = [force = contact.normal_force](double t) { return std::max(force.at(t), 0.0); };
  double time_scale = infinity;
  for (const Signal& signal : {contact.normal_force, inputs[0], inputs[1], inputs[2]}) {
    const auto jumps = signal.breakpoints(scenario.options.duration);
    scenario.body.jumps.insert(scenario.body.jumps.end(), jumps.begin(), jumps.end());
    time_scale = std::min(time_scale, signal.time_scale());
  }
  scenario.options.max_step = std::min(1e-2, time_scale / 10);
  sim::Options limits{.duration = scenario.options.duration, .output_interval = scenario.options.interval};
  limits.max_steps = scenario.options.max_steps;
  if (const std::string work = sim::too_much_work(limits, time_scale); scenario.step == 0 && !work.empty()) {
    root.section("integrator").fail("integrator." + work);
  }
  if (scenario.step > 0) {
    scenario.note = sim::sampling_note({.method = sim::Method::backward_euler, .step = scenario.step}, time_scale);
  }
  if (output) {
    scenario.columns = output->choices("columns", named_columns(sim::PlanarRun{}).names);
    output->finish();
  }
  root.finish();
  return scenario;
}

sim::PlanarRun run(const PlanarScenario& s) {
  sim::PlanarRun result = s.motion     ? sim::drive({s.motion, s.body.normal_force}, s.model, s.options, s.step)
                          : s.step > 0 ? sim::simulate_fixed_step(s.body, s.model, s.start, s.options, s.step)
                                       : sim::simulate(s.body, s.model, s.start, s.options);
  if (result.note.empty()) {
    result.note = s.note;
  }
  return result;
}

NamedColumns named_columns(const sim::PlanarRun& run, const std::vector<std::string>& wanted) {
  NamedColumns all{{"time", "normal_force", "x", "y", "angle", "vx", "vy", "spin", "fx", "fy", "torque"}, {}};
  all.values.resize(all.names.size());
  for (const sim::PlanarRow& row : run.rows) {
    const auto& [position, angle, velocity] = row.state;
    const std::array values{row.time,     row.normal_force, position.x,       position.y,
                            angle,        velocity.x,       velocity.y,       velocity.spin,
                            row.wrench.x, row.wrench.y,     row.wrench.torque};
    for (std::size_t i = 0; i < values.size(); ++i) {
      all.values[i].push_back(values[i] + 0.0);  // no negative zeros
    }
  }
  return only(std::move(all), wanted);
}

}  // namespace stiction::io
