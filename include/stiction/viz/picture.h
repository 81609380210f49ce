// Images of haptic scenes: shaded triangles with a depth buffer, translucent bodies, and forces drawn on top.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "stiction/export.h"
#include "stiction/geometry/mesh.h"
#include "stiction/viz/shown_forces.h"

namespace stiction::viz {

struct Camera {
  Vector3 eye{0, -1, 0}, target{};  // [m]
  Vector3 up{0, 0, 1};
  double field_of_view = 35;  // from top to bottom [deg]
};
/// A camera in the given direction (from the box to the eye) that sees the whole box in an image of this aspect ratio
/// (width over height). Throws InvalidParameter for values that are not finite.
STICTION_EXPORT Camera camera_around(const geometry::Box& box, const Vector3& direction, double aspect = 4.0 / 3);

/// A mesh with a pose. An opacity below 1 shows what is behind its front: opaque bodies and those of other layers. Of
/// translucent bodies in one layer the nearest is seen. Where such a body is behind an opaque one, its edges are drawn
/// as faint lines.
struct PictureBody {
  const geometry::Mesh* mesh = nullptr;
  Pose pose{};
  Colour colour{0.72, 0.72, 0.75};
  double opacity = 1;
  std::size_t layer = 0;  // below `max_layers`; of no effect on opaque bodies
  static constexpr std::size_t max_layers = 4;
};
/// Drawn on top of all bodies.
struct PictureArrow {
  Vector3 from{}, to{};  // [m]
  Colour colour;
  double width = 1;  // of its shaft over that of the options
};
/// Arrows for contact forces. `metres_per_newton` 0: the longest has the length `size`/3.
STICTION_EXPORT std::vector<PictureArrow> force_arrows(std::span<const ShownForce> forces, double size,
                                                       double metres_per_newton = 0);
/// The sum of all contact forces, in the colour of normal forces, and that of the normal forces alone, thin and grey:
/// the angle between them is due to friction. Both start at the mean of the contact points, weighted by their normal
/// forces; the longer one has the length `size`. Empty without normal forces.
STICTION_EXPORT std::vector<PictureArrow> total_force_arrows(std::span<const ShownForce> forces, double size);

struct PictureOptions {
  std::size_t width = 960, height = 720;  // pixels, 1 to 8000
  Colour background{1, 1, 1};
  double arrow_width = 2.5;  // of the shafts [pixels]
  bool edges = true;         // dark lines at outlines and creases
};

struct Image {
  std::size_t width = 0, height = 0;
  std::vector<std::uint8_t> rgb;  // three bytes for each pixel, the top row first
  [[nodiscard]] std::array<std::uint8_t, 3> at(std::size_t x, std::size_t y) const noexcept {
    const std::size_t i = 3 * (y * width + x);
    return {rgb[i], rgb[i + 1], rgb[i + 2]};
  }
};

/// Each pixel is the mean of four samples. The same input gives the same bytes. Throws InvalidParameter for an invalid
/// size, camera, pose or opacity, MeshError for an invalid mesh.
STICTION_EXPORT Image draw(std::span<const PictureBody> bodies, std::span<const PictureArrow> arrows,
                           const Camera& camera, const PictureOptions& options = {});

/// The bytes of a PNG file. Throws InvalidParameter if the image does not have 3 bytes per pixel.
STICTION_EXPORT std::string to_png(const Image& image);

}  // namespace stiction::viz
