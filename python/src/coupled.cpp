// Friction in the step of an engine, for stiction.mujoco and others.
#include "coupled.h"

#include "planar.h"
#include "scalar.h"

namespace stiction::python {
namespace {

using integrations::CoupledJoints;
using integrations::CoupledPatch;

std::span<const double> span_of(const Table& table) { return {table.data(), static_cast<std::size_t>(table.size())}; }

}  // namespace

void bind_coupled(py::module_& root) {
  auto m = root.def_submodule("coupled", "Friction in one implicit step with the joints and contacts of an engine.");
  py::class_<CoupledJoints>(m, "CoupledJoints",
                            "n axes with friction, coupled through the inverse mass matrix W:  v+ = v_free - dt W F.")
      .def(py::init([](const std::vector<ScalarModelPtr>& models) {
             std::vector<scalar::AnyModel> all;
             for (const auto& model : models) {
               if (!model || model->count() != 1) {
                 throw py::type_error("models: each must be one scalar model");
               }
               all.push_back(model->any());
             }
             return CoupledJoints(all);
           }),
           py::arg("models"))
      .def("__len__", &CoupledJoints::size)
      .def(
          "step",
          [](CoupledJoints& joints, const py::object& free_velocity, const py::object& mobility,
             const py::object& velocity, double dt) {
            const auto n = static_cast<py::ssize_t>(joints.size());
            const Table free = table_of(free_velocity, "free_velocity", {n});
            const Table w = table_of(mobility, "mobility", {n, n});
            const Table v = table_of(velocity, "velocity", {n});
            checked_dt(dt);
            py::array_t<double> force(n);
            joints.step(span_of(free), span_of(w), span_of(v), dt, {force.mutable_data(), joints.size()});
            return force;
          },
          py::arg("free_velocity"), py::arg("mobility"), py::arg("velocity"), py::arg("dt"),
          "Moves the states on by dt [s]; the friction of each axis (n,), for W (n, n).")
      .def(
          "step_uncoupled",
          [](CoupledJoints& joints, const py::object& velocity, double dt) {
            const Table v = table_of(velocity, "velocity", {static_cast<py::ssize_t>(joints.size())});
            checked_dt(dt);
            py::array_t<double> force(static_cast<py::ssize_t>(joints.size()));
            joints.step_uncoupled(span_of(v), dt, {force.mutable_data(), joints.size()});
            return force;
          },
          py::arg("velocity"), py::arg("dt"), "Without the load: the friction at the present velocity.")
      .def(
          "rest_under",
          [](CoupledJoints& joints, const py::object& load) {
            joints.rest_under(span_of(table_of(load, "load", {static_cast<py::ssize_t>(joints.size())})));
          },
          py::arg("load"), "Puts every axis to rest under its load.")
      .def_property_readonly("residual", &CoupledJoints::residual, "Of the last step [rad/s].")
      .def_property_readonly("sweeps", &CoupledJoints::sweeps);
  py::class_<CoupledPatch>(
      m, "CoupledPatch",
      "A patch between two bodies:  v+ = v_free + dt A w,  with the 3 x 3 mobility A of the contact.")
      .def(py::init([](const planar::Friction& friction, const planar::Patch& patch) {
             return CoupledPatch(
                 planar::Reduced<planar::SurfaceTable>::make(friction, patch, planar::SurfaceTable(patch)));
           }),
           py::arg("friction"), py::arg("patch"))
      .def(
          "step",
          [](CoupledPatch& patch, const py::object& free_twist, const py::object& mobility, double normal_force,
             double dt) {
            const Table a = table_of(mobility, "mobility", {3, 3});
            CoupledPatch::Matrix3 matrix{};
            for (std::size_t i = 0; i < 3; ++i) {
              std::copy_n(a.data() + 3 * i, 3, matrix[i].begin());
            }
            return to_array(patch.step(twist_of(free_twist, "free_twist"), matrix, normal_force, checked_dt(dt)));
          },
          py::arg("free_twist"), py::arg("mobility"), py::arg("normal_force"), py::arg("dt"),
          "Moves the state on by dt [s]; the wrench (3,) on the body whose twist it is.")
      .def("reset", &CoupledPatch::reset, "As after the contact was lost.")
      .def_property_readonly("residual", &CoupledPatch::residual, "Of the last step [m/s].");
}

}  // namespace stiction::python
