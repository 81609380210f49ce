// A robot joint under a PD controller at 1 kHz. The joint has LuGre friction; the controller has a model of it too and
// adds what the model says. Prints the largest tracking error with and without this compensation.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>

#include "stiction/scalar/lugre.h"

using stiction::scalar::LuGre;

namespace {

constexpr double pi = std::numbers::pi;
constexpr double dt = 1e-3;         // [s]
constexpr double inertia = 0.0023;  // [kg m²]

/// Olsson et al. 1998, Table 2: a servo.
LuGre joint_friction() {
  return LuGre::make({.stiffness = 260,
                      .damping = 0.6,
                      .coulomb_force = 0.28,
                      .static_force = 0.33,
                      .stribeck_velocity = 0.01,
                      .viscous = 0.0176});
}

/// Follows a slow sine for two periods; returns the largest error of the last half period [rad].
double tracking_error(bool compensated) {
  const LuGre friction = joint_friction();  // what the joint has
  const LuGre model = joint_friction();     // what the controller believes
  double position = 0;
  double velocity = 0;
  LuGre::State state;     // of the joint
  LuGre::State believed;  // of the controller's model
  double worst = 0;
  for (int i = 0; i < 2000; ++i) {
    const double t = i * dt;
    const double goal = 0.2 * (1 - std::cos(2 * pi * t));
    const double goal_velocity = 0.2 * 2 * pi * std::sin(2 * pi * t);

    // The controller: PD, and the friction that its model expects at the wanted velocity.
    double torque = 4.0 * (goal - position) + 0.1 * (goal_velocity - velocity);
    if (compensated) {
      const auto expected = model.step(believed, goal_velocity, dt);
      believed = expected.state;
      torque += expected.force;
    }

    // The joint: body and friction in one coupled step.
    const auto next = friction.solve(
        state,
        {.free_velocity = velocity + dt / inertia * torque, .mobility = 1 / inertia, .velocity = velocity, .dt = dt});
    velocity = next.velocity;
    state = next.state;
    position += dt * velocity;
    if (t >= 1.5) {
      worst = std::max(worst, std::abs(goal - position));
    }
  }
  return worst;
}

}  // namespace

int main() {
  const double plain = tracking_error(false);
  const double compensated = tracking_error(true);
  std::printf("largest error without compensation: %.4f rad\n", plain);
  std::printf("largest error with compensation:    %.4f rad\n", compensated);
  return compensated < plain ? 0 : 1;
}
