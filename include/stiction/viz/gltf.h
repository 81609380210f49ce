// An animated haptic scene as one .glb file (glTF 2.0), for any viewer: parts, path of the moving part, contact forces.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "stiction/export.h"
#include "stiction/geometry/mesh.h"
#include "stiction/viz/shown_forces.h"

namespace stiction::viz {

struct AnimationFrame {
  double time = 0;  // [s]
  Pose body;
  std::vector<ShownForce> forces;
};

struct AnimationOptions {
  double metres_per_newton = 0;        // scale of the arrows; 0: the longest is a third of the size of the moving part
  std::size_t max_arrows = 200;        // of each kind; with more contacts only the largest forces are shown
  double opacity = 0.5;                // of the moving part, 0 to 1
  std::string moving_name = "moving";  // of its node
  std::vector<std::string> fixed_names = {};  // of theirs; "fixed 1" … for those that have none here
};

/// The contents of the file: metres, z up in the viewer, flat shading. The motion is interpolated linearly between
/// frames; arrows are constant for a frame. Where nothing plays it, a viewer shows the first frame. The arrows' scale
/// [m/N] is `extras.metres_per_newton` of the node "scene". The same input gives the same bytes. Throws
/// InvalidParameter if there are no frames, times do not increase (as 32-bit floats, relative to the first), or a value
/// is not finite; MeshError for an invalid mesh.
STICTION_EXPORT std::string to_glb(std::span<const geometry::Mesh> fixed, const geometry::Mesh& moving,
                                   std::span<const AnimationFrame> frames, const AnimationOptions& options = {});

}  // namespace stiction::viz
