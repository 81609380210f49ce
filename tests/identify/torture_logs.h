// Logs to try identification on, most of them bad in some way, with what is true of each.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "identify/generator.h"
#include "stiction/identify/identify.h"

namespace stiction::test {

/// One log and a question about it.
struct TortureLog {
  std::string kind;  // what was done to it, in a few words
  identify::Data data;
  identify::Options options;
  bool usable = true;   // false: no model may be accepted
  bool inertia = true;  // false: the force has no part that accelerates the mass

  // What is true: friction at a constant velocity, or the axis.
  std::function<double(double velocity)> steady = {};
  std::optional<Axis> axis = {};
  double force_noise = 0;     // standard deviation of a force in it [N]
  double position_noise = 0;  // and of a position [m]
};

/// The log of this number; the same on every machine.
TortureLog torture_log(std::uint64_t number);

/// How far an accepted fit is from the truth on a motion or velocities that the log did not have.
struct HeldOut {
  double error = 0;  // root mean square of the friction's [N]
  double level = 0;  // root mean square of the friction [N]
  double noise = 0;  // of one sample: the force's, and the position's times the stiffness, up to 15 % of the level [N]
  double mass_error = 0;      // as a share of the true mass; 0 where there is none
  double mass_deviation = 0;  // that the fit states, as a share of the true mass
  /// The friction within 3 times the noise or 3 %, and the mass within 10 % or 4 of its own deviations.
  [[nodiscard]] bool right() const {
    return (error <= 3 * noise || error <= 0.03 * level) && mass_error <= std::max(0.1, 4 * mass_deviation);
  }
};
HeldOut held_out(const TortureLog& log, const identify::Fit& fit);

}  // namespace stiction::test
