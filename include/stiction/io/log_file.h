// A user's log in CSV or .mat, prepared for identification: columns found by name or as specified, units converted to
// SI, rows without numbers and gaps removed. All assumptions are reported.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "stiction/export.h"
#include "stiction/identify/data.h"
#include "stiction/identify/inspect.h"
#include "stiction/io/log_table.h"

namespace stiction::io {

struct LogOptions {
  /// Column for a quantity: time, torque, torque_command, position, velocity, velocity_reference, position_reference,
  /// deviation, current, voltage, duty, acceleration. Columns without a name go by their number, from 1.
  std::map<std::string, std::string> columns = {};
  /// Unit of a quantity (time, torque, position, velocity, current, ...), e.g. {"position", "deg"}, also with a number,
  /// {"position", "0.0015rad"}; otherwise that in the column's brackets, in a row of units or at the end of the name,
  /// otherwise SI.
  std::map<std::string, std::string> units = {};
  std::optional<double> torque_constant = {};  // [N m/A] or [N/A]; the torque is then the current times this
};

struct Log {
  identify::Data data;
  std::vector<std::string> notes;  // which column was used for what, in which unit, and what was removed
};

/// Reads a recording (with a time column) or a table of steady friction (without). Throws InputError.
STICTION_EXPORT Log read_log(const std::filesystem::path& path, const LogOptions& options);
/// The same for columns that are in memory.
STICTION_EXPORT Log read_log(const LogTable& table, const LogOptions& options);

/// The signals of a log as they are, with what is missing and out of order. Throws InputError.
STICTION_EXPORT identify::Signals read_signals(const std::filesystem::path& path, const LogOptions& options);
STICTION_EXPORT identify::Signals read_signals(const LogTable& table, const LogOptions& options);

/// The quantities and their units, for help texts and messages.
STICTION_EXPORT std::string known_units();

}  // namespace stiction::io
