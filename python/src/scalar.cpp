#include "scalar.h"

#include <cmath>

#include "stiction/io/model_file.h"
#include "stiction/scalar/gms_batch.h"
#include "stiction/scalar/presets.h"

namespace stiction::python {

bool operator==(const StateStore& a, const StateStore& b) noexcept {
  if (a.kind_ != b.kind_ || a.count_ != b.count_) {
    return false;
  }
  for (std::size_t i = 0; i < a.count_; ++i) {
    if (!a.kind_->equal(a.at(i), b.at(i))) {
      return false;
    }
  }
  return true;
}

namespace {

void require_kind(const ScalarModel& model, const StateStore& states) {
  if (&states.kind() != &model.kind()) {
    throw py::type_error(std::string("a state of ") + states.kind().name + " was given to " + model.kind().name);
  }
}
void require_states(const ScalarModel& model, const States& states) {
  require_kind(model, states.store);
  if (model.count() != 1 && model.count() != states.store.size()) {
    throw py::value_error(std::to_string(states.store.size()) + " states were given to " +
                          std::to_string(model.count()) + " models");
  }
}
void require_one(const ScalarModel& model, const State& state) {
  require_kind(model, state.store);
  if (model.count() != 1) {
    throw py::value_error("one state was given to " + std::to_string(model.count()) + " models");
  }
}

Numbers one(const double& value) noexcept { return {&value, 0, false}; }
Room room_for(double& value) noexcept { return {&value, 0, false}; }

StateStore rest(const ScalarModel& model, std::size_t n, const Numbers& load) {
  StateStore states(model.kind(), model.states_in_use(), n);
  model.at_rest(states, load);
  return states;
}

/// One column of the states: "bristle", or a mode.
std::optional<py::array_t<double>> column(const StateStore& store, const std::string& name) {
  const StateKind& kind = store.kind();
  const auto of = [&](const std::vector<std::string>& names, std::size_t used, auto read, std::size_t width) {
    const auto found = std::find(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(used), name);
    if (found == names.begin() + static_cast<std::ptrdiff_t>(used)) {
      return std::optional<py::array_t<double>>();
    }
    py::array_t<double> result(static_cast<py::ssize_t>(store.size()));
    std::vector<double> values(width);
    for (std::size_t i = 0; i < store.size(); ++i) {
      read(store.at(i), values.data());
      result.mutable_data()[i] = values[static_cast<std::size_t>(found - names.begin())];
    }
    return std::optional(result);
  };
  if (auto result = of(kind.names, store.used(), kind.pack, kind.order)) {
    return result;
  }
  return of(kind.mode_names, kind.mode_names.size(), kind.modes, kind.mode_names.size());
}

void set_values(StateStore& store, const Table& values) {
  std::vector<double> packed(store.kind().order);
  for (std::size_t i = 0; i < store.size(); ++i) {
    store.kind().pack(store.at(i), packed.data());
    std::copy_n(values.data() + i * store.used(), store.used(), packed.begin());
    store.kind().unpack(store.at(i), packed.data());
  }
}

py::array_t<double> values_of(const StateStore& store) {
  py::array_t<double> result({static_cast<py::ssize_t>(store.size()), static_cast<py::ssize_t>(store.used())});
  std::vector<double> packed(store.kind().order);
  for (std::size_t i = 0; i < store.size(); ++i) {
    store.kind().pack(store.at(i), packed.data());
    std::copy_n(packed.begin(), store.used(), result.mutable_data() + i * store.used());
  }
  return result;
}

py::bytes bytes_of(const StateStore& store) {
  return {reinterpret_cast<const char*>(store.at(0)), store.kind().bytes * store.size()};
}
StateStore store_from(const ScalarModel& model, std::size_t n, const py::bytes& saved) {
  StateStore store = rest(model, n, one(0.0));
  const std::string bytes = saved;
  if (bytes.size() != store.kind().bytes * n) {
    throw py::value_error("these are not saved states of " + std::string(store.kind().name));
  }
  if (n > 0) {
    std::memcpy(store.at(0), bytes.data(), bytes.size());
  }
  return store;
}

std::string show(const StateStore& store, std::size_t i) {
  std::string text = std::string(store.kind().name) + "(";
  const auto add = [&](const std::vector<std::string>& names, const std::vector<double>& values, std::size_t used) {
    for (std::size_t k = 0; k < used; ++k) {
      text +=
          (text.back() == '(' ? "" : ", ") + names[k] + "=" + py::cast<std::string>(py::repr(py::float_(values[k])));
    }
  };
  std::vector<double> values(store.kind().order);
  store.kind().pack(store.at(i), values.data());
  add(store.kind().names, values, store.used());
  std::vector<double> modes(store.kind().mode_names.size());
  store.kind().modes(store.at(i), modes.data());
  add(store.kind().mode_names, modes, modes.size());
  return text + ")";
}

/// Model and state in one object (friction.h): the fastest calls for one joint.
struct Joint {
  ScalarModelPtr model;
  StateStore store;

  explicit Joint(ScalarModelPtr given) : model(std::move(given)), store(rest(*model, 1, one(0.0))) {
    if (model->count() != 1) {
      throw py::value_error("one model is needed, not " + std::to_string(model->count()));
    }
  }
  [[nodiscard]] double force(double velocity) const {
    double result = 0;
    model->force(store, one(velocity), nullptr, room_for(result));
    return result;
  }
  [[nodiscard]] double force(double velocity, double load) const {
    double result = 0;
    const Numbers under = one(load);
    model->force(store, one(velocity), &under, room_for(result));
    return result;
  }
};

void bind_state(py::module_& m) {
  py::class_<State>(m, "State", "The state of one contact: a value. `Model.at_rest` and `Model.state` make one.")
      .def_property_readonly(
          "values", [](const State& s) { return py::array(values_of(s.store).reshape({-1})); },
          "The continuous states, in the order of the model's state_names.")
      .def("__getattr__",
           [](const State& s, const std::string& name) {
             if (const auto found = column(s.store, name)) {
               return found->at(0);
             }
             throw py::attribute_error("a state of " + std::string(s.store.kind().name) + " has no '" + name + "'");
           })
      .def("__eq__", [](const State& a, const State& b) { return a.store == b.store; })
      .def("__repr__", [](const State& s) { return show(s.store, 0); });

  py::class_<States>(m, "States",
                     "States of n contacts, which `advance`, `step` and `solve` move on in place. `Model.at_rest` and "
                     "`Model.states` make them; indexing gives and takes a State.")
      .def("__len__", [](const States& s) { return s.store.size(); })
      .def_property(
          "values",
          [](const py::object& self) -> py::array {
            auto& states = py::cast<States&>(self);
            if (states.store.kind().plain && states.store.used() == states.store.kind().order) {
              return py::array_t<double>({states.store.size(), states.store.used()},
                                         reinterpret_cast<double*>(states.store.at(0)), self);
            }
            return values_of(states.store);
          },
          [](States& states, const py::object& values) {
            const InUse guard(states.busy.flag, "these states are");
            set_values(states.store, table_of(values, "values",
                                              {static_cast<py::ssize_t>(states.store.size()),
                                               static_cast<py::ssize_t>(states.store.used())}));
          },
          "The continuous states, (n, number of states). A view on them, not a copy, for models without modes.")
      .def("__getattr__",
           [](const States& s, const std::string& name) {
             if (auto found = column(s.store, name)) {
               return *found;
             }
             throw py::attribute_error("states of " + std::string(s.store.kind().name) + " have no '" + name + "'");
           })
      .def("__getitem__",
           [](const States& s, std::ptrdiff_t i) {
             const auto n = static_cast<std::ptrdiff_t>(s.store.size());
             if (i < -n || i >= n) {
               throw py::index_error("there are " + std::to_string(n) + " states");
             }
             StateStore one_state(s.store.kind(), s.store.used(), 1);
             std::memcpy(one_state.at(0), s.store.at(static_cast<std::size_t>(i < 0 ? i + n : i)),
                         s.store.kind().bytes);
             return State{std::move(one_state)};
           })
      .def("__setitem__",
           [](States& s, std::ptrdiff_t i, const State& state) {
             const auto n = static_cast<std::ptrdiff_t>(s.store.size());
             if (i < -n || i >= n) {
               throw py::index_error("there are " + std::to_string(n) + " states");
             }
             if (&state.store.kind() != &s.store.kind()) {
               throw py::type_error(std::string("a state of ") + state.store.kind().name + " among those of " +
                                    s.store.kind().name);
             }
             const InUse guard(s.busy.flag, "these states are");
             std::memcpy(s.store.at(static_cast<std::size_t>(i < 0 ? i + n : i)), state.store.at(0),
                         s.store.kind().bytes);
           })
      .def("copy", [](const States& s) { return States{s.store}; })
      .def("__copy__", [](const States& s) { return States{s.store}; })
      .def("__deepcopy__", [](const States& s, const py::dict&) { return States{s.store}; })
      .def("__eq__", [](const States& a, const States& b) { return a.store == b.store; })
      .def("__repr__", [](const States& s) {
        return "<" + std::to_string(s.store.size()) + " states of " + s.store.kind().name + ">";
      });

  py::class_<Solved>(m, "Solved", "What a coupled step gives: velocity = free_velocity - mobility dt force.")
      .def_readonly("force", &Solved::force, "Resistance over the step [N].")
      .def_readonly("velocity", &Solved::velocity, "At the end of the step [m/s].")
      .def_readonly("state", &Solved::state, "At the end of the step.")
      .def("__iter__", [](const Solved& s) { return py::iter(py::make_tuple(s.force, s.velocity, s.state)); })
      .def("__repr__", [](const Solved& s) {
        return py::str("Solved(force={!r}, velocity={!r}, state={!r})").format(s.force, s.velocity, s.state);
      });
}

using ModelClass = py::class_<ScalarModel, ScalarModelPtr>;

void bind_single_calls(ModelClass& model) {
  model
      .def_property_readonly(
          "state_names",
          [](const ScalarModel& self) {
            auto names = self.kind().names;
            names.resize(self.states_in_use());
            return py::tuple(py::cast(names));
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
            return Solved{result, velocity, std::move(next)};
          },
          py::arg("state"), py::arg("velocity"), py::arg("dt"), "`advance`, then the force [N] at the new state.")
      .def(
          "solve",
          [](const ScalarModel& self, const State& state, double free_velocity, double mobility, double dt,
             std::optional<double> velocity, std::optional<double> load) {
            require_one(self, state);
            checked_dt(dt);
            checked_non_negative(mobility, "mobility");
            State next = state;
            double result = 0;
            double moved = 0;
            const Numbers present = velocity ? one(*velocity) : Numbers{};
            const Numbers under = load ? one(*load) : Numbers{};
            self.solve(next.store, one(free_velocity), one(mobility), dt, velocity ? &present : nullptr,
                       load ? &under : nullptr, room_for(result), room_for(moved));
            return Solved{result, moved, std::move(next)};
          },
          py::arg("state"), py::arg("free_velocity"), py::arg("mobility"), py::arg("dt"),
          py::arg("velocity") = py::none(), py::arg("load") = py::none(),
          "Body and friction in one implicit step:  velocity+ = free_velocity - mobility dt force,  with the force in "
          "the law at the new state.  free_velocity [m/s]: after dt [s] without friction; mobility [1/kg]; velocity "
          "[m/s]: the present one, free_velocity unless given; load [N]: for models that see it.")
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

void bind_many_calls(ModelClass& model) {
  model
      .def(
          "force",
          [](const ScalarModel& self, const States& states, const py::object& velocity, const py::object& load,
             const py::object& out) {
            require_states(self, states);
            const std::size_t n = states.store.size();
            const Argument v(velocity, "velocity", n);
            const std::optional<double> no_load;
            std::optional<Argument> under;
            if (!load.is_none()) {
              under.emplace(load, "load", n);
            }
            const Result force(out, "out", {static_cast<py::ssize_t>(n)}, v.single());
            const Room room = force.room();
            {
              const InUse guard(const_cast<States&>(states).busy.flag, "these states are");
              const py::gil_scoped_release release;
              self.force(states.store, v.numbers(), under ? &under->numbers() : nullptr, room);
            }
            return force.array();
          },
          py::arg("states"), py::arg("velocity"), py::arg("load") = py::none(), py::arg("out") = py::none(),
          "The same for n contacts; velocity and load are numbers or arrays of shape (n,).")
      .def(
          "rate",
          [](const ScalarModel& self, const States& states, const py::object& velocity) {
            require_states(self, states);
            const std::size_t n = states.store.size();
            const Argument v(velocity, "velocity", n);
            py::array_t<double> rates({n, states.store.used()});
            double* const out = rates.mutable_data();
            {
              const InUse guard(const_cast<States&>(states).busy.flag, "these states are");
              const py::gil_scoped_release release;
              self.rate(states.store, v.numbers(), out);
            }
            return rates;
          },
          py::arg("states"), py::arg("velocity"))
      .def(
          "advance",
          [](const ScalarModel& self, States& states, const py::object& velocity, double dt) {
            require_states(self, states);
            const Argument v(velocity, "velocity", states.store.size());
            checked_dt(dt);
            const InUse guard(states.busy.flag, "these states are");
            const py::gil_scoped_release release;
            self.advance(states.store, v.numbers(), dt);
          },
          py::arg("states"), py::arg("velocity"), py::arg("dt"), "Moves n states on in place.")
      .def(
          "step",
          [](ScalarModel& self, States& states, const py::object& velocity, double dt, const py::object& out) {
            require_states(self, states);
            const std::size_t n = states.store.size();
            const Argument v(velocity, "velocity", n);
            checked_dt(dt);
            const Result force(out, "out", {static_cast<py::ssize_t>(n)}, v.single());
            const Room room = force.room();
            const auto plan = self.plan(n);
            {
              const InUse guard(states.busy.flag, "these states are");
              const py::gil_scoped_release release;
              self.step(states.store, v.numbers(), dt, room, plan);
            }
            return force.array();
          },
          py::arg("states"), py::arg("velocity"), py::arg("dt"), py::arg("out") = py::none(),
          "Moves n states on in place and gives the forces [N] there. The library's batches are used where it has "
          "them.")
      .def(
          "solve",
          [](const ScalarModel& self, States& states, const py::object& free_velocity, const py::object& mobility,
             double dt, const py::object& velocity, const py::object& load, const py::object& force_out,
             const py::object& velocity_out) {
            require_states(self, states);
            checked_dt(dt);
            const std::size_t n = states.store.size();
            const Argument free(free_velocity, "free_velocity", n);
            const Argument gain(mobility, "mobility", n);
            gain.require_non_negative("mobility", n);
            std::optional<Argument> present, under;
            if (!velocity.is_none()) {
              present.emplace(velocity, "velocity", n);
            }
            if (!load.is_none()) {
              under.emplace(load, "load", n);
            }
            const Result force(force_out, "force_out", {static_cast<py::ssize_t>(n)}, free.single());
            const Result moved(velocity_out, "velocity_out", {static_cast<py::ssize_t>(n)}, free.single());
            const Room force_room = force.room();
            const Room moved_room = moved.room();
            {
              const InUse guard(states.busy.flag, "these states are");
              const py::gil_scoped_release release;
              self.solve(states.store, free.numbers(), gain.numbers(), dt, present ? &present->numbers() : nullptr,
                         under ? &under->numbers() : nullptr, force_room, moved_room);
            }
            return py::make_tuple(force.array(), moved.array());
          },
          py::arg("states"), py::arg("free_velocity"), py::arg("mobility"), py::arg("dt"),
          py::arg("velocity") = py::none(), py::arg("load") = py::none(), py::arg("force_out") = py::none(),
          py::arg("velocity_out") = py::none(),
          "The same for n contacts, whose states are moved on in place; gives (forces, velocities).")
      .def(
          "dissipated_power",
          [](const ScalarModel& self, const States& states, const py::object& velocity) {
            require_states(self, states);
            const std::size_t n = states.store.size();
            const Argument v(velocity, "velocity", n);
            const Result power(py::none(), "out", {static_cast<py::ssize_t>(n)}, v.single());
            self.dissipated_power(states.store, v.numbers(), power.room());
            return power.array();
          },
          py::arg("states"), py::arg("velocity"));
}

void bind_making(ModelClass& model) {
  model
      .def(
          "at_rest",
          [](const ScalarModel& self, const py::object& load) -> py::object {
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
          },
          py::arg("load") = 0.0,
          "The State that carries a load [N] without motion; States for an array of loads, or for n models.")
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
            const auto& names = self.kind().names;
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
            return bytes_of(s.store);
          },
          py::arg("states"))
      .def(
          "restore",
          [](const ScalarModel& self, const py::bytes& saved, std::optional<std::size_t> n) -> py::object {
            if (n) {
              return py::cast(States{store_from(self, *n, saved)});
            }
            return py::cast(State{store_from(self, 1, saved)});
          },
          py::arg("saved"), py::arg("n") = py::none(), "From `save`: a State, or n States.");
}

}  // namespace

py::object energy_of(const ScalarModel& model, const py::object& state) {
  if (py::isinstance<State>(state)) {
    const auto& one_state = py::cast<const State&>(state);
    require_one(model, one_state);
    double result = 0;
    model.energy(one_state.store, room_for(result));
    return py::float_(result);
  }
  const auto& states = py::cast<const States&>(state);
  require_states(model, states);
  const Result energy(py::none(), "out", {static_cast<py::ssize_t>(states.store.size())}, false);
  model.energy(states.store, energy.room());
  return energy.array();
}

namespace {

void bind_joint(py::module_& m) {
  py::class_<Joint>(m, "Friction", "A model together with the state of one joint: the fastest calls for a single one.")
      .def(py::init<ScalarModelPtr>(), py::arg("model"))
      .def_readonly("model", &Joint::model)
      .def_property(
          "state", [](const Joint& self) { return State{self.store}; },
          [](Joint& self, const State& state) {
            require_one(*self.model, state);
            self.store = state.store;
          })
      .def(
          "force", [](const Joint& self, double velocity) { return self.force(velocity); }, py::arg("velocity"),
          "Resistance [N] at the present state.")
      .def(
          "force", [](const Joint& self, double velocity, double load) { return self.force(velocity, load); },
          py::arg("velocity"), py::arg("load"), "The same; a contact that sticks holds the load [N].")
      .def(
          "step",
          [](Joint& self, double velocity, double dt) {
            double result = 0;
            self.model->step(self.store, one(velocity), checked_dt(dt), room_for(result), nullptr);
            return result;
          },
          py::arg("velocity"), py::arg("dt"),
          "Moves the state on over dt [s] at a constant velocity [m/s] and returns the force [N] there.")
      .def(
          "solve",
          [](Joint& self, double free_velocity, double mobility, double dt, std::optional<double> velocity,
             std::optional<double> load) {
            checked_dt(dt);
            checked_non_negative(mobility, "mobility");
            double result = 0;
            double moved = 0;
            const Numbers present = velocity ? one(*velocity) : Numbers{};
            const Numbers under = load ? one(*load) : Numbers{};
            self.model->solve(self.store, one(free_velocity), one(mobility), dt, velocity ? &present : nullptr,
                              load ? &under : nullptr, room_for(result), room_for(moved));
            return py::make_tuple(result, moved);
          },
          py::arg("free_velocity"), py::arg("mobility"), py::arg("dt"), py::arg("velocity") = py::none(),
          py::arg("load") = py::none(), "Moves state and body on together; gives (force [N], velocity [m/s]).")
      .def(
          "rest_under", [](Joint& self, double load) { self.store = rest(*self.model, 1, one(load)); }, py::arg("load"),
          "Puts the state to rest under a load [N].")
      .def(
          "dissipated_power",
          [](const Joint& self, double velocity) {
            double result = 0;
            self.model->dissipated_power(self.store, one(velocity), room_for(result));
            return result;
          },
          py::arg("velocity"), "Power turned into heat [W].");
}

struct GmsMany {
  scalar::GmsBatch batch;
};

void bind_gms_batch(py::module_& m) {
  py::class_<GmsMany>(m, "GmsBatch",
                      "Many Generalized Maxwell-Slip joints in columns, for speed: forces (elements, n) [N] and int32 "
                      "(n,) of the elements that slip.")
      .def(py::init([](const std::vector<ScalarModelPtr>& models) {
             std::vector<scalar::Gms> chosen;
             for (const auto& model : models) {
               const auto any = model->any();
               if (!std::holds_alternative<scalar::Gms>(any) || model->count() != 1) {
                 throw py::type_error("a list of Gms is needed, each one model");
               }
               chosen.push_back(std::get<scalar::Gms>(any));
             }
             if (chosen.empty()) {
               throw py::value_error("at least one model is needed");
             }
             return GmsMany{scalar::GmsBatch(chosen)};
           }),
           py::arg("models"))
      .def("__len__", [](const GmsMany& self) { return self.batch.size(); })
      .def_property_readonly("elements", [](const GmsMany& self) { return self.batch.elements(); })
      .def(
          "step",
          [](const GmsMany& self, py::array_t<double>& force, py::array_t<std::int32_t>& slipping,
             const py::object& velocity, double dt) {
            const auto n = static_cast<py::ssize_t>(self.batch.size());
            const auto elements = static_cast<py::ssize_t>(self.batch.elements());
            const auto fits = [](const py::array& array) {
              return array.writeable() && (array.flags() & py::array::c_style) != 0;
            };
            if (force.ndim() != 2 || force.shape(0) != elements || force.shape(1) != n || !fits(force)) {
              throw py::value_error("force has shape " + shape_text(force) + ": must be (" + std::to_string(elements) +
                                    ", " + std::to_string(n) + "), in rows and writeable");
            }
            if (slipping.ndim() != 1 || slipping.shape(0) != n || !fits(slipping)) {
              throw py::value_error("slipping has shape " + shape_text(slipping) + ": must be (" + std::to_string(n) +
                                    ",) and writeable");
            }
            const Table v = table_of(velocity, "velocity", {n});
            checked_dt(dt);
            py::array_t<double> friction(n);
            const auto size = static_cast<std::size_t>(n);
            const std::span<double> forces(force.mutable_data(), size * self.batch.elements());
            const std::span<std::int32_t> slips(slipping.mutable_data(), size);
            const std::span<const double> velocities(v.data(), size);
            const std::span<double> out(friction.mutable_data(), size);
            {
              const py::gil_scoped_release release;
              self.batch.step(forces, slips, velocities, dt, out);
            }
            return friction;
          },
          py::arg("force").noconvert(), py::arg("slipping").noconvert(), py::arg("velocity"), py::arg("dt"),
          "Moves forces and slipping on in place; gives the friction of each joint [N].");
}

}  // namespace

void bind_scalar(py::module_& root) {
  auto m = root.def_submodule("scalar", "Friction models of one axis.");
  bind_state(m);
  ModelClass model(m, "Model",
                   "A friction model of one axis: parameters and pure functions. A State is a value, of which calls "
                   "return a new one; States are n of them, which calls move on in place.");
  bind_single_calls(model);
  bind_many_calls(model);
  bind_making(model);
  model.def_property_readonly("parameters", &ScalarModel::parameters, "Values by name; arrays where there are n.")
      .def_property_readonly("sees_load", &ScalarModel::sees_load, "Whether the load matters to `force`.")
      .def_property_readonly("velocity_scale", &ScalarModel::velocity_scale,
                             "A speed on which the friction changes [m/s].")
      .def("__len__", &ScalarModel::count, "Models in this object: 1, or n where parameters are arrays.")
      .def(
          "to_toml", [](const ScalarModel& self) { return io::to_toml(self.any()); },
          "The table [model] for scenario and model files.")
      .def("__getattr__",
           [](const ScalarModel& self, const std::string& name) -> py::object {
             const py::dict values = self.parameters();
             if (values.contains(name.c_str())) {
               return values[name.c_str()];
             }
             throw py::attribute_error(std::string(self.info().name) + " has no '" + name + "'");
           })
      .def("__reduce__",
           [](const py::object& self) {
             const py::object make =
                 py::module_::import("functools")
                     .attr("partial")(py::type::of(self), **py::cast<py::dict>(self.attr("parameters")));
             return py::make_tuple(make, py::tuple());
           })
      .def("__eq__",
           [](const ScalarModel& a, const ScalarModel& b) {
             return &a.kind() == &b.kind() &&
                    a.parameters().attr("__repr__")().equal(b.parameters().attr("__repr__")());
           })
      .def("__repr__", [](const py::object& self) {
        std::string text = py::cast<std::string>(py::type::of(self).attr("__name__")) + "(";
        for (const auto& [key, value] : py::cast<py::dict>(self.attr("parameters"))) {
          text += (text.back() == '(' ? "" : ", ") + py::cast<std::string>(key) + "=" +
                  py::cast<std::string>(py::repr(value));
        }
        return text + ")";
      });
  bind_scalar_models(m, model);
  bind_joint(m);
  bind_gms_batch(m);

  m.def(
      "models",
      [m] {
        py::dict all;
        for (const auto& item : py::cast<py::dict>(m.attr("__dict__"))) {
          if (PyType_Check(item.second.ptr()) != 0 && py::hasattr(item.second, "equation")) {
            all[item.second.attr("name")] = item.second;
          }
        }
        return all;
      },
      "The classes of models by their names on the command line and in files.");
  m.def(
      "load_model",
      [](const std::string& path) {
        const auto file = io::read_model_file(path);
        return py::make_tuple(make_scalar(file.model), file.mass);
      },
      py::arg("path"),
      "(model, mass or None) of a TOML file with a table [model]: a scenario, or what an identification wrote.");
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
        py::list all;
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
