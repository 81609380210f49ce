// Identifies a friction model from recordings: parameters with confidence intervals, parameters that the data do not
// determine, and a rejection if no such model explains the data.
#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "stiction/export.h"
#include "stiction/identify/data.h"
#include "stiction/identify/estimate.h"
#include "stiction/identify/motion.h"
#include "stiction/scalar/any_model.h"

namespace stiction::identify {

/// The data are not usable at all; the message is one line.
class STICTION_EXPORT BadData : public Error {
 public:
  using Error::Error;
};

/// What moves the model along a recording. `simulated`: the logged torque or the loop, whichever explains the log;
/// `torque` and `loop`: that one alone; `motion`: the measured motion (motion.h); `automatic`: `motion` where
/// `simulated` is refused.
enum class DrivenBy { simulated, automatic, motion, torque, loop };

struct STICTION_EXPORT Options {
  std::string model = "auto";  // a name of `identifiable()`, or auto: the one with the smallest held-out error
  DrivenBy drive = DrivenBy::simulated;
  double stribeck_exponent = 2;      // δ, not fitted
  std::optional<double> mass = {};   // [kg] or [kg m²], if known
  std::size_t max_samples = 40'000;  // in total, at least 1000; of longer data the most informative parts are fitted
  bool held_out = true;              // also fit to the first 70 % of each recording and predict the rest
  /// Called before each simulation of the data, from the calling thread, with the fraction of the maximum effort spent
  /// so far. May throw to cancel.
  std::function<void(double fraction)> progress = {};
};

/// Models that can be identified.
STICTION_EXPORT const std::vector<std::string>& identifiable();

/// A measured signal and the fitted model's prediction.
struct Channel {
  std::string recording;
  std::string quantity;  // "position" or "torque"
  std::string drive;     // how the axis was simulated
  std::vector<double> time, measured, predicted;
  double noise = 0;            // standard deviation of the sensor noise, from the signal's fastest changes
  double residual = 0;         // root mean square of measured − predicted
  double autocorrelation = 0;  // of the residual at a lag of one sample; near 0 if the model explains everything
  double residual_noise = 0;   // the white part of the residual; all of it if the model explains everything
  double correction = 0;       // rate at which the simulation is corrected towards the measurement [rad/s]; 0: none
};

struct SteadyPoint {
  double velocity = 0, torque = 0, deviation = 0, predicted = 0;
  bool used = true;                                       // false: too slow to have settled
  double slid = std::numeric_limits<double>::infinity();  // distance before the average [m]; unknown for tables
  bool stated = true;                                     // the deviation was given; false: from the scatter
};

struct Fit {
  std::string model_name;
  scalar::AnyModel model;
  double mass = 0;
  std::vector<Estimate> estimates = {};               // the model's parameters and the mass
  std::vector<Estimate> nuisance = {};                // offset, controller gains
  std::vector<std::vector<double>> correlation = {};  // of the estimates
  std::vector<Channel> channels = {};
  std::vector<SteadyPoint> steady = {};
  std::vector<std::string> warnings = {};
  std::string refusal = {};    // why the model is rejected; empty: it is usable
  double explained = 0;        // smallest share of a signal's variance that the fit explains
  double excess = 0;           // rms residual over the sensors' noise; near 1 if the model explains everything
  double held_out_excess = 0;  // the same for the held-out part; 0: not requested
  std::size_t samples = 0;     // number fitted
  std::size_t outliers = 0;    // samples left out
  std::size_t steps = 0;       // number simulated; see `docs/identify.md` for the limit
  std::optional<MotionFit> motion = {};  // of a fit that the measured motion drives: its own report
};

/// Fits one model, or tries all for "auto"; the first is the selected one. Throws BadData.
STICTION_EXPORT std::vector<Fit> identify(const Data& data, const Options& options);

}  // namespace stiction::identify
