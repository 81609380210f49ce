// A body with friction in steps, for control loops: every scalar model behind one interface.
#include "scalar.h"
#include "stiction/sim/sampled.h"

namespace stiction::python {
namespace {

class Body {
 public:
  Body() = default;
  Body(const Body&) = delete;
  Body& operator=(const Body&) = delete;
  virtual ~Body() = default;
  virtual void hold(double force, double dt, int substeps) = 0;
  double position = 0, velocity = 0;
};

template <class M>
class BodyOf final : public Body {
 public:
  BodyOf(const M& model, double mass) : body_{model, mass, {0, 0, 0, model.at_rest(0)}} {}
  void hold(double force, double dt, int substeps) override {
    body_.state.position = position;
    body_.state.velocity = velocity;
    body_.substeps = substeps;
    body_.hold(force, dt);
    position = body_.state.position;
    velocity = body_.state.velocity;
  }

 private:
  sim::SampledBody<M> body_;
};

}  // namespace

void bind_sim_bodies(py::module_& m) {
  py::class_<Body>(m, "SampledBody",
                   "A mass [kg] with friction as a sampled controller meets it: the force is held from one sample to "
                   "the next (SDIRK2).")
      .def(py::init([](const ScalarModelPtr& model, double mass) -> std::unique_ptr<Body> {
             if (!positive.holds(mass)) {
               throw InvalidParameter(Problem{"mass", mass, positive.text});
             }
             if (model->count() != 1) {
               throw py::value_error("one model is needed, not " + std::to_string(model->count()));
             }
             return std::visit(
                 [&]<class M>(const M& chosen) -> std::unique_ptr<Body> {
                   return std::make_unique<BodyOf<M>>(chosen, mass);
                 },
                 model->any());
           }),
           py::arg("model"), py::arg("mass"))
      .def_readwrite("position", &Body::position, "[m]")
      .def_readwrite("velocity", &Body::velocity, "[m/s]")
      .def(
          "hold", [](Body& body, double force, double dt, int substeps) { body.hold(force, dt, substeps); },
          py::arg("force"), py::arg("dt"), py::arg("substeps") = 1, "Moves on by dt [s] under a constant force [N].");
}

}  // namespace stiction::python
