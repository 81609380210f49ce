// A haptic scene from a TOML file; docs/haptics/scene-files.md has the schema.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "stiction/haptics/scene.h"
#include "stiction/haptics/simulated_hand.h"
#include "stiction/haptics/trajectory.h"

namespace stiction::io {

/// Who moves the part.
struct HandDescription {
  enum class Kind : std::uint8_t {
    path,  // wherever the path says, whatever the force
    mass,  // a mass that is drawn along the path by springs and feels the force
    udp,   // a device that sends its poses
  };
  Kind kind = Kind::path;
  haptics::Trajectory path;       // for `udp`: one pose, the start
  haptics::HandParams mass = {};  // `mass`
  std::uint16_t port = 0;         // `udp`, at the loopback
  double time_out = 0.1;          // without a pose for so long, no force [s]
};

struct HapticScene {
  haptics::SceneDescription scene;
  HandDescription hand;
  double duration = 0;  // [s]
};

/// Throws InputError, MeshError. Meshes and the hand's CSV file are looked for beside the TOML file. `progress`: of
/// making the meshes of a built-in scene.
HapticScene read_haptic_scene(const std::filesystem::path& path, const geometry::Progress& progress = {});

/// The same from text; `name` stands for the file in messages.
HapticScene parse_haptic_scene(std::string_view text, const std::string& name, const std::filesystem::path& folder = {},
                               const geometry::Progress& progress = {});

/// A built-in scene with its hand for a minute.
HapticScene built_in_haptic_scene(const std::string& name, const geometry::Progress& progress = {});

/// Poses from CSV: time, x, y, z and qw, qx, qy, qz (a unit quaternion), or rx, ry, rz (a rotation vector), or no turn.
haptics::Trajectory read_trajectory(const std::filesystem::path& path);

}  // namespace stiction::io
