// States of scalar models, as values and as tables.
#include "scalar.h"
#include "value.h"

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

py::tuple names_in_use(const StateStore& store) {
  auto names = names_of(store.kind().state_names);
  names.resize(store.used());
  for (const char* mode : store.kind().mode_names) {
    names.emplace_back(mode);
  }
  return py::tuple(py::cast(names));
}
py::dict parts_of(const StateStore& store) {
  py::dict parts;
  parts["model"] = store.kind().info.name;
  parts["names"] = names_in_use(store);
  parts["count"] = store.size();
  put_bytes(parts, store.at(0), store.kind().state_size * store.size());
  return parts;
}
StateStore store_from(const py::dict& parts) {
  const auto name = py::cast<std::string>(parts["model"]);
  const scalar::ModelTable* const kind = scalar::find_model(name);
  if (kind == nullptr) {
    throw py::value_error("there is no model '" + name + "'");
  }
  const auto names = py::cast<py::tuple>(parts["names"]);
  const std::size_t used = names.size() - std::min(names.size(), kind->mode_names.size());
  StateStore store(*kind, std::min(used, kind->order), py::cast<std::size_t>(parts["count"]));
  if (!names.equal(names_in_use(store))) {
    throw py::value_error("the states of " + name + " are others in this version");
  }
  take_bytes(parts, store.at(0), kind->state_size * store.size());
  return store;
}

/// Whether the states are nothing but their numbers, in rows.
bool is_table(const StateStore& store) {
  return store.kind().state_size == store.kind().order * sizeof(double) && store.used() == store.kind().order;
}

States copy_of(const States& states) {
  const InUse guard = in_use(states);
  return States{states.store};
}

}  // namespace

void bind_scalar_states(py::module_& m) {
  py::class_<State> state(m, "State", "The state of one contact: a value. `Model.at_rest` and `Model.state` make one.");
  state
      .def_property_readonly(
          "values",
          [](const py::object& self) -> py::array_t<double> {
            const StateStore& store = py::cast<const State&>(self).store;
            if (is_table(store)) {
              return view_of(std::span(reinterpret_cast<const double*>(store.at(0)), store.used()), self);
            }
            return read_only(py::array_t<double>(values_of(store).reshape({-1})));
          },
          "The continuous states, in the order of the model's state_names, read-only. A view, not a copy, for models "
          "without modes.")
      .def(
          "__getattr__",
          [](const State& s, const std::string& name) {
            if (const auto found = column(s.store, name)) {
              return found->at(0);
            }
            throw py::attribute_error("a state of " + std::string(s.store.kind().info.name) + " has no '" + name + "'");
          })
      .def(
          "__eq__", [](const State& a, const State& b) { return a.store == b.store; }, py::is_operator())
      .def("__repr__", [](const State& s) { return show(s.store, 0); });
  bind_value(
      state, [](const State& s) { return parts_of(s.store); },
      [](const py::dict& parts) {
        State made{store_from(parts)};
        if (made.store.size() != 1) {
          throw py::value_error("it is not one state");
        }
        return made;
      });

  py::class_<States> states(
      m, "States",
      "States of n contacts: a value, as an array of numbers is. `Model.at_rest` and `Model.states` make "
      "them; indexing gives and takes a State.");
  states.def("__len__", [](const States& s) { return s.store.size(); })
      .def_property(
          "values",
          [](const py::object& self) -> py::array_t<double> {
            auto& states = py::cast<States&>(self);
            const InUse guard = in_use(states);
            if (is_table(states.store)) {
              return py::array_t<double>({states.store.size(), states.store.used()},
                                         reinterpret_cast<double*>(states.store.at(0)), self);
            }
            return read_only(values_of(states.store));
          },
          [](States& states, const ArrayLike& values) {
            const InUse guard = in_use(states);
            set_values(states.store, table_of(values, "values",
                                              {static_cast<py::ssize_t>(states.store.size()),
                                               static_cast<py::ssize_t>(states.store.used())}));
          },
          "The continuous states, (n, number of states); may be set. A view on them, not a copy, for models without "
          "modes: "
          "not to be read while another thread moves the states on. Of others a copy, which is read-only.")
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
      .def("copy", &copy_of, "The same states, on their own.")
      .def("__copy__", &copy_of)
      .def("__deepcopy__", [](const States& s, const py::dict&) { return copy_of(s); })
      .def(
          "__eq__",
          [](const States& a, const States& b) {
            const InUse guard = in_use(a);
            if (&a == &b) {
              return a.store == a.store;  // false where there is a NaN
            }
            const InUse other = in_use(b);
            return a.store == b.store;
          },
          py::is_operator())
      .def("__repr__", [](const States& s) {
        return "<" + std::to_string(s.store.size()) + " states of " + s.store.kind().info.name + ">";
      });

  bind_value(
      states,
      [](const States& s) {
        const InUse guard = in_use(s);
        return parts_of(s.store);
      },
      [](const py::dict& parts) { return States{store_from(parts)}; });

  py::class_<Solved> solved(m, "Solved", "What a coupled step gives: velocity = free_velocity - mobility dt force.");
  solved.def_readonly("force", &Solved::force, "Resistance over the step [N].")
      .def_readonly("velocity", &Solved::velocity, "At the end of the step [m/s].")
      .def_readonly("state", &Solved::state, "At the end of the step.")
      .def("__iter__", [](const Solved& s) { return py::iter(py::make_tuple(s.force, s.velocity, s.state)); })
      .def("__len__", [](const Solved&) { return 3; })
      .def("__getitem__", [](const Solved& s, const py::object& index) {
        return py::make_tuple(s.force, s.velocity, s.state).attr("__getitem__")(index);
      });
  solved.attr("_tuple") = "float, float, stiction.scalar.State";  // what a type checker takes it for
  bind_fields(solved, {"force", "velocity", "state"});
  bind_value(
      solved,
      [](const Solved& s) {
        py::dict parts;
        parts["force"] = s.force;
        parts["velocity"] = s.velocity;
        parts["state"] = s.state;
        return parts;
      },
      [](const py::dict& parts) {
        return Solved{py::cast<double>(parts["force"]), py::cast<double>(parts["velocity"]),
                      py::cast<State>(parts["state"])};
      });
}

}  // namespace stiction::python
