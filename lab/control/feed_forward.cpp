// Friction predicted along the reference and fed forward, beside friction estimated from the measured velocity: the one
// has neither lag nor noise, but knows nothing of what the body does.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <numbers>

#include "../lab.h"
#include "statistics.h"
#include "stiction/control/encoder.h"
#include "stiction/control/lugre_observer.h"
#include "stiction/control/pid.h"
#include "stiction/scalar/presets.h"
#include "stiction/sim/sampled.h"

namespace stiction::lab::control_feed_forward {
namespace {

using scalar::LuGre;
using scalar::preset::olsson_table2;
constexpr double inertia = scalar::preset::olsson_table2_mass;

constexpr double h = 1e-3;      // [s]
constexpr double noise = 2e-5;  // of the position [rad]
constexpr double corner = 300;  // of the velocity filter for the controller [rad/s]
constexpr double settled = 10;  // errors are evaluated from here [s]
const control::Pid::Params gains{.proportional = 6.21, .integral = 62.1, .derivative = 0.207};  // poles (s + 30)³

enum class Velocity { none, desired, measured, exact };

/// Where the compensator takes its velocity from; `filter` [rad/s] applies to the measured one.
struct Compensator {
  Velocity velocity = Velocity::none;
  double filter = corner;
  bool wrong = false;  // σ₀ 10 % and α₀ 5 % too small, as in Figs. 18 to 20
};

LuGre model_of(const Compensator& compensator) {
  LuGre model = olsson_table2();
  if (compensator.wrong) {
    model.stiffness *= 0.9;
    model.curve.static_force -= 0.05 * model.curve.coulomb_force;
    model.curve.coulomb_force *= 0.95;
  }
  return model;
}

/// The reference amplitude·sin t, and a load torque load·sin t.
struct Task {
  double amplitude = 1;  // [rad]
  double load = 0;       // [N m]
};

struct Run {
  std::vector<double> time, error, friction, estimate;  // error of the true position [rad]; [N m]
  double rms_error = 0;                                 // [rad]
  double rms_jump = 0;                                  // of the estimate from one sample to the next [N m]
};

Run track(const Compensator& source, const Task& task, double duration) {
  Random random(1);
  const auto encoder = control::Encoder::make({.counts = 20000});
  auto slow = control::VelocityEstimator::make({.corner = source.filter});
  auto fast = control::VelocityEstimator::make({.corner = corner});
  auto pid = control::Pid::make(gains);
  auto model = control::LuGreObserver::make(model_of(source), {.gain = 0});
  sim::SampledBody<LuGre> body{olsson_table2(), inertia, {.velocity = task.amplitude}, 2};
  Run run;
  double last = 0;
  for (int i = 0; i * h < duration; ++i) {
    const double t = i * h;
    const double reference = task.amplitude * std::sin(t);
    const double desired = task.amplitude * std::cos(t);
    const double position = encoder.read(body.state.position + noise * random.gaussian());
    const double measured = fast.step(position, h);
    const double filtered = slow.step(position, h);
    double estimate = 0;
    switch (source.velocity) {
      case Velocity::none:
        break;
      case Velocity::desired:
        estimate = model.step(desired, h);
        break;
      case Velocity::measured:
        estimate = model.step(filtered, h);
        break;
      case Velocity::exact:
        estimate = model.step(body.state.velocity, h);
        break;
    }
    if (t >= settled) {
      run.time.push_back(t);
      run.error.push_back(body.state.position - reference);
      run.friction.push_back(body.friction.force(body.state.friction, body.state.velocity));
      run.estimate.push_back(estimate);
      run.rms_jump += (estimate - last) * (estimate - last);
    }
    last = estimate;
    const double u = pid.step(reference - position, desired - measured, estimate - inertia * reference, h);
    body.hold(u + task.load * std::sin(t), h);
  }
  run.rms_error = rms(run.error);
  run.rms_jump = std::sqrt(run.rms_jump / static_cast<double>(run.error.size()));
  return run;
}

struct Runs {
  Run none, desired, measured, exact;  // along a reference
  Run desired_wrong, measured_wrong;   // with a wrong model
  std::vector<double> filters{1000, 300, 100, 50, 30, 20, 10};
  std::vector<double> by_filter;               // rms error with the measured velocity [rad]
  Run held_none, held_desired, held_measured;  // a load moves the body away from a fixed position
};

Runs all_runs(const Context& context) {
  const double duration = settled + (context.quick ? 4 : 16) * std::numbers::pi;
  const Task tracking{};
  const Task holding{.amplitude = 0, .load = 0.6};
  Runs runs;
  context.step(0);
  runs.none = track({}, tracking, duration);
  runs.desired = track({Velocity::desired}, tracking, duration);
  context.step(0.2);
  runs.measured = track({Velocity::measured}, tracking, duration);
  runs.exact = track({Velocity::exact}, tracking, duration);
  runs.desired_wrong = track({.velocity = Velocity::desired, .wrong = true}, tracking, duration);
  runs.measured_wrong = track({.velocity = Velocity::measured, .wrong = true}, tracking, duration);
  for (const double filter : runs.filters) {
    context.step(0.3 + 0.06 * static_cast<double>(runs.by_filter.size()));
    runs.by_filter.push_back(track({Velocity::measured, filter}, tracking, duration).rms_error);
  }
  context.step(0.8);
  runs.held_none = track({}, holding, duration);
  runs.held_desired = track({Velocity::desired}, holding, duration);
  runs.held_measured = track({Velocity::measured}, holding, duration);
  return runs;
}

void show(Result& result, const Runs& runs) {
  Table errors{"errors",
               {{"compensation", std::vector<std::string>{}},
                {"rms error [mrad]", std::vector<double>{}},
                {"largest error [mrad]", std::vector<double>{}},
                {"rms jump of the estimate in 1 ms [N m]", std::vector<double>{}}},
               true};
  for (const auto& [name, run] : {std::pair{"none", &runs.none},
                                  {"feed-forward along the reference", &runs.desired},
                                  {"measured velocity", &runs.measured},
                                  {"exact velocity", &runs.exact},
                                  {"feed-forward, wrong model", &runs.desired_wrong},
                                  {"measured velocity, wrong model", &runs.measured_wrong}}) {
    std::get<std::vector<std::string>>(errors.columns[0].values).emplace_back(name);
    std::get<std::vector<double>>(errors.columns[1].values).push_back(1e3 * run->rms_error);
    std::get<std::vector<double>>(errors.columns[2].values).push_back(1e3 * largest_size(run->error));
    std::get<std::vector<double>>(errors.columns[3].values).push_back(run->rms_jump);
  }
  result.tables = {errors};
  const std::size_t filters = runs.filters.size();
  result.tables.push_back({"filters",
                           {{"corner of the velocity filter [rad/s]", runs.filters},
                            {"measured velocity: rms error [rad]", runs.by_filter},
                            {"feed-forward [rad]", std::vector<double>(filters, runs.desired.rms_error)},
                            {"none [rad]", std::vector<double>(filters, runs.none.rms_error)}}});
  const auto table = [](const char* name, const Run& run) {
    return Table{name,
                 {{"time [s]", run.time},
                  {"error [rad]", run.error},
                  {"friction [N m]", run.friction},
                  {"estimate [N m]", run.estimate}}};
  };
  result.tables.push_back(table("none", runs.none));
  result.tables.push_back(table("feed_forward", runs.desired));
  result.tables.push_back(table("measured", runs.measured));
  // The friction around one reversal of the reference, at 3.5 π.
  const auto around = [](const char* name, const Run& run) {
    Table part{name, {{"time [s]", {}}, {"friction [N m]", {}}, {"estimate [N m]", {}}}};
    for (std::size_t i = 0; i < run.time.size(); ++i) {
      if (std::abs(run.time[i] - 3.5 * std::numbers::pi - 0.15) < 0.25) {
        std::get<0>(part.columns[0].values).push_back(run.time[i]);
        std::get<0>(part.columns[1].values).push_back(run.friction[i]);
        std::get<0>(part.columns[2].values).push_back(run.estimate[i]);
      }
    }
    return part;
  };
  result.tables.push_back(around("reversal_feed_forward", runs.desired));
  result.tables.push_back(around("reversal_measured", runs.measured));
  result.figures = {{"error",
                     "Position error along sin t",
                     "time [s]",
                     "position error [rad]",
                     {{"none", 0, 1, "no compensation"},
                      {"measured", 0, 1, "from the measured velocity, 300 rad/s"},
                      {"feed_forward", 0, 1, "feed-forward along the reference"}}},
                    {"reversal",
                     "Friction and its estimates around a reversal of the reference",
                     "time [s]",
                     "torque [N m]",
                     {{"reversal_feed_forward", 0, 1, "friction, with feed-forward"},
                      {"reversal_feed_forward", 0, 2, "fed forward"},
                      {"reversal_measured", 0, 1, "friction, with the measured velocity"},
                      {"reversal_measured", 0, 2, "estimated from it"}}},
                    {"filters",
                     "Error against the corner of the filter that the measured velocity needs",
                     "corner of the filter [rad/s]",
                     "rms error [rad]",
                     {{"filters", 0, 3, "no compensation"},
                      {"filters", 0, 1, "from the measured velocity", "linespoints"},
                      {"filters", 0, 2, "feed-forward along the reference"}},
                     true,
                     true}};
}

}  // namespace

Result run(const Context& context) {
  const Runs runs = all_runs(context);
  Result result;
  result.notes =
      "The servo of Table 2 follows sin t at 1 kHz under the PID controller of Figs. 18 to 20, with an encoder of "
      "20 000 counts and noise of 20 µrad. The same LuGre model with the right parameters, without error feedback, is "
      "driven by the desired velocity, by the measured one through a filter, or by the exact one, which no servo has "
      "and which is known a sample late too. "
      "Then the reference stands still and a load of 0.6 sin t N m moves the shaft: a prediction along the reference "
      "has nothing to say there. The paper gives no numbers for this comparison.";
  show(result, runs);
  const Source partly = printed("Section 6: for tracking, friction can be predicted and partially compensated");
  const Source lag = printed("Section 6: feed-forward eliminates the lag of the velocity");
  const Source tracking_only = printed("Section 6: only suitable for tracking");
  result.claims = {
      at_most("rms error with feed-forward over that without compensation", partly, 0.5,
              runs.desired.rms_error / runs.none.rms_error, "-"),
      at_most("the same with a wrong model", partly, 0.5, runs.desired_wrong.rms_error / runs.none.rms_error, "-"),
      at_least("rms error with feed-forward and a wrong model over that with the right one",
               printed("Section 6: friction compensation is sensitive to the friction model"), 1,
               runs.desired_wrong.rms_error / runs.desired.rms_error, "-"),
      at_most("rms error with feed-forward over that with the measured velocity at 300 rad/s", lag, 1,
              runs.desired.rms_error / runs.measured.rms_error, "-"),
      at_least("rms error with the measured velocity at 30 rad/s over that at 300 rad/s", lag, 1,
               runs.by_filter[4] / runs.by_filter[1], "-"),
      at_least("jumps of the estimate from the measured velocity over those of the feed-forward, rms",
               printed("Section 6: feed-forward eliminates the noise effects of the velocity"), 2,
               runs.measured.rms_jump / runs.desired.rms_jump, "-"),
      within("load, no motion wanted: rms error with feed-forward over that without compensation", tracking_only, 1,
             runs.held_desired.rms_error / runs.held_none.rms_error, 1e-12, "-"),
      at_most("load, no motion wanted: rms error with the measured velocity over that without compensation",
              tracking_only, 0.9, runs.held_measured.rms_error / runs.held_none.rms_error, "-"),
  };
  return result;
}

}  // namespace stiction::lab::control_feed_forward
