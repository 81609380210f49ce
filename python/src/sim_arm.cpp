// The arm of two links, with friction of any model in its joints.
#include <memory>

#include "scalar.h"
#include "stiction/sim/two_link_arm.h"
#include "value.h"

namespace stiction::python {
namespace {

using sim::TwoLinkArm;
using Vector = TwoLinkArm::Vector;

/// An arm that moves.
struct MovingArm {
  TwoLinkArm arm;
  std::array<scalar::AnyModel, 2> friction;
  sim::ArmState<scalar::AnyModel> state;
};

py::array_t<double> to_matrix(const TwoLinkArm::Matrix& m) {
  py::array_t<double> result({2, 2});
  for (std::size_t i = 0; i < 2; ++i) {
    std::copy(m[i].begin(), m[i].end(), result.mutable_data() + 2 * i);
  }
  return result;
}

Vector vector(const py::object& given, const char* name) { return vector_of<2>(given, name); }

}  // namespace

void bind_sim_arm(py::module_& m) {
  py::class_<TwoLinkArm> arm(m, "TwoLinkArm",
                             "Two rigid links in a vertical plane: M(q) dv/dt + C(q, v) v + G(q) = torque - friction.");
  bind_value(arm, [](const TwoLinkArm& self) { return to_dict(self.params, TwoLinkArm::fields); });
  arm.def(py::init([](double length_1, double mass_1, double centre_1, double inertia_1, double mass_2, double centre_2,
                      double inertia_2, double gravity) {
            return TwoLinkArm::make({length_1, mass_1, centre_1, inertia_1, mass_2, centre_2, inertia_2, gravity});
          }),
          py::kw_only(), py::arg("length_1"), py::arg("mass_1"), py::arg("centre_1"), py::arg("inertia_1"),
          py::arg("mass_2"), py::arg("centre_2"), py::arg("inertia_2"), py::arg("gravity") = 0.0,
          "Lengths and centres of mass [m] from their joints, masses [kg], inertias about the centres [kg m^2], "
          "gravity [m/s^2] along -y.")
      .def(
          "mass_matrix",
          [](const TwoLinkArm& arm, const ArrayLike& q) { return to_matrix(arm.mass_matrix(vector(q, "q"))); },
          py::arg("q"), "M(q) (2, 2) [kg m^2]")
      .def(
          "mobility", [](const TwoLinkArm& arm, const ArrayLike& q) { return to_matrix(arm.mobility(vector(q, "q"))); },
          py::arg("q"), "Its inverse.")
      .def(
          "coriolis",
          [](const TwoLinkArm& arm, const ArrayLike& q, const ArrayLike& v, const ArrayLike& w) {
            return to_array(arm.coriolis(vector(q, "q"), vector(v, "v"), vector(w, "w")));
          },
          py::arg("q"), py::arg("v"), py::arg("w"), "C(q, v) w (2,) [N m]")
      .def(
          "gravity_torque",
          [](const TwoLinkArm& arm, const ArrayLike& q) { return to_array(arm.gravity_torque(vector(q, "q"))); },
          py::arg("q"), "G(q) (2,) [N m]")
      .def(
          "kinetic_energy",
          [](const TwoLinkArm& arm, const ArrayLike& q, const ArrayLike& v) {
            return arm.kinetic_energy(vector(q, "q"), vector(v, "v"));
          },
          py::arg("q"), py::arg("v"), "[J]")
      .def(
          "potential_energy",
          [](const TwoLinkArm& arm, const ArrayLike& q) { return arm.potential_energy(vector(q, "q")); }, py::arg("q"),
          "[J]")
      .def(
          "acceleration",
          [](const TwoLinkArm& arm, const ArrayLike& q, const ArrayLike& v, const ArrayLike& torque) {
            return to_array(arm.acceleration(vector(q, "q"), vector(v, "v"), vector(torque, "torque")));
          },
          py::arg("q"), py::arg("v"), py::arg("torque"), "dv/dt (2,) [rad/s^2] under torques less friction.");
  py::class_<MovingArm> moving(m, "MovingArm", "An arm with friction in both joints, in fixed steps.");
  bind_value(
      moving,
      [](const MovingArm& self) {
        py::dict parts;
        parts["arm"] = self.arm;
        parts["motion"] = py::make_tuple(self.state.position, self.state.velocity);
        py::list joints;
        for (std::size_t i = 0; i < 2; ++i) {
          const ScalarModelPtr model = make_scalar(self.friction[i]);
          joints.append(py::make_tuple(model, state_of(*model, self.state.friction[i])));
        }
        parts["joints"] = joints;
        return parts;
      },
      [](const py::dict& parts) {
        const auto [position, velocity] = py::cast<std::array<Vector, 2>>(parts["motion"]);
        const auto joints = py::cast<std::vector<py::tuple>>(parts["joints"]);
        const auto model = [&](std::size_t i) { return py::cast<ScalarModelPtr>(joints.at(i)[0]); };
        const auto state = [&](std::size_t i) { return any_state(*model(i), py::cast<State>(joints.at(i)[1])); };
        return MovingArm{py::cast<TwoLinkArm>(parts["arm"]),
                         {model(0)->any(), model(1)->any()},
                         {position, velocity, {state(0), state(1)}}};
      });
  moving
      .def(py::init([](const TwoLinkArm& arm, const ScalarModelPtr& friction_1, const ScalarModelPtr& friction_2) {
             if (friction_1->count() != 1 || friction_2->count() != 1) {
               throw py::value_error("one model is needed for each joint");
             }
             const std::array friction{friction_1->any(), friction_2->any()};
             return MovingArm{arm, friction, {{}, {}, {friction[0].at_rest(0), friction[1].at_rest(0)}}};
           }),
           py::arg("arm"), py::arg("friction_1"), py::arg("friction_2"))
      .def_property(
          "position", [](const MovingArm& arm) { return to_array(arm.state.position); },
          [](MovingArm& arm, const ArrayLike& q) { arm.state.position = vector(q, "position"); },
          "q (2,) [rad]: the first joint's from the horizontal, the second's from link 1.")
      .def_property(
          "velocity", [](const MovingArm& arm) { return to_array(arm.state.velocity); },
          [](MovingArm& arm, const ArrayLike& v) { arm.state.velocity = vector(v, "velocity"); }, "(2,) [rad/s]")
      .def(
          "step",
          [](MovingArm& arm, const ArrayLike& torque, double dt) {
            const auto next = sim::step(arm.arm, arm.friction, arm.state, vector(torque, "torque"), checked_dt(dt));
            arm.state = next.state;
            return to_array(next.friction);
          },
          py::arg("torque"), py::arg("dt"),
          "Moves on by dt [s] under torques (2,) [N m]; gives the friction of both joints (2,) [N m].");
}

}  // namespace stiction::python
