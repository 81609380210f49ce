// A position servo with friction: a motor, its gear, a pendulum or an inertia, and the sampled loop of its firmware.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "stiction/export.h"
#include "stiction/scalar/any_model.h"
#include "stiction/sim/signal.h"
#include "stiction/sim/trajectory.h"

namespace stiction::sim {

/// What the firmware commands.
enum class ServoMode : std::uint8_t { voltage, current, torque };
constexpr const char* name_of(ServoMode mode) noexcept {
  constexpr std::array names{"voltage", "current", "torque"};
  return names[static_cast<std::size_t>(mode)];
}

/// All quantities of the motor are seen at the output shaft, through the gear. Every sample time the firmware computes
///   e = goal_limited − q_measured(t − delay)      w = change of q_measured in a sample, over the sample time
///   output = clip(k_p e − k_d w, ±max_output)
/// and holds it until the next sample. The motor's torque is then, with the supply voltage V_s,
///   voltage:  τ_m = k_t (V_s clip(output, ±1) − k_t v)/R      the output is a duty
///   current:  τ_m = k_t i,  i = output [A], as far as the supply allows: |R i + k_t v| ≤ V_s
///   torque:   τ_m = output [N m]
/// and the shaft moves by
///   (J + J_a) dv/dt = τ_m + τ_e − F      τ_e = c + a sin q + b cos q + the external torque given
struct STICTION_EXPORT Servo {
  struct Params {
    double inertia{};                // J of the load [kg m²], > 0
    double armature{};               // J_a, the rotor [kg m²], ≥ 0
    double offset_torque{};          // c [N m]
    double sine_torque{};            // a [N m]; a pendulum that hangs down at q = 0: −m g l
    double cosine_torque{};          // b [N m]
    double torque_constant{};        // k_t [N m/A] = [V s/rad], ≥ 0
    double resistance{1};            // R [Ω], > 0
    double proportional{};           // k_p, ≥ 0 [1/rad], [A/rad] or [N m/rad]
    double derivative{};             // k_d, ≥ 0 [s/rad], [A s/rad] or [N m s/rad]
    double max_output{infinity};     // > 0: duty, [A] or [N m]
    double max_goal_rate{infinity};  // of goal_limited [rad/s], > 0
    double sample_time{1e-3};        // T_s [s], > 0
    double delay{};                  // T_d, from measurement to command [s], in [0, 1]
    double encoder_step{};           // resolution of q_measured [rad], ≥ 0; 0: exact
  };
  static constexpr Range delays{0, 1, true, true, "in [0, 1]"};
  static constexpr std::array<Field<Params, double>, 14> fields{{
      {"inertia", &Params::inertia, "kg m²", positive, required, "J, of the load"},
      {"armature", &Params::armature, "kg m²", non_negative, 0.0, "J_a, of the rotor, seen through the gear"},
      {"offset_torque", &Params::offset_torque, "N m", finite, 0.0, "c of the external torque"},
      {"sine_torque", &Params::sine_torque, "N m", finite, 0.0, "a: c + a sin q + b cos q"},
      {"cosine_torque", &Params::cosine_torque, "N m", finite, 0.0, "b: c + a sin q + b cos q"},
      {"torque_constant", &Params::torque_constant, "N m/A", non_negative, 0.0, "k_t, at the output"},
      {"resistance", &Params::resistance, "Ω", positive, 1.0, "R, of the motor"},
      {"proportional", &Params::proportional, "1/rad, A/rad or N m/rad", non_negative, required, "k_p"},
      {"derivative", &Params::derivative, "s/rad, A s/rad or N m s/rad", non_negative, 0.0, "k_d"},
      {"max_output", &Params::max_output, "-, A or N m", positive_or_infinite, infinity, "limit of the output"},
      {"max_goal_rate", &Params::max_goal_rate, "rad/s", positive_or_infinite, infinity, "limit of the goal's rate"},
      {"sample_time", &Params::sample_time, "s", positive, 1e-3, "T_s, of the firmware"},
      {"delay", &Params::delay, "s", delays, 0.0, "T_d, from measurement to command"},
      {"encoder_step", &Params::encoder_step, "rad", non_negative, 0.0, "resolution of the measurement; 0: exact"},
  }};

  Params params;
  ServoMode mode = ServoMode::voltage;

  static std::optional<Problem> check(const Params& p) noexcept { return first_problem(p, fields); }
  /// Throws InvalidParameter; voltage and current mode need a torque constant.
  static Servo make(const Params& p, ServoMode mode = ServoMode::voltage);
};

/// Signals from outside.
struct ServoInputs {
  Signal goal = {};              // [rad]
  Signal supply_voltage = 12.0;  // V_s [V]; where it is negative, 0
  Signal external_torque = {};   // added to τ_e [N m]
};

/// Named columns over time. `goal` is the limited one, `output` what the firmware commands.
struct STICTION_EXPORT ServoTrajectory : RunReport {
  std::vector<double> time, position, velocity, friction, motor_torque, external_torque, goal, measured, output;
  std::vector<std::string> state_names;  // the friction model's own states
  std::vector<std::vector<double>> states;
};

/// Simulates from t = 0 to the end: sdirk2 or backward_euler. `options.step` is an upper bound: a whole number of steps
/// fits into a sample. `start` gives position and velocity; its mass is not used. The limited goal starts at the
/// measured position. Throws InvalidParameter.
STICTION_EXPORT ServoTrajectory simulate(const scalar::AnyModel& friction, const Servo& servo,
                                         const ServoInputs& inputs, const Options& options, const Body& start = {},
                                         std::span<const double> states = {});

/// An empty trajectory with the columns of such a run.
STICTION_EXPORT ServoTrajectory no_servo_rows(const scalar::AnyModel& friction);

}  // namespace stiction::sim
