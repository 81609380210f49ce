// An image of a scene at one instant, with its contact forces.
#pragma once

#include <optional>
#include <span>

#include "stiction/export.h"
#include "stiction/haptics/picture.h"
#include "stiction/haptics/scene.h"

namespace stiction::haptics {

/// The moving part and its surroundings, viewed from the side towards which the contacts push it: nothing is in the way
/// there. `hand`: the pose of the hand, drawn as a faint body.
STICTION_EXPORT Image draw_scene(const SceneDescription& scene, const Pose& body, std::span<const ShownForce> forces,
                                 const std::optional<Pose>& hand = {}, const PictureOptions& options = {});

}  // namespace stiction::haptics
