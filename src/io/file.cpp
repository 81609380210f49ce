#include "stiction/io/file.h"

#include <fmt/format.h>

#include <system_error>

#include "../disk.h"

namespace stiction::io {

std::string read_text(const std::filesystem::path& path) { return disk::read<InputError>(path); }

void write_text(const std::filesystem::path& path, std::string_view text) { disk::write<FileError>(path, {&text, 1}); }

void make_folder(const std::filesystem::path& path) {
  if (disk::has_nul(path)) {
    throw FileError(fmt::format("cannot create folder {}: its name contains a NUL character", path.string()));
  }
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) {
    throw FileError(fmt::format("cannot create folder {}: {}", path.string(), error.message()));
  }
}

}  // namespace stiction::io
