// A mass pulled through a spring at constant speed: with LuGre friction under the accurate solver, and with set-valued
// Stribeck friction, where the mass stands perfectly still between slips. Prints when each slip begins.
#include <cmath>
#include <cstdio>

#include "stiction/scalar/lugre.h"
#include "stiction/scalar/stribeck.h"
#include "stiction/sim/line.h"

namespace sim = stiction::sim;
using stiction::scalar::LuGre;
using stiction::scalar::Stribeck;

namespace {

constexpr double pull_speed = 0.1;  // [m/s]

template <class Model>
int count_slips(const Model& model) {
  const double duration = 30;
  const sim::Spring spring{.stiffness = 2, .anchor = sim::Ramp{0, pull_speed * duration, 0, duration}};
  const auto run = sim::simulate(model, {.mass = 1}, {.spring = spring},
                                 {.method = sim::Method::cvode, .duration = duration, .output_interval = 0.005});
  int slips = 0;
  std::printf("%s:", model.info.name);
  for (std::size_t i = 1; i < run.time.size(); ++i) {
    if (run.velocity[i - 1] < pull_speed / 2 && run.velocity[i] >= pull_speed / 2) {
      std::printf("  %.2f s", run.time[i]);
      ++slips;
    }
  }
  std::printf("\n");
  return slips;
}

}  // namespace

int main() {
  const auto lugre = LuGre::make({.stiffness = 1e5,
                                  .damping = std::sqrt(1e5),
                                  .coulomb_force = 1,
                                  .static_force = 1.5,
                                  .stribeck_velocity = 1e-3,
                                  .viscous = 0.4});
  const auto stribeck =
      Stribeck::make({.coulomb_force = 1, .static_force = 1.5, .stribeck_velocity = 1e-3, .viscous = 0.4});
  const int slips = count_slips(lugre);
  return slips > 0 && slips == count_slips(stribeck) ? 0 : 1;
}
