// Body and friction in one implicit step: several joints of a mechanism, and patches.
#include "planar.h"
#include "scalar.h"
#include "stiction/planar/distributed.h"
#include "stiction/scalar/joints.h"
#include "value.h"

namespace stiction::python {
namespace {

struct JointsAndReport {
  scalar::Joints joints;
  scalar::JointReport report;  // of the last solve
};

std::span<const double> span_of(const Table& table) { return {table.data(), static_cast<std::size_t>(table.size())}; }

void bind_joints(py::module_& m) {
  py::class_<JointsAndReport> joints(
      m, "Joints", "n joints with friction, coupled through the inverse mass matrix W:  v+ = v_free - dt W F.");
  bind_no_value(joints, "keep its models, and make it again");
  joints
      .def(py::init([](const std::vector<ScalarModelPtr>& models) {
             std::vector<scalar::AnyModel> all;
             for (const auto& model : models) {
               if (model->count() != 1) {
                 throw py::type_error("models: each must be one scalar model");
               }
               all.push_back(model->any());
             }
             return JointsAndReport{scalar::Joints(all), {}};
           }),
           py::arg("models"))
      .def("__len__", [](const JointsAndReport& self) { return self.joints.size(); })
      .def(
          "solve",
          [](JointsAndReport& self, const ArrayLike& free_velocity, const ArrayLike& mobility,
             const ArrayLike& velocity, double dt) {
            const auto n = static_cast<py::ssize_t>(self.joints.size());
            const Table free = table_of(free_velocity, "free_velocity", {n});
            const Table w = table_of(mobility, "mobility", {n, n});
            const Table v = table_of(velocity, "velocity", {n});
            checked_dt(dt);
            py::array_t<double> force(n);
            self.report = self.joints.solve({span_of(free), span_of(w), span_of(v), dt},
                                            {force.mutable_data(), self.joints.size()});
            return force;
          },
          py::arg("free_velocity"), py::arg("mobility"), py::arg("velocity"), py::arg("dt"),
          "Moves the states on by dt [s] with the mechanism; the friction of each joint (n,), for W (n, n).")
      .def(
          "step",
          [](JointsAndReport& self, const ArrayLike& velocity, double dt) {
            const Table v = table_of(velocity, "velocity", {static_cast<py::ssize_t>(self.joints.size())});
            checked_dt(dt);
            py::array_t<double> force(static_cast<py::ssize_t>(self.joints.size()));
            self.joints.step(span_of(v), dt, {force.mutable_data(), self.joints.size()});
            return force;
          },
          py::arg("velocity"), py::arg("dt"), "Without the load: the friction at the given velocities.")
      .def(
          "rest_under",
          [](JointsAndReport& self, const ArrayLike& load) {
            self.joints.rest_under(span_of(table_of(load, "load", {static_cast<py::ssize_t>(self.joints.size())})));
          },
          py::arg("load"), "Puts every joint to rest under its load.")
      .def_property_readonly(
          "converged", [](const JointsAndReport& self) { return self.report.status == scalar::JointStatus::converged; },
          "Whether the last solve met its tolerance.")
      .def_property_readonly(
          "residual", [](const JointsAndReport& self) { return self.report.residual; },
          "Of the last solve: the largest |v+ - v_free + dt W F| [rad/s].")
      .def_property_readonly(
          "iterations", [](const JointsAndReport& self) { return self.report.iterations; },
          "Newton iterations of the last solve.");
}

/// What a coupled step of a patch gives, with the state as an array of its own.
struct SolvedPatch {
  planar::CoupledWrench solved;
  py::array_t<double> state;
};

planar::CoupledTwist coupled_twist(const ArrayLike& free_twist, const ArrayLike& mobility, double normal_force,
                                   double dt, const ArrayLike& twist) {
  const Table a = table_of(mobility, "mobility", {3, 3});
  planar::CoupledTwist step{.free_twist = twist_from(finite_vector<3>(free_twist, "free_twist").data()),
                            .mobility = {},
                            .normal_force = checked_non_negative(normal_force, "normal_force"),
                            .twist = {},
                            .dt = checked_dt(dt)};
  for (std::size_t i = 0; i < 3; ++i) {
    std::copy_n(a.data() + 3 * i, 3, step.mobility[i].begin());
    for (const double value : step.mobility[i]) {
      if (!finite.holds(value)) {
        throw InvalidParameter(Problem{"mobility", value, finite.text});
      }
    }
  }
  step.twist = twist.is_none() ? step.free_twist : twist_from(finite_vector<3>(twist, "twist").data());
  return step;
}

void bind_patches(py::module_& m) {
  py::class_<SolvedPatch> solved(
      m, "Solved",
      "What a coupled step of a patch gives: twist = free_twist + dt mobility @ wrench. Unpacks to wrench, "
      "twist, state.");
  bind_fields(solved, {"wrench", "twist", "state", "converged", "residual", "iterations"});
  bind_value(
      solved,
      [](const SolvedPatch& s) {
        py::dict parts;
        put_bytes(parts, &s.solved, sizeof s.solved);
        parts["state"] = s.state;
        return parts;
      },
      [](const py::dict& parts) {
        SolvedPatch made;
        take_bytes(parts, &made.solved, sizeof made.solved);
        made.state = py::cast<py::array_t<double>>(parts["state"]);
        return made;
      });
  solved
      .def_property_readonly(
          "wrench", [](const SolvedPatch& s) { return to_array(s.solved.wrench); },
          "Of friction, (3,) [N, N, N m]: the mean over the step.")
      .def_property_readonly(
          "twist", [](const SolvedPatch& s) { return to_array(s.solved.twist); },
          "At the end of the step, (3,) [m/s, m/s, rad/s].")
      .def_readonly("state", &SolvedPatch::state, "At the end of the step.")
      .def_property_readonly(
          "converged", [](const SolvedPatch& s) { return s.solved.report.status == planar::TwistStatus::converged; },
          "Whether the equation of the step is met.")
      .def_property_readonly(
          "residual", [](const SolvedPatch& s) { return s.solved.report.residual; },
          "By how much the equation of the step is missed [m/s].")
      .def_property_readonly(
          "iterations", [](const SolvedPatch& s) { return s.solved.report.iterations; }, "That the step took.")
      .def("__iter__",
           [](const SolvedPatch& s) {
             return py::iter(py::make_tuple(to_array(s.solved.wrench), to_array(s.solved.twist), s.state));
           })
      .def("__len__", [](const SolvedPatch&) { return 3; })
      .def("__getitem__", [](const SolvedPatch& s, const py::object& index) {
        return py::make_tuple(to_array(s.solved.wrench), to_array(s.solved.twist), s.state).attr("__getitem__")(index);
      });
  solved.attr("_tuple") = "NDArray[float64], NDArray[float64], NDArray[float64]";  // for type checkers

  const char* const doc =
      "Body and friction together, over dt [s]: for the twist (3,) at the end of the step without friction, and the "
      "mobility (3, 3), the acceleration that a unit wrench gives the body. `twist`, at the start of the step, picks "
      "the root where there are several. `wrench, twist, state = model.solve(state, ...)`, with a new state.";
  py::reinterpret_borrow<py::class_<ReducedModel>>(m.attr("Reduced"))
      .def(
          "solve",
          [](const ReducedModel& r, const ArrayLike& z, const ArrayLike& free_twist, const ArrayLike& mobility,
             double normal_force, double dt, const ArrayLike& twist) {
            const auto step = coupled_twist(free_twist, mobility, normal_force, dt, twist);
            const auto at = finite_vector<3>(z, "z");
            return r.visit([&]<class M>(const M& model) {
              const auto solved = model.solve({at[0], at[1], at[2]}, step);
              return SolvedPatch{solved, to_array(std::array{solved.state.x, solved.state.y, solved.state.rotation})};
            });
          },
          py::arg("z"), py::arg("free_twist"), py::arg("mobility"), py::arg("normal_force"), py::arg("dt"),
          py::arg("twist") = py::none(), doc);
  py::reinterpret_borrow<py::class_<Distributed>>(m.attr("Distributed"))
      .def(
          "solve",
          [](const Distributed& d, const ArrayLike& z, const ArrayLike& free_twist, const ArrayLike& mobility,
             double normal_force, double dt, const ArrayLike& twist) {
            const auto step = coupled_twist(free_twist, mobility, normal_force, dt, twist);
            const Table bristles = table_of(z, "z", {2, static_cast<py::ssize_t>(d.size())});
            py::array_t<double> next({std::size_t{2}, d.size()});
            std::copy_n(bristles.data(), d.state_size(), next.mutable_data());
            const std::span<double> state(next.mutable_data(), d.state_size());
            return SolvedPatch{d.solve(state, step), next};
          },
          py::arg("z"), py::arg("free_twist"), py::arg("mobility"), py::arg("normal_force"), py::arg("dt"),
          py::arg("twist") = py::none(), doc);
}

}  // namespace

void bind_coupled(py::module_& root) {
  auto scalar = py::reinterpret_borrow<py::module_>(root.attr("scalar"));
  bind_joints(scalar);
  auto planar = py::reinterpret_borrow<py::module_>(root.attr("planar"));
  bind_patches(planar);
}

}  // namespace stiction::python
