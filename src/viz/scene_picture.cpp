#include "stiction/viz/scene_picture.h"

#include "stiction/vector.h"

namespace stiction::viz {

Image draw_scene(const haptics::SceneDescription& scene, const Pose& body, std::span<const ShownForce> forces,
                 const std::optional<Pose>& hand, const PictureOptions& options, const SceneView& view) {
  Vector3 out{};
  for (const ShownForce& force : forces) {
    out = sum(out, force.normal_force);
  }
  const double push = norm(out);
  const Vector3 oblique{0.5, -0.5, 0.6};
  const Vector3 pushed = push > 0 ? sum(scaled(1 / push, out), oblique) : oblique;
  geometry::Mesh moved = scene.moving.mesh;
  for (Vector3& vertex : moved.vertices) {
    vertex = to_world(body, vertex);
  }
  geometry::Box box = geometry::bounds(moved);
  const double size = box.longest_side();
  constexpr double around = 0.25;  // of the part
  for (std::size_t i = 0; i < 3; ++i) {
    box.low[i] -= around * size;
    box.high[i] += around * size;
  }
  std::vector<PictureBody> bodies;
  for (const haptics::FixedPart& part : scene.fixed) {
    bodies.push_back({.mesh = &part.mesh, .pose = {}, .colour = {0.62, 0.68, 0.75}, .opacity = 0.6});
  }
  bodies.push_back({.mesh = &moved, .pose = {}, .colour = {0.45, 0.7, 0.45}, .opacity = 0.45, .layer = 1});
  if (hand) {
    bodies.push_back(
        {.mesh = &scene.moving.mesh, .pose = *hand, .colour = {0.2, 0.2, 0.25}, .opacity = 0.15, .layer = 2});
  }
  const bool total = view.arrows == SceneArrows::total;
  const auto arrows = total ? total_force_arrows(forces, 0.5 * size) : force_arrows(forces, size);
  return draw(bodies, arrows, camera_around(box, view.direction.value_or(pushed)), options);
}

}  // namespace stiction::viz
