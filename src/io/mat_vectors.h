// The numbers of a .mat file, whatever its level.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace stiction::io {

/// Vectors by name, and the names of what is none.
struct MatVectors {
  std::vector<std::pair<std::string, std::vector<double>>> list;
  std::vector<std::string> others;

  /// The columns of a matrix that is stored column by column; more than one have numbers behind the name.
  void add(const std::string& name, std::size_t rows, std::size_t columns, const std::vector<double>& values);
};

inline constexpr int max_mat_depth = 3;  // of structures in structures

/// Level 5, without another library. Every count is checked against the bytes that are there. Throws InputError.
MatVectors read_mat5(std::string_view bytes, const std::string& file);

/// Level 7.3, by libmatio. Throws InputError, also where the program was built without it.
MatVectors read_mat73(const std::filesystem::path& path);

}  // namespace stiction::io
