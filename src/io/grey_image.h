// Grey images as tables of numbers.
#pragma once

#include <filesystem>
#include <vector>

namespace stiction::io {

/// The values of a grey PNG file of 8 or 16 bits as they are stored, without gamma, row by row from the top. At most
/// 1000 × 1000. Throws InputError.
std::vector<std::vector<double>> read_grey_png(const std::filesystem::path& path);

}  // namespace stiction::io
