// MATLAB's files as logs.
#pragma once

#include <filesystem>
#include <string_view>

#include "stiction/io/log_table.h"

namespace stiction::io {

/// Whether the bytes of a file begin as level 5 or level 7.3 do.
bool is_mat_file(std::string_view bytes);

/// Vectors of one length, or the fields of one structure. `bytes`: the content of the file. Throws InputError.
LogTable read_mat_file(const std::filesystem::path& path, std::string_view bytes);

}  // namespace stiction::io
