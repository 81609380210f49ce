// A body with friction in steps, for control loops.
#include "scalar.h"
#include "stiction/sim/sampled.h"

namespace stiction::python {
namespace {

using Body = sim::SampledBody<scalar::AnyModel>;

}  // namespace

void bind_sim_bodies(py::module_& m) {
  py::class_<Body>(m, "SampledBody",
                   "A mass [kg] with friction as a sampled controller meets it: the force is held from one sample to "
                   "the next (SDIRK2).")
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
      .def_property(
          "position", [](const Body& body) { return body.state.position; },
          [](Body& body, double position) { body.state.position = position; }, "[m]")
      .def_property(
          "velocity", [](const Body& body) { return body.state.velocity; },
          [](Body& body, double velocity) { body.state.velocity = velocity; }, "[m/s]")
      .def(
          "hold",
          [](Body& body, double force, double dt, int substeps) {
            body.substeps = substeps;
            body.hold(force, dt);
          },
          py::arg("force"), py::arg("dt"), py::arg("substeps") = 1, "Moves on by dt [s] under a constant force [N].");
}

}  // namespace stiction::python
