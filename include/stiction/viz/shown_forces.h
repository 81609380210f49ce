// Contact forces for display: normal forces red, friction orange.
#pragma once

#include <cstddef>
#include <vector>

#include "stiction/haptics/renderer.h"

namespace stiction::viz {

using haptics::Pose;

struct Colour {
  double red = 0, green = 0, blue = 0;  // display values, 0 to 1
};
inline constexpr Colour normal_force_colour{0.85, 0.05, 0.05};
inline constexpr Colour friction_colour{1, 0.55, 0};

/// A contact in the frame of the fixed body, with its forces on the moving one.
struct ShownForce {
  Vector3 position{};                  // [m]
  Vector3 normal_force{}, friction{};  // [N]
};

/// Forces of the last cycle. Friction of sticking contacts is included if that cycle ran with `forces`.
inline std::vector<ShownForce> shown_forces(const haptics::Renderer& renderer) {
  std::vector<ShownForce> forces;
  forces.reserve(renderer.contact_count());
  for (std::size_t i = 0; i < renderer.contact_count(); ++i) {
    const haptics::ContactForce contact = renderer.contact(i);
    forces.push_back({contact.position, contact.normal_force, contact.friction});
  }
  return forces;
}

}  // namespace stiction::viz
