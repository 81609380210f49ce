// Input and output of a simulation: options, the body, and named columns over time.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "stiction/export.h"
#include "stiction/problem.h"
#include "stiction/scalar/model.h"
#include "stiction/sim/report.h"
#include "stiction/sim/steps.h"

namespace stiction::sim {

struct STICTION_EXPORT Options {
  Method method = Method::cvode;
  double duration = 1;               // [s], > 0
  double output_interval = 1e-3;     // [s], > 0; fixed-step methods: rounded to a multiple of the step
  double step = 1e-3;                // [s], > 0; fixed-step methods
  double relative_tolerance = 1e-9;  // cvode
  long max_steps = 100'000'000;      // > 0: a run that needs more is rejected, or aborted if that shows later

  std::stop_token stop = {};                           // ends the run early, with the rows so far
  std::function<void(double fraction)> progress = {};  // called occasionally; may throw

  static std::optional<Problem> check(const Options& options) noexcept;
};

/// The kind of simulation; each supports certain methods.
enum class Entry { body, two_bodies, imposed_velocity, servo };
/// The methods that are supported.
[[nodiscard]] STICTION_EXPORT const std::vector<Method>& methods_of(Entry entry);

/// A mass [kg], or the moment of inertia of a shaft [kg m²].
struct STICTION_EXPORT Body {
  double mass = 1;
  double position = 0;  // at t = 0 [m]
  double velocity = 0;  // at t = 0 [m/s]

  static std::optional<Problem> check(const Body& body) noexcept;
};

/// Named columns over time, sampled every output interval from t = 0 to the end.
struct STICTION_EXPORT Trajectory : RunReport {
  std::vector<double> time, position, velocity, friction, load;
  std::vector<std::string> state_names;     // the friction model's own states
  std::vector<std::vector<double>> states;  // one column for each
};

/// A message, "1e+12 steps, more than max_steps = …", if there are too many rows or steps; otherwise empty.
STICTION_EXPORT std::string too_much_work(const Options& options, double time_scale);
/// Throws InvalidParameter unless the run is possible. `time_scale`: the shortest time in which an input changes
/// appreciably [s].
STICTION_EXPORT void require_valid(const Options& options, Entry entry, double time_scale);
/// `name` is a prefix of the field in the message, e.g. "body_1.".
STICTION_EXPORT void require_valid(const Body& body, const char* name = "");
STICTION_EXPORT void require_valid(const Load& load, const char* name = "");
STICTION_EXPORT void require_valid(const Signal& signal, const char* name);
/// A message, "the load changes within 1e-18 s …", if fixed steps cannot resolve an input; otherwise empty.
STICTION_EXPORT std::string sampling_note(const Options& options, double time_scale);

/// Reports progress. Returns false, and marks the report as interrupted, if the run must stop. For outer loops.
STICTION_EXPORT bool goes_on(const Options& options, double time, RunReport& report);

}  // namespace stiction::sim
