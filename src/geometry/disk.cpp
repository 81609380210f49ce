#include "disk.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "../descriptor.h"

namespace stiction::geometry {
std::string read_file(const std::filesystem::path& path, std::size_t max_bytes) {
  const auto fail = [&](const std::string& reason) {
    throw DiskError(fmt::format("cannot read {}: {}", path.string(), reason));
  };
  // Without O_NONBLOCK, opening a pipe would wait for somebody to write into it.
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat info {};
  if (file.get() < 0 || ::fstat(file.get(), &info) != 0) {
    fail(std::strerror(errno));
  }
  if (!S_ISREG(info.st_mode)) {
    fail(S_ISDIR(info.st_mode) ? "it is a folder, a file is wanted" : "it is no regular file");
  }
  if (static_cast<std::size_t>(info.st_size) > max_bytes) {
    fail(fmt::format("it has {} bytes: must be at most {}", info.st_size, max_bytes));
  }
  std::string bytes(static_cast<std::size_t>(info.st_size), '\0');
  for (std::size_t at = 0; at < bytes.size();) {
    const ssize_t got = ::read(file.get(), bytes.data() + at, bytes.size() - at);
    if (got < 0 && errno != EINTR) {
      fail(std::strerror(errno));
    }
    if (got == 0) {
      bytes.resize(at);  // it has become shorter
    }
    at += got > 0 ? static_cast<std::size_t>(got) : 0;
  }
  return bytes;
}

void write_file(const std::filesystem::path& path, std::span<const std::string_view> pieces) {
  std::string draft = path.string() + ".XXXXXX.part";
  const auto fail = [&](bool made) {
    const int error = errno;
    if (made) {
      ::unlink(draft.c_str());
    }
    throw DiskError(fmt::format("cannot write {}: {}", path.string(), std::strerror(error)));
  };
  {
    const Descriptor file(::mkstemps(draft.data(), 5));
    if (file.get() < 0) {
      fail(false);
    }
    for (const std::string_view piece : pieces) {
      if (!write_all(file.get(), piece)) {
        fail(true);
      }
    }
    // On the disk before it gets its name, or a crash of the system could leave a named file without content.
    if (::fchmod(file.get(), 0644) != 0 || ::fsync(file.get()) != 0) {
      fail(true);
    }
  }
  if (::rename(draft.c_str(), path.c_str()) != 0) {
    fail(true);
  }
}

}  // namespace stiction::geometry
