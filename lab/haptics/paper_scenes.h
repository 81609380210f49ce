// The paper's four scenes, ready to run: parts, friction and hand trajectories. The command line and the Python package
// offer them, and the baselines, in scene files.
#pragma once

#include <string>
#include <vector>

#include "stiction/haptics/scene.h"
#include "stiction/haptics/trajectory.h"
#include "stiction/io/haptic_scene.h"

namespace stiction::lab {

/// cube-and-corner, peg-and-hole, engine-bay, door
const std::vector<std::string>& paper_scenes();

/// Throws InvalidParameter for any other name.
haptics::SceneDescription paper_scene(const std::string& name, const geometry::Progress& progress = {});

/// A hand that keeps the part in contact: it presses, drags, rotates and releases the part repeatedly. Throws
/// InvalidParameter for any other name, or unless 0 < duration ≤ 100 000 s.
haptics::Trajectory paper_path(const std::string& name, double duration);

/// These scenes, and the baselines as methods of friction.
const io::SceneCatalogue& scene_catalogue();

}  // namespace stiction::lab
