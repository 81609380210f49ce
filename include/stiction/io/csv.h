// Comma-separated columns with a header line. Lines that start with '#' and empty lines are comments.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "stiction/export.h"

namespace stiction::io {

struct STICTION_EXPORT Csv {
  std::vector<std::string> names;
  std::vector<std::vector<double>> columns;  // one for each name, all of the same length

  /// The column of this name. Throws InputError, which lists the existing names.
  [[nodiscard]] const std::vector<double>& column(const std::string& name) const;

  std::string file;  // for messages
};

/// How an empty cell or "nan" is read: as an error, or as a missing value, NaN.
enum class Missing { error, nan };

/// Reads numbers; anything else, a row of another length, or no row at all is an InputError with file:line:column.
STICTION_EXPORT Csv read_csv(const std::filesystem::path& path, Missing missing = Missing::error);

/// A normalised name: lower case, without a unit in brackets, '_' between words.
STICTION_EXPORT std::string plain_name(std::string_view name);

/// The first of the usual (plain) names for which the file has a column; empty if there is none.
STICTION_EXPORT std::string find_column(const Csv& csv, const std::vector<std::string>& usual);

/// Numbers without a header, all rows of the same length, such as a tactile image. Throws InputError.
STICTION_EXPORT std::vector<std::vector<double>> read_matrix(const std::filesystem::path& path);

/// A header with the names, then values with twelve significant digits.
STICTION_EXPORT std::string to_csv(const std::vector<std::string>& names,
                                   const std::vector<std::vector<double>>& columns);

}  // namespace stiction::io
