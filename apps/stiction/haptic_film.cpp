#include "haptic_film.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "stiction/io/csv.h"
#include "stiction/io/file.h"

namespace stiction::cli {

void Film::add(const haptics::ServoCycle& servo, const haptics::Renderer& renderer) {
  const haptics::Vector6& w = servo.cycle.coupling;
  const double force = std::hypot(w[0], w[1], w[2]);
  std::vector<haptics::ShownForce> forces = haptics::shown_forces(renderer);
  if (force > largest_) {
    largest_ = force;
    // Contacts are those before the cycle's motion
    const haptics::Vector6& d = servo.cycle.motion;
    const haptics::Pose body =
        haptics::moved(servo.cycle.body, renderer.centre(), {-d[0], -d[1], -d[2]}, {-d[3], -d[4], -d[5]});
    strongest_ = {servo.time, body, forces};
    contacts_.clear();
    for (std::size_t i = 0; i < renderer.contact_count(); ++i) {
      contacts_.push_back(renderer.contact(i));
    }
  }
  if (pictures_) {
    frames_.push_back({servo.time, servo.cycle.body, std::move(forces)});
  }
}

void Film::write(const std::filesystem::path& folder, const haptics::SceneDescription& scene) const {
  io::write_text(folder / "contacts.csv", contacts());
  if (frames_.empty()) {
    return;
  }
  io::write_text(folder / "scene.png", haptics::to_png(picture(scene)));
  std::vector<geometry::Mesh> fixed;
  for (const haptics::FixedPart& part : scene.fixed) {
    fixed.push_back(part.mesh);
  }
  io::write_text(folder / "scene.glb", haptics::to_glb(fixed, scene.moving.mesh, frames_));
}

std::string Film::contacts() const {
  std::vector<std::string> names{"pair", "point"};
  for (const char* what : {"", "normal_", "normal_force_", "friction_"}) {
    for (const char* axis : {"x", "y", "z"}) {
      names.push_back(fmt::format("{}{}", what, axis));
    }
  }
  names.insert(names.end(), {"depth", "slides", "separates"});
  std::vector<std::vector<double>> columns(names.size());
  for (const haptics::ContactForce& c : contacts_) {
    std::size_t column = 0;
    const auto put = [&](double value) { columns[column++].push_back(value); };
    put(c.pair);
    put(c.point);
    for (const auto& vector : {c.place, c.normal, c.normal_force, c.friction}) {
      std::ranges::for_each(vector, put);
    }
    put(c.depth);
    put(c.state == spatial::ContactState::slides ? 1 : 0);
    put(c.separates ? 1 : 0);
  }
  return io::to_csv(names, columns);
}

haptics::Image Film::picture(const haptics::SceneDescription& scene) const {
  // The moving part and what is around it, from where the contacts push it to: nothing is in the way there
  haptics::Vec3 out{};
  for (const haptics::ShownForce& force : strongest_.forces) {
    out = spatial::sum(out, force.normal_force);
  }
  const double push = spatial::norm(out);
  const haptics::Vec3 aside{0.5, -0.5, 0.6};
  const haptics::Vec3 view = push > 0 ? spatial::sum(spatial::scaled(1 / push, out), aside) : aside;
  geometry::Mesh moved = scene.moving.mesh;
  for (haptics::Vec3& vertex : moved.vertices) {
    vertex = to_world(strongest_.body, vertex);
  }
  geometry::Box box = geometry::bounds(moved);
  const double size = box.longest_side();
  for (std::size_t i = 0; i < 3; ++i) {
    box.low[i] -= 0.25 * size;
    box.high[i] += 0.25 * size;
  }
  std::vector<haptics::PictureBody> bodies;
  for (const haptics::FixedPart& part : scene.fixed) {
    bodies.push_back({.mesh = &part.mesh, .pose = {}, .colour = {0.62, 0.68, 0.75}, .opacity = 0.6});
  }
  bodies.push_back({.mesh = &moved, .pose = {}, .colour = {0.45, 0.7, 0.45}, .opacity = 0.45});
  return haptics::draw(bodies, haptics::force_arrows(strongest_.forces, size), haptics::camera_around(box, view));
}

}  // namespace stiction::cli
