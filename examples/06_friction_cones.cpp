// Friction cones: how far a contact force is from slipping, the nearest force that friction allows, what a pyramid with
// few sides gets wrong, and whether three fingers can hold a ball against any load.
#include <array>
#include <cmath>
#include <cstdio>
#include <vector>

#include "stiction/spatial/cones.h"
#include "stiction/spatial/pyramid.h"
#include "stiction/spatial/wrench_cone.h"

namespace spatial = stiction::spatial;

int main() {
  const auto cone = spatial::CircularCone<>::make({0.5});
  for (const stiction::Vector3& f : {stiction::Vector3{1, 1, 4}, stiction::Vector3{3, 1, 4}}) {
    const auto near = cone.project(f);
    std::printf("force (%g, %g, %g): margin %.6f N, nearest (%.6f, %.6f, %.6f)\n", f[0], f[1], f[2], cone.margin(f),
                near[0], near[1], near[2]);
  }

  // The friction that a pyramid allows, over that of the cone, in its worst direction
  for (const std::size_t sides : {std::size_t{4}, std::size_t{8}, std::size_t{16}}) {
    const auto pyramid = spatial::Pyramid<>::make({0.5, sides, spatial::Fit::inscribed});
    double least = 1;
    for (int i = 0; i < 360; ++i) {
      const double phi = 2 * 3.14159265358979323846 * i / 360;
      const stiction::Vector3 direction{std::cos(phi), std::sin(phi), 0};
      least = std::fmin(least, pyramid.friction_support(direction, 1) / cone.friction_support(direction, 1));
    }
    std::printf("%2zu sides: at least %.4f of the friction\n", sides, least);
  }

  std::vector<spatial::GraspContact<>> fingers;
  for (int i = 0; i < 3; ++i) {
    const double phi = 2 * 3.14159265358979323846 * i / 3;
    fingers.push_back(spatial::GraspContact<>::make(
        {{std::cos(phi), std::sin(phi), 0}, {-std::cos(phi), -std::sin(phi), 0}, 0.5, 0.05}));
  }
  bool closed = false;
  for (const std::size_t count : {std::size_t{2}, std::size_t{3}}) {
    std::vector<stiction::Vector6> generators(3 * 10);
    const std::size_t size = spatial::wrench_generators<double>({fingers.data(), count}, {}, 1.0, 8, generators);
    const auto answer = spatial::force_closure<double>({generators.data(), size});
    std::printf("%zu soft fingers: %s, margin %.6f\n", count,
                answer.closed ? "hold any load" : "do not hold every load", answer.margin);
    closed = answer.closed;
  }
  return closed ? 0 : 1;
}
