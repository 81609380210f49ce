// Hunting: a PID position loop that never comes to rest, and how friction compensation ends it.
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "../lab.h"
#include "stiction/control/compensator.h"
#include "stiction/control/lugre_observer.h"
#include "stiction/control/pid.h"
#include "stiction/scalar/presets.h"
#include "stiction/sim/line.h"
#include "stiction/sim/sampled.h"
#include "velocity_loop.h"

namespace stiction::lab::control_hunting {
namespace {

using scalar::LuGre;
constexpr double goal = 1;  // [m]
// Gains of Canudas de Wit et al. 1995, for 1 kg.
const control::Pid::Params gains{.proportional = 3, .integral = 4, .derivative = 6};

struct Scheme {
  const char* name;
  Compensation kind;
  double scale = 1;
  double gain = 0;  // k [1/s]
  double step = 1e-3;
};
constexpr std::array<Scheme, 9> schemes{{
    {"PID", Compensation::none},
    {"Coulomb, sat(v/1 mm/s)", Compensation::coulomb},
    {"LuGre", Compensation::lugre},
    {"LuGre, 10 kHz", Compensation::lugre, 1, 0, 1e-4},
    {"LuGre 80 %", Compensation::lugre, 0.8},
    {"LuGre 120 %", Compensation::lugre, 1.2},
    {"LuGre, k = 0.01/s", Compensation::lugre, 1, 0.01},
    {"LuGre 80 %, k = 0.01/s", Compensation::lugre, 0.8, 0.01},
    {"LuGre 120 %, k = 0.01/s", Compensation::lugre, 1.2, 0.01},
}};

struct Run {
  std::vector<double> time, error;  // [s], [m]
  /// The largest error in an interval of time [m].
  [[nodiscard]] double largest(double from, double to) const {
    double maximum = 0;
    for (std::size_t i = 0; i < time.size(); ++i) {
      maximum = time[i] >= from && time[i] <= to ? std::max(maximum, std::abs(error[i])) : maximum;
    }
    return maximum;
  }
};

Run controlled(const Scheme& scheme, double duration, const Context& context, double from, double to) {
  const LuGre friction = scalar::preset::canudas_1995();
  const double h = scheme.step;
  sim::SampledBody<LuGre> body{friction};
  auto pid = control::Pid::make(gains);
  auto observer = control::LuGreObserver::make(friction, {.gain = scheme.gain, .scale = scheme.scale});
  auto coulomb = control::CoulombCompensator::make(
      scalar::Coulomb::make({.coulomb_force = friction.curve.coulomb_force}), {.saturation_velocity = 1e-3});
  Run run;
  const auto rows = static_cast<int>(std::lround(0.02 / h));
  for (int i = 0; i < std::lround(duration / h); ++i) {
    const double deviation = body.state.position - goal;
    const double v = body.state.velocity;
    if (i % 1000 == 0) {
      context.step(from + (to - from) * i * h / duration);
    }
    double estimate = 0;
    if (scheme.kind == Compensation::coulomb) {
      estimate = coulomb.step(v, h);
    } else if (scheme.kind == Compensation::lugre) {
      estimate = observer.step(v, deviation, h);
    }
    if (i % rows == 0) {
      run.time.push_back(i * h);
      run.error.push_back(deviation);
    }
    body.hold(pid.step(-deviation, -v, estimate, h), h);
  }
  return run;
}

}  // namespace

Result run(const Context& context) {
  const double duration = context.quick ? 150 : 300;
  Result result;
  Table errors{"errors", {}};
  std::vector<std::string> names;
  std::vector<double> amplitude;
  std::vector<double> ratio;
  Figure figure{"hunting", "PID position control with friction", "time [s]", "error [m]", {}};
  for (const Scheme& scheme : schemes) {
    const double share = 0.9 / schemes.size();
    const double done = share * static_cast<double>(names.size());
    const Run run = controlled(scheme, duration, context, done, done + share);
    names.emplace_back(scheme.name);
    amplitude.push_back(run.largest(0.7 * duration, duration));
    ratio.push_back(amplitude.back() / run.largest(0.4 * duration, 0.7 * duration));
    if (errors.columns.empty()) {
      errors.columns.push_back({"time [s]", run.time});
    }
    errors.columns.push_back({std::string(scheme.name) + " [m]", run.error});
    if (scheme.scale == 1 && scheme.step == 1e-3) {
      figure.series.push_back({"errors", 0, errors.columns.size() - 1, scheme.name});
    }
  }
  context.step(0.9);
  const auto accurate = sim::simulate(scalar::preset::canudas_1995(), {.mass = 1},
                                      {.controller = sim::Pid{.reference = goal,
                                                              .proportional = gains.proportional,
                                                              .integral = gains.integral,
                                                              .derivative = gains.derivative}},
                                      {.duration = duration, .output_interval = 0.02, .progress = [&](double share) {
                                         context.step(0.9 + 0.1 * share);
                                       }});
  Run continuous{accurate.time, accurate.position};
  for (double& position : continuous.error) {
    position -= goal;
  }
  const double true_amplitude = continuous.largest(0.7 * duration, duration);
  result.claims = {
      within("PID: amplitude of the hunting, sampled at 1 kHz",
             from_program("accurate solver (CVODE), continuous time"), true_amplitude, amplitude[0],
             0.01 * true_amplitude, "m"),
      within("PID: largest error late over that before", from_theory("it hunts for ever"), 1, ratio[0], 0.01, "-"),
      at_most("Coulomb with saturation: error at the end over that of PID alone", from_theory("no stick, no hunting"),
              0.01, amplitude[1] / amplitude[0], "-"),
      at_most("LuGre, 1 kHz: error at the end over that of PID alone",
              requirement("compensation all but removes the hunting"), 0.05, amplitude[2] / amplitude[0], "-"),
      at_most("LuGre: error at 10 kHz over that at 1 kHz", requirement("what is left comes from the delay of a sample"),
              0.1, amplitude[3] / amplitude[2], "-"),
      at_most("LuGre 80 %: error at the end over that of PID alone", requirement("less to hunt with"), 0.5,
              amplitude[4] / amplitude[0], "-"),
      at_least("LuGre 120 %: error at the end over that of PID alone", requirement("over-compensation hunts by itself"),
               0.9, amplitude[5] / amplitude[0], "-"),
      at_most("LuGre with error feedback: error at the end over that of PID alone",
              requirement("compensation removes the hunting"), 1e-6, amplitude[6] / amplitude[0], "-"),
      at_most("LuGre 80 % with error feedback: the same", requirement("the feedback makes up for what is missing"),
              1e-6, amplitude[7] / amplitude[0], "-"),
      at_least("LuGre 120 % with error feedback: the same", requirement("but not for what is too much"), 0.5,
               amplitude[8] / amplitude[0], "-"),
  };
  result.notes =
      "1 kg with the LuGre friction of 1995 is to go 1 m. PID control hunts with an amplitude of 64 mm. An observer "
      "leaves a cycle of a millimetre, which comes from the delay of one sample, and nothing with a little error "
      "feedback. That is not compensation alone: k adds σ1 k to the proportional and σ0 k to the integral gain while "
      "the body stands still. Compensating too little makes the cycle smaller; compensating too much drives the body, "
      "and it hunts as before.";
  result.tables = {
      {"amplitudes", {{"scheme", names}, {"largest error late [m]", amplitude}, {"over that before [-]", ratio}}, true},
      errors};
  result.figures = {figure};
  return result;
}

}  // namespace stiction::lab::control_hunting
