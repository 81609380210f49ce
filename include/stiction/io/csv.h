// Comma-separated columns with a header line. Lines that start with '#' and empty lines are comments.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace stiction::io {

struct Csv {
  std::vector<std::string> names;
  std::vector<std::vector<double>> columns;  // one for each name, all of one length

  /// The column of that name, or InputError naming those there are.
  [[nodiscard]] const std::vector<double>& column(const std::string& name) const;

  std::string file;  // for messages
};

/// Reads numbers; anything else, a row of another length, or no row at all is an InputError with file:line:column.
Csv read_csv(const std::filesystem::path& path);

/// Twelve significant digits, names first.
std::string to_csv(const std::vector<std::string>& names, const std::vector<std::vector<double>>& columns);

}  // namespace stiction::io
