// A user's log in CSV, made ready for identification: columns found by name or asked for, units converted to SI, rows
// without numbers and gaps cut out. Everything that was assumed is said.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

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
  std::vector<std::string> notes;  // which column was taken for what, in which unit, and what was cut
};

/// Reads a recording (with a column of time) or a table of steady friction (without). Throws InputError.
Log read_log(const std::filesystem::path& path, const LogOptions& options);

/// The quantities and their units, for help texts and messages.
std::string known_units();

}  // namespace stiction::io
