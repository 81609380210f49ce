// Logs of a joint whose motion is prescribed: torque = J a + friction + gravity, with the sensors' faults.
#pragma once

#include <cmath>
#include <functional>
#include <vector>

#include "identify/generator.h"

namespace stiction::test {

struct JointLog {
  double rate = 500, duration = 12;
  double speed = 0.5, frequency = 1.3;  // v = speed (0.7 sin wt + 0.3 sin(2.7 wt + 1))
  double mass = 0.02;
  double offset = 0.05, gravity_sin = 0, gravity_cos = 0;
  double shift = 0;  // the torque is logged that much later
  double position_noise = 2e-6, torque_noise = 2e-3;
  double colour = 0;   // share of the previous sample in the torque's noise
  double quantum = 0;  // of the position
  std::uint64_t seed = 1;

  [[nodiscard]] double velocity(double t) const {
    return speed * (0.7 * std::sin(frequency * t) + 0.3 * std::sin(2.7 * frequency * t + 1));
  }
  [[nodiscard]] double position(double t) const {
    return -speed / frequency * (0.7 * std::cos(frequency * t) + 0.3 / 2.7 * std::cos(2.7 * frequency * t + 1));
  }
  [[nodiscard]] double acceleration(double t) const {
    return speed * frequency * (0.7 * std::cos(frequency * t) + 0.3 * 2.7 * std::cos(2.7 * frequency * t + 1));
  }

  /// Friction from velocities at given times.
  using Friction = std::function<std::vector<double>(const std::function<double(double)>&, const std::vector<double>&)>;

  [[nodiscard]] identify::Recording record(const Friction& friction) const {
    identify::Recording log;
    log.name = "joint";
    const auto normal = normal_numbers(seed);
    std::vector<double> earlier;
    for (int k = 0; k < static_cast<int>(duration * rate); ++k) {
      log.time.push_back(k / rate);
      earlier.push_back(k / rate - shift);
    }
    const auto forces = friction([this](double t) { return velocity(t); }, earlier);
    double coloured = 0;
    for (std::size_t k = 0; k < log.time.size(); ++k) {
      coloured = colour * coloured + std::sqrt(1 - colour * colour) * normal();
      const double q = position(earlier[k]);
      log.torque.push_back(mass * acceleration(earlier[k]) + forces[k] + offset + gravity_sin * std::sin(q) +
                           gravity_cos * std::cos(q) + torque_noise * coloured);
      const double measured = position(log.time[k]) + position_noise * normal();
      log.position.push_back(quantum > 0 ? quantum * std::round(measured / quantum) : measured);
    }
    return log;
  }
};

/// Friction that depends on the velocity alone.
inline JointLog::Friction memoryless(const std::function<double(double)>& law) {
  return [law](const std::function<double(double)>& velocity, const std::vector<double>& time) {
    std::vector<double> forces;
    for (const double t : time) {
      forces.push_back(law(velocity(t)));
    }
    return forces;
  };
}

inline double sign_of(double v) { return v > 0 ? 1 : v < 0 ? -1 : 0; }

inline JointLog::Friction coulomb_viscous(double coulomb, double viscous) {
  return memoryless([=](double v) { return coulomb * sign_of(v) + viscous * v; });
}

inline JointLog::Friction stribeck(const Side& side) {
  return memoryless([=](double v) { return sign_of(v) * side.steady(std::abs(v)); });
}

/// A bristle, by the independent program.
inline JointLog::Friction bristle(const Axis& axis, double fastest) {
  return [=](const std::function<double(double)>& velocity, const std::vector<double>& time) {
    return friction_along(axis, velocity, fastest, time);
  };
}

}  // namespace stiction::test
