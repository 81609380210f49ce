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

struct SceneView {
  SceneArrows arrows = SceneArrows::contacts;
  std::optional<Vector3> direction = {};  // from the part to the eye; none: to where the contacts push the part
};

/// The moving part and its surroundings. What is in the way is translucent. `hand`: the pose of the hand, drawn as a
/// faint body. Throws InvalidParameter as `draw` does.
STICTION_EXPORT Image draw_scene(const haptics::SceneDescription& scene, const Pose& body,
                                 std::span<const ShownForce> forces, const std::optional<Pose>& hand = {},
                                 const PictureOptions& options = {}, const SceneView& view = {});

}  // namespace stiction::viz
