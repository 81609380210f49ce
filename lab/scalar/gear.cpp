// Servos with a pendulum: how far large steps take them from small ones, with the coupled step and with the customary
// clip of the friction torque; and whether a servo holds a weight.
#include "stiction/scalar/gear.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "../lab.h"
#include "stiction/scalar/presets.h"

namespace stiction::lab::scalar_gear {
namespace {

using scalar::Gear;

constexpr double gravity = 9.80665;      // [m/s²]
constexpr double control_period = 5e-3;  // of the servo's own loop [s]
constexpr double small_step = 1e-4;      // [s]
constexpr double large_step = 5e-3;      // [s]
constexpr double duration = 6;           // [s]
constexpr double motor_off = 3;          // from here on, where the arm is dropped [s]
constexpr std::array steps{1e-3, 2.5e-3, 5e-3};

/// A published servo with an arm. Loop and supply are examples; a servo of `current` type limits its current.
struct Servo {
  const char* name;
  Gear gear;
  double armature;         // [kg m²]
  double mass, length;     // of the pendulum [kg], [m]
  bool current;            // else: voltage
  double torque_constant;  // kt [N m/A]
  double resistance;       // [Ω]
  double supply;           // [V]
  double proportional;     // duty per radian, or A/rad
  double derivative;       // of a current servo [A s/rad]
  double limit;            // of the duty, or of the current [A]

  [[nodiscard]] double inertia() const { return armature + mass * length * length; }
  [[nodiscard]] double weight() const { return mass * gravity * length; }
};

// Torque constant and resistance from the same files as the friction (stiction/scalar/gear_presets.h).
std::array<Servo, 6> servos() {
  namespace p = scalar::preset;
  return {{
      {"MX-64", p::servo_mx64(), p::servo_mx64_armature, 0.5, 0.15, false, 1.60168, 2.31640, 15, 5, 0, 0.96},
      {"MX-106", p::servo_mx106(), p::servo_mx106_armature, 1, 0.15, false, 2.20983, 2.03366, 15, 5, 0, 0.96},
      {"XL-320", p::servo_xl320(), p::servo_xl320_armature, 0.1, 0.1, false, 1.00883, 31.5859, 7.5, 1.6, 0, 1},
      {"XL330", p::servo_xl330(), p::servo_xl330_armature, 0.1, 0.1, false, 0.366013, 2.81139, 7.5, 1.15, 0, 1},
      {"eRob80 50", p::servo_erob80_50(), p::servo_erob80_50_armature, 5, 0.5, true, 4.89677, 1, 48, 40, 6.3, 12},
      {"eRob80 100", p::servo_erob80_100(), p::servo_erob80_100_armature, 8, 0.5, true, 9.39630, 1, 48, 40, 12.6, 12},
  }};
}

constexpr std::array motions{"faster and faster", "two sines", "lift and drop", "slow lift"};
double goal(std::size_t motion, double t) {
  constexpr double quarter = std::numbers::pi / 2;
  switch (motion) {
    case 0:
      return 1.2 * std::sin(0.6 * t * t);
    case 1:
      return 0.8 * std::sin(2 * t) + 0.6 * std::sin(5 * t);
    case 2:
      return std::min(t, 1.5);
    default:
      return t < 2 ? -quarter * std::sin(quarter / 2 * t) : -quarter * (1 - (t - 2) / 4);
  }
}

/// The motor's torque over one period of its loop: drive − drag q̇.
struct Drive {
  double torque, drag;
};
Drive drive(const Servo& s, double error, double velocity) {
  if (s.current) {
    const double current = std::clamp(s.proportional * error - s.derivative * velocity, -s.limit, s.limit);
    return {s.torque_constant * current, 0};
  }
  // τ_m = k_t V/R − k_t² q̇/R
  const double volts = s.supply * std::clamp(s.proportional * error, -s.limit, s.limit);
  return {s.torque_constant * volts / s.resistance, s.torque_constant * s.torque_constant / s.resistance};
}

struct Joint {
  double position = 0, velocity = 0;
  Gear::State friction{};
};

/// Body, back-EMF and friction in one implicit step; the gear transmits what it does at the start of the step.
Joint coupled(const Servo& s, const Joint& now, const Drive& m, double h) {
  const double external = -s.weight() * std::sin(now.position);
  const double inertia = s.inertia() + h * m.drag;
  const double free = (s.inertia() * now.velocity + h * (m.torque + external)) / inertia;
  const auto next = s.gear.solve(now.friction, {.free_velocity = free,
                                                .mobility = 1 / inertia,
                                                .velocity = now.velocity,
                                                .dt = h,
                                                .motor_force = m.torque - m.drag * now.velocity,
                                                .external_force = external});
  return {now.position + h * next.velocity, next.velocity, next.state};
}

/// The torque that would stop the body in this step, clipped at the friction at the present velocity.
Joint clipped(const Servo& s, const Joint& now, const Drive& m, double h) {
  const double external = -s.weight() * std::sin(now.position);
  const double motor = m.torque - m.drag * now.velocity;
  const double most =
      s.gear.dry_friction({motor, external}, now.velocity) + s.gear.params().viscous * std::abs(now.velocity);
  const double stopping = s.inertia() / h * now.velocity + motor + external;
  const double acceleration = (motor + external - std::clamp(stopping, -most, most)) / s.inertia();
  const double velocity = now.velocity + h * acceleration;
  return {now.position + h * velocity + h * h / 2 * acceleration, velocity, {}};
}

/// Positions at the samples of the loop.
template <class Step>
std::vector<double> positions(const Servo& servo, std::size_t motion, double h, const Step& step) {
  const auto inner = static_cast<int>(std::lround(control_period / h));
  Joint joint{goal(motion, 0), 0, {}};
  std::vector<double> result;
  for (int i = 0; i < static_cast<int>(std::lround(duration / control_period)); ++i) {
    const double t = i * control_period;
    const bool off = motion == 2 && t >= motor_off;
    const Drive motor = off ? Drive{0, 0} : drive(servo, goal(motion, t) - joint.position, joint.velocity);
    result.push_back(joint.position);
    for (int k = 0; k < inner; ++k) {
      joint = step(servo, joint, motor, h);
    }
  }
  return result;
}

double mean_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    sum += std::abs(a[i] - b[i]);
  }
  return sum / static_cast<double>(a.size());
}

/// The farthest that a servo moves which holds 99 % of what it can, over 1e5 steps; with a motor that carries a share.
double creep(const Servo& s, double share) {
  double low = 0;
  double high = 1e4;
  for (int i = 0; i < 100; ++i) {  // the weight that just does not break away: (1 − share) w = f(0, share w, −w)
    const double weight = (low + high) / 2;
    const bool holds = (1 - share) * weight <= s.gear.dry_friction({share * weight, -weight}, 0);
    (holds ? low : high) = weight;
  }
  const double weight = 0.99 * low;
  const double mobility = 1 / s.inertia();
  Joint joint;
  double farthest = 0;
  for (int i = 0; i < 100'000; ++i) {
    const auto next =
        s.gear.solve(joint.friction, {.free_velocity = joint.velocity + large_step * mobility * (share - 1) * weight,
                                      .mobility = mobility,
                                      .velocity = joint.velocity,
                                      .dt = large_step,
                                      .motor_force = share * weight,
                                      .external_force = -weight});
    joint = {joint.position + large_step * next.velocity, next.velocity, next.state};
    farthest = std::max(farthest, std::abs(joint.position));
  }
  return farthest;
}

/// Errors against small steps, a row for each run.
struct Rows {
  std::vector<std::string> servo, motion;
  std::vector<double> coupled, clipped, between;
};
struct Worst {
  double coupled = 0, clipped = 0, between = 0;
};

void add_figures(Result& result, const Servo& servo) {
  const auto reference = positions(servo, 2, small_step, coupled);
  std::vector<double> time(reference.size());
  for (std::size_t i = 0; i < time.size(); ++i) {
    time[i] = control_period * static_cast<double>(i);
  }
  result.tables.push_back({"lift_and_drop",
                           {{"time [s]", time},
                            {"0.1 ms [rad]", reference},
                            {"coupled, 5 ms [rad]", positions(servo, 2, large_step, coupled)},
                            {"clip, 5 ms [rad]", positions(servo, 2, large_step, clipped)}}});
  result.figures.push_back({"lift_and_drop",
                            fmt::format("{}: lifted for 3 s, then dropped", servo.name),
                            "time [s]",
                            "position [rad]",
                            {{"lift_and_drop", 0, 1, "steps of 0.1 ms"},
                             {"lift_and_drop", 0, 2, "coupled step, 5 ms"},
                             {"lift_and_drop", 0, 3, "clip, 5 ms"}}});
}

}  // namespace

Result run(const Context& context) {
  Result result;
  result.notes =
      "Six servos with the friction that Duclusaud and Passault identified (M6), each with a pendulum and a loop of "
      "its "
      "own every 5 ms, on four motions. The same pendulum with smaller steps is the reference.";
  Rows rows;
  std::array<Worst, steps.size()> by_step{};
  double moved_off = 0;
  double moved_on = 0;
  const auto all = servos();
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t motion = 0; motion < motions.size(); ++motion) {
      context.step(static_cast<double>(motions.size() * i + motion) / static_cast<double>(motions.size() * all.size()));
      const auto reference = positions(all[i], motion, small_step, coupled);
      const double between = mean_difference(positions(all[i], motion, small_step, clipped), reference);
      for (std::size_t k = 0; k < steps.size(); ++k) {
        const double implicit = mean_difference(positions(all[i], motion, steps[k], coupled), reference);
        const double clip = mean_difference(positions(all[i], motion, steps[k], clipped), reference);
        by_step[k].coupled = std::max(by_step[k].coupled, implicit);
        by_step[k].clipped = std::max(by_step[k].clipped, clip);
        by_step[k].between = std::max(by_step[k].between, between);
        if (steps[k] == large_step) {
          rows.servo.emplace_back(all[i].name);
          rows.motion.emplace_back(motions[motion]);
          rows.coupled.push_back(implicit);
          rows.clipped.push_back(clip);
          rows.between.push_back(between);
        }
      }
    }
    moved_off = std::max(moved_off, creep(all[i], 0));
    moved_on = std::max(moved_on, creep(all[i], 0.4));
  }
  std::vector<double> coupled_error;
  std::vector<double> clipped_error;
  for (const Worst& worst : by_step) {
    coupled_error.push_back(worst.coupled);
    clipped_error.push_back(worst.clipped);
  }
  result.tables = {{"position_mae",
                    {{"servo", rows.servo},
                     {"motion", rows.motion},
                     {"coupled, 5 ms [rad]", rows.coupled},
                     {"clip, 5 ms [rad]", rows.clipped},
                     {"clip, 0.1 ms [rad]", rows.between}},
                    true},
                   {"worst_mae",
                    {{"step [s]", std::vector<double>(steps.begin(), steps.end())},
                     {"coupled [rad]", coupled_error},
                     {"clip [rad]", clipped_error}}}};
  result.figures = {{"worst_mae",
                     "Mean position error, worst of six servos and four motions",
                     "step [s]",
                     "mean error [rad]",
                     {{"worst_mae", 0, 1, "coupled step", "linespoints"}, {"worst_mae", 0, 2, "clip", "linespoints"}},
                     true,
                     true}};
  add_figures(result, all[0]);

  const Worst& large = by_step.back();
  const auto ours = requirement("a servo in a simulation at 5 ms");
  result.claims = {
      at_most("coupled step at 5 ms: mean position error, worst of 24 runs", ours, 5e-3, large.coupled, "rad"),
      at_least("clip at 5 ms: its error over that of the coupled step", ours, 2, large.clipped / large.coupled, "-"),
      at_most("both at 0.1 ms: mean difference, worst of 24 runs", ours, 0.5e-3, large.between, "rad"),
      at_most("a held weight, motor off: motion in 1e5 steps of 5 ms, six servos", from_theory("it is held"), 0,
              moved_off, "rad"),
      at_most("a held weight, motor on: motion in 1e5 steps of 5 ms, six servos", from_theory("it is held"), 0,
              moved_on, "rad"),
  };
  return result;
}

}  // namespace stiction::lab::scalar_gear
