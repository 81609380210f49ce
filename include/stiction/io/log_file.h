// A user's log in CSV, prepared for identification: columns found by name or as specified, units converted to SI, rows
// without numbers and gaps removed. All assumptions are reported.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "stiction/export.h"
#include "stiction/identify/data.h"

namespace stiction::io {

struct LogOptions {
  /// Column for a quantity: time, torque, position, velocity, velocity_reference, position_reference, deviation.
  std::map<std::string, std::string> columns;
  /// Unit of a quantity (time, torque, position, velocity), e.g. {"position", "deg"}; otherwise that in the column's
  /// brackets, otherwise SI.
  std::map<std::string, std::string> units;
};

struct Log {
  identify::Data data;
  std::vector<std::string> notes;  // which column was used for what, in which unit, and what was removed
};

/// Reads a recording (with a time column) or a table of steady friction (without). Throws InputError.
STICTION_EXPORT Log read_log(const std::filesystem::path& path, const LogOptions& options);

/// The quantities and their units, for help texts and messages.
STICTION_EXPORT std::string known_units();

}  // namespace stiction::io
