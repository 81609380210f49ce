// States of scalar models, as values and as tables.
#include "scalar.h"

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

void set_values(StateStore& store, const Table& values) {
  std::vector<double> packed(store.kind().order);
  for (std::size_t i = 0; i < store.size(); ++i) {
    store.kind().pack(store.at(i), packed.data());
    std::copy_n(values.data() + i * store.used(), store.used(), packed.begin());
    store.kind().unpack(packed.data(), store.at(i));
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

namespace {

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
  if (auto result = of(names_of(kind.state_names), store.used(), kind.pack, kind.order)) {
    return result;
  }
  return of(names_of(kind.mode_names), kind.mode_names.size(), kind.modes, kind.mode_names.size());
}

std::string show(const StateStore& store, std::size_t i) {
  std::string text = std::string(store.kind().info.name) + "(";
  const auto add = [&](const std::vector<std::string>& names, const std::vector<double>& values, std::size_t used) {
    for (std::size_t k = 0; k < used; ++k) {
      text +=
          (text.back() == '(' ? "" : ", ") + names[k] + "=" + py::cast<std::string>(py::repr(py::float_(values[k])));
    }
  };
  std::vector<double> values(store.kind().order);
  store.kind().pack(store.at(i), values.data());
  add(names_of(store.kind().state_names), values, store.used());
  std::vector<double> modes(store.kind().mode_names.size());
  store.kind().modes(store.at(i), modes.data());
  add(names_of(store.kind().mode_names), modes, modes.size());
  return text + ")";
}

States copy_of(const States& states) {
  const InUse guard = in_use(states);
  return States{states.store};
}

}  // namespace

void bind_scalar_states(py::module_& m) {
  py::class_<State>(m, "State", "The state of one contact: a value. `Model.at_rest` and `Model.state` make one.")
      .def_property_readonly(
          "values", [](const State& s) { return py::array(values_of(s.store).reshape({-1})); },
          "The continuous states, in the order of the model's state_names.")
      .def(
          "__getattr__",
          [](const State& s, const std::string& name) {
            if (const auto found = column(s.store, name)) {
              return found->at(0);
            }
            throw py::attribute_error("a state of " + std::string(s.store.kind().info.name) + " has no '" + name + "'");
          })
      .def("__eq__", [](const State& a, const State& b) { return a.store == b.store; })
      .def("__repr__", [](const State& s) { return show(s.store, 0); });

  py::class_<States>(
      m, "States",
      "States of n contacts: a value, as an array of numbers is. `Model.at_rest` and `Model.states` make "
      "them; indexing gives and takes a State.")
      .def("__len__", [](const States& s) { return s.store.size(); })
      .def_property(
          "values",
          [](const py::object& self) -> py::array {
            auto& states = py::cast<States&>(self);
            const InUse guard = in_use(states);
            if (states.store.kind().state_size == states.store.kind().order * sizeof(double) &&
                states.store.used() == states.store.kind().order) {
              return py::array_t<double>({states.store.size(), states.store.used()},
                                         reinterpret_cast<double*>(states.store.at(0)), self);
            }
            return values_of(states.store);
          },
          [](States& states, const py::object& values) {
            const InUse guard = in_use(states);
            set_values(states.store, table_of(values, "values",
                                              {static_cast<py::ssize_t>(states.store.size()),
                                               static_cast<py::ssize_t>(states.store.used())}));
          },
          "The continuous states, (n, number of states). A view on them, not a copy, for models without modes: not to "
          "be read while another thread moves the states on.")
      .def(
          "__getattr__",
          [](const States& s, const std::string& name) {
            const InUse guard = in_use(s);
            if (auto found = column(s.store, name)) {
              return *found;
            }
            throw py::attribute_error("states of " + std::string(s.store.kind().info.name) + " have no '" + name + "'");
          })
      .def("__getitem__",
           [](const States& s, std::ptrdiff_t i) {
             const auto n = static_cast<std::ptrdiff_t>(s.store.size());
             if (i < -n || i >= n) {
               throw py::index_error("there are " + std::to_string(n) + " states");
             }
             const InUse guard = in_use(s);
             StateStore one_state(s.store.kind(), s.store.used(), 1);
             std::memcpy(one_state.at(0), s.store.at(static_cast<std::size_t>(i < 0 ? i + n : i)),
                         s.store.kind().state_size);
             return State{std::move(one_state)};
           })
      .def("__setitem__",
           [](States& s, std::ptrdiff_t i, const State& state) {
             const auto n = static_cast<std::ptrdiff_t>(s.store.size());
             if (i < -n || i >= n) {
               throw py::index_error("there are " + std::to_string(n) + " states");
             }
             if (&state.store.kind() != &s.store.kind()) {
               throw py::type_error(std::string("a state of ") + state.store.kind().info.name + " among those of " +
                                    s.store.kind().info.name);
             }
             const InUse guard = in_use(s);
             std::memcpy(s.store.at(static_cast<std::size_t>(i < 0 ? i + n : i)), state.store.at(0),
                         s.store.kind().state_size);
           })
      .def("copy", &copy_of)
      .def("__copy__", &copy_of)
      .def("__deepcopy__", [](const States& s, const py::dict&) { return copy_of(s); })
      .def("__eq__",
           [](const States& a, const States& b) {
             const InUse guard = in_use(a);
             if (&a == &b) {
               return a.store == a.store;  // false where there is a NaN
             }
             const InUse other = in_use(b);
             return a.store == b.store;
           })
      .def("__repr__", [](const States& s) {
        return "<" + std::to_string(s.store.size()) + " states of " + s.store.kind().info.name + ">";
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

}  // namespace stiction::python
