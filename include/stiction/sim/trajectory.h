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
enum class Entry { body, two_bodies, imposed_velocity };
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

/// A message, "1e+12 steps, of which there may be …", if there are too many rows or steps; otherwise empty.
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

namespace detail {

template <class Model>
Trajectory empty_trajectory(const Model& model, const Options& options, double time_scale) {
  Trajectory result;
  result.solver = name_of(options.method);
  result.note = sampling_note(options, time_scale);
  for (std::size_t i = 0; i < scalar::states_in_use(model); ++i) {
    result.state_names.emplace_back(Model::state_names[i]);
  }
  if constexpr (scalar::Switching<Model>) {
    result.state_names.insert(result.state_names.end(), Model::mode_names.begin(), Model::mode_names.end());
  }
  result.states.resize(result.state_names.size());
  return result;
}

/// The friction states at t = 0 must be finite.
template <class Model>
void require_valid_state(const Model& model, const typename Model::State& friction) {
  const auto states = Model::pack(friction);
  for (std::size_t i = 0; i < scalar::states_in_use(model); ++i) {
    if (!finite.holds(states[i])) {
      throw InvalidParameter(Problem{Model::state_names[i], states[i], finite.text});
    }
  }
}

template <class Model>
constexpr auto modes_of(const typename Model::State& state) noexcept {
  if constexpr (scalar::Switching<Model>) {
    return Model::modes(state);
  } else {
    return std::array<double, 0>{};
  }
}

/// False if a value is not finite; then nothing is added.
template <class Model>
bool add_row(Trajectory& out, double time, const LineState<Model>& y, double friction, double load) {
  const auto states = Model::pack(y.friction);
  const std::size_t used = out.states.size() - modes_of<Model>(y.friction).size();
  bool finite =
      std::isfinite(y.position) && std::isfinite(y.velocity) && std::isfinite(friction) && std::isfinite(load);
  for (std::size_t i = 0; i < used; ++i) {
    finite = finite && std::isfinite(states[i]);
  }
  if (!finite) {
    out.diverged = true;
    return false;
  }
  out.time.push_back(time);
  out.position.push_back(y.position);
  out.velocity.push_back(y.velocity);
  out.friction.push_back(friction);
  out.load.push_back(load);
  for (std::size_t i = 0; i < used; ++i) {
    out.states[i].push_back(states[i]);
  }
  std::size_t column = used;
  for (const double mode : modes_of<Model>(y.friction)) {
    out.states[column++].push_back(mode);
  }
  return true;
}

/// An integer number of steps, with rows at multiples of the step.
struct FixedGrid {
  explicit FixedGrid(const Options& options)
      : h(options.step),
        steps(static_cast<std::size_t>(std::llround(options.duration / options.step))),
        stride(
            std::max<std::size_t>(1, static_cast<std::size_t>(std::llround(options.output_interval / options.step)))) {}
  [[nodiscard]] double time(std::size_t i) const noexcept { return static_cast<double>(i) * h; }
  [[nodiscard]] bool row_after(std::size_t i) const noexcept { return (i + 1) % stride == 0 || i + 1 == steps; }
  /// When to check whether to continue: often enough for slow models, rarely enough to cost nothing.
  [[nodiscard]] static bool asks_before(std::size_t i) noexcept { return i % 256 == 0; }

  double h;
  std::size_t steps;
  std::size_t stride;
};

}  // namespace detail
}  // namespace stiction::sim
