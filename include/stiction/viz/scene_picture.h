// An image of a scene at one instant, with its contact forces.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "stiction/export.h"
#include "stiction/haptics/scene.h"
#include "stiction/viz/picture.h"

namespace stiction::viz {

enum class SceneArrows : std::uint8_t {
  contacts,  // normal force and friction of each contact
  total,     // their sum over all contacts, and that of the normal forces
};

/// The moving part and its surroundings, viewed from the side towards which the contacts push it. What is in the way
/// there is translucent. `hand`: the pose of the hand, drawn as a faint body.
STICTION_EXPORT Image draw_scene(const haptics::SceneDescription& scene, const Pose& body,
                                 std::span<const ShownForce> forces, const std::optional<Pose>& hand = {},
                                 const PictureOptions& options = {}, SceneArrows arrows = SceneArrows::contacts);

}  // namespace stiction::viz
