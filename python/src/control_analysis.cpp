// What recordings and models say about friction in a loop: the detector, passivity, and features of loops.
#include <set>

#include "scalar.h"
#include "stiction/control/bliman_sorine_features.h"
#include "stiction/control/detector.h"
#include "stiction/control/passivity.h"
#include "stiction/control/pid.h"
#include "value.h"

namespace stiction::python {
namespace {

namespace ct = control;

using Loop = OneOf<"Literal['position', 'velocity']">;

std::vector<double> column_of(const py::object& given, const char* name) {
  const Table values = table_of(given, name, {-1});
  return {values.data(), values.data() + values.size()};
}

void bind_detector(py::module_& m) {
  py::class_<ct::Detection> detection(m, "Detection", "What the error of a loop says about friction.");
  bind_fields(detection, {"verdict", "confidence", "reason", "samples", "rms", "largest", "explained",
                          "excess_kurtosis", "kurtosis_spread", "effective_samples", "tail_p", "reversals",
                          "reversal_effect", "reversal_spread", "reversal_p"});
  bind_value(
      detection,
      [](const ct::Detection& d) {
        py::dict parts;
        ct::Detection numbers = d;
        numbers.reason = nullptr;  // where the text lies in this process
        put_bytes(parts, &numbers, sizeof numbers);
        parts["reason"] = d.reason;
        return parts;
      },
      [](const py::dict& parts) {
        static std::set<std::string> reasons;  // a Detection keeps a pointer
        ct::Detection made;
        take_bytes(parts, &made, sizeof made);
        made.reason = reasons.insert(py::cast<std::string>(parts["reason"])).first->c_str();
        return made;
      });
  detection
      .def_property_readonly(
          "verdict",
          [](const ct::Detection& d) {
            const char* const text = d.verdict == ct::FrictionVerdict::friction      ? "friction"
                                     : d.verdict == ct::FrictionVerdict::no_friction ? "no friction"
                                                                                     : "cannot tell";
            return OneOf<"Literal['friction', 'no friction', 'cannot tell']">(py::str(text));
          },
          "'friction', 'no friction' or 'cannot tell'.")
      .def_readonly("confidence", &ct::Detection::confidence, "In the verdict, 0 to 0.999; 0 if it cannot tell.")
      .def_readonly("reason", &ct::Detection::reason, "The verdict in words.")
      .def_readonly("samples", &ct::Detection::samples, "How many were used.")
      .def_readonly("rms", &ct::Detection::rms, "Of the error, without its mean [as the error].")
      .def_readonly("largest", &ct::Detection::largest, "Magnitude of the error [as the error].")
      .def_readonly("explained", &ct::Detection::explained,
                    "Share of its variance that follows the reference linearly [-].")
      .def_readonly("excess_kurtosis", &ct::Detection::excess_kurtosis,
                    "Of the residual: 0 for Gaussian, above 0 for heavy tails [-].")
      .def_readonly("kurtosis_spread", &ct::Detection::kurtosis_spread,
                    "Its standard deviation for a Gaussian residual [-].")
      .def_readonly("effective_samples", &ct::Detection::effective_samples,
                    "Of independent samples, given their correlation.")
      .def_readonly("tail_p", &ct::Detection::tail_p, "Probability of the tails without friction.")
      .def_readonly("reversals", &ct::Detection::reversals, "Of the reference.")
      .def_readonly("reversal_effect", &ct::Detection::reversal_effect,
                    "Mean error that changes sign with the reversals, over the rms of the residual [-].")
      .def_readonly("reversal_spread", &ct::Detection::reversal_spread, "Its standard deviation [-].")
      .def_readonly("reversal_p", &ct::Detection::reversal_p, "Probability of the effect without friction.");
  m.def(
      "detect_friction",
      [](const ArrayLike& error, const ArrayLike& reference, const Loop& chosen, double significance, bool slides) {
        const std::string loop = chosen;
        const auto errors = column_of(error, "error");
        const auto references = reference.is_none() ? std::vector<double>{} : column_of(reference, "reference");
        if (!references.empty() && references.size() != errors.size()) {
          throw py::value_error("reference has " + std::to_string(references.size()) + " samples: must be " +
                                std::to_string(errors.size()));
        }
        if (loop != "position" && loop != "velocity") {
          throw py::value_error("loop: must be 'position' or 'velocity', not '" + loop + "'");
        }
        if (!(significance > 0 && significance < 0.5)) {
          throw InvalidParameter(Problem{"significance", significance, "in (0, 0.5)"});
        }
        ct::DetectorOptions options;
        options.loop = loop == "velocity" ? ct::LoopKind::velocity : ct::LoopKind::position;
        options.significance = significance;
        options.slides = slides;
        const py::gil_scoped_release release;
        return ct::detect_friction(errors, references, options);
      },
      py::arg("error"), py::arg("reference") = py::none(), py::arg("loop") = "position", py::arg("significance") = 0.01,
      py::arg("slides") = false, "Does the error of a control loop, sampled evenly, show friction?");
}

void bind_passivity(py::module_& m) {
  py::class_<ct::PassivityVerdict> verdict(m, "PassivityVerdict", "Whether a transfer function is positive real.");
  bind_plain(verdict, {"passive", "text", "frequency", "real_part"});
  verdict.def_property_readonly("passive", &ct::PassivityVerdict::passive, "Whether it is positive real.")
      .def_property_readonly("text", &ct::PassivityVerdict::text, "The verdict in words.")
      .def_readonly("frequency", &ct::PassivityVerdict::frequency, "Where the real part is least [rad/s].")
      .def_readonly("real_part", &ct::PassivityVerdict::real_part, "There; 0 where none is negative.");
  const auto polynomial = [](const std::vector<double>& coefficients) {
    ct::Polynomial result;
    for (const double c : coefficients) {
      result.push_back(c);
    }
    return result;
  };
  m.def(
      "positive_real",
      [polynomial](const std::vector<double>& numerator, const std::vector<double>& denominator) {
        return ct::positive_real({polynomial(numerator), polynomial(denominator)});
      },
      py::arg("numerator"), py::arg("denominator"), "Coefficients from the highest power of s down, at most 9.");
  const auto conditions_of = [](const auto& conditions) {
    As<"list[tuple[str, float, float, bool]]", py::list> rows{py::list()};
    for (const auto& condition : conditions.conditions) {
      rows.append(py::make_tuple(condition.text, condition.left, condition.right, condition.holds()));
    }
    return rows;
  };
  m.def(
      "passivity",
      [conditions_of](const ScalarModelPtr& model, double mass, const Loop& chosen, const py::kwargs& gains) {
        const std::string loop = chosen;
        const auto friction = model_of<scalar::LuGre>(model, "LuGre");
        const auto pid = ct::Pid::make(params_from<ct::Pid::Params>(gains, ct::Pid::fields, "Pid")).params;
        if (!positive.holds(mass)) {
          throw InvalidParameter(Problem{"mass", mass, positive.text});
        }
        if (loop == "velocity") {
          return std::pair(ct::positive_real(ct::velocity_loop(friction, mass, pid)),
                           conditions_of(ct::velocity_loop_conditions(friction, pid)));
        }
        if (loop == "position") {
          return std::pair(ct::positive_real(ct::servo_loop(friction, mass, pid)),
                           conditions_of(ct::servo_conditions(friction, mass, pid)));
        }
        throw py::value_error("loop: must be 'position' or 'velocity', not '" + loop + "'");
      },
      py::arg("model"), py::arg("mass"), py::arg("loop") = "position",
      "Is compensation of LuGre friction by an observer covered by the passivity theorem, in a loop with PID gains "
      "(proportional, integral, derivative)? (verdict, [(condition, left, right, holds)]).");

  m.def(
      "bliman_sorine_features",
      [](const ScalarModelPtr& model, double settled_share) {
        const auto f = ct::features_of(model_of<scalar::BlimanSorine2>(model, "BlimanSorine2").params(), settled_share);
        As<"stiction.results.BlimanSorineFeatures", py::dict> result{py::dict()};
        result["kinetic_force"] = f.kinetic_force;
        result["peak_force"] = f.peak_force;
        result["peak_distance"] = f.peak_distance;
        result["settling_distance"] = f.settling_distance;
        return result;
      },
      py::arg("model"), py::arg("settled_share") = 0.05, "Of its loop after a reversal [N], [m].");
  m.def(
      "identify_bliman_sorine",
      [](const ArrayLike& position, const ArrayLike& force, double settled_share) {
        const auto x = column_of(position, "position");
        const auto f = column_of(force, "force");
        if (x.size() != f.size()) {
          throw py::value_error("force has " + std::to_string(f.size()) + " samples: must be " +
                                std::to_string(x.size()));
        }
        const auto fit = ct::identify_bliman_sorine(x, f, settled_share);
        As<"stiction.results.BlimanSorineFit", py::dict> result{py::dict()};
        result["verdict"] = ct::reason_of(fit.verdict);
        result["model"] = fit.verdict == ct::LoopVerdict::identified
                              ? py::cast(make_scalar(scalar::BlimanSorine2::make(fit.params)))
                              : py::object(py::none());
        result["disagreement"] = fit.disagreement;
        result["half_loops"] = fit.half_loops;
        return result;
      },
      py::arg("position"), py::arg("force"), py::arg("settled_share") = 0.05,
      "Bliman and Sorine's second-order model from a slow loop: positions [m] and friction [N].");
}

}  // namespace

void bind_control_analysis(py::module_& m) {
  bind_detector(m);
  bind_passivity(m);
}

}  // namespace stiction::python
