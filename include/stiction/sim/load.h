// All loads on a body on a line except friction: an external force, a spring to a moving anchor, a controller.
#pragma once

#include <optional>

#include "stiction/export.h"
#include "stiction/sim/signal.h"

namespace stiction::sim {

/// Pulls the body towards a moving anchor: k (p − x) + c (dp/dt − v).
struct Spring {
  double stiffness = 0;  // k [N/m]
  double damping = 0;    // c [N s/m]
  Signal anchor = {};    // p(t) [m]
};

/// u = proportional·e + integral·∫e dt + derivative·de/dt with e = reference − (position or velocity).
struct Pid {
  enum class On { position, velocity };
  On on = On::position;
  Signal reference = {};    // [m] or [m/s]
  double proportional = 0;  // [N/m] or [N s/m]
  double integral = 0;      // [N/(m s)] or [N/m]
  double derivative = 0;    // [N s/m]; on velocity: unused
};

/// The load at one instant, linear in the motion, so that an implicit step can include all of it:
///   load = force − stiffness·x − damping·v + integral_gain·q
///   dq/dt = reference − error_of_position·x − error_of_velocity·v
struct LinearLoad {
  double force = 0;
  double stiffness = 0;
  double damping = 0;
  double integral_gain = 0;
  double reference = 0;
  double error_of_position = 0;
  double error_of_velocity = 0;
  double normal = 1;  // the friction model's forces are multiplied by this
  // The motor's part of force, stiffness and damping; all of integral_gain is the motor's.
  double motor_force = 0;
  double motor_stiffness = 0;
  double motor_damping = 0;

  [[nodiscard]] double at(double position, double velocity, double integral) const noexcept {
    return force - stiffness * position - damping * velocity + integral_gain * integral;
  }
  [[nodiscard]] double motor_at(double position, double velocity, double integral) const noexcept {
    return motor_force - motor_stiffness * position - motor_damping * velocity + integral_gain * integral;
  }
  [[nodiscard]] double error(double position, double velocity) const noexcept {
    return reference - error_of_position * position - error_of_velocity * velocity;
  }
};

/// The load divided by the normal load, for models whose forces are per newton of normal load. Without a normal load
/// nothing is held: the result is then huge, but finite, so that solvers can compute with it.
[[nodiscard]] inline double per_normal(double load, double normal) noexcept {
  constexpr double min_normal = 1e-100;
  return load / (normal > min_normal ? normal : min_normal);
}

/// For a gear (scalar::Geared), `motor` and `controller` act through it, `force` and `spring` on its output.
struct STICTION_EXPORT Load {
  Signal force = {};  // u(t) [N]
  std::optional<Spring> spring = {};
  std::optional<Pid> controller = {};
  Signal normal = 1.0;               // N(t) [N], if the model's forces are per newton of normal load; < 0: no contact
  std::optional<Signal> motor = {};  // τ_m(t) of a motor, at the output [N]

  /// The load at time t. Never allocates.
  [[nodiscard]] LinearLoad at(double time) const noexcept;

  [[nodiscard]] std::vector<double> breakpoints(double until) const;
  [[nodiscard]] double time_scale() const noexcept;
};

/// Order of magnitude of a body's motion: sets absolute tolerances if the friction has no length or velocity scale of
/// its own.
struct MotionScale {
  double length = 1;    // [m]
  double velocity = 1;  // [m/s]
};
/// With F the largest load and τ the time in which it or its springs reverse, at most the duration:
///   v = |v₀| + F τ/m,   x = |x₀| + v τ
[[nodiscard]] STICTION_EXPORT MotionScale motion_scale(double mass, double position, double velocity, const Load& load,
                                                       double duration) noexcept;

}  // namespace stiction::sim
