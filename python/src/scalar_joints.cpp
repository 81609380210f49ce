// One joint with its model and state, and many of one kind in columns: what is called most often.
#include "scalar.h"
#include "stiction/scalar/gms_batch.h"
#include "value.h"

namespace stiction::python {
namespace {

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

void bind_joint(py::module_& m) {
  py::class_<Joint> joint(m, "Friction",
                          "A model together with the state of one joint: the fastest calls for a single one.");
  joint.def(py::init<ScalarModelPtr>(), py::arg("model"))
      .def_readonly("model", &Joint::model, "As it was given.")
      .def_property(
          "state", [](const Joint& self) { return State{self.store}; },
          [](Joint& self, const State& state) {
            require_one(*self.model, state);
            self.store = state.store;
          },
          "At present; may be set.")
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
             std::optional<double> load, std::optional<double> motor_force, std::optional<double> external_force) {
            checked_dt(dt);
            checked_non_negative(mobility, "mobility");
            double result = 0;
            double moved = 0;
            const Numbers present = velocity ? one(*velocity) : Numbers{};
            const Numbers under = load ? one(*load) : Numbers{};
            const Numbers motor = motor_force ? one(*motor_force) : Numbers{};
            const Numbers external = external_force ? one(*external_force) : Numbers{};
            self.model->solve(
                self.store, one(free_velocity), one(mobility), dt, velocity ? &present : nullptr,
                {load ? &under : nullptr, motor_force ? &motor : nullptr, external_force ? &external : nullptr},
                room_for(result), room_for(moved));
            return std::pair(result, moved);
          },
          py::arg("free_velocity"), py::arg("mobility"), py::arg("dt"), py::arg("velocity") = py::none(),
          py::arg("load") = py::none(), py::kw_only(), py::arg("motor_force") = py::none(),
          py::arg("external_force") = py::none(),
          "Moves state and body on together; gives (force [N], velocity [m/s]). motor_force and external_force [N]: "
          "the "
          "two sides of a gear, those of the state unless given.")
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
  bind_fields(joint, {"model", "state"});
  bind_value(
      joint,
      [](const Joint& self) {
        py::dict parts;
        parts["model"] = self.model;
        parts["state"] = State{self.store};
        return parts;
      },
      [](const py::dict& parts) {
        Joint made(py::cast<ScalarModelPtr>(parts["model"]));
        const auto state = py::cast<State>(parts["state"]);
        require_one(*made.model, state);
        made.store = state.store;
        return made;
      });
}

using GmsStates = std::pair<py::array_t<double>, py::array_t<std::int32_t>>;

struct GmsMany {
  scalar::GmsBatch batch;
  std::vector<ScalarModelPtr> models;  // of which it was made

  [[nodiscard]] GmsStates room() const {
    return {py::array_t<double>({batch.elements(), batch.size()}),
            py::array_t<std::int32_t>(static_cast<py::ssize_t>(batch.size()))};
  }
  void require_fit(const GmsStates& states, const std::string& name) const {
    const auto& [force, slipping] = states;
    const auto n = static_cast<py::ssize_t>(batch.size());
    const auto elements = static_cast<py::ssize_t>(batch.elements());
    const auto in_rows = [](const py::array& array) { return (array.flags() & py::array::c_style) != 0; };
    if (force.ndim() != 2 || force.shape(0) != elements || force.shape(1) != n || !in_rows(force)) {
      throw py::value_error("forces of " + name + " have shape " + shape_text(force) + ": must be (" +
                            std::to_string(elements) + ", " + std::to_string(n) + "), in rows");
    }
    if (slipping.ndim() != 1 || slipping.shape(0) != n || !in_rows(slipping)) {
      throw py::value_error("slipping of " + name + " has shape " + shape_text(slipping) + ": must be (" +
                            std::to_string(n) + ",)");
    }
  }
};

void bind_gms_batch(py::module_& m) {
  py::class_<GmsMany> bound(
      m, "GmsBatch",
      "Many Generalized Maxwell-Slip joints in columns, for speed. States are a pair of arrays: forces "
      "(elements, n) [N], and int32 (n,) of the elements that slip.");
  bound
      .def(py::init([](const std::vector<ScalarModelPtr>& models) {
             std::vector<scalar::Gms> chosen;
             for (const auto& model : models) {
               const auto any = model->any();
               if (any.as<scalar::Gms>() == nullptr || model->count() != 1) {
                 throw py::type_error("a list of Gms is needed, each one model");
               }
               chosen.push_back(*any.as<scalar::Gms>());
             }
             if (chosen.empty()) {
               throw py::value_error("at least one model is needed");
             }
             return GmsMany{scalar::GmsBatch(chosen), models};
           }),
           py::arg("models"))
      .def("__len__", [](const GmsMany& self) { return self.batch.size(); })
      .def_property_readonly(
          "elements", [](const GmsMany& self) { return self.batch.elements(); }, "Of each joint.")
      .def(
          "states",
          [](const GmsMany& self) {
            GmsStates states = self.room();
            std::fill_n(states.first.mutable_data(), states.first.size(), 0.0);
            std::fill_n(states.second.mutable_data(), states.second.size(), 0);
            return states;
          },
          "States of joints at rest without load.")
      .def(
          "step",
          [](const GmsMany& self, const GmsStates& states, const ArrayLike& velocity, double dt,
             const std::optional<GmsStates>& out) {
            self.require_fit(states, "states");
            const auto n = static_cast<py::ssize_t>(self.batch.size());
            const Table v = table_of(velocity, "velocity", {n});
            checked_dt(dt);
            GmsStates next = out ? *out : self.room();
            self.require_fit(next, "out");
            auto& [force, slipping] = next;
            if (!force.writeable() || !slipping.writeable()) {
              throw py::value_error("out: must be writeable");
            }
            const auto size = static_cast<std::size_t>(n);
            const std::span<double> forces(force.mutable_data(), size * self.batch.elements());
            const std::span<std::int32_t> slips(slipping.mutable_data(), size);
            std::memmove(forces.data(), states.first.data(), forces.size_bytes());  // out may overlap the states
            std::memmove(slips.data(), states.second.data(), slips.size_bytes());
            py::array_t<double> friction(n);
            const std::span<const double> velocities(v.data(), size);
            const std::span<double> total(friction.mutable_data(), size);
            {
              const py::gil_scoped_release release;
              self.batch.step(forces, slips, velocities, dt, total);
            }
            return std::pair(friction, next);
          },
          py::arg("states").noconvert(), py::arg("velocity"), py::arg("dt"), py::kw_only(),
          py::arg("out").noconvert() = py::none(),
          "(friction of each joint (n,) [N], states). out: a pair of arrays for the new states, which may be the given "
          "ones.");
  bind_value(bound, [](const GmsMany& self) {
    py::dict parts;
    parts["models"] = self.models;
    return parts;
  });
}

}  // namespace

void bind_scalar_joints(py::module_& m) {
  bind_joint(m);
  bind_gms_batch(m);
}

}  // namespace stiction::python
