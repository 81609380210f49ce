// Logs to try identification on, most of them bad in some way, with what is true of each.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "identify/generator.h"
#include "stiction/identify/identify.h"
#include "support/random.h"

namespace stiction::test {

/// F = coulomb + excess exp(−(v/stribeck_velocity)^exponent) + viscous v^viscous_exponent
struct Curve {
  double coulomb, excess, stribeck_velocity, exponent, viscous, viscous_exponent;
  [[nodiscard]] double operator()(double speed) const;
};

/// Friction at a constant velocity: a curve for each direction and a constant force.
struct SteadyFriction {
  Curve plus, minus;
  double offset = 0;
  [[nodiscard]] double operator()(double velocity) const {
    return offset + (velocity < 0 ? -minus(-velocity) : plus(velocity));
  }
};

/// One log and a question about it.
struct TortureLog {
  std::string kind;  // what was done to it, in a few words
  identify::Data data;
  identify::Options options;
  bool usable = true;   // false: no model may be accepted
  bool inertia = true;  // false: the force has no part that accelerates the mass

  // What is true: of a table, or of the axis.
  std::optional<SteadyFriction> steady = {};
  std::optional<Axis> axis = {};
  std::string friction = {};  // of the axis: "lugre", "dahl", "elasto-plastic", "gms" or "asymmetric"
};

/// The log of this number; the same on every machine.
TortureLog torture_log(std::uint64_t number);

/// Spoils a log so that nothing can be learnt from it: numbers that are none, extremes, constants, missing rows.
void spoil(Random& random, TortureLog& log);

}  // namespace stiction::test
