// A cube in a corner with a hundred contacts on its three faces: does friction hold the load, by how much, and how does
// the cube move where it does not?
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "stiction/spatial/static_friction.h"

namespace spatial = stiction::spatial;

namespace {

/// Points on the faces x, y and z = −5 cm of a cube, spread by whole-number arithmetic.
std::vector<spatial::Contact> contacts() {
  std::vector<spatial::Contact> all;
  std::uint32_t random = 1;
  const auto next = [&random] {
    random = random * 1664525U + 1013904223U;
    return 0.1 * (static_cast<double>(random) / 4294967296.0) - 0.05;  // [m]
  };
  for (int i = 0; i < 100; ++i) {
    const double a = next();
    const double b = next();
    spatial::Contact contact;
    switch (i % 3) {
      case 0:
        contact.arm = {-0.05, a, b};
        contact.normal = {1, 0, 0};
        break;
      case 1:
        contact.arm = {a, -0.05, b};
        contact.normal = {0, 1, 0};
        break;
      default:
        contact.arm = {a, b, -0.05};
        contact.normal = {0, 0, 1};
    }
    contact.normal_force = 0.1;  // [N]
    contact.friction = 0.4;
    contact.key = i;
    all.push_back(contact);
  }
  return all;
}

}  // namespace

int main() {
  const auto touching = contacts();
  spatial::Load load;
  load.length = 0.05;
  for (std::size_t i = 0; i < 6; ++i) {
    load.gradient[i][i] = i < 3 ? -1000 : -2.5;   // of the coupling [N/m], [N m/rad]
    load.mass[i][i] = i < 3 ? 0.5 : 0.5 * 0.001;  // [kg], [kg m²]
  }
  spatial::StaticFriction solver(touching.size());
  bool held = false;
  bool moved = false;
  for (const double size : {0.5, 1.0, 2.0}) {
    load.wrench = {size, size, 0.5 * size, 0, 0, 0.02 * size};  // of all but friction [N], [N m]
    if (!solver.set(touching, load)) {
      return 2;
    }
    const auto verdict = solver.verdict({}, true);
    const auto solution = solver.solve();
    int sliding = 0;
    for (const auto& contact : solver.contacts()) {
      sliding += contact.state == spatial::ContactState::slides ? 1 : 0;
    }
    std::printf("load %g: %s, friction needs %.6f of what it has; moves %.6f um, %d of %zu contacts slide\n", size,
                verdict.holds() ? "held" : "not held", verdict.critical_ratio(),
                1e6 * std::hypot(solution.motion[0], solution.motion[1], solution.motion[2]), sliding, touching.size());
    held = held || verdict.holds();
    moved = moved || !verdict.holds();
  }
  return held && moved ? 0 : 1;
}
