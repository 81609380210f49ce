// A rigid body on a contact patch in fixed steps: patches of three states and of many bristles behind one interface.
#include <memory>

#include "planar.h"
#include "scalar.h"
#include "stiction/sim/planar_steps.h"
#include "value.h"

namespace stiction::python {
namespace {

template <class Surface>
using StepsOfReduced = sim::PlanarSteps<sim::ReducedContact<Surface>>;
using StepsOfDistributed = sim::PlanarSteps<sim::DistributedContact>;
using AnySteps =
    std::variant<StepsOfReduced<planar::SurfaceTable>, StepsOfReduced<planar::Ellipsoid>,
                 StepsOfReduced<planar::AngleTable>, StepsOfReduced<planar::AxisymmetricCurve>, StepsOfDistributed>;

struct Steps {
  AnySteps steps;
  py::tuple made;  // model, mass, inertia, contacts, carried, at
};

/// The friction's state: three numbers, or all bristles.
template <class Steps>
std::span<double> state_of(Steps& steps) {
  if constexpr (requires { steps.contact.z.rotation; }) {
    return {&steps.contact.z.x, 3};
  } else {
    return steps.contact.z;
  }
}

template <class Any>
auto body_of(double mass, double inertia, int contacts, bool carried, const ArrayLike& at) {
  return typename Any::Body{mass, inertia, contacts, carried, point_of(at, "at")};
}

}  // namespace

void bind_sim_planar(py::module_& m) {
  py::class_<Steps> bound(
      m, "PlanarSteps",
      "A rigid body on a patch in steps of any length: velocity and friction at the end of a step "
      "are found together (backward Euler). A copy or a pickle has the motion, but not the report of "
      "the last step.");
  bind_value(
      bound,
      [](Steps& self) {
        py::dict parts;
        parts["made"] = self.made;
        std::visit(
            [&](auto& s) {
              const auto z = state_of(s);
              parts["motion"] = py::make_tuple(to_array(s.position), s.angle, to_array(s.velocity));
              parts["state"] = to_array(std::vector<double>(z.begin(), z.end()));
            },
            self.steps);
        return parts;
      },
      [](const py::dict& parts) {
        const auto made = py::cast<py::tuple>(parts["made"]);
        const py::object object = py::type::of<Steps>()(made[0], made[1], made[2], py::arg("contacts") = made[3],
                                                        py::arg("carried") = made[4], py::arg("at") = made[5]);
        const auto motion = py::cast<py::tuple>(parts["motion"]);
        const auto state = py::cast<std::vector<double>>(parts["state"]);
        std::visit(
            [&](auto& s) {
              const auto z = state_of(s);
              if (z.size() != state.size()) {
                throw py::value_error("the state does not fit the patch");
              }
              std::copy(state.begin(), state.end(), z.begin());
              s.position = point_of(motion[0], "position");
              s.angle = py::cast<double>(motion[1]);
              s.velocity = twist_of(motion[2], "velocity");
            },
            py::cast<Steps&>(object).steps);
        return object;
      });
  bound
      .def(py::init([](const ReducedModel& model, double mass, double inertia, int contacts, bool carried,
                       const ArrayLike& at) {
             return model.visit([&]<class Surface>(const planar::Reduced<Surface>& reduced) {
               using Any = StepsOfReduced<Surface>;
               return Steps{Any(body_of<Any>(mass, inertia, contacts, carried, at), {reduced}),
                            py::make_tuple(model, mass, inertia, contacts, carried, at)};
             });
           }),
           py::arg("model"), py::arg("mass"), py::arg("inertia"), py::kw_only(), py::arg("contacts") = 1,
           py::arg("carried") = false, py::arg("at") = std::array{0.0, 0.0},
           "mass [kg], inertia about the centre of mass [kg m^2]; `contacts` equal patches, whose origin is at `at` "
           "[m]: a place, or with `carried` from the centre of mass.")
      .def(py::init([](const Distributed& model, double mass, double inertia, int contacts, bool carried,
                       const ArrayLike& at) {
             using Any = StepsOfDistributed;
             return Steps{Any(body_of<Any>(mass, inertia, contacts, carried, at), sim::DistributedContact(model)),
                          py::make_tuple(model, mass, inertia, contacts, carried, at)};
           }),
           py::arg("model"), py::arg("mass"), py::arg("inertia"), py::kw_only(), py::arg("contacts") = 1,
           py::arg("carried") = false, py::arg("at") = std::array{0.0, 0.0})
      .def(
          "step",
          [](Steps& self, const ArrayLike& load, double normal_force, double dt) {
            const planar::Wrench pushed = wrench_of(load, "load");
            checked_non_negative(normal_force, "normal_force");
            checked_dt(dt);
            return to_array(std::visit([&](auto& s) { return s.step({pushed, normal_force}, dt); }, self.steps));
          },
          py::arg("load"), py::arg("normal_force"), py::arg("dt"),
          "Moves on by dt [s] under a load (3,) at the centre of mass, gravity included, and the normal force of one "
          "contact [N]; gives the wrench (3,) of one contact, at the patch's origin. NaN, with `error`: it could not "
          "be "
          "taken.")
      .def_property(
          "position",
          [](const Steps& self) { return std::visit([](const auto& s) { return to_array(s.position); }, self.steps); },
          [](Steps& self, const ArrayLike& value) {
            const auto point = point_of(value, "position");
            std::visit([&](auto& s) { s.position = point; }, self.steps);
          },
          "Of the centre of mass (2,) [m].")
      .def_property(
          "angle", [](const Steps& self) { return std::visit([](const auto& s) { return s.angle; }, self.steps); },
          [](Steps& self, double value) {
            if (!finite.holds(value)) {
              throw InvalidParameter(Problem{"angle", value, finite.text});
            }
            std::visit([&](auto& s) { s.angle = value; }, self.steps);
          },
          "[rad]")
      .def_property(
          "velocity",
          [](const Steps& self) { return std::visit([](const auto& s) { return to_array(s.velocity); }, self.steps); },
          [](Steps& self, const ArrayLike& value) {
            const auto twist = twist_from(finite_vector<3>(value, "velocity").data());
            std::visit([&](auto& s) { s.velocity = twist; }, self.steps);
          },
          "Of the centre of mass (3,) [m/s, m/s, rad/s].")
      .def_property_readonly(
          "error", [](const Steps& self) { return std::visit([](const auto& s) { return s.error(); }, self.steps); },
          "By how much the last step missed its equations [m/s].")
      .def_property_readonly(
          "iterations",
          [](const Steps& self) { return std::visit([](const auto& s) { return s.iterations(); }, self.steps); },
          "Of the last step.");
}

}  // namespace stiction::python
