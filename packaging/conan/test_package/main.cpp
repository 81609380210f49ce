#include <stiction/scalar/lugre.h>

#include <cmath>

int main() {
  const auto friction = stiction::scalar::LuGre::make(
      {.stiffness = 1e5, .damping = 316, .coulomb_force = 1, .static_force = 1.5, .stribeck_velocity = 1e-3});
  return std::isfinite(friction.step({}, 0.01, 1e-3).force) ? 0 : 1;
}
