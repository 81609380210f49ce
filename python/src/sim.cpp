// Scenarios, advice and the simulation of a body on a line.
#include <algorithm>

#include "scalar.h"
#include "stiction/io/planar_scenario.h"
#include "stiction/io/scenario.h"
#include "stiction/sim/advice.h"
#include "stiction/sim/any_model.h"

namespace stiction::python {
namespace {

py::dict arrays_of(const io::NamedColumns& columns) {
  py::dict result;
  for (std::size_t i = 0; i < columns.names.size(); ++i) {
    result[columns.names[i].c_str()] = to_array(columns.values[i]);
  }
  return result;
}

py::dict run(const io::AnyScenario& scenario) {
  if (const auto* line = std::get_if<io::Scenario>(&scenario)) {
    sim::Trajectory trajectory;
    {
      const py::gil_scoped_release release;
      trajectory = io::run(*line);
    }
    auto result = arrays_of(io::named_columns(trajectory, line->columns));
    if (trajectory.diverged) {
      throw std::runtime_error("the solution does not stay finite: its last row is at t = " +
                               std::to_string(trajectory.time.empty() ? 0 : trajectory.time.back()) + " s");
    }
    return result;
  }
  const auto& planar_scenario = std::get<io::PlanarScenario>(scenario);
  sim::PlanarRun rows;
  {
    const py::gil_scoped_release release;
    rows = io::run(planar_scenario);
  }
  return arrays_of(io::named_columns(rows, planar_scenario.columns));
}

const std::map<std::string, sim::Method>& methods() {
  static const std::map<std::string, sim::Method> all = [] {
    std::map<std::string, sim::Method> names;
    for (const auto method :
         {sim::Method::cvode, sim::Method::sdirk2, sim::Method::backward_euler, sim::Method::explicit_euler,
          sim::Method::semi_implicit_euler, sim::Method::runge_kutta_4}) {
      names[sim::name_of(method)] = method;
    }
    return names;
  }();
  return all;
}

sim::Method method_of(const std::string& name) {
  const auto found = methods().find(name);
  if (found == methods().end()) {
    std::string names;
    for (const auto& [known, method] : methods()) {
      names += (names.empty() ? "" : ", ") + known;
    }
    throw py::value_error("there is no method '" + name + "'; there are " + names);
  }
  return found->second;
}

/// A number, or times and values that are joined by straight lines.
sim::Signal signal_from(const py::object& given, const char* name) {
  if (PyFloat_Check(given.ptr()) || PyLong_Check(given.ptr())) {
    const auto value = py::cast<double>(given);
    if (!finite.holds(value)) {
      throw InvalidParameter(Problem{name, value, finite.text});
    }
    return value;
  }
  if (!py::isinstance<py::tuple>(given) || py::len(given) != 2) {
    throw py::type_error(std::string(name) + ": must be a number, or (times, values)");
  }
  const Table times = table_of(given[py::int_(0)], name, {-1});
  const Table values = table_of(given[py::int_(1)], name, {times.shape(0)});
  sim::Table table{{times.data(), times.data() + times.size()}, {values.data(), values.data() + values.size()}};
  for (std::size_t i = 0; i < table.times.size(); ++i) {
    if (!finite.holds(table.times[i]) || !finite.holds(table.values[i]) ||
        (i > 0 && !(table.times[i] > table.times[i - 1]))) {
      throw py::value_error(std::string(name) + ": times must rise, and all numbers be finite");
    }
  }
  if (table.times.empty()) {
    throw py::value_error(std::string(name) + ": at least one time is needed");
  }
  return table;
}

sim::Options options_from(double duration, const std::string& method, double step, double output_interval,
                          double tolerance) {
  sim::Options options;
  options.method = method_of(method);
  options.duration = duration;
  options.step = step;
  options.output_interval = output_interval;
  options.relative_tolerance = tolerance;
  if (const auto problem = sim::Options::check(options)) {
    throw InvalidParameter(*problem);
  }
  return options;
}

std::vector<double> states_from(const ScalarModelPtr& model, const py::object& state) {
  if (model->count() != 1) {
    throw py::value_error("one model is needed, not " + std::to_string(model->count()));
  }
  if (state.is_none()) {
    return {};
  }
  if (!py::isinstance<State>(state)) {
    throw py::type_error("state: must be a State of the model");
  }
  const auto& store = py::cast<const State&>(state).store;
  if (&store.kind() != &model->kind()) {
    throw py::type_error(std::string("a state of ") + store.kind().name + " was given to " + model->kind().name);
  }
  std::vector<double> values(store.kind().order);
  store.kind().pack(store.at(0), values.data());
  values.resize(store.used());
  return values;
}

}  // namespace

void bind_sim(py::module_& root) {
  auto m = root.def_submodule("sim", "Simulation.");
  bind_sim_bodies(m);
  bind_sim_arm(m);
  bind_sim_planar(m);
  m.def(
      "run_file", [](const std::string& path) { return run(io::read_any_scenario(path)); }, py::arg("path"),
      "Runs a scenario file.");
  m.def(
      "run_text",
      [](const std::string& text, const std::string& folder) {
        return run(io::parse_any_scenario(text, "scenario", folder));
      },
      py::arg("text"), py::arg("folder") = ".", "Runs a scenario given as TOML text.");
  m.def(
      "methods",
      [] {
        std::vector<std::string> names;
        for (const auto& [name, method] : methods()) {
          names.push_back(name);
        }
        return names;
      },
      "Names of the integrators.");
  m.def(
      "body",
      [](const ScalarModelPtr& model, double mass, double duration, const py::object& force, const std::string& method,
         double step, double output_interval, double tolerance, double position, double velocity,
         double spring_stiffness, double spring_damping, const py::object& anchor, const py::object& state,
         const py::object& normal) {
        const auto options = options_from(duration, method, step, output_interval, tolerance);
        const sim::Body body{mass, position, velocity};
        if (const auto problem = sim::Body::check(body)) {
          throw InvalidParameter(*problem);
        }
        sim::Load load;
        load.force = signal_from(force, "force");
        load.normal = signal_from(normal, "normal");
        if (spring_stiffness != 0 || spring_damping != 0) {
          load.spring =
              sim::Spring{checked_non_negative(spring_stiffness, "spring_stiffness"),
                          checked_non_negative(spring_damping, "spring_damping"), signal_from(anchor, "anchor")};
        }
        const auto states = states_from(model, state);
        sim::Trajectory trajectory;
        {
          const py::gil_scoped_release release;
          trajectory = sim::simulate(model->any(), body, load, options, states);
        }
        return arrays_of(io::named_columns(trajectory));
      },
      py::arg("model"), py::arg("mass"), py::arg("duration"), py::kw_only(), py::arg("force") = 0.0,
      py::arg("method") = "cvode", py::arg("step") = 1e-3, py::arg("output_interval") = 1e-3,
      py::arg("tolerance") = 1e-9, py::arg("position") = 0.0, py::arg("velocity") = 0.0,
      py::arg("spring_stiffness") = 0.0, py::arg("spring_damping") = 0.0, py::arg("anchor") = 0.0,
      py::arg("state") = py::none(), py::arg("normal") = 1.0,
      "A mass [kg] with friction over a duration [s]: named arrays. Force [N], anchor of the spring [m] and normal "
      "load "
      "are numbers or (times [s], values).");
  m.def(
      "two_bodies",
      [](const ScalarModelPtr& model, const std::array<double, 2>& mass, double duration, const py::object& force_1,
         const py::object& force_2, const std::string& method, double step, double output_interval, double tolerance,
         const std::array<double, 2>& position, const std::array<double, 2>& velocity, const py::object& state,
         const py::object& normal) {
        const auto options = options_from(duration, method, step, output_interval, tolerance);
        std::array<sim::Body, 2> bodies;
        for (std::size_t i = 0; i < 2; ++i) {
          bodies[i] = {mass[i], position[i], velocity[i]};
          if (const auto problem = sim::Body::check(bodies[i])) {
            throw InvalidParameter(*problem);
          }
        }
        std::array<sim::Load, 2> loads;
        loads[0].force = signal_from(force_1, "force_1");
        loads[0].normal = signal_from(normal, "normal");
        loads[1].force = signal_from(force_2, "force_2");
        const auto states = states_from(model, state);
        sim::PairTrajectory rows;
        {
          const py::gil_scoped_release release;
          rows = sim::simulate(model->any(), bodies[0], bodies[1], loads[0], loads[1], options, states);
        }
        if (rows.diverged) {
          throw std::runtime_error("the solution does not stay finite: its last row is at t = " +
                                   std::to_string(rows.time.empty() ? 0 : rows.time.back()) + " s");
        }
        py::dict result;
        result["time"] = to_array(rows.time);
        result["position_1"] = to_array(rows.position_1);
        result["velocity_1"] = to_array(rows.velocity_1);
        result["position_2"] = to_array(rows.position_2);
        result["velocity_2"] = to_array(rows.velocity_2);
        result["friction"] = to_array(rows.friction);
        return result;
      },
      py::arg("model"), py::arg("mass"), py::arg("duration"), py::kw_only(), py::arg("force_1") = 0.0,
      py::arg("force_2") = 0.0, py::arg("method") = "cvode", py::arg("step") = 1e-3, py::arg("output_interval") = 1e-3,
      py::arg("tolerance") = 1e-9, py::arg("position") = std::array{0.0, 0.0},
      py::arg("velocity") = std::array{0.0, 0.0}, py::arg("state") = py::none(), py::arg("normal") = 1.0,
      "Two masses [kg] with friction between them, as a block on a moving table: named arrays. Forces [N] from the "
      "ground are numbers or (times [s], values); methods cvode, sdirk2 and backward_euler.");
  m.def(
      "drive",
      [](const ScalarModelPtr& model, const py::object& velocity, double duration, const std::string& method,
         double step, double output_interval, double tolerance, const py::object& state, const py::object& normal) {
        const auto options = options_from(duration, method, step, output_interval, tolerance);
        const auto speed = signal_from(velocity, "velocity");
        const auto pressed = signal_from(normal, "normal");
        const auto states = states_from(model, state);
        sim::Trajectory trajectory;
        {
          const py::gil_scoped_release release;
          trajectory = sim::drive(model->any(), speed, options, states, pressed);
        }
        return arrays_of(io::named_columns(trajectory));
      },
      py::arg("model"), py::arg("velocity"), py::arg("duration"), py::kw_only(), py::arg("method") = "cvode",
      py::arg("step") = 1e-3, py::arg("output_interval") = 1e-3, py::arg("tolerance") = 1e-9,
      py::arg("state") = py::none(), py::arg("normal") = 1.0,
      "Friction under an imposed velocity [m/s], a number or (times [s], values): named arrays.");
  m.def(
      "advise",
      [](const ScalarModelPtr& model, double mass, double step, std::optional<double> speed) {
        sim::Advice advice;
        const auto any = model->any();
        {
          const py::gil_scoped_release release;
          advice = sim::advise(any, {mass, step, speed});
        }
        py::dict result;
        result["recommended"] = sim::name_of(advice.recommended);
        result["recommended_step"] = advice.recommended_step;
        result["reason"] = advice.reason;
        result["stiffness"] = advice.stiffness;
        result["damping"] = advice.damping;
        result["breakaway"] = advice.breakaway;
        result["sliding_force"] = advice.sliding_force;
        result["creeps"] = advice.creeps;
        result["passive"] = advice.passive;
        result["passive_reason"] = advice.passive_reason;
        py::list schemes;
        for (const auto& scheme : advice.schemes) {
          py::dict row;
          row["method"] = sim::name_of(scheme.method);
          row["stable"] = scheme.stable;
          row["largest_step"] = scheme.largest_step();
          row["creeps"] = scheme.creeps;
          row["reason"] = scheme.reason;
          schemes.append(row);
        }
        result["schemes"] = schemes;
        return result;
      },
      py::arg("model"), py::arg("mass"), py::arg("step"), py::arg("speed") = py::none(),
      "What to expect of a model on a mass [kg] under fixed steps [s]: stable, creeping, passive, and which scheme.");
}

}  // namespace stiction::python
