// The paper's four scenes, ready to run: parts, friction, and what a hand does in them.
#pragma once

#include <string>
#include <vector>

#include "stiction/haptics/scene.h"
#include "stiction/haptics/trajectory.h"

namespace stiction::haptics {

/// cube-and-corner, peg-and-hole, engine-bay, door
const std::vector<std::string>& built_in_scenes();

/// Throws InvalidParameter for another name.
SceneDescription built_in_scene(const std::string& name, const geometry::Progress& progress = {});

/// A hand that keeps the part in contact: presses, drags, turns and lets go, again and again. Throws
/// InvalidParameter for another name, or a duration that is not above 0 and at most 100 000 s.
Trajectory built_in_path(const std::string& name, double duration);

}  // namespace stiction::haptics
