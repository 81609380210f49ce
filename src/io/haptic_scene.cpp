#include "stiction/io/haptic_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "stiction/geometry/mesh_check.h"
#include "stiction/geometry/mesh_file.h"
#include "stiction/io/csv.h"
#include "stiction/io/file.h"
#include "toml_section.h"

namespace stiction::io {
namespace {

using haptics::FixedPart;
using haptics::FrictionMethod;
using haptics::Part;
using haptics::Pose;
using haptics::RenderParams;
using haptics::SceneDescription;
using haptics::TimedPose;
using haptics::Trajectory;

constexpr double max_duration = 1e5;  // [s]
constexpr double max_cycles = 1e8;    // of a run: all of them are recorded
constexpr Range coordinates{-haptics::max_coordinate, haptics::max_coordinate, true, true, "within 1e9 m"};
constexpr Range rotation_components{-1e6, 1e6, true, true, "within 1e6 rad"};

std::optional<Vector3> read_vector(TomlSection& section, const std::string& key, const Range& range) {
  if (section.node(key) == nullptr) {
    return std::nullopt;
  }
  const auto values = section.numbers(key, range);
  if (values.size() != 3) {
    section.reject(key, "three numbers [x, y, z]");
  }
  return Vector3{values[0], values[1], values[2]};
}

Pose read_pose(TomlSection& section) {
  return {read_vector(section, "at", coordinates).value_or(Vector3{}),
          haptics::rotation_by(read_vector(section, "rotation", rotation_components).value_or(Vector3{}))};
}

/// A number in [low, high], with the same message as the checks of the parameter structs.
double read_number(TomlSection& section, const char* key, double low, double high, double fallback) {
  const std::string allowed = fmt::format("{} to {}", low, high);
  return section.number(key, {low, high, true, true, allowed.c_str()}, fallback);
}

/// The mesh of a part and how it is sampled.
Part read_part(TomlSection& section, const std::filesystem::path& folder, std::string name) {
  Part part;
  part.name = section.text("name", std::move(name));
  const std::filesystem::path file = folder / section.text("mesh");
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(file, ignored)) {
    section.reject("mesh", fmt::format("a readable file: there is none at {}", file.string()));
  }
  part.mesh = geometry::checked_mesh(geometry::read_mesh(file, section.number("scale", positive, 1.0)), file.string());
  part.field.resolution = read_number(section, "resolution", 32, 1024, part.field.resolution);
  part.field.band = read_number(section, "band", 1, part.field.resolution / 16, part.field.resolution >= 128 ? 8 : 2);
  constexpr Range points{1, 1e6, true, true, "a whole number from 1 to 1000000"};
  constexpr Range levels{1, 20, true, true, "a whole number from 1 to 20"};
  part.shell.points = static_cast<int>(section.count("points", points, part.shell.points));
  part.shell.levels = static_cast<int>(section.count("levels", levels, part.shell.levels));
  return part;
}

FixedPart read_fixed(TomlSection section, const std::filesystem::path& folder, std::string name) {
  FixedPart part;
  static_cast<Part&>(part) = read_part(section, folder, std::move(name));
  const Pose pose = read_pose(section);
  for (Vector3& vertex : part.mesh.vertices) {
    vertex = to_world(pose, vertex);
  }
  part.has_shell = section.choice("shell", {"moving", "fixed"}, "moving") == "fixed";
  part.friction = section.number("friction", non_negative, 0.5);
  if (section.has("sliding_friction")) {
    part.sliding_friction = section.number("sliding_friction", non_negative);
  }
  if (section.has("contact_stiffness")) {
    part.contact_stiffness = section.number("contact_stiffness", positive);
  }
  section.finish();
  return part;
}

template <class Value>
std::vector<std::string> names_of(const std::map<std::string, Value>& all) {
  std::vector<std::string> names;
  for (const auto& [name, value] : all) {
    names.push_back(name);
  }
  return names;
}

/// Returns the stiffness ratio.
double read_friction(TomlSection section, const SceneCatalogue& catalogue, SceneDescription& scene) {
  static const std::map<std::string, FrictionMethod> built_in{{"cone", FrictionMethod::cone},
                                                              {"pyramid", FrictionMethod::pyramid},
                                                              {"switched", FrictionMethod::switched},
                                                              {"none", FrictionMethod::none}};
  std::vector<std::string> names = names_of(built_in);
  std::ranges::copy(names_of(catalogue.methods), std::back_inserter(names));
  haptics::FrictionChoice& choice = scene.friction;
  const std::string method = section.choice("method", names, "cone");
  const double stiffness_ratio = section.number("stiffness_ratio", positive, 1.0);
  if (const auto custom = catalogue.methods.find(method); custom != catalogue.methods.end()) {
    choice.custom = custom->second(stiffness_ratio);
  } else {
    choice.method = built_in.at(method);
  }
  constexpr Range count{4, 64, true, true, "an even whole number from 4 to 64"};
  choice.sides = static_cast<int>(section.count("sides", count, choice.sides));
  if (choice.sides % 2 != 0) {
    section.reject("sides", count.text);
  }
  choice.metric = section.choice("metric", {"stiffness", "mass"}, "stiffness") == "mass" ? spatial::Metric::mass
                                                                                         : spatial::Metric::stiffness;
  const std::string separation = section.choice("separation", {"pulled", "as-published", "none"}, "pulled");
  choice.separation = separation == "pulled"         ? haptics::Separation::pulled
                      : separation == "as-published" ? haptics::Separation::as_published
                                                     : haptics::Separation::none;
  if (section.has("coefficient")) {
    const double coefficient = section.number("coefficient", non_negative);
    for (FixedPart& part : scene.fixed) {
      part.friction = coefficient;
    }
  }
  section.finish();
  return stiffness_ratio;
}

void read_render(TomlSection section, RenderParams& params) {
  for (const auto& field : RenderParams::fields()) {
    params.*field.member = section.number(field.name, field.range, params.*field.member);
  }
  for (const auto& count : RenderParams::integers()) {
    params.*count.member = static_cast<int>(section.count(count.name, count.range, params.*count.member));
  }
  if (params.mass == 0 && (section.has("coupling_damping") || section.has("coupling_rotational_damping"))) {
    section.reject(section.has("coupling_damping") ? "coupling_damping" : "coupling_rotational_damping",
                   "left out: only a coupling with a mass has it");
  }
  if (params.mass > 0 && section.has("static_damping")) {
    section.reject("static_damping", "left out: only a coupling without a mass has it");
  }
  section.finish();
}

Trajectory trajectory(std::vector<TimedPose> poses, const std::string& where) {
  try {
    return Trajectory(std::move(poses));
  } catch (const InvalidParameter& problem) {
    throw InputError(fmt::format("{}: {}", where, problem.what()));
  }
}

/// Rows of [time, x, y, z] or [time, x, y, z, rx, ry, rz].
Trajectory read_rows(TomlSection& section, const toml::node& node) {
  const char* allowed = "a list of [time, x, y, z] or [time, x, y, z, rx, ry, rz]";
  const toml::array* rows = node.as_array();
  if (rows == nullptr || rows->empty()) {
    section.reject("poses", allowed);
  }
  std::vector<TimedPose> poses;
  for (const toml::node& row : *rows) {
    const toml::array* cells = row.as_array();
    if (cells == nullptr || (cells->size() != 4 && cells->size() != 7)) {
      section.reject(row, "poses", allowed);
    }
    std::vector<double> numbers;
    for (const toml::node& cell : *cells) {
      const auto number = cell.value<double>();
      if (!cell.is_number() || !number || !std::isfinite(*number)) {
        section.reject(cell, "poses", "finite numbers");
      }
      numbers.push_back(*number);
    }
    const Vector3 rotation = numbers.size() == 7 ? Vector3{numbers[4], numbers[5], numbers[6]} : Vector3{};
    poses.push_back({numbers[0], {{numbers[1], numbers[2], numbers[3]}, haptics::rotation_by(rotation)}});
  }
  return trajectory(std::move(poses), section.file() + ": hand.poses");
}

/// `scene_path`: the path of a built-in scene, unless the file has another; else empty.
HandDescription read_hand(TomlSection section, const std::filesystem::path& folder,
                          const std::function<Trajectory()>& scene_path, const Pose& start) {
  using Kind = HandDescription::Kind;
  const std::string kind = section.choice("kind", {"path", "mass", "udp"}, "path");
  const auto path = [&]() -> Trajectory {
    if (kind == "udp") {
      return Trajectory({{0, start}});
    }
    if (section.has("file") && section.has("poses")) {
      section.reject("file", "left out where there are poses");
    }
    if (section.has("file")) {
      const std::filesystem::path file = folder / section.text("file");
      std::error_code ignored;
      if (!std::filesystem::is_regular_file(file, ignored)) {
        section.reject("file", fmt::format("a readable file: there is none at {}", file.string()));
      }
      return read_trajectory(file);
    }
    if (section.has("poses") || !scene_path) {
      return read_rows(section, section.required_node("poses", "a list of [time, x, y, z, rx, ry, rz], or a file"));
    }
    return scene_path();
  };
  HandDescription hand{.path = path()};
  hand.kind = kind == "path" ? Kind::path : kind == "mass" ? Kind::mass : Kind::udp;
  if (hand.kind == Kind::mass) {
    for (const auto& field : haptics::HandParams::fields()) {
      hand.mass.*field.member = section.number(field.name, field.range, hand.mass.*field.member);
    }
  }
  if (hand.kind == Kind::udp) {
    constexpr Range ports{1024, 65535, true, true, "a whole number from 1024 to 65535"};
    hand.port = static_cast<std::uint16_t>(section.count("port", ports));
  }
  hand.time_out = section.number("time_out", positive, hand.time_out);
  section.finish();
  return hand;
}

/// Reads the tables [moving] and [[fixed]]; returns the start pose if the file has one.
std::optional<Pose> read_parts(TomlSection& file, const std::filesystem::path& folder, SceneDescription& scene) {
  file.required_node("moving", "a table with a mesh, or built_in the name of a scene");
  TomlSection moving = file.section("moving");
  scene.moving = read_part(moving, folder, "moving");
  scene.centre = read_vector(moving, "centre", coordinates);
  std::optional<Pose> start;
  if (moving.has("at") || moving.has("rotation")) {
    start = read_pose(moving);
  }
  moving.finish();
  const toml::array* fixed = file.required_node("fixed", "at least one table [[fixed]]").as_array();
  if (fixed == nullptr || fixed->empty()) {
    file.reject("fixed", "at least one table [[fixed]]");
  }
  for (std::size_t i = 0; i < fixed->size(); ++i) {
    const toml::table* part = (*fixed)[i].as_table();
    if (part == nullptr) {
      file.reject("fixed", "tables [[fixed]]");
    }
    const std::string name = fmt::format("fixed[{}]", i);
    scene.fixed.push_back(read_fixed(TomlSection(*part, name, file.file()), folder, name));
  }
  return start;
}

}  // namespace

Trajectory read_trajectory(const std::filesystem::path& path) {
  const Csv csv = read_csv(path);
  const auto column = [&](const char* name) -> const std::vector<double>& {
    const std::string found = find_column(csv, {name});
    return csv.column(found.empty() ? name : found);
  };
  const auto has = [&](const char* name) { return !find_column(csv, {name}).empty(); };
  const auto& time = column("time");
  const std::array position{&column("x"), &column("y"), &column("z")};
  const bool quaternions = has("qw");
  const bool vectors = !quaternions && has("rx");
  std::vector<const std::vector<double>*> rotation;
  if (quaternions) {
    rotation = {&column("qw"), &column("qx"), &column("qy"), &column("qz")};
  } else if (vectors) {
    rotation = {&column("rx"), &column("ry"), &column("rz")};
  }
  std::vector<TimedPose> poses;
  for (std::size_t i = 0; i < time.size(); ++i) {
    Pose pose{{(*position[0])[i], (*position[1])[i], (*position[2])[i]}, haptics::identity_rotation};
    if (quaternions) {
      const haptics::Quaternion q{(*rotation[0])[i], (*rotation[1])[i], (*rotation[2])[i], (*rotation[3])[i]};
      const double size = std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
      if (!(std::abs(size - 1) < 1e-3)) {
        throw InputError(
            fmt::format("{}: row {}: |(qw, qx, qy, qz)| = {}: must be 1 within 0.001", path.string(), i + 1, size));
      }
      pose.rotation = haptics::rotation_of({q.w / size, q.x / size, q.y / size, q.z / size});
    } else if (vectors) {
      pose.rotation = haptics::rotation_by({(*rotation[0])[i], (*rotation[1])[i], (*rotation[2])[i]});
    }
    poses.push_back({time[i], pose});
  }
  return trajectory(std::move(poses), path.string());
}

HapticScene parse_haptic_scene(std::string_view text, const std::string& name, const std::filesystem::path& folder,
                               const SceneCatalogue& catalogue, const geometry::Progress& progress) {
  const toml::table table = parse_toml(text, name);
  TomlSection file(table, "", name);
  SceneDescription scene;
  const SceneCatalogue::Scene* built_in_scene = nullptr;
  std::optional<Pose> start;
  if (file.has("built_in") && !catalogue.scenes.empty()) {
    built_in_scene = &catalogue.scenes.at(file.choice("built_in", names_of(catalogue.scenes)));
    if (file.has("moving") || file.has("fixed")) {
      file.reject("built_in", "left out where there are meshes");
    }
    scene = built_in_scene->make(progress);
    start = scene.start;
  } else {
    start = read_parts(file, folder, scene);
  }
  double stiffness_ratio = 1;
  if (file.has("friction")) {
    stiffness_ratio = read_friction(file.section("friction"), catalogue, scene);
  }
  for (std::size_t i = 0; i < scene.fixed.size(); ++i) {
    if (scene.fixed[i].sliding_friction > scene.fixed[i].friction) {
      file.fail(fmt::format("fixed[{}].sliding_friction = {}: must be at most its friction, {}", i,
                            *scene.fixed[i].sliding_friction, scene.fixed[i].friction));
    }
  }
  if (file.has("render")) {
    read_render(file.section("render"), scene.render);
  }
  double duration = 0;
  if (file.has("run")) {
    TomlSection run = file.section("run");
    constexpr Range durations{0, max_duration, false, true, "> 0 and at most 100000"};
    duration = run.number("duration", durations);
    run.finish();
  }
  constexpr double default_duration = 60;
  std::function<Trajectory()> scene_path;
  if (built_in_scene != nullptr) {
    scene_path = [&] { return built_in_scene->path(duration > 0 ? duration : default_duration); };
  }
  HandDescription hand{.path = Trajectory({{0, start.value_or(Pose{})}})};
  if (file.has("hand")) {
    hand = read_hand(file.section("hand"), folder, scene_path, start.value_or(Pose{}));
  } else if (scene_path) {
    hand.path = scene_path();
  } else {
    file.required_node("hand", "a table that describes the motion of the hand");
  }
  // If the file gives a path for a built-in scene, the moving part starts where that path begins
  const Pose& first = hand.path.poses().front().pose;
  scene.start = built_in_scene == nullptr ? start.value_or(first) : first;
  if (duration == 0) {
    duration = hand.path.end();
    if (hand.kind == HandDescription::Kind::udp || !(duration > 0)) {
      file.fail("run.duration is missing: must be > 0 [s]");
    }
    if (!(duration <= max_duration)) {
      file.fail(fmt::format("hand: its last time is {}: must be at most {}", duration, max_duration));
    }
  }
  if (!(duration / scene.render.period <= max_cycles)) {
    file.fail(fmt::format("run.duration is {} cycles of render.period: must be at most {}",
                          duration / scene.render.period, max_cycles));
  }
  file.finish();
  return {std::move(scene), std::move(hand), duration, stiffness_ratio};
}

HapticScene read_haptic_scene(const std::filesystem::path& path_or_name, const SceneCatalogue& catalogue,
                              const geometry::Progress& progress) {
  const std::string name = path_or_name.string();
  if (catalogue.scenes.contains(name)) {
    return parse_haptic_scene(fmt::format("built_in = \"{}\"", name), name, {}, catalogue, progress);
  }
  return parse_haptic_scene(read_text(path_or_name), name, path_or_name.parent_path(), catalogue, progress);
}

}  // namespace stiction::io
