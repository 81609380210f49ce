// A cascade of current, velocity and position loops: where compensation belongs, the effect of actuator lag and encoder
// delay, and how much over-compensation a loop tolerates.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <numbers>

#include "../lab.h"
#include "statistics.h"
#include "stiction/control/lugre_observer.h"
#include "stiction/scalar/presets.h"

namespace stiction::lab::control_cascade {
namespace {

using Complex = std::complex<double>;

constexpr double inertia = 0.0023;                        // [kg m²]
constexpr double velocity_gain = 0.46;                    // K_p [N m s/rad]
constexpr double velocity_integral = 18.4;                // K_i [N m/rad]
constexpr double position_gain = 30;                      // K_x [1/s]
constexpr double plant_step = 2e-5;                       // [s]
constexpr double encoder = 2 * std::numbers::pi / 20000;  // [rad]

/// The path between controller and friction.
struct Path {
  double lag;    // time constant of the current loop [s]
  double delay;  // of the encoder [s]
};

/// Near standstill LuGre is a spring σ₀ and a damper d = σ₁ + F_v, and so is its observer, times the share c:
///   J s² + d s + σ₀ + E(s) [K_p s + K_p K_x + K_i + K_i K_x/s − c (σ₀ + d s)] = 0,   E = e^(−s T_d)/(1 + T_a s)
/// The share for which s = i w is a root, as a complex number: only real ones are valid.
Complex marginal_share(const scalar::LuGre& friction, const Path& path, Complex s) {
  const double spring = friction.stiffness;
  const double damper = friction.damping.at_rest + friction.viscous.coefficient;
  const Complex between = std::exp(-s * path.delay) / (1.0 + path.lag * s);
  const Complex loop =
      velocity_gain * s + velocity_gain * position_gain + velocity_integral + velocity_integral * position_gain / s;
  return (inertia * s * s + damper * s + spring + between * loop) / (between * (spring + damper * s));
}

/// The smallest share at which a pair of roots crosses the imaginary axis.
double largest_share_in_theory(const scalar::LuGre& friction, const Path& path) {
  double minimum = infinity;
  double before = 0;
  constexpr int points = 200000;
  for (int i = 0; i < points; ++i) {
    const double w = 1 * std::pow(1e4, static_cast<double>(i) / points);
    const Complex share = marginal_share(friction, path, {0, w});
    if (i > 0 && (share.imag() > 0) != (before > 0) && share.real() > 0) {
      minimum = std::min(minimum, share.real());
    }
    before = share.imag();
  }
  return minimum;
}

/// A signal delayed by a whole number of steps.
class Delay {
 public:
  explicit Delay(double delay) : values_(static_cast<std::size_t>(std::lround(delay / plant_step)) + 1) {}
  double operator()(double x) {
    values_[next_] = x;
    next_ = (next_ + 1) % values_.size();
    return values_[next_];
  }

 private:
  std::vector<double> values_;
  std::size_t next_ = 0;
};

/// Whether a small displacement grows under a continuous cascade: the same loop with LuGre friction and its observer.
bool grows(const scalar::LuGre& friction, const Path& path, double share) {
  auto observer = control::LuGreObserver::make(friction, {.gain = 0, .scale = share});
  Delay position(path.delay);
  Delay velocity(path.delay);
  scalar::LuGre::State contact;
  constexpr double start = 1e-9;
  double x = start;
  double v = 0;
  double torque = 0;
  double sum = 0;
  double middle = 0;
  double late = 0;
  constexpr int steps = 60000;
  for (int i = 0; i < steps; ++i) {
    const double seen = position(x);
    const double speed = velocity(v);
    const double speed_error = -position_gain * seen - speed;
    sum += plant_step * speed_error;
    const double command = velocity_gain * speed_error + velocity_integral * sum + observer.step(speed, plant_step);
    torque += path.lag > 0 ? plant_step / path.lag * (command - torque) : command - torque;
    const auto next = friction.solve(
        contact,
        {.free_velocity = v + plant_step / inertia * torque, .mobility = 1 / inertia, .velocity = v, .dt = plant_step});
    contact = next.state;
    v = next.velocity;
    x += plant_step * v;
    middle = i > steps / 3 && i <= 2 * steps / 3 ? std::max(middle, std::abs(x)) : middle;
    late = i > 2 * steps / 3 ? std::max(late, std::abs(x)) : late;
    if (std::abs(x) > 1000 * start) {
      return true;
    }
  }
  return late > middle;
}

double largest_share_simulated(const scalar::LuGre& friction, const Path& path) {
  double low = 0;
  double high = 1.6;
  for (int i = 0; i < 11; ++i) {
    const double share = (low + high) / 2;
    (grows(friction, path, share) ? high : low) = share;
  }
  return (low + high) / 2;
}

enum class Where { nowhere, inner, outer_torque, outer_velocity };

struct Tracking {
  std::vector<double> time, error;
  double rms = 0;  // [rad]
};

/// Tracking of 0.5 sin(2 t) rad. The velocity loop runs at 5 kHz, the position loop at 200 Hz; the position comes from
/// an encoder. Compensation in the outer loop has the rate of that loop. It either passes a torque through to the
/// inner one, or only adds F̂/K_p to the velocity reference, which the integral of the velocity loop then tracks.
Tracking track(const scalar::LuGre& friction, const Path& path, Where where, double share, double duration) {
  constexpr int inner = 10;
  constexpr int outer = 250;
  auto observer = control::LuGreObserver::make(friction, {.gain = 0, .scale = share});
  Delay position(path.delay);
  scalar::LuGre::State contact;
  double x = 0;
  double v = 1;
  double torque = 0;
  double command = 0;
  double sum = 0;
  double last = 0;
  double speed = 1;
  double desired = 1;
  double slow_estimate = 0;
  double count = 0;
  Tracking run;
  for (int i = 0; i * plant_step < duration; ++i) {
    const double t = i * plant_step;
    const double reference = 0.5 * std::sin(2 * t);
    const double seen = position(encoder * std::round(x / encoder));
    if (i % inner == 0) {
      const double dt = inner * plant_step;
      speed += (1 - std::exp(-600 * dt)) * ((seen - last) / dt - speed);  // a filtered difference
      last = seen;
      if (i % outer == 0) {
        // The reference is delayed like the encoder: otherwise the delay itself would be an error.
        desired = std::cos(2 * t) + position_gain * (0.5 * std::sin(2 * (t - path.delay)) - seen);
        if (where == Where::outer_torque || where == Where::outer_velocity) {
          slow_estimate = observer.step(speed, outer * plant_step);
          desired += where == Where::outer_velocity ? slow_estimate / velocity_gain : 0;
        }
      }
      sum += dt * (desired - speed);
      command = velocity_gain * (desired - speed) + velocity_integral * sum - inertia * 2 * std::sin(2 * t) +
                (where == Where::inner          ? observer.step(speed, dt)
                 : where == Where::outer_torque ? slow_estimate
                                                : 0);
    }
    torque += path.lag > 0 ? plant_step / path.lag * (command - torque) : command - torque;
    const auto next = friction.solve(
        contact,
        {.free_velocity = v + plant_step / inertia * torque, .mobility = 1 / inertia, .velocity = v, .dt = plant_step});
    contact = next.state;
    v = next.velocity;
    x += plant_step * v;
    if (t > duration / 4) {
      run.rms += std::pow(reference - x, 2);
      ++count;
      if (i % 500 == 0) {
        run.time.push_back(t);
        run.error.push_back(reference - x);
      }
    }
  }
  run.rms = std::sqrt(run.rms / count);
  return run;
}

}  // namespace

Result run(const Context& context) {
  const auto friction = scalar::preset::olsson_table2();
  Result result;

  const std::array<Path, 5> paths{{{0, 0}, {2e-3, 0}, {1e-2, 0}, {0, 2e-3}, {2e-3, 2e-3}}};
  std::vector<double> lags;
  std::vector<double> delays;
  std::vector<double> theory;
  std::vector<double> simulated;
  for (const Path& path : paths) {
    context.step(0.1 * static_cast<double>(lags.size()));
    lags.push_back(1e3 * path.lag);
    delays.push_back(1e3 * path.delay);
    // The loop is sampled: the held command is equivalent to half a step of delay.
    theory.push_back(largest_share_in_theory(friction, {path.lag, path.delay + plant_step / 2}));
    simulated.push_back(largest_share_simulated(friction, path));
    result.claims.push_back(within(
        fmt::format("over-compensation that standstill bears, lag {:g} ms, delay {:g} ms", lags.back(), delays.back()),
        from_theory("linear analysis, s = i w"), 100 * (theory.back() - 1), 100 * (simulated.back() - 1), 0.2, "%"));
  }

  struct Case {
    const char* name;
    Path path;
    Where where;
    double share;
  };
  const std::array<Case, 10> cases{{{"no compensation", {1e-3, 0}, Where::nowhere, 1},
                                    {"inner loop", {0, 0}, Where::inner, 1},
                                    {"inner loop, lag 1 ms", {1e-3, 0}, Where::inner, 1},
                                    {"inner loop, lag 3 ms", {3e-3, 0}, Where::inner, 1},
                                    {"inner loop, delay 1 ms", {0, 1e-3}, Where::inner, 1},
                                    {"inner loop, delay 2 ms", {0, 2e-3}, Where::inner, 1},
                                    {"outer loop, as a torque", {0, 0}, Where::outer_torque, 1},
                                    {"outer loop, as a velocity", {0, 0}, Where::outer_velocity, 1},
                                    {"inner loop, lag 1 ms, 130 %", {1e-3, 0}, Where::inner, 1.3},
                                    {"inner loop, lag 1 ms, 70 %", {1e-3, 0}, Where::inner, 0.7}}};
  std::vector<std::string> names;
  std::vector<double> rms;
  for (const Case& one : cases) {
    context.step(0.5 + 0.05 * static_cast<double>(names.size()));
    const Tracking run = track(friction, one.path, one.where, one.share, context.quick ? 8 : 30);
    names.emplace_back(one.name);
    rms.push_back(1e3 * run.rms);
    result.tables.push_back(
        {fmt::format("track_{}", names.size() - 1), {{"time [s]", run.time}, {"error [rad]", run.error}}});
  }

  result.notes =
      "The servo of Table 2 under a cascade: current loop (a lag), PI velocity loop, P position loop. Near standstill "
      "LuGre friction is a spring and a damper, and its observer is one of the other sign: the loop is linear, and the "
      "share of friction that may be compensated follows from its characteristic equation. With more, the net spring "
      "is negative and the position loop cannot hold it: a little more than 100 % is all that can be had. Lag and "
      "delay "
      "hardly move this limit, because the bristle's own damping remains; they cost accuracy in tracking instead.";
  result.tables.push_back({"limits",
                           {{"lag [ms]", lags},
                            {"delay [ms]", delays},
                            {"largest share, linear analysis [-]", theory},
                            {"largest share, simulated [-]", simulated}},
                           true});
  result.tables.push_back({"tracking", {{"compensation", names}, {"rms error [mrad]", rms}}, true});
  result.figures = {{"tracking",
                     "Position error along 0.5 sin(2 t) rad",
                     "time [s]",
                     "error [rad]",
                     {{"track_0", 0, 1, "none"}, {"track_6", 0, 1, "outer loop"}, {"track_2", 0, 1, "inner loop"}}}};
  const Source inner = printed("Section 6: compensation in the inner loop is advantageous");
  const Source prompt =
      printed("Section 6: dynamics before the friction and a delay of the velocity make it difficult");
  const Source useful = requirement("compensation as large as the friction is best");
  const auto claim = [&](const char* name, const Source& source, std::size_t better, std::size_t worse, double ratio) {
    result.claims.push_back(at_most(name, source, ratio, rms[better] / rms[worse], "-"));
  };
  claim("rms error, inner loop with a lag of 1 ms over none", useful, 2, 0, 0.5);
  claim("rms error, inner loop over outer loop with a torque", inner, 1, 6, 0.5);
  claim("rms error, inner loop over outer loop with a velocity", inner, 1, 7, 0.1);
  claim("rms error, no lag over lag 1 ms", prompt, 1, 2, 1);
  claim("rms error, lag 1 ms over lag 3 ms", prompt, 2, 3, 1);
  claim("rms error, no delay over delay 1 ms", prompt, 1, 4, 1);
  claim("rms error, no delay over delay 2 ms", prompt, 1, 5, 1);
  claim("rms error, 100 % over 130 %", useful, 2, 8, 1);
  claim("rms error, 100 % over 70 %", useful, 2, 9, 1);
  return result;
}

}  // namespace stiction::lab::control_cascade
