// Which column of a log is which quantity, by the names that robots, drives and loggers use, and in which unit.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "stiction/io/log_file.h"
#include "stiction/io/log_table.h"

namespace stiction::io {

/// A column in SI.
struct LogColumn {
  std::string column;
  std::size_t index = 0;  // among the columns of the file
  std::string unit;       // as it was stated; empty: taken as SI
  std::vector<double> values;
};

/// A log's columns by role, and the columns of time.
struct Roles {
  std::map<std::string, LogColumn> signals;
  std::vector<std::size_t> clocks;             // columns that are times by their names
  std::map<std::string, std::string> unclear;  // roles for which several columns would do: their names

  [[nodiscard]] const std::vector<double>* get(const std::string& role) const {
    const auto found = signals.find(role);
    return found == signals.end() ? nullptr : &found->second.values;
  }
};

/// Throws InputError for roles, columns and units that are not known. What was taken for what is added to the notes.
Roles find_roles(const LogTable& table, const LogOptions& options, std::vector<std::string>& notes);

/// The factor to SI of a time column, and the note about it.
double time_factor(const LogTable& table, std::size_t column, const LogOptions& options, std::string& unit);

}  // namespace stiction::io
