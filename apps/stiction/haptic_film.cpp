#include "haptic_film.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "stiction/io/csv.h"
#include "stiction/io/file.h"

namespace stiction::cli {

void Film::add(const haptics::ServoCycle& servo, const haptics::Renderer& renderer) {
  const Vector6& w = servo.cycle.coupling;
  const double force = std::hypot(w[0], w[1], w[2]);
  std::vector<viz::ShownForce> forces = viz::shown_forces(renderer);
  if (force > largest_) {
    largest_ = force;
    // Contacts are those before the cycle's motion
    const Vector6& d = servo.cycle.motion;
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
  io::write_text(folder / "scene.png", viz::to_png(viz::draw_scene(scene, strongest_.body, strongest_.forces)));
  std::vector<geometry::Mesh> fixed;
  viz::AnimationOptions options;
  options.moving_name = scene.moving.name;
  for (const haptics::FixedPart& part : scene.fixed) {
    fixed.push_back(part.mesh);
    options.fixed_names.push_back(part.name);
  }
  io::write_text(folder / "scene.glb", viz::to_glb(fixed, scene.moving.mesh, frames_, options));
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
    for (const auto& vector : {c.position, c.normal, c.normal_force, c.friction}) {
      std::ranges::for_each(vector, put);
    }
    put(c.depth);
    put(c.state == spatial::ContactState::slides ? 1 : 0);
    put(c.separates ? 1 : 0);
  }
  return io::to_csv(names, columns);
}

}  // namespace stiction::cli
