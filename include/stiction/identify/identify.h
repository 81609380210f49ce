// From recordings to a friction model: parameters with confidence intervals, what the data cannot tell, and a refusal
// where no model of the kind explains them.
#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "stiction/identify/data.h"
#include "stiction/scalar/registry.h"

namespace stiction::identify {

/// The data cannot be used at all; the message is one line.
class BadData : public Error {
 public:
  using Error::Error;
};

struct Options {
  std::string model = "auto";        // a name of `identifiable()`, or auto: the one with the least held-out error
  double stribeck_exponent = 2;      // δ, not fitted
  std::optional<double> mass = {};   // [kg] or [kg m²], where it is known
  std::size_t max_samples = 40'000;  // of all recordings, at least 1000; with more, their most telling parts are fitted
  bool held_out = true;              // also fit to the first 70 % of each recording and predict the rest
  /// Told the share of the largest effort that is spent, before each simulation of the data, from the calling thread.
  /// May throw to stop.
  std::function<void(double fraction)> progress = {};
};

/// Models that can be identified.
const std::vector<std::string>& identifiable();

struct Estimate {
  std::string name;
  std::string unit;
  double value = 0;
  double deviation = 0;      // standard deviation of the estimate
  double low = 0, high = 0;  // 95 % interval
  bool determined = true;    // false: the data do not tell it, and `value` is only where the search ended
};

/// A measured signal beside the fitted model's.
struct Channel {
  std::string recording;
  std::string quantity;  // "position" or "torque"
  std::string drive;     // how the axis was simulated
  std::vector<double> time, measured, predicted;
  double noise = 0;            // standard deviation of the sensor, from the signal's fastest changes
  double residual = 0;         // root mean square of measured − predicted
  double autocorrelation = 0;  // of the residual at one sample; near 0 where the model explains all
  double residual_noise = 0;   // the white part of the residual; where the model explains all, it is the residual
  double correction = 0;       // rate at which the simulation was drawn to what was measured [rad/s]; 0: not at all
};

struct SteadyPoint {
  double velocity = 0, torque = 0, deviation = 0, predicted = 0;
  bool used = true;                                       // false: too slow to have settled
  double slid = std::numeric_limits<double>::infinity();  // before the average; tables do not tell [m]
  bool stated = true;                                     // the deviation was given; false: seen in the scatter
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
  std::string refusal = {};    // empty: the model is fit for use
  double explained = 0;        // least share of a signal's variance that the fit explains
  double excess = 0;           // root mean square residual over the sensors' noise; near 1 where the model explains all
  double held_out_excess = 0;  // the same for the part that the fit had not seen; 0: not asked for
  std::size_t samples = 0;     // that were fitted
  std::size_t outliers = 0;    // samples left out
  std::size_t steps = 0;       // simulated; see `docs/identify.md` for how many it may be
};

/// Fits one model, or tries all for "auto"; the first is the chosen one. Throws BadData.
std::vector<Fit> identify(const Data& data, const Options& options);

}  // namespace stiction::identify
