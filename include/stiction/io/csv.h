// Comma-separated columns with a header line. Lines that start with '#' and empty lines are comments.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace stiction::io {

struct Csv {
  std::vector<std::string> names;
  std::vector<std::vector<double>> columns;  // one for each name, all of one length

  /// The column of that name, or InputError naming those there are.
  [[nodiscard]] const std::vector<double>& column(const std::string& name) const;

  std::string file;  // for messages
};

/// What an empty cell or "nan" means: an error, or a value that was not recorded and is read as NaN.
enum class Missing { error, nan };

/// Reads numbers; anything else, a row of another length, or no row at all is an InputError with file:line:column.
Csv read_csv(const std::filesystem::path& path, Missing missing = Missing::error);

/// A name as people mean it: small letters, without a unit in brackets, '_' for what separates words.
std::string plain_name(std::string_view name);

/// The first of the usual (plain) names that the file has a column for; empty where there is none.
std::string find_column(const Csv& csv, const std::vector<std::string>& usual);

/// Numbers without a header, all rows of one length, as a tactile image has them. Throws InputError.
std::vector<std::vector<double>> read_matrix(const std::filesystem::path& path);

/// Twelve significant digits, names first.
std::string to_csv(const std::vector<std::string>& names, const std::vector<std::vector<double>>& columns);

}  // namespace stiction::io
