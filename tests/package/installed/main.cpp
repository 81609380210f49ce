#include <stiction/control/compensator.h>
#include <stiction/scalar/lugre_batch.h>
#include <stiction/scalar/registry.h>
#include <stiction/sim/line.h>
#include <stiction/version.h>

#include <cmath>
#include <cstdio>
#include <string_view>
#include <vector>

int main() {
  using stiction::scalar::LuGre;
  const LuGre model = LuGre::make({.stiffness = 260,
                                   .damping = 0.6,
                                   .coulomb_force = 0.28,
                                   .static_force = 0.33,
                                   .stribeck_velocity = 0.01,
                                   .viscous = 0.0176});
  const auto run = stiction::sim::simulate(model, {.mass = 0.0023}, {.force = 0.1}, {.duration = 0.5});
  const bool held = std::abs(run.friction.back() - 0.1) < 1e-6 && std::abs(run.velocity.back()) < 1e-6;

  const std::vector<LuGre> joints(9, model);
  std::vector<double> bristle(9);
  const std::vector<double> velocity(9, 0.01);
  std::vector<double> force(9);
  stiction::scalar::LuGreBatch(joints).step(bristle, velocity, 1e-3, force);
  const bool batch_agrees = std::abs(force[8] - model.step({}, 0.01, 1e-3).force) < 1e-15;

  auto compensator = stiction::control::Compensator<LuGre>::make(model);
  const bool compensates = std::abs(compensator.step(0.01, 1e-3) - force[8]) < 1e-15;

  bool refused = false;
  try {
    LuGre::make({});
  } catch (const stiction::InvalidParameter& error) {
    refused = std::string_view(error.what()) == "stiffness = 0: must be in [1e-15, 1e15]";
  }
  std::printf("stiction %s: held %d, batch %d, compensates %d, refused %d\n", STICTION_VERSION, held, batch_agrees,
              compensates, refused);
  return held && batch_agrees && compensates && refused ? 0 : 1;
}
