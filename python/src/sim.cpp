// Scenarios, advice and the simulation of a body on a line.
#include <algorithm>

#include "long_call.h"
#include "scalar.h"
#include "stiction/io/any_scenario.h"
#include "stiction/io/scenario.h"
#include "stiction/sim/advice.h"
#include "stiction/sim/two_bodies.h"

namespace stiction::python {
namespace {

const long default_max_steps = sim::Options{}.max_steps;

using ColumnsObject = As<"stiction.results.Columns", py::dict>;
using SignalLike = As<"float | tuple[ArrayLike, ArrayLike]">;
using MethodName = OneOf<
    "Literal['cvode', 'sdirk2', 'backward-euler', 'explicit-euler', 'semi-implicit-euler', 'runge-kutta-4', "
    "'midpoint']">;
using MaybeState = As<"stiction.scalar.State">;

/// Named arrays with how the run went; RuntimeError where it did not stay finite.
ColumnsObject arrays_of(const std::vector<std::string>& names, std::vector<std::vector<double>> values,
                        const sim::RunReport& report) {
  if (report.diverged) {
    const double last = values.empty() || values[0].empty() ? 0 : values[0].back();
    throw std::runtime_error("the solution was no longer finite after t = " + std::to_string(last) +
                             " s: take a smaller step or another method");
  }
  py::dict result = py::module_::import("stiction.results").attr("Columns")();
  for (std::size_t i = 0; i < names.size(); ++i) {
    result[names[i].c_str()] = to_array(std::move(values[i]));
  }
  result.attr("solver") = report.solver;
  result.attr("note") = report.note;
  result.attr("steps") = report.steps;
  return result;
}

ColumnsObject arrays_of(const sim::Trajectory& run) {
  auto columns = io::named_columns(run);
  return arrays_of(columns.names, std::move(columns.values), run);
}

/// Runs a scenario, whatever it is; Ctrl-C stops it.
ColumnsObject run(io::AnyScenario any) {
  LongCall call;
  return std::visit(
      [&](auto& scenario) {
        scenario.options.stop = call.stop();
        const auto rows = call.run([&] { return io::run(scenario); });
        auto columns = io::named_columns(rows, scenario.columns);
        return arrays_of(columns.names, std::move(columns.values), rows);
      },
      any);
}

std::vector<std::string> names_of(sim::Entry entry) {
  std::vector<std::string> names;
  for (const sim::Method method : sim::methods_of(entry)) {
    names.emplace_back(sim::name_of(method));
  }
  return names;
}

sim::Method method_of(const std::string& name, sim::Entry entry) {
  std::string names;
  for (const sim::Method method : sim::methods_of(entry)) {
    if (name == sim::name_of(method)) {
      return method;
    }
    names += (names.empty() ? "" : ", ") + std::string(sim::name_of(method));
  }
  throw py::value_error("there is no method '" + name + "' here; there are " + names);
}

/// A number, or times and values that are joined by straight lines.
sim::Signal signal_from(const py::object& given, const char* name) {
  if (PyFloat_Check(given.ptr()) || PyLong_Check(given.ptr())) {
    const sim::Signal constant(py::cast<double>(given));
    sim::require_valid(constant, name);
    return constant;
  }
  if (!py::isinstance<py::tuple>(given) || py::len(given) != 2) {
    throw py::type_error(std::string(name) + ": must be a number, or (times, values)");
  }
  const Table times = table_of(given[py::int_(0)], name, {-1});
  const Table values = table_of(given[py::int_(1)], name, {times.shape(0)});
  sim::Signal table(
      sim::Table{{times.data(), times.data() + times.size()}, {values.data(), values.data() + values.size()}});
  sim::require_valid(table, name);
  return table;
}

sim::Options options_from(double duration, const MethodName& method, double step, double output_interval,
                          double tolerance, long max_steps, sim::Entry entry, const LongCall& call) {
  sim::Options options;
  options.method = method_of(std::string(method), entry);
  options.duration = duration;
  options.step = step;
  options.output_interval = output_interval;
  options.relative_tolerance = tolerance;
  options.max_steps = max_steps;
  options.stop = call.stop();
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
    throw py::type_error(std::string("a state of ") + store.kind().info.name + " was given to " + model->info().name);
  }
  std::vector<double> values(store.kind().order);
  store.kind().pack(store.at(0), values.data());
  values.resize(store.used());
  return values;
}

}  // namespace

void bind_sim(py::module_& root) {
  auto m = part(root, "sim", "Simulation.");
  bind_sim_bodies(m);
  bind_sim_arm(m);
  bind_sim_planar(m);
  m.def(
      "run_file", [](const PathLike& path) { return run(io::read_any_scenario(path_text(path))); }, py::arg("path"),
      "Runs a scenario file.");
  m.def(
      "run_text",
      [](const std::string& text, const PathLike& folder) {
        return run(io::parse_any_scenario(text, "scenario", path_text(folder)));
      },
      py::arg("text"), py::arg("folder") = ".", "Runs a scenario given as TOML text.");
  m.def(
      "methods",
      [](const OneOf<"Literal['body', 'two_bodies', 'drive']">& chosen) {
        const std::string of = chosen;
        if (of != "body" && of != "two_bodies" && of != "drive") {
          throw py::value_error("of = '" + of + "': must be body, two_bodies or drive");
        }
        return names_of(of == "body"         ? sim::Entry::body
                        : of == "two_bodies" ? sim::Entry::two_bodies
                                             : sim::Entry::imposed_velocity);
      },
      py::arg("of") = "body", "Names of the integrators that body, two_bodies or drive offers.");
  m.def(
      "body",
      [](const ScalarModelPtr& model, double mass, double duration, const SignalLike& force, const MethodName& method,
         double step, double output_interval, double tolerance, double position, double velocity,
         double spring_stiffness, double spring_damping, const SignalLike& anchor, const MaybeState& state,
         const SignalLike& normal, long max_steps, const SignalLike& motor) {
        LongCall call;
        const auto options =
            options_from(duration, method, step, output_interval, tolerance, max_steps, sim::Entry::body, call);
        const sim::Body body{mass, position, velocity};
        sim::Load load;
        load.force = signal_from(force, "force");
        load.normal = signal_from(normal, "normal");
        if (sim::Signal driven = signal_from(motor, "motor"); driven.magnitude() != 0) {
          load.motor = std::move(driven);
        }
        if (spring_stiffness != 0 || spring_damping != 0) {
          load.spring =
              sim::Spring{checked_non_negative(spring_stiffness, "spring_stiffness"),
                          checked_non_negative(spring_damping, "spring_damping"), signal_from(anchor, "anchor")};
        }
        const auto states = states_from(model, state);
        const auto any = model->any();
        return arrays_of(call.run([&] { return sim::simulate(any, body, load, options, states); }));
      },
      py::arg("model"), py::arg("mass"), py::arg("duration"), py::kw_only(), py::arg("force") = 0.0,
      py::arg("method") = "cvode", py::arg("step") = 1e-3, py::arg("output_interval") = 1e-3,
      py::arg("tolerance") = 1e-9, py::arg("position") = 0.0, py::arg("velocity") = 0.0,
      py::arg("spring_stiffness") = 0.0, py::arg("spring_damping") = 0.0, py::arg("anchor") = 0.0,
      py::arg("state") = py::none(), py::arg("normal") = 1.0, py::arg("max_steps") = default_max_steps,
      py::arg("motor") = 0.0,
      "A mass [kg] with friction over a duration [s]: named arrays. Force [N], anchor of the spring [m] and normal "
      "load "
      "are numbers or (times [s], values), as is the motor's force [N], which a gear transmits to the mass. A run that "
      "needs more than max_steps is refused.");
  m.def(
      "two_bodies",
      [](const ScalarModelPtr& model, const std::array<double, 2>& mass, double duration, const SignalLike& force_1,
         const SignalLike& force_2, const MethodName& method, double step, double output_interval, double tolerance,
         const std::array<double, 2>& position, const std::array<double, 2>& velocity, const MaybeState& state,
         const SignalLike& normal, long max_steps) {
        LongCall call;
        const auto options =
            options_from(duration, method, step, output_interval, tolerance, max_steps, sim::Entry::two_bodies, call);
        const std::array<sim::Body, 2> bodies{
            {{mass[0], position[0], velocity[0]}, {mass[1], position[1], velocity[1]}}};
        std::array<sim::Load, 2> loads;
        loads[0].force = signal_from(force_1, "force_1");
        loads[0].normal = signal_from(normal, "normal");
        loads[1].force = signal_from(force_2, "force_2");
        const auto states = states_from(model, state);
        const auto any = model->any();
        const auto rows =
            call.run([&] { return sim::simulate(any, bodies[0], bodies[1], loads[0], loads[1], options, states); });
        return arrays_of({"time", "position_1", "velocity_1", "position_2", "velocity_2", "friction"},
                         {rows.time, rows.position_1, rows.velocity_1, rows.position_2, rows.velocity_2, rows.friction},
                         rows);
      },
      py::arg("model"), py::arg("mass"), py::arg("duration"), py::kw_only(), py::arg("force_1") = 0.0,
      py::arg("force_2") = 0.0, py::arg("method") = "cvode", py::arg("step") = 1e-3, py::arg("output_interval") = 1e-3,
      py::arg("tolerance") = 1e-9, py::arg("position") = std::array{0.0, 0.0},
      py::arg("velocity") = std::array{0.0, 0.0}, py::arg("state") = py::none(), py::arg("normal") = 1.0,
      py::arg("max_steps") = default_max_steps,
      "Two masses [kg] with friction between them, as a block on a moving table: named arrays. Forces [N] from the "
      "ground are numbers or (times [s], values); methods cvode, sdirk2 and backward-euler.");
  m.def(
      "drive",
      [](const ScalarModelPtr& model, const SignalLike& velocity, double duration, const MethodName& method,
         double step, double output_interval, double tolerance, const MaybeState& state, const SignalLike& normal,
         long max_steps) {
        LongCall call;
        const auto options = options_from(duration, method, step, output_interval, tolerance, max_steps,
                                          sim::Entry::imposed_velocity, call);
        const auto speed = signal_from(velocity, "velocity");
        const auto pressed = signal_from(normal, "normal");
        const auto states = states_from(model, state);
        const auto any = model->any();
        return arrays_of(call.run([&] { return sim::drive(any, speed, options, states, pressed); }));
      },
      py::arg("model"), py::arg("velocity"), py::arg("duration"), py::kw_only(), py::arg("method") = "cvode",
      py::arg("step") = 1e-3, py::arg("output_interval") = 1e-3, py::arg("tolerance") = 1e-9,
      py::arg("state") = py::none(), py::arg("normal") = 1.0, py::arg("max_steps") = default_max_steps,
      "Friction under an imposed velocity [m/s], a number or (times [s], values): named arrays. Methods cvode, and "
      "midpoint: exact steps of the friction at the velocity in the middle of each.");
  m.def(
      "advise",
      [](const ScalarModelPtr& model, double mass, double step, std::optional<double> speed) {
        const auto any = model->any();
        LongCall call;
        const sim::Advice advice = call.run([&] { return sim::advise(any, {mass, step, speed}); });
        As<"stiction.results.Advice", py::dict> result{py::dict()};
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
