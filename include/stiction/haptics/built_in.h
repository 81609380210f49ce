// The paper's four scenes, ready to run: parts, friction and hand trajectories.
#pragma once

#include <string>
#include <vector>

#include "stiction/export.h"
#include "stiction/haptics/scene.h"
#include "stiction/haptics/trajectory.h"

namespace stiction::haptics {

/// cube-and-corner, peg-and-hole, engine-bay, door
STICTION_EXPORT const std::vector<std::string>& built_in_scenes();

/// Throws InvalidParameter for any other name.
STICTION_EXPORT SceneDescription built_in_scene(const std::string& name, const geometry::Progress& progress = {});

/// A hand that keeps the part in contact: it presses, drags, rotates and releases the part repeatedly. Throws
/// InvalidParameter for any other name, or unless 0 < duration ≤ 100 000 s.
STICTION_EXPORT Trajectory built_in_path(const std::string& name, double duration);

}  // namespace stiction::haptics
