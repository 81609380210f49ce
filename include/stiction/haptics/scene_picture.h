// A scene as it is at one moment, with the forces of its contacts.
#pragma once

#include <optional>
#include <span>

#include "stiction/haptics/picture.h"
#include "stiction/haptics/scene.h"

namespace stiction::haptics {

/// The moving part and what is around it, seen from where the contacts push it to: nothing is in the way there. `hand`:
/// where the hand has it, as a faint body.
Image draw_scene(const SceneDescription& scene, const Pose& body, std::span<const ShownForce> forces,
                 const std::optional<Pose>& hand = {}, const PictureOptions& options = {});

}  // namespace stiction::haptics
