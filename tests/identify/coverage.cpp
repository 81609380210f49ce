#include "identify/coverage.h"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <map>
#include <numbers>

#include "identify/generator.h"
#include "stiction/identify/identify.h"
#include "support/random.h"

namespace stiction::test {
namespace {

struct Drawn {
  Axis axis;
  Sensors sensors;
  Excitation excitation;
};

/// Like the servo of Table 2, each number within a factor of two or so.
Drawn drawn(std::uint64_t seed) {
  Random random(seed);
  Drawn one;
  Axis& axis = one.axis;
  axis.mass = random.log_between(0.001, 0.005);
  axis.stiffness = random.log_between(130, 520);
  const double swing = std::sqrt(axis.stiffness / axis.mass);
  axis.damping = 2 * random.between(0.15, 0.6) * axis.mass * swing;
  Side& side = axis.plus;
  side.coulomb = random.log_between(0.14, 0.5);
  side.peak = side.coulomb * random.between(1.1, 1.5);
  side.stribeck_velocity = random.log_between(0.006, 0.025);
  side.viscous = random.log_between(0.01, 0.04);
  axis.minus = side;
  one.sensors = {random.log_between(2e-6, 1e-5), random.log_between(1e-3, 4e-3), seed};
  one.excitation.duration = 1.5;
  one.excitation.chirp_to = 1.2 * swing / (2 * std::numbers::pi);
  return one;
}

}  // namespace

Coverage coverage(int sets, std::uint64_t first_seed) {
  Coverage result;
  for (int i = 0; i < sets; ++i) {
    const std::uint64_t seed = first_seed + static_cast<std::uint64_t>(i);
    const auto [axis, sensors, excitation] = drawn(seed);
    identify::Data data;
    data.sweeps = {sweep(axis, sensors)};
    const Controller controller{.proportional = 2 * axis.plus.peak, .rate = 0.2 * axis.plus.peak};
    data.recordings = {presliding(axis, sensors, excitation), motion(axis, sensors, {.duration = 4}, controller)};
    identify::Options options;
    options.model = "lugre";
    options.held_out = false;
    const auto fit = identify::identify(data, options).front();
    if (!fit.refusal.empty()) {
      ++result.refused;
      std::cout << "set " << seed << " refused: " << fit.refusal << '\n';
      continue;
    }
    const std::map<std::string, double> truths{{"stiffness", axis.stiffness},
                                               {"damping", axis.damping},
                                               {"coulomb_force", axis.plus.coulomb},
                                               {"static_force", axis.plus.peak},
                                               {"stribeck_velocity", axis.plus.stribeck_velocity},
                                               {"viscous", axis.plus.viscous},
                                               {"mass", axis.mass}};
    for (const identify::Estimate& e : fit.estimates) {
      const double truth = truths.at(e.name);
      const bool held = e.low <= truth && truth <= e.high;
      const double off = (e.value - truth) / e.deviation;
      result.held += held ? 1 : 0;
      ++result.all;
      result.worst = std::max(result.worst, std::abs(off));
      if (!held) {
        std::cout << "set " << seed << ": " << e.name << " = " << e.value << ", truly " << truth << ", off by " << off
                  << " deviations\n";
      }
    }
  }
  return result;
}

}  // namespace stiction::test
