// A haptic scene from a TOML file; docs/haptics/scene-files.md has the schema.
#pragma once

#include <cstdint>
#include <filesystem>
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
  double duration = 0;  // [s]
};

/// Throws InputError, MeshError. Paths of meshes and of the hand's CSV file are relative to the TOML file. `progress`:
/// of building the meshes of a built-in scene.
STICTION_EXPORT HapticScene read_haptic_scene(const std::filesystem::path& path,
                                              const geometry::Progress& progress = {});

/// The same from text; `name` is the file name in messages.
STICTION_EXPORT HapticScene parse_haptic_scene(std::string_view text, const std::string& name,
                                               const std::filesystem::path& folder = {},
                                               const geometry::Progress& progress = {});

/// A built-in scene with its hand path, one minute long.
STICTION_EXPORT HapticScene built_in_haptic_scene(const std::string& name, const geometry::Progress& progress = {});

/// Poses from CSV: time, x, y, z and qw, qx, qy, qz (a unit quaternion), or rx, ry, rz (a rotation vector), or no
/// rotation.
STICTION_EXPORT haptics::Trajectory read_trajectory(const std::filesystem::path& path);

}  // namespace stiction::io
