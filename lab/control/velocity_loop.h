// The velocity loop of Table 1 and Figs. 14 to 16: dv/dt = u − F, y = v + n, and y is to be 0.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "stiction/scalar/lugre.h"

namespace stiction::lab {

/// The paper does not give its parameters. These reproduce its table; they were found by search.
scalar::LuGre table1_friction();
inline constexpr double table1_proportional = 42.336;  // K_p
inline constexpr double table1_integral = 54.0225;     // K_i
inline constexpr double table1_gain = 9.7;             // k of the observer
inline constexpr double table1_duration = 100;         // [s]

/// amplitude·cos(frequency·t + phase)
struct Cosine {
  double amplitude;
  double frequency;  // [rad/s]
  double phase;      // [rad]
};

/// The 60 cosines whose sum is the disturbance n(t) behind those parameters.
std::vector<Cosine> table1_disturbance();
/// Another disturbance of the same kind: the same amplitude, one frequency from each 60th of the band, any phase.
std::vector<Cosine> disturbance_like_table1(std::uint64_t seed);

/// n(t) at multiples of a step from 0 to the end, and its slope at 0.
struct Disturbance {
  std::vector<double> values;
  double first_slope;
  double step;  // [s]
};
Disturbance sampled(const std::vector<Cosine>& cosines, double step);

enum class Compensation { none, coulomb, lugre };

struct VelocityLoop {
  std::optional<scalar::LuGre> friction = {};  // of the body; none: it moves freely
  Compensation compensation = Compensation::none;
  double scale = 1;                         // of the compensation
  scalar::LuGre model = table1_friction();  // of the observer
  double gain = table1_gain;                // of the observer
};

/// Signals at every sample.
struct VelocityTrace {
  std::vector<double> time, velocity;
  std::vector<double> error;     // y
  std::vector<double> linear;    // output of the PI controller
  std::vector<double> friction;  // on the body
};

/// The sampled loop from a start without a transient: y = 0 and dy/dt = 0.
VelocityTrace run(const VelocityLoop& loop, const Disturbance& disturbance);

}  // namespace stiction::lab
