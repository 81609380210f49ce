// A body with friction in steps, for control loops.
#include "scalar.h"
#include "stiction/sim/sampled.h"
#include "value.h"

namespace stiction::python {
namespace {

using Body = sim::SampledBody<scalar::AnyModel>;

}  // namespace

void bind_sim_bodies(py::module_& m) {
  py::class_<Body> bound(
      m, "SampledBody",
      "A mass [kg] with friction as a sampled controller meets it: the force is held from one sample "
      "to the next (SDIRK2).");
  bind_fields(bound, {"model", "mass", "position", "velocity", "state"});
  bind_value(
      bound,
      [](const Body& body) {
        const ScalarModelPtr model = make_scalar(body.friction);
        py::dict parts;
        parts["model"] = model;
        parts["motion"] = py::make_tuple(body.mass, body.state.position, body.state.velocity, body.state.integral);
        parts["state"] = state_of(*model, body.state.friction);
        parts["substeps"] = body.substeps;
        return parts;
      },
      [](const py::dict& parts) {
        const auto model = py::cast<ScalarModelPtr>(parts["model"]);
        const auto [mass, position, velocity, integral] =
            py::cast<std::tuple<double, double, double, double>>(parts["motion"]);
        return Body{model->any(),
                    mass,
                    {position, velocity, integral, any_state(*model, py::cast<State>(parts["state"]))},
                    py::cast<int>(parts["substeps"])};
      });
  bound
      .def(py::init([](const ScalarModelPtr& model, double mass) {
             if (!positive.holds(mass)) {
               throw InvalidParameter(Problem{"mass", mass, positive.text});
             }
             if (model->count() != 1) {
               throw py::value_error("one model is needed, not " + std::to_string(model->count()));
             }
             const scalar::AnyModel friction = model->any();
             return Body{friction, mass, {0, 0, 0, friction.at_rest(0)}};
           }),
           py::arg("model"), py::arg("mass"))
      .def_property_readonly(
          "model", [](const Body& body) { return make_scalar(body.friction); }, "The friction.")
      .def_readonly("mass", &Body::mass, "[kg]")
      .def_property_readonly(
          "state", [](const Body& body) { return state_of(*make_scalar(body.friction), body.state.friction); },
          "Of the friction.")
      .def_property(
          "position", [](const Body& body) { return body.state.position; },
          [](Body& body, double position) { body.state.position = position; }, "[m]")
      .def_property(
          "velocity", [](const Body& body) { return body.state.velocity; },
          [](Body& body, double velocity) { body.state.velocity = velocity; }, "[m/s]")
      .def(
          "hold",
          [](Body& body, double force, double dt, int substeps, double motor) {
            body.substeps = substeps;
            body.hold(force, dt, motor);
          },
          py::arg("force"), py::arg("dt"), py::arg("substeps") = 1, py::kw_only(), py::arg("motor") = 0.0,
          "Moves on by dt [s] under a constant force [N], and one of a motor [N], which a gear transmits.");
}

}  // namespace stiction::python
