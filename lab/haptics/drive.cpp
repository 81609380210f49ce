#include "drive.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <mutex>
#include <numbers>
#include <optional>
#include <utility>

#include "paper_scenes.h"
#include "stiction/geometry/cache.h"
#include "stiction/haptics/trajectory.h"

namespace stiction::lab {

using haptics::PreparedScene;

const PreparedScene& prepared(const std::string& name, bool quick) {
  static std::mutex mutex;
  static std::map<std::pair<std::string, bool>, std::unique_ptr<PreparedScene>> scenes;
  const std::scoped_lock lock(mutex);
  std::unique_ptr<PreparedScene>& scene = scenes[{name, quick}];
  if (!scene) {
    haptics::SceneDescription description = paper_scene(name);
    constexpr double quick_resolution = 256;
    const auto limit = [&](haptics::Part& part) {
      part.field.resolution = quick ? std::min(quick_resolution, part.field.resolution) : part.field.resolution;
    };
    limit(description.moving);
    for (haptics::FixedPart& part : description.fixed) {
      limit(part);
    }
    scene = std::make_unique<PreparedScene>(std::move(description),
                                            geometry::Cache{.folder = geometry::default_cache_folder()});
  }
  return *scene;
}

haptics::Renderer renderer_with(const PreparedScene& scene, double friction, const haptics::FrictionChoice& choice,
                                const haptics::RenderParams& params) {
  return renderer_with(scene, friction, haptics::make_friction(choice, static_cast<std::size_t>(params.max_contacts)),
                       choice.separation, params);
}

haptics::Renderer renderer_with(const PreparedScene& scene, double friction,
                                std::unique_ptr<haptics::FrictionStep> step, haptics::Separation separation,
                                const haptics::RenderParams& params) {
  std::vector<haptics::BodyPair> pairs = scene.pairs();
  for (haptics::BodyPair& pair : pairs) {
    pair.friction = friction;
  }
  haptics::Renderer renderer(pairs, scene.moving_body(), params, std::move(step), separation);
  renderer.reset_pose(scene.description().start);
  return renderer;
}

std::vector<Moment> drive(haptics::Renderer& renderer, const Hand& hand, double duration, const Context& context,
                          const DriveOptions& options) {
  const double period = renderer.params().period;
  const auto cycles = static_cast<std::size_t>(std::lround(duration / period));
  std::vector<Moment> moments;
  moments.reserve(cycles);
  for (std::size_t k = 0; k < cycles; ++k) {
    if (k % 256 == 0) {
      context.step(options.from + (options.to - options.from) * static_cast<double>(k) / static_cast<double>(cycles));
    }
    Moment moment;
    moment.time = static_cast<double>(k) * period;
    moment.hand = hand(moment.time);
    const Vector3 centre = haptics::to_world(renderer.body(), renderer.centre());
    moment.cycle = renderer.step(moment.hand, options.forces);
    for (std::size_t i = 0; options.forces && i < renderer.contact_count(); ++i) {
      const haptics::ContactForce contact = renderer.contact(i);
      moment.normal = sum(moment.normal, contact.normal_force);
      moment.friction = sum(moment.friction, contact.friction);
      moment.torque =
          sum(moment.torque, cross(difference(contact.position, centre), sum(contact.normal_force, contact.friction)));
      const double normal = norm(contact.normal_force);
      moment.steepest = std::max(moment.steepest, normal > 0 ? norm(contact.friction) / normal : 0);
      moment.normal_sum += normal;
      moment.friction_sum += norm(contact.friction);
    }
    moments.push_back(moment);
    if (options.after) {
      options.after(moment);
    }
  }
  return moments;
}

haptics::Pose settled(const PreparedScene& scene, const haptics::Pose& from, const haptics::Pose& to,
                      const Context& context) {
  constexpr double going = 0.5;     // [s]
  constexpr double settling = 0.3;  // [s]
  haptics::Renderer renderer =
      renderer_with(scene, 0, {.method = haptics::FrictionMethod::none}, scene.description().render);
  renderer.reset_pose(from);
  const haptics::Trajectory path({{0, from}, {going, to}});
  context.step(0);
  const auto cycles = static_cast<int>((going + settling) / renderer.params().period);
  for (int k = 0; k < cycles; ++k) {
    renderer.step(path.at(k * renderer.params().period));
  }
  return renderer.body();
}

std::vector<double> numbers(const std::vector<Moment>& moments, const std::function<double(const Moment&)>& number) {
  std::vector<double> values;
  values.reserve(moments.size());
  for (const Moment& moment : moments) {
    values.push_back(number(moment));
  }
  return values;
}

double quantile(const std::vector<Moment>& moments, double share, const std::function<double(const Moment&)>& number) {
  std::vector<double> values = numbers(moments, number);
  const auto quantile = values.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), quantile, values.end());
  return *quantile;
}

std::vector<double> running_median(const std::vector<double>& values) {
  constexpr std::ptrdiff_t reach = 4;
  const auto count = static_cast<std::ptrdiff_t>(values.size());
  std::vector<double> result;
  result.reserve(values.size());
  for (std::ptrdiff_t k = 0; k < count; ++k) {
    std::vector<double> near(values.begin() + std::max<std::ptrdiff_t>(0, k - reach),
                             values.begin() + std::min(count, k + reach + 1));
    const auto middle = near.begin() + static_cast<std::ptrdiff_t>(near.size() / 2);
    std::ranges::nth_element(near, middle);
    result.push_back(*middle);
  }
  return result;
}

Table to_table(const std::string& name, const std::vector<Moment>& moments, std::size_t each) {
  struct Named {
    const char* name;
    double (*number)(const Moment&);
  };
  constexpr auto columns = std::to_array<Named>({
      {"time [s]", [](const Moment& m) { return m.time; }},
      {"hand x [m]", [](const Moment& m) { return m.hand.position[0]; }},
      {"hand y [m]", [](const Moment& m) { return m.hand.position[1]; }},
      {"hand z [m]", [](const Moment& m) { return m.hand.position[2]; }},
      {"body x [m]", [](const Moment& m) { return m.cycle.body.position[0]; }},
      {"body y [m]", [](const Moment& m) { return m.cycle.body.position[1]; }},
      {"body z [m]", [](const Moment& m) { return m.cycle.body.position[2]; }},
      {"coupling force [N]",
       [](const Moment& m) { return std::hypot(m.cycle.coupling[0], m.cycle.coupling[1], m.cycle.coupling[2]); }},
      {"normal force [N]", [](const Moment& m) { return norm(m.normal); }},
      {"friction [N]", [](const Moment& m) { return norm(m.friction); }},
      {"contacts [-]", [](const Moment& m) { return static_cast<double>(m.cycle.contacts); }},
      {"held [-]", [](const Moment& m) { return m.cycle.phase == haptics::Phase::held ? 1.0 : 0.0; }},
      {"cycle [us]", [](const Moment& m) { return m.cycle.microseconds[3]; }},
      {"contact force [N]", [](const Moment& m) { return norm(sum(m.normal, m.friction)); }},
      {"contact torque [N m]", [](const Moment& m) { return norm(m.torque); }},
      {"friction step [ms]", [](const Moment& m) { return m.cycle.microseconds[2] / 1000; }},
  });
  static_assert(columns.size() == column::count);
  Table table{name, {}, false};
  for (const Named& named : columns) {
    std::vector<double> values;
    for (std::size_t i = 0; i < moments.size(); i += each) {
      values.push_back(named.number(moments[i]));
    }
    table.columns.push_back({named.name, std::move(values)});
  }
  return table;
}

Vector3 linear(const Vector6& wrench) { return {wrench[0], wrench[1], wrench[2]}; }

namespace {

Picture drawn(const std::string& name, const std::string& title, const PreparedScene& scene, const Snapshot& shown,
              const std::optional<haptics::Pose>& hand, const viz::SceneView& view) {
  return {name, title,
          viz::to_png(viz::draw_scene(scene.description(), shown.body, shown.forces, hand,
                                      {.width = 640, .height = 480}, view))};
}

}  // namespace

Snapshot snapshot(const haptics::Renderer& renderer, const haptics::Pose& hand) {
  return {renderer.body(), hand, viz::shown_forces(renderer)};
}

Picture picture(const std::string& name, const std::string& title, const PreparedScene& scene,
                const haptics::Renderer& renderer, const haptics::Pose* hand, const viz::SceneView& view) {
  return drawn(name, title, scene, snapshot(renderer, {}), hand != nullptr ? std::optional(*hand) : std::nullopt, view);
}

Picture picture(const std::string& name, const std::string& title, const PreparedScene& scene, const Snapshot& shown,
                const viz::SceneView& view) {
  return drawn(name, title, scene, shown, shown.hand, view);
}

double angle(const Vector3& a, const Vector3& b) {
  return std::atan2(norm(cross(a, b)), dot(a, b)) * 180 / std::numbers::pi;
}

}  // namespace stiction::lab
