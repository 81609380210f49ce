#include <stiction/planar/patch.h>
#include <stiction/scalar/lugre_batch.h>
#include <stiction/scalar/registry.h>

#include <cstdio>
#include <vector>

#if defined(__SSE3__)
#error "a processor of the library's own choice was handed on"
#endif

/// Thrown in the library, known here by its base and by what it is.
bool exceptions_cross_the_border() {
  try {
    const stiction::planar::Patch patch(stiction::planar::PressureGrid{});
  } catch (const stiction::Error& error) {
    return dynamic_cast<const stiction::InvalidParameter*>(&error) != nullptr;
  }
  return false;
}

int main() {
  const int a_warning_and_no_error = 0;
  const auto model = stiction::scalar::Coulomb::make({.coulomb_force = 1});
  const auto held = model.solve({}, 0.005, 1, 0.01, 0);

  const std::vector<stiction::scalar::LuGre> joints(5, stiction::scalar::LuGre::make({1e5, 300, 1, 1.5, 1e-3}));
  std::vector<double> bristle(5);
  const std::vector<double> velocity(5, 1e-2);
  stiction::scalar::LuGreBatch(joints).step(bristle, velocity, 1e-3);
  const bool same = bristle[4] == joints[4].advance({}, 1e-2, 1e-3).bristle;
  std::printf("held at %g m/s, batch equals single: %d\n", held.velocity, same);
  return held.velocity == 0 && same && exceptions_cross_the_border() ? 0 : 1;
}
