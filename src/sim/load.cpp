#include "stiction/sim/load.h"

#include <algorithm>
#include <cmath>

namespace stiction::sim {

LinearLoad Load::at(double time) const noexcept {
  LinearLoad load;
  load.force = force.at(time);
  load.normal = std::max(normal.at(time), 0.0);  // in this order a NaN propagates
  if (spring) {
    // k (p − x) + c (dp/dt − v)
    load.force += spring->stiffness * spring->anchor.at(time) + spring->damping * spring->anchor.slope(time);
    load.stiffness += spring->stiffness;
    load.damping += spring->damping;
  }
  if (motor) {
    load.motor_force = motor->at(time);
    load.force += load.motor_force;
  }
  if (controller) {
    load.reference = controller->reference.at(time);
    load.integral_gain = controller->integral;
    const double proportional = controller->proportional * load.reference;
    load.force += proportional;
    load.motor_force += proportional;
    if (controller->on == Pid::On::position) {
      const double derivative = controller->derivative * controller->reference.slope(time);
      load.force += derivative;
      load.motor_force += derivative;
      load.motor_stiffness = controller->proportional;
      load.motor_damping = controller->derivative;
      load.error_of_position = 1;
    } else {
      load.motor_damping = controller->proportional;
      load.error_of_velocity = 1;
    }
    load.stiffness += load.motor_stiffness;
    load.damping += load.motor_damping;
  }
  return load;
}

std::vector<double> Load::breakpoints(double until) const {
  auto times = force.breakpoints(until);
  const auto add = [&](const Signal& signal) {
    const auto more = signal.breakpoints(until);
    times.insert(times.end(), more.begin(), more.end());
  };
  add(normal);
  if (spring) {
    add(spring->anchor);
  }
  if (motor) {
    add(*motor);
  }
  if (controller) {
    add(controller->reference);
  }
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return times;
}

double Load::time_scale() const noexcept {
  double scale = std::min(force.time_scale(), normal.time_scale());
  if (spring) {
    scale = std::min(scale, spring->anchor.time_scale());
  }
  if (motor) {
    scale = std::min(scale, motor->time_scale());
  }
  if (controller) {
    scale = std::min(scale, controller->reference.time_scale());
  }
  return scale;
}

MotionScale motion_scale(double mass, double position, double velocity, const Load& load, double duration) noexcept {
  const double x = std::abs(position);
  const double v = std::abs(velocity);
  double force = load.force.magnitude() + (load.motor ? load.motor->magnitude() : 0);
  double stiffness = 0;
  if (const auto& spring = load.spring) {
    force += spring->stiffness * (spring->anchor.magnitude() + x) + spring->damping * v;
    stiffness += spring->stiffness;
  }
  if (const auto& pid = load.controller) {
    const bool on_position = pid->on == Pid::On::position;
    force += pid->proportional * (pid->reference.magnitude() + (on_position ? x : v));
    stiffness += on_position ? pid->proportional : 0;
  }
  const double time = std::min({duration, load.time_scale(), stiffness > 0 ? std::sqrt(mass / stiffness) : duration});
  const MotionScale scale{x + (v + force / mass * time) * time, v + force / mass * time};
  // Nothing moves it: any scale will do.
  return scale.velocity > 0 && std::isfinite(scale.length) ? scale : MotionScale{};
}

}  // namespace stiction::sim
