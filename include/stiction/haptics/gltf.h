// A haptic scene in motion as one .glb file (glTF 2.0), for any viewer: parts, the way of the moving one, contact
// forces.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "stiction/geometry/mesh.h"
#include "stiction/haptics/shown_forces.h"

namespace stiction::haptics {

struct AnimationFrame {
  double time = 0;  // [s]
  Pose body;
  std::vector<ShownForce> forces;
};

struct AnimationOptions {
  double metres_per_newton = 0;   // length of the arrows; 0: the largest force is a third of the moving part
  std::size_t most_arrows = 200;  // of each kind; of more contacts the strongest are shown
  double opacity = 0.5;           // of the moving part, 0 to 1
};

/// The bytes of the file. Metres, z up as seen in the viewer, flat shading. The moving part goes evenly from frame to
/// frame; arrows stay for a frame. The same input gives the same bytes. Throws InvalidParameter where there is no
/// frame, times do not grow (as 32-bit numbers, from the first), or a number is not finite; MeshError for a mesh that
/// is not valid.
std::string to_glb(std::span<const geometry::Mesh> fixed, const geometry::Mesh& moving,
                   std::span<const AnimationFrame> frames, const AnimationOptions& options = {});

}  // namespace stiction::haptics
