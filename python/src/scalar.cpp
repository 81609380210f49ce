// Calls of scalar models: for one state, and for many.
#include "scalar.h"

#include <cmath>

#include "stiction/io/bam_file.h"
#include "stiction/io/model_file.h"
#include "stiction/scalar/presets.h"
#include "value.h"

namespace stiction::python {
namespace {

py::bytes bytes_of(const StateStore& store) {
  return {reinterpret_cast<const char*>(store.at(0)), store.kind().state_size * store.size()};
}
StateStore store_from(const ScalarModel& model, std::size_t n, const py::bytes& saved) {
  StateStore store = rest(model, n, one(0.0));
  const std::string bytes = saved;
  if (bytes.size() != store.kind().state_size * n) {
    throw py::value_error("these are not saved states of " + std::string(store.kind().info.name));
  }
  if (n > 0) {
    std::memcpy(store.at(0), bytes.data(), bytes.size());
  }
  return store;
}

using StateObject = As<"stiction.scalar.State">;
using StatesObject = As<"stiction.scalar.States">;

using ModelClass = py::class_<ScalarModel, ScalarModelPtr>;

void bind_single_calls(ModelClass& model) {
  model
      .def_property_readonly(
          "state_names",
          [](const ScalarModel& self) {
            auto names = names_of(self.kind().state_names);
            names.resize(self.states_in_use());
            return As<"tuple[str, ...]", py::tuple>(py::tuple(py::cast(names)));
          },
          "The continuous states, in the order of `State.values`.")
      .def(
          "force",
          [](const ScalarModel& self, const State& state, double velocity, std::optional<double> load) {
            require_one(self, state);
            double result = 0;
            const Numbers under = load ? one(*load) : Numbers{};
            self.force(state.store, one(velocity), load ? &under : nullptr, room_for(result));
            return result;
          },
          py::arg("state"), py::arg("velocity"), py::arg("load") = py::none(),
          "Resistance F [N] of  m dv/dt = u - F.  A contact that sticks holds the load [N], where one is given.")
      .def(
          "rate",
          [](const ScalarModel& self, const State& state, double velocity) {
            require_one(self, state);
            py::array_t<double> rates(static_cast<py::ssize_t>(state.store.used()));
            self.rate(state.store, one(velocity), rates.mutable_data());
            return rates;
          },
          py::arg("state"), py::arg("velocity"), "Time derivatives of the continuous states, for ODE solvers.")
      .def(
          "advance",
          [](const ScalarModel& self, const State& state, double velocity, double dt) {
            require_one(self, state);
            State next = state;
            self.advance(next.store, one(velocity), checked_dt(dt));
            return next;
          },
          py::arg("state"), py::arg("velocity"), py::arg("dt"), "The state after dt [s] at a constant velocity [m/s].")
      .def(
          "step",
          [](const ScalarModel& self, const State& state, double velocity, double dt) {
            require_one(self, state);
            State next = state;
            double result = 0;
            self.step(next.store, one(velocity), checked_dt(dt), room_for(result), nullptr);
            return std::pair(result, std::move(next));
          },
          py::arg("state"), py::arg("velocity"), py::arg("dt"),
          "(force, state): `advance`, then the force [N] at the new state.")
      .def(
          "solve",
          [](const ScalarModel& self, const State& state, double free_velocity, double mobility, double dt,
             std::optional<double> velocity, std::optional<double> load, std::optional<double> motor_force,
             std::optional<double> external_force) {
            require_one(self, state);
            checked_dt(dt);
            checked_non_negative(mobility, "mobility");
            State next = state;
            double result = 0;
            double moved = 0;
            const Numbers present = velocity ? one(*velocity) : Numbers{};
            const Numbers under = load ? one(*load) : Numbers{};
            const Numbers motor = motor_force ? one(*motor_force) : Numbers{};
            const Numbers external = external_force ? one(*external_force) : Numbers{};
            self.solve(next.store, one(free_velocity), one(mobility), dt, velocity ? &present : nullptr,
                       {load ? &under : nullptr, motor_force ? &motor : nullptr, external_force ? &external : nullptr},
                       room_for(result), room_for(moved));
            return Solved{result, moved, std::move(next)};
          },
          py::arg("state"), py::arg("free_velocity"), py::arg("mobility"), py::arg("dt"),
          py::arg("velocity") = py::none(), py::arg("load") = py::none(), py::kw_only(),
          py::arg("motor_force") = py::none(), py::arg("external_force") = py::none(),
          "(force, velocity, state): body and friction in one implicit step,  velocity+ = free_velocity - mobility dt "
          "force,  with the force in "
          "the law at the new state.  free_velocity [m/s]: after dt [s] without friction; mobility [1/kg]; velocity "
          "[m/s]: the present one, free_velocity unless given; load [N]: for models that see it; motor_force and "
          "external_force "
          "[N]: the two sides of a gear, those of the state unless given.")
      .def(
          "transmitting",
          [](const ScalarModel& self, const State& state, double motor_force, double external_force) {
            require_one(self, state);
            State next = state;
            self.transmit(next.store, one(motor_force), one(external_force));
            return next;
          },
          py::arg("state"), py::kw_only(), py::arg("motor_force"), py::arg("external_force"),
          "The state of a gear that transmits these forces [N]: of its motor, at the output, and all others but "
          "friction. "
          "Unchanged for models of no gear.")
      .def(
          "dissipated_power",
          [](const ScalarModel& self, const State& state, double velocity) {
            require_one(self, state);
            double result = 0;
            self.dissipated_power(state.store, one(velocity), room_for(result));
            return result;
          },
          py::arg("state"), py::arg("velocity"), "Power turned into heat [W].")
      .def(
          "guards",
          [](const ScalarModel& self, const State& state, double velocity, double load) {
            require_one(self, state);
            return to_array(self.guards(state.store, velocity, load));
          },
          py::arg("state"), py::arg("velocity"), py::arg("load"),
          "Positive inside the present mode; the fall of one through zero is an event. Empty for models without modes.")
      .def(
          "transition",
          [](const ScalarModel& self, const State& state, int guard) {
            require_one(self, state);
            State next = state;
            if (!self.transition(next.store, guard)) {
              throw py::index_error(std::string(self.info().name) + " has no guard " + std::to_string(guard));
            }
            return next;
          },
          py::arg("state"), py::arg("guard"), "The state after the event of a guard.");
}

/// The states that a call moves on: a copy of those given, in the caller's `out` where there is one.
py::object next_states(const States& states, States* out) {
  const InUse guard = in_use(states);
  if (out == nullptr) {
    return py::cast(States{states.store});
  }
  if (out != &states) {
    const InUse other = in_use(*out);
    if (&out->store.kind() != &states.store.kind() || out->store.size() != states.store.size()) {
      throw py::value_error("out has " + std::to_string(out->store.size()) + " states of " +
                            out->store.kind().info.name + ": must be " + std::to_string(states.store.size()) + " of " +
                            states.store.kind().info.name);
    }
    out->store = states.store;
  }
  return py::cast(out, py::return_value_policy::reference);  // the caller's object
}

void bind_many_calls(ModelClass& model) {
  model
      .def(
          "force",
          [](const ScalarModel& self, const States& states, const ArrayLike& velocity, const ArrayLike& load,
             const Floats& force_out) {
            require_states(self, states);
            const std::size_t n = states.store.size();
            const Argument v(velocity, "velocity", n);
            const std::optional<double> no_load;
            std::optional<Argument> under;
            if (!load.is_none()) {
              under.emplace(load, "load", n);
            }
            const Result force(force_out, "force_out", {static_cast<py::ssize_t>(n)}, v.single());
            const Room room = force.room();
            {
              const InUse guard = in_use(states);
              const py::gil_scoped_release release;
              self.force(states.store, v.numbers(), under ? &under->numbers() : nullptr, room);
            }
            return Floats(force.array());
          },
          py::arg("states"), py::arg("velocity"), py::arg("load") = py::none(), py::kw_only(),
          py::arg("force_out") = py::none(),
          "The same for n contacts; velocity and load are numbers or arrays of shape (n,).")
      .def(
          "rate",
          [](const ScalarModel& self, const States& states, const ArrayLike& velocity) {
            require_states(self, states);
            const std::size_t n = states.store.size();
            const Argument v(velocity, "velocity", n);
            py::array_t<double> rates({n, states.store.used()});
            double* const out = rates.mutable_data();
            {
              const InUse guard = in_use(states);
              const py::gil_scoped_release release;
              self.rate(states.store, v.numbers(), out);
            }
            return rates;
          },
          py::arg("states"), py::arg("velocity"))
      .def(
          "advance",
          [](const ScalarModel& self, const States& states, const ArrayLike& velocity, double dt, States* out) {
            require_states(self, states);
            const Argument v(velocity, "velocity", states.store.size());
            checked_dt(dt);
            const py::object result = next_states(states, out);
            auto& next = py::cast<States&>(result);
            {
              const InUse guard = in_use(next);
              const py::gil_scoped_release release;
              self.advance(next.store, v.numbers(), dt);
            }
            return StatesObject(result);
          },
          py::arg("states"), py::arg("velocity"), py::arg("dt"), py::kw_only(), py::arg("out") = py::none(),
          "The same for n contacts.")
      .def(
          "step",
          [](ScalarModel& self, const States& states, const ArrayLike& velocity, double dt, States* out,
             const Floats& force_out) {
            require_states(self, states);
            const std::size_t n = states.store.size();
            const Argument v(velocity, "velocity", n);
            checked_dt(dt);
            const Result force(force_out, "force_out", {static_cast<py::ssize_t>(n)}, v.single());
            const Room room = force.room();
            const auto plan = self.plan(n);
            const py::object result = next_states(states, out);
            auto& next = py::cast<States&>(result);
            {
              const InUse guard = in_use(next);
              const py::gil_scoped_release release;
              self.step(next.store, v.numbers(), dt, room, plan);
            }
            return std::pair(Floats(force.array()), StatesObject(result));
          },
          py::arg("states"), py::arg("velocity"), py::arg("dt"), py::kw_only(), py::arg("out") = py::none(),
          py::arg("force_out") = py::none(),
          "(forces, states): the same for n contacts, by the library's batches where it has them. out: States for the "
          "new ones, which may be the given ones; force_out: an array.")
      .def(
          "solve",
          [](const ScalarModel& self, const States& states, const ArrayLike& free_velocity, const ArrayLike& mobility,
             double dt, const ArrayLike& velocity, const ArrayLike& load, States* out, const Floats& force_out,
             const Floats& velocity_out, const ArrayLike& motor_force, const ArrayLike& external_force) {
            require_states(self, states);
            checked_dt(dt);
            const std::size_t n = states.store.size();
            const Argument free(free_velocity, "free_velocity", n);
            const Argument gain(mobility, "mobility", n);
            gain.require_non_negative("mobility", n);
            std::optional<Argument> present, under, motor, external;
            const auto take = [n](std::optional<Argument>& argument, const ArrayLike& given, const char* name) {
              if (!given.is_none()) {
                argument.emplace(given, name, n);
              }
            };
            take(present, velocity, "velocity");
            take(under, load, "load");
            take(motor, motor_force, "motor_force");
            take(external, external_force, "external_force");
            const auto numbers = [](const std::optional<Argument>& a) { return a ? &a->numbers() : nullptr; };
            const Result force(force_out, "force_out", {static_cast<py::ssize_t>(n)}, free.single());
            const Result moved(velocity_out, "velocity_out", {static_cast<py::ssize_t>(n)}, free.single());
            const Room force_room = force.room();
            const Room moved_room = moved.room();
            const py::object result = next_states(states, out);
            auto& next = py::cast<States&>(result);
            {
              const InUse guard = in_use(next);
              const py::gil_scoped_release release;
              self.solve(next.store, free.numbers(), gain.numbers(), dt, numbers(present),
                         {numbers(under), numbers(motor), numbers(external)}, force_room, moved_room);
            }
            return std::tuple(Floats(force.array()), Floats(moved.array()), StatesObject(result));
          },
          py::arg("states"), py::arg("free_velocity"), py::arg("mobility"), py::arg("dt"),
          py::arg("velocity") = py::none(), py::arg("load") = py::none(), py::kw_only(), py::arg("out") = py::none(),
          py::arg("force_out") = py::none(), py::arg("velocity_out") = py::none(), py::arg("motor_force") = py::none(),
          py::arg("external_force") = py::none(),
          "(forces, velocities, states): the same for n contacts. out: States for the new ones, which may be the given "
          "ones; force_out and velocity_out: arrays.")
      .def(
          "transmitting",
          [](const ScalarModel& self, const States& states, const ArrayLike& motor_force,
             const ArrayLike& external_force) {
            require_states(self, states);
            const std::size_t n = states.store.size();
            const Argument motor(motor_force, "motor_force", n);
            const Argument external(external_force, "external_force", n);
            States next = states;
            self.transmit(next.store, motor.numbers(), external.numbers());
            return next;
          },
          py::arg("states"), py::kw_only(), py::arg("motor_force"), py::arg("external_force"),
          "The same for n contacts; the forces are numbers or arrays of shape (n,).")
      .def(
          "dissipated_power",
          [](const ScalarModel& self, const States& states, const ArrayLike& velocity) {
            require_states(self, states);
            const std::size_t n = states.store.size();
            const Argument v(velocity, "velocity", n);
            const Result power(py::none(), "out", {static_cast<py::ssize_t>(n)}, v.single());
            const InUse guard = in_use(states);
            self.dissipated_power(states.store, v.numbers(), power.room());
            return Floats(power.array());
          },
          py::arg("states"), py::arg("velocity"));
}

/// A State; States for an array of loads, or of n models.
py::object at_rest(const ScalarModel& self, const py::object& load) {
  if (PyFloat_Check(load.ptr()) || PyLong_Check(load.ptr())) {
    const auto value = py::cast<double>(load);
    if (self.count() == 1) {
      return py::cast(State{rest(self, 1, one(value))});
    }
    return py::cast(States{rest(self, self.count(), one(value))});
  }
  const py::array loads = numbers_of(load, "load");
  const std::size_t n = self.count() != 1   ? self.count()
                        : loads.ndim() == 1 ? static_cast<std::size_t>(loads.shape(0))
                                            : 1;
  return py::cast(States{rest(self, n, Argument(loads, "load", n).numbers())});
}

void bind_making(ModelClass& model) {
  model
      .def(
          "at_rest", [](const ScalarModel& self, double load) { return StateObject(at_rest(self, py::float_(load))); },
          py::arg("load") = 0.0, "The State that carries a load [N] without motion. (Of n models their States.)")
      .def(
          "at_rest", [](const ScalarModel& self, const ArrayLike& load) { return StatesObject(at_rest(self, load)); },
          py::arg("load"), "The States that carry loads (n,) [N].")
      .def(
          "states",
          [](const ScalarModel& self, std::optional<std::ptrdiff_t> n) {
            const auto count = n ? *n : static_cast<std::ptrdiff_t>(self.count());
            if (count < 0 || (self.count() != 1 && static_cast<std::size_t>(count) != self.count())) {
              throw py::value_error(std::to_string(count) + " states for " + std::to_string(self.count()) + " models");
            }
            return States{rest(self, static_cast<std::size_t>(count), one(0.0))};
          },
          py::arg("n") = py::none(), "States of n contacts at rest without load.")
      .def(
          "state",
          [](const ScalarModel& self, const py::kwargs& values) {
            if (self.count() != 1) {
              throw py::value_error("states() makes the states of " + std::to_string(self.count()) + " models");
            }
            State state{rest(self, 1, one(0.0))};
            const auto names = names_of(self.kind().state_names);
            check_keywords(values, {names.begin(), names.begin() + static_cast<std::ptrdiff_t>(state.store.used())}, {},
                           std::string("a state of ") + self.info().name);
            Table packed = values_of(state.store);
            for (std::size_t k = 0; k < state.store.used(); ++k) {
              if (values.contains(names[k].c_str())) {
                packed.mutable_data()[k] = py::cast<double>(values[names[k].c_str()]);
              }
            }
            set_values(state.store, packed);
            return state;
          },
          "A State with these continuous states, e.g. state(bristle=1e-6); those left out are as at rest.")
      .def(
          "save",
          [](const ScalarModel& self, const State& s) {
            require_one(self, s);
            return bytes_of(s.store);
          },
          py::arg("state"), "A State, or States, as bytes for `restore`, of this build on this kind of machine.")
      .def(
          "save",
          [](const ScalarModel& self, const States& s) {
            require_states(self, s);
            const InUse guard = in_use(s);
            return bytes_of(s.store);
          },
          py::arg("states"))
      .def(
          "restore", [](const ScalarModel& self, const py::bytes& saved) { return State{store_from(self, 1, saved)}; },
          py::arg("saved"), "From `save`: a State.")
      .def(
          "restore",
          [](const ScalarModel& self, const py::bytes& saved, std::size_t n) {
            return States{store_from(self, n, saved)};
          },
          py::arg("saved"), py::arg("n"), "n States.");
}

}  // namespace

double energy_of(const ScalarModel& model, const State& state) {
  require_one(model, state);
  double result = 0;
  model.energy(state.store, room_for(result));
  return result;
}
py::array_t<double> energy_of(const ScalarModel& model, const States& states) {
  require_states(model, states);
  const Result energy(py::none(), "out", {static_cast<py::ssize_t>(states.store.size())}, false);
  const InUse guard = in_use(states);
  model.energy(states.store, energy.room());
  return energy.array();
}

void bind_scalar(py::module_& root) {
  auto m = part(root, "scalar", "Friction models of one axis.");
  bind_scalar_states(m);
  ModelClass model(m, "Model",
                   "A friction model of one axis: parameters and pure functions. A State is a value, and so are "
                   "the States of n contacts: calls return new ones, or with out=states write them there.");
  for (const char* name : {"name", "title", "equation", "source"}) {
    model.attr(name) = "";  // each model has its own
  }
  model.attr("fields") = py::tuple();
  model.attr("mode_names") = py::tuple();
  bind_single_calls(model);
  bind_many_calls(model);
  bind_making(model);
  model
      .def_property_readonly(
          "parameters",
          [](const ScalarModel& self) {
            return As<"dict[str, float | NDArray[float64] | list[NDArray[float64]]]", py::dict>(self.parameters());
          },
          "Values by name; arrays where there are n.")
      .def_property_readonly("sees_load", &ScalarModel::sees_load, "Whether the load matters to `force`.")
      .def_property_readonly(
          "velocity_scale", [](const ScalarModel& self) { return self.view().velocity_scale(); },
          "A speed on which the friction changes [m/s].")
      .def("__len__", &ScalarModel::count, "Models in this object: 1, or n where parameters are arrays.")
      .def(
          "to_toml", [](const ScalarModel& self) { return io::to_toml(self.any()); },
          "The table [model] for scenario and model files.")
      .def(
          "__getattr__",
          [](const ScalarModel& self,
             const std::string& name) -> As<"float | NDArray[float64] | list[NDArray[float64]]"> {
            const py::dict values = self.parameters();
            if (values.contains(name.c_str())) {
              return py::object(values[name.c_str()]);
            }
            throw py::attribute_error(std::string(self.info().name) + " has no '" + name + "'");
          });
  bind_value(model, &ScalarModel::parameters);
  bind_scalar_models(m, model);
  bind_scalar_joints(m);

  m.def(
      "models",
      [m] {
        As<"dict[str, type[stiction.scalar.Model]]", py::dict> all{py::dict()};
        for (const auto& item : py::cast<py::dict>(m.attr("__dict__"))) {
          if (PyType_Check(item.second.ptr()) != 0 && py::hasattr(item.second, "equation") &&
              !py::cast<std::string>(item.second.attr("name")).empty()) {
            all[item.second.attr("name")] = item.second;
          }
        }
        return all;
      },
      "The classes of models by their names on the command line and in files.");
  m.def(
      "load_model",
      [](const PathLike& path) {
        const auto file = io::read_model_file(path_text(path));
        return std::pair(make_scalar(file.model), file.mass);
      },
      py::arg("path"),
      "(model, mass or None) of a TOML file with a table [model]: a scenario, or what an identification wrote. Or of a "
      "servo's JSON file of Rhoban/bam, with its armature [kg m2] as the mass.");
  m.def(
      "load_bam",
      [](const PathLike& path) {
        const io::BamServo servo = io::read_bam_file(path_text(path));
        py::dict rest;
        rest["model"] = servo.structure->name;
        rest["actuator"] = servo.actuator;
        rest["kt"] = servo.torque_constant;
        rest["R"] = servo.resistance;
        rest["armature"] = servo.armature;
        rest["q_offset"] = servo.position_offset;
        return std::pair(make_scalar(servo.friction), As<"dict[str, Any]", py::dict>(rest));
      },
      py::arg("path"),
      "(Gear, dict) of a servo's JSON file of Rhoban/bam: its friction, and model (m1 to m6), actuator, kt [N m/A], R "
      "[ohm], armature [kg m2] and q_offset [rad], None where the file has none.");
  m.def(
      "bam_json",
      [](const ScalarModelPtr& gear, const std::string& actuator, std::optional<double> kt, std::optional<double> r,
         std::optional<double> armature, std::optional<double> q_offset, const std::optional<std::string>& model) {
        const scalar::AnyModel any = gear->any();
        const auto* const friction = any.as<scalar::Gear>();
        if (friction == nullptr) {
          throw py::type_error(std::string("a ") + any.name() + " was given: only a Gear can be written");
        }
        const auto* const structure =
            model ? scalar::find_gear_structure(*model) : &scalar::structure_of(friction->params());
        if (structure == nullptr) {
          throw py::value_error("model = '" + *model + "': must be one of m1, m2, m3, m4, m5, m6");
        }
        return io::to_bam_json({*friction, structure, actuator, armature, kt, r, q_offset});
      },
      py::arg("gear"), py::kw_only(), py::arg("actuator"), py::arg("kt") = py::none(), py::arg("R") = py::none(),
      py::arg("armature") = py::none(), py::arg("q_offset") = py::none(), py::arg("model") = py::none(),
      "The text of a servo's JSON file of Rhoban/bam. model: m1 to m6, the simplest that has this friction unless "
      "given.");
  m.def(
      "parse_model", [](const std::string& text) { return make_scalar(io::parse_model_file(text, "text").model); },
      py::arg("text"), "The same from text.");
  m.def(
      "preset",
      [](const std::string& name) {
        if (const auto* found = scalar::find_preset(name)) {
          return make_scalar(found->make());
        }
        throw py::value_error("there is no preset '" + name + "'; presets() lists them");
      },
      py::arg("name"), "A published parameter set by its name.");
  m.def(
      "presets",
      [] {
        As<"list[stiction.results.Preset]", py::list> all{py::list()};
        for (const auto& preset : scalar::presets) {
          py::dict row;
          row["name"] = preset.name;
          row["model"] = make_scalar(preset.make());
          row["axis"] = preset.axis == scalar::Axis::rotary ? "rotary" : "linear";
          row["mass"] = preset.mass;
          row["source"] = preset.source;
          all.append(row);
        }
        return all;
      },
      "All published parameter sets: name, model, axis, mass [kg or kg m^2] and source.");
}

}  // namespace stiction::python
