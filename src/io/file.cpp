#include "stiction/io/file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <system_error>

#include "../descriptor.h"

namespace stiction::io {
std::string read_text(const std::filesystem::path& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    throw InputError(fmt::format("cannot read {}: it is a folder, a file is wanted", path.string()));
  }
  std::ifstream in(path, std::ios::binary);
  if (!in) {
    throw InputError(fmt::format("cannot read {}: {}", path.string(), std::strerror(errno)));
  }
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

void write_text(const std::filesystem::path& path, std::string_view text) {
  const std::filesystem::path draft = path.string() + ".part";
  const auto fail = [&](int error) {
    ::unlink(draft.c_str());
    throw FileError(fmt::format("cannot write {}: {}", path.string(), std::strerror(error)));
  };
  {
    const Descriptor file(::open(draft.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
    if (file.get() < 0 || !write_all(file.get(), text) || ::fsync(file.get()) != 0) {
      fail(errno);
    }
  }
  if (::rename(draft.c_str(), path.c_str()) != 0) {
    fail(errno);
  }
}

void make_folder(const std::filesystem::path& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) {
    throw FileError(fmt::format("cannot create folder {}: {}", path.string(), error.message()));
  }
}

}  // namespace stiction::io
