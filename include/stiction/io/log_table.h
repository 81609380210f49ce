// A log's columns as loggers, spreadsheets, drive tools and MATLAB write them: separators, decimal commas, titles, unit
// rows and comments are recognised from the first lines, and reported.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "stiction/export.h"
#include "stiction/io/csv.h"

namespace stiction::io {

struct LogTable {
  Csv csv;                         // NaN where a cell is empty; columns of text are left out
  std::vector<std::string> units;  // one for each column, from a row of units; empty: there is none
  std::vector<std::string> notes;  // how the file was read, and what was left out
};

/// Reads a text file of columns, or MATLAB variables from a .mat file. Throws InputError, which names the place.
///
/// Text: cells are separated by commas, semicolons, tabs or blanks; a decimal comma is recognised where another
/// character separates. Lines that start with #, % or // are comments, of which the last before the numbers may have
/// the names. Columns without a name are called "column 1", "column 2", ...; a repeated name gets a number.
STICTION_EXPORT LogTable read_log_table(const std::filesystem::path& path);

}  // namespace stiction::io
