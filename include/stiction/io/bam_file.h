// Servos in the JSON files of Rhoban/bam (extended friction models M1 to M6).
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "stiction/export.h"
#include "stiction/scalar/gear_structures.h"

namespace stiction::io {

/// What such a file says of a servo.
struct BamServo {
  scalar::Gear friction = scalar::Gear(scalar::Gear::Params{});
  const scalar::GearStructure* structure = scalar::gear_structures.data();  // which must contain the friction
  std::string actuator = {};                                                // the servo's name
  std::optional<double> armature = {};         // inertia of motor and gear, at the output [kg m²], ≥ 0
  std::optional<double> torque_constant = {};  // kt, at the output [N m/A], > 0
  std::optional<double> resistance = {};       // R of the motor [Ω], > 0
  std::optional<double> position_offset = {};  // q_offset, of the encoder [rad]
};

/// Throws InputError. Keys that say nothing of friction or motor are passed over.
STICTION_EXPORT BamServo read_bam_file(const std::filesystem::path& path);
/// The same from text; `name` is the file name in messages.
STICTION_EXPORT BamServo parse_bam_file(std::string_view text, const std::string& name);

/// The file, as bam reads it. Throws InputError if the structure does not contain the friction, or a number is not in
/// its range.
STICTION_EXPORT std::string to_bam_json(const BamServo& servo);

}  // namespace stiction::io
