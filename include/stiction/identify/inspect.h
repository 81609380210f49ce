// What a log has in it, before anything is fitted: clock, excitation, resolution, saturation, and which friction models
// it can support.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "stiction/export.h"

namespace stiction::identify {

/// A log as it is. All columns have the same length; NaN where nothing was measured. SI: N, m or N m, rad.
struct Signals {
  std::string name;
  /// By role: time, torque, torque_command, position, velocity, velocity_reference, position_reference, deviation,
  /// current, voltage, duty, acceleration.
  std::map<std::string, std::vector<double>> values;
  std::map<std::string, std::string> columns = {};  // names in the file, by role
  std::optional<bool> rotary = {};                  // whether positions are angles; none: not known
  std::size_t rows = 0;                             // of the file
  std::vector<std::string> notes = {};              // how the file was read
};

/// The rows of the column of time.
struct Clock {
  double duration = 0;          // [s]
  double interval = 0;          // median [s]
  double jitter = 0;            // standard deviation of the intervals over their median, without gaps
  std::size_t gaps = 0;         // intervals of more than 4.5 medians
  double longest_gap = 0;       // [s]
  std::size_t repeated = 0;     // rows with the time of the row before
  std::size_t backwards = 0;    // rows with an earlier time than the row before
  std::optional<double> ratio;  // change of position over the integral of the velocity: 1 if clock and units are right
};

struct SignalSummary {
  std::string role, column;
  std::size_t missing = 0;     // rows without a number
  double low = 0, high = 0;    // range
  double noise = 0;            // standard deviation of the fastest changes
  std::optional<double> step;  // quantisation; none: not seen
  double held = 0;             // share of rows at the lowest or highest value for 5 rows or more
  bool saturated = false;      // held, and seldom just below
};

/// How the axis moved.
struct Motion {
  double window = 0;      // the position was differentiated over this time [s]; 0: the velocity column was used
  double travel = 0;      // [m] or [rad]
  double rest_speed = 0;  // below this, noise and rest cannot be told apart [m/s]
  double rest = 0, forward = 0, backward = 0;  // shares of the rows
  double slow = 0, median = 0, fast = 0;       // 5 %, 50 % and 95 % quantile of the speed where it slides [m/s]
  std::size_t reversals = 0;
};

/// The fit with which every other is compared: torque = offset + coulomb sgn v + viscous v, and gravity and inertia
/// where the log determines them.
struct Yardstick {
  double offset = 0, coulomb = 0, viscous = 0;
  std::optional<double> sine, cosine, inertia;
  double residual = 0;   // rms [N]
  double explained = 0;  // share of the torque's variance
};

/// Whether the log can show an effect.
struct Support {
  std::string effect;  // "Coulomb and viscous friction", "Stribeck curve", ...
  bool supported = false;
  std::string reason;  // with the numbers that decide
  std::string advice;  // what to record; empty where it is supported
};

struct Inspection {
  std::string name;
  std::size_t rows = 0;
  std::vector<std::string> notes;  // how the file was read
  std::optional<Clock> clock;      // none: a table of steady friction
  std::vector<SignalSummary> signals;
  std::optional<Motion> motion;  // none: nothing says how the axis moved
  std::optional<Yardstick> yardstick;
  std::vector<Support> support;
  std::vector<std::string> warnings;  // what is wrong or doubtful, each with its number and what to do
  std::vector<std::string> advice;    // what to record next
  /// The rows that the judgement stands on, for pictures; velocity and torque may have NaN.
  std::vector<double> time, position, velocity, torque;
};

/// Works on any log with numbers; throws BadData where there are none, or columns of different lengths.
STICTION_EXPORT Inspection inspect(const Signals& signals);

}  // namespace stiction::identify
