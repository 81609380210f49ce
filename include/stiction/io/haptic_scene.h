// A haptic scene from a TOML file; docs/haptics/scene-files.md has the schema.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "stiction/export.h"
#include "stiction/haptics/scene.h"
#include "stiction/haptics/simulated_hand.h"
#include "stiction/haptics/trajectory.h"

namespace stiction::io {

/// The hand that moves the part.
struct HandDescription {
  enum class Kind : std::uint8_t {
    path,  // follows the path regardless of the force
    mass,  // a mass that springs pull along the path and that yields to the force
    udp,   // a device that sends its poses
  };
  Kind kind = Kind::path;
  haptics::Trajectory path;       // for `udp`: one pose, the start
  haptics::HandParams mass = {};  // `mass`
  std::uint16_t port = 0;         // `udp`, on the loopback address
  double time_out = 0.1;          // if the last pose is older than this, the force is 0 [s]
};

struct HapticScene {
  haptics::SceneDescription scene;
  HandDescription hand;
  double duration = 0;         // [s]
  double stiffness_ratio = 1;  // of [friction], for methods of the catalogue
};

/// What scene files may name besides what is in this library: ready-made scenes (`built_in`) and methods of friction.
/// Programs bring their own; the command line and the Python package bring the paper's scenes and published methods.
struct SceneCatalogue {
  struct Scene {
    std::function<haptics::SceneDescription(const geometry::Progress&)> make;
    std::function<haptics::Trajectory(double duration)> path;  // of the hand
  };
  std::map<std::string, Scene> scenes;
  std::map<std::string, std::function<haptics::FrictionMaker(double stiffness_ratio)>> methods;
};

/// Throws InputError, MeshError. Paths of meshes and of the hand's CSV file are relative to the TOML file. A scene of
/// the catalogue can be given by its name alone: with its own hand, one minute long. `progress`: of making its meshes.
STICTION_EXPORT HapticScene read_haptic_scene(const std::filesystem::path& path_or_name,
                                              const SceneCatalogue& catalogue = {},
                                              const geometry::Progress& progress = {});

/// The same from text; `name` is the file name in messages.
STICTION_EXPORT HapticScene parse_haptic_scene(std::string_view text, const std::string& name,
                                               const std::filesystem::path& folder = {},
                                               const SceneCatalogue& catalogue = {},
                                               const geometry::Progress& progress = {});

/// Poses from CSV: time, x, y, z and qw, qx, qy, qz (a unit quaternion), or rx, ry, rz (a rotation vector), or no
/// rotation.
STICTION_EXPORT haptics::Trajectory read_trajectory(const std::filesystem::path& path);

}  // namespace stiction::io
