// Controllers, observers and compensators. A controller keeps its state; `copy` is a snapshot.
#include <utility>

#include "scalar.h"
#include "stiction/control/adaptive.h"
#include "stiction/control/any_compensator.h"
#include "stiction/control/asymmetric.h"
#include "stiction/control/dither.h"
#include "stiction/control/encoder.h"
#include "stiction/control/lugre_observer.h"
#include "stiction/control/mrac_coulomb.h"
#include "stiction/control/path_compensator.h"
#include "stiction/control/pid.h"
#include "stiction/control/velocity_estimator.h"
#include "value.h"

namespace stiction::python {
namespace {

namespace ct = control;

template <std::size_t>
using Number = double;
using FloatArray = As<"NDArray[float64]">;
template <std::size_t>
using Object = ArrayLike;

/// `step(names …, dt)` for one sample, and `run(names …, dt)` for a whole recording: arrays of one length in time.
template <class C, std::size_t... I>
void bind_step(py::class_<C>& bound, const std::array<const char*, sizeof...(I)>& names, const char* doc,
               std::index_sequence<I...>) {
  bound.def(
      "step", [](C& self, Number<I>... sample, double dt) { return self.step(sample..., checked_dt(dt)); },
      py::arg(names[I])..., py::arg("dt"), doc);
  if constexpr (sizeof...(I) > 0) {
    bound.def(
        "run",
        [names](C& self, const Object<I>&... samples, double dt) {
          checked_dt(dt);
          const std::array<py::object, sizeof...(I)> given{samples...};
          std::size_t n = 1;
          for (const auto& one : given) {
            if (const py::array array = numbers_of(one, "samples"); array.ndim() == 1) {
              n = static_cast<std::size_t>(array.shape(0));
            }
          }
          const std::array<std::unique_ptr<Argument>, sizeof...(I)> columns{
              std::make_unique<Argument>(given[I], names[I], n)...};
          py::array_t<double> result(static_cast<py::ssize_t>(n));
          double* const out = result.mutable_data();
          // The interpreter's lock is kept: the controller changes, and no other thread may use it meanwhile.
          for (std::size_t i = 0; i < n; ++i) {
            out[i] = self.step(columns[I]->numbers()[i]..., dt);
          }
          return result;
        },
        py::arg(names[I])..., py::arg("dt"), "`step` for each sample in turn, arrays of shape (n,); gives (n,).");
  }
}

/// Of two controllers: parameters, friction and state.
template <class C>
bool same(const C& a, const C& b) {
  const auto of = [](const C& c) { return to_dict(c.params, C::fields); };
  if constexpr (requires { a.friction; }) {
    if (scalar::AnyModel(a.friction).params() != scalar::AnyModel(b.friction).params()) {
      return false;
    }
  }
  return of(a).equal(of(b)) && a.state == b.state;
}
/// The call that makes a controller, without what it has seen since.
template <class C>
std::string made_by(const C& self, const char* name) {
  py::dict parts = to_dict(self.params, C::fields);
  if constexpr (requires { self.friction; }) {
    py::dict all;
    all["model"] = make_scalar(scalar::AnyModel(self.friction));
    all.attr("update")(parts);
    parts = all;
  }
  return call_text(name, parts);
}

/// A controller that is made from keywords by its table of fields, alone or with a friction model first.
template <class C, std::size_t N>
py::class_<C> bind_controller(py::module_& m, const char* name, const char* title,
                              const std::array<const char*, N>& samples, const char* step_doc) {
  py::class_<C> bound(m, name,
                      (std::string(title) + "\n\nParameters, all by keyword:\n" + describe_fields(C::fields)).c_str());
  if constexpr (requires(typename C::Params p) { C::make(p); }) {
    bound.def(py::init(
        [name](const py::kwargs& given) { return C::make(params_from<typename C::Params>(given, C::fields, name)); }));
  } else {
    bound.def(py::init([name](const ScalarModelPtr& model, const py::kwargs& given) {
                return C::make(model_of<scalar::LuGre>(model, "LuGre"),
                               params_from<typename C::Params>(given, C::fields, name));
              }),
              py::arg("model"));
  }
  bound.attr("fields") = py::tuple(table_of_fields(C::fields));
  bind_plain(bound);
  bound.def("__eq__", &same<C>, py::is_operator())
      .def("__repr__", [name](const C& self) { return made_by(self, name); })
      .def(
          "copy", [](const C& self) { return C(self); }, "A snapshot, with the state.")
      .def_property_readonly(
          "parameters", [](const C& self) { return As<"dict[str, float]", py::dict>(to_dict(self.params, C::fields)); },
          "Values by name.");
  bind_step(bound, samples, step_doc, std::make_index_sequence<N>{});
  return bound;
}

// Controllers whose C++ form returns the state, with the state inside -------------------------------------------------

struct Mrac {
  using Params = ct::BasicMracCoulomb<double>::Params;
  static constexpr auto& fields = ct::BasicMracCoulomb<double>::fields;
  ct::BasicMracCoulomb<double> law;
  Params params;
  ct::BasicMracCoulomb<double>::State state{};
  double error = 0;
  static Mrac make(const Params& p) { return {ct::BasicMracCoulomb<double>::make(p), p}; }
  double step(double reference, double velocity, double dt) noexcept {
    const auto out = law.step(state, reference, velocity, dt);
    state = out.state;
    error = out.error;
    return out.force;
  }
};

struct Identifier {
  using Law = ct::BasicAsymmetricIdentifier<double>;
  using Params = Law::Params;
  static constexpr auto& fields = Law::fields;
  Law law;
  Params params;
  Law::State state;
  static Identifier make(const Params& p) {
    const Law law = Law::make(p);
    return {law, p, law.start()};
  }
  double step(double force, double velocity, double dt) noexcept {
    state = law.step(state, force, velocity, dt);
    return state.friction().coulomb_plus;
  }
};

template <class Friction>
struct Path {
  ct::PathCompensator<Friction> law;
  typename ct::PathCompensator<Friction>::State state{};
};
struct AnyPath {
  std::variant<Path<scalar::Dahl>, Path<scalar::BlimanSorine2>> path;

  double step(double position) noexcept {
    return std::visit(
        [&](auto& p) {
          const auto out = p.law.step(p.state, position);
          p.state = out.state;
          return out.force;
        },
        path);
  }
};

struct Compensator {
  ct::AnyCompensator any;
  double step(double velocity, double dt) noexcept { return any.step(velocity, dt); }
};

As<"stiction.results.DirectionalFriction", py::dict> friction_dict(const ct::BasicDirectionalFriction<double>& f) {
  py::dict result;
  result["coulomb_plus"] = f.coulomb_plus;
  result["viscous_plus"] = f.viscous_plus;
  result["coulomb_minus"] = f.coulomb_minus;
  result["viscous_minus"] = f.viscous_minus;
  return result;
}

void bind_controllers(py::module_& m) {
  bind_controller<ct::Pid, 3>(m, "Pid", "PI and PID control with limits and anti-windup.",
                              {"error", "error_rate", "feed_forward"},
                              "The output [N] for an error, its rate and a feed-forward, to be held for dt [s].")
      .def(
          "step_error", [](ct::Pid& self, double error, double dt) { return self.step(error, checked_dt(dt)); },
          py::arg("error"), py::arg("dt"), "Where the rate is not known: its filtered difference.")
      .def_property_readonly(
          "integral", [](const ct::Pid& self) { return self.state.integral; }, "[N]");
  bind_controller<ct::VelocityEstimator, 1>(m, "VelocityEstimator", "Velocity from sampled positions.", {"position"},
                                            "The velocity [m/s] at this sample.");
  using Encoder = ct::Encoder;
  py::class_<Encoder> bound(m, "Encoder",
                            ("A position rounded to whole counts.\n\nParameters, all by keyword:\n" +
                             describe_fields(Encoder::integers) + describe_fields(Encoder::fields))
                                .c_str());
  bound.attr("fields") = py::tuple(table_of_fields(Encoder::integers) + table_of_fields(Encoder::fields));
  bind_value(bound, [](const Encoder& self) {
    py::dict parts = to_dict(self.params, Encoder::integers);
    parts.attr("update")(to_dict(self.params, Encoder::fields));
    return parts;
  });
  bound
      .def(py::init([](const py::kwargs& given) {
        return Encoder::make(params_from<Encoder::Params>(given, "Encoder", {}, Encoder::integers, Encoder::fields));
      }))
      .def_property_readonly("resolution", &Encoder::resolution, "[rad]")
      .def(
          "read", [](const Encoder& self, double position) { return self.read(position); }, py::arg("position"),
          "The position [rad] as it is read.")
      .def(
          "read",
          [](const Encoder& self, const ArrayLike& position) {
            return FloatArray(py::vectorize([&](double x) { return self.read(x); })(numbers_of(position, "position")));
          },
          py::arg("position"), "Of an array.");

  py::class_<Compensator> compensator(m, "Compensator",
                                      "The friction of any scalar model, at the measured or the wanted velocity.");
  compensator
      .def(py::init([](const ScalarModelPtr& model, const py::kwargs& given) {
             using Params = ct::CompensatorParams<double>;
             const auto params = params_from<Params>(given, Params::fields, "Compensator");
             if (const auto problem = first_problem(params, Params::fields)) {
               throw InvalidParameter(*problem);
             }
             return Compensator{ct::AnyCompensator(model->any(), params)};
           }),
           py::arg("model"), "scale [-] multiplies the friction; saturation_velocity [m/s] for models that jump.")
      .def(
          "copy", [](const Compensator& self) { return Compensator(self); }, "A snapshot, with the state.")
      .def("__copy__", [](const Compensator& self) { return Compensator(self); })
      .def("__deepcopy__", [](const Compensator& self, const py::dict&) { return Compensator(self); });
  compensator.attr("fields") = py::tuple(table_of_fields(ct::CompensatorParams<double>::fields));
  bind_no_value(compensator, "keep its model and parameters, and make it again, or use copy()");
  bind_step(compensator, std::array{"velocity"}, "The force [N] to add at this velocity [m/s].",
            std::make_index_sequence<1>{});

  bind_controller<ct::BasicLuGreObserver<double>, 2>(
      m, "LuGreObserver", "LuGre friction estimated by an observer that the loop's error drives.",
      {"velocity", "error"}, "The friction [N] estimated at this sample.")
      .def_property(
          "bristle", [](const ct::BasicLuGreObserver<double>& self) { return self.state.bristle; },
          [](ct::BasicLuGreObserver<double>& self, double z) { self.state.bristle = z; }, "[m]");
  const auto adaptive = [&]<class C>(std::type_identity<C>, const char* name, const char* title) {
    bind_controller<C, 4>(m, name, title, {"velocity", "position", "error", "applied"},
                          "The friction [N] estimated at this sample; `applied` acted since the last one [N].")
        .def_property_readonly("friction_ratio", &C::friction_ratio, "Learned friction over that of the model.")
        .def_property_readonly(
            "theta", [](const C& self) { return to_array(self.state.theta); }, "What was learned [-].")
        .def_property_readonly(
            "bristle", [](const C& self) { return self.state.bristle; }, "[m]");
  };
  adaptive(std::type_identity<ct::AdaptiveCompensator>{}, "AdaptiveCompensator",
           "LuGre compensation that learns how large the friction is.");
  adaptive(std::type_identity<ct::BasicAdaptiveCompensator<double, ct::HarmonicRegressor<double>>>{},
           "AdaptiveHarmonicCompensator", "The same with friction that varies over one revolution of a shaft.");

  using Asymmetric = ct::BasicAsymmetricCompensator<double>;
  py::class_<Asymmetric> asymmetric(
      m, "AsymmetricCompensator",
      ("Static friction that differs between the directions.\n\nParameters, all by keyword:\n" +
       describe_fields(Asymmetric::fields))
          .c_str());
  asymmetric.attr("fields") = py::tuple(table_of_fields(Asymmetric::fields));
  bind_value(asymmetric, [](const Asymmetric& self) { return to_dict(self.params, Asymmetric::fields); });
  asymmetric
      .def(py::init([](const py::kwargs& given) {
        return Asymmetric::make(params_from<Asymmetric::Params>(given, Asymmetric::fields, "AsymmetricCompensator"));
      }))
      .def(
          "force", [](const Asymmetric& self, double velocity) { return self.force(velocity); }, py::arg("velocity"),
          "The force [N] to add at a velocity [m/s].")
      .def(
          "force",
          [](const Asymmetric& self, const ArrayLike& velocity) {
            return FloatArray(py::vectorize([&](double v) { return self.force(v); })(numbers_of(velocity, "velocity")));
          },
          py::arg("velocity"), "Of an array.")
      .def_property_readonly("slope_at_rest", &Asymmetric::slope_at_rest, "[N s/m]");
  bind_controller<Identifier, 2>(m, "AsymmetricIdentifier",
                                 "Learns Coulomb and viscous friction of both directions while the drive runs.",
                                 {"force", "velocity"}, "One sample; gives the Coulomb friction forwards [N] so far.")
      .def_property_readonly(
          "friction", [](const Identifier& self) { return friction_dict(self.state.friction()); },
          "What was learned so far [N], [N s/m].");
  const auto dither = [&]<class C>(std::type_identity<C>, const char* name, const char* title) {
    bind_controller<C, 0>(m, name, title, {}, "The force [N] to hold for dt [s].");
  };
  dither(std::type_identity<ct::Dither<double, ct::SineShape<double>>>{}, "SineDither", "A sine that is added.");
  dither(std::type_identity<ct::BasicSquareDither<double>>{}, "SquareDither", "A square wave that is added.");
  bind_controller<ct::BasicKnocker<double>, 1>(m, "Knocker", "Short pulses in the direction of the control signal.",
                                               {"control"}, "The force [N] to hold for dt [s] beside the control.");
  bind_controller<Mrac, 2>(m, "MracCoulomb",
                           "A velocity loop that learns Coulomb and viscous friction by a reference "
                           "model.",
                           {"reference", "velocity"}, "The whole command [N] to hold for dt [s].")
      .def_property_readonly(
          "coulomb", [](const Mrac& self) { return self.state.coulomb; }, "[N]")
      .def_property_readonly(
          "viscous", [](const Mrac& self) { return self.state.viscous; }, "[N s/m]")
      .def_property_readonly(
          "error", [](const Mrac& self) { return self.error; }, "v - v_m [m/s]");
  py::class_<AnyPath> path(m, "PathCompensator", "Dahl's or Bliman and Sorine's model driven by the way covered.");
  path.attr("fields") = py::tuple(table_of_fields(ct::PathCompensator<scalar::Dahl>::fields));
  bind_plain(path);
  path.def(py::init([](const ScalarModelPtr& model, const py::kwargs& given) -> AnyPath {
             const auto any = model->any();
             const auto make = [&]<class M>(const M& friction) -> AnyPath {
               using Law = ct::PathCompensator<M>;
               return {Path<M>{
                   Law::make(friction, params_from<typename Law::Params>(given, Law::fields, "PathCompensator"))}};
             };
             if (const auto* dahl = any.as<scalar::Dahl>()) {
               return make(*dahl);
             }
             if (const auto* bliman = any.as<scalar::BlimanSorine2>()) {
               return make(*bliman);
             }
             throw py::type_error("model: must be one Dahl or BlimanSorine2");
           }),
           py::arg("model"), "dead_band [m]; share [-] of the friction that is compensated.")
      .def(
          "copy", [](const AnyPath& self) { return AnyPath(self); }, "A snapshot, with the state.")
      .def("step", &AnyPath::step, py::arg("position"), "The force [N] at this position [m].");
}

}  // namespace

void bind_control(py::module_& root) {
  auto m = part(root, "control", "Compensation, observers, detection and passivity.");
  bind_controllers(m);
  bind_control_analysis(m);
}

}  // namespace stiction::python
