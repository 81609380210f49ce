// Whole files in and out.
#pragma once

#include <filesystem>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace stiction::geometry {

/// The file system said no: message with path and reason.
class DiskError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The bytes of a regular file of at most so many, or DiskError.
std::string read_file(const std::filesystem::path& path, std::size_t max_bytes);

/// Writes the pieces one after the other to a file of another name beside `path`, then renames it: whoever reads sees
/// the old file or the new one, also if the writer is killed. DiskError.
void write_file(const std::filesystem::path& path, std::span<const std::string_view> pieces);

}  // namespace stiction::geometry
