// An image of a scene at one instant, with its contact forces.
#pragma once

#include <optional>
#include <span>

#include "stiction/export.h"
#include "stiction/haptics/scene.h"
#include "stiction/viz/picture.h"

namespace stiction::viz {

/// The moving part and its surroundings, viewed from the side towards which the contacts push it: nothing is in the way
/// there. `hand`: the pose of the hand, drawn as a faint body.
STICTION_EXPORT Image draw_scene(const haptics::SceneDescription& scene, const Pose& body,
                                 std::span<const ShownForce> forces, const std::optional<Pose>& hand = {},
                                 const PictureOptions& options = {});

}  // namespace stiction::viz
