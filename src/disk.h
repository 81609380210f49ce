// Reading and writing whole files, for every part that touches the disk.
//
// A file is written under a new name in the same folder and renamed when all of it is on the disk. Readers see
// either the old file or the new one, whatever happens to the writer, and several processes may write concurrently.
#pragma once

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <system_error>

namespace stiction::disk {

inline constexpr std::size_t max_file_size = std::size_t{4} << 30U;  // [bytes]

/// A file descriptor that closes itself.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) {
      ::close(fd_);
    }
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  [[nodiscard]] int get() const { return fd_; }

 private:
  int fd_;
};

/// False if writing fails; errno has the reason.
inline bool write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) {
      continue;
    }
    if (written <= 0) {
      return false;
    }
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

/// Reads up to the end of the file. False if reading fails; errno has the reason (EFBIG: more than `max_size`).
inline bool read_all(int fd, std::string& bytes, std::size_t max_size) {
  std::size_t size = 0;
  for (;;) {
    if (size == bytes.size()) {
      bytes.resize(size + std::max<std::size_t>(size / 2, 4096));
    }
    const ssize_t got = ::read(fd, bytes.data() + size, bytes.size() - size);
    if (got < 0 && errno == EINTR) {
      continue;
    }
    size += got > 0 ? static_cast<std::size_t>(got) : 0;
    if (size > max_size) {
      errno = EFBIG;
      return false;
    }
    if (got <= 0) {
      bytes.resize(size);
      return got == 0;
    }
  }
}

/// The system would take only what precedes a NUL as the name.
inline bool has_nul(const std::filesystem::path& path) { return path.native().find('\0') != std::string::npos; }

/// The bytes of a regular file. Throws Error: path and reason.
template <class Error>
std::string read(const std::filesystem::path& path, std::size_t max_size = max_file_size) {
  const auto fail = [&](const std::string& reason) {
    throw Error(fmt::format("cannot read {}: {}", path.string(), reason));
  };
  if (has_nul(path)) {
    fail("its name contains a NUL character");
  }
  // Without O_NONBLOCK, opening a pipe would block until another process writes to it.
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  struct stat info {};
  if (file.get() < 0 || ::fstat(file.get(), &info) != 0) {
    fail(std::strerror(errno));
  }
  if (!S_ISREG(info.st_mode)) {
    fail(S_ISDIR(info.st_mode) ? "it is a folder, not a file" : "it is not a regular file");
  }
  const auto size = static_cast<std::size_t>(info.st_size);
  if (size > max_size) {
    fail(fmt::format("it has {} bytes: must be at most {}", size, max_size));
  }
  std::string bytes(size + 1, '\0');  // one more, so that the end is detected without growing
  if (!read_all(file.get(), bytes, max_size)) {
    fail(std::strerror(errno));
  }
  return bytes;
}

inline constexpr std::string_view draft_start = ".stiction-";
inline constexpr std::string_view draft_end = ".part";
inline constexpr std::size_t draft_digits = 16;

/// Whether this is a name given by `Draft`.
inline bool names_draft(std::string_view name) {
  if (!name.starts_with(draft_start) || !name.ends_with(draft_end) ||
      name.size() != draft_start.size() + draft_digits + draft_end.size()) {
    return false;
  }
  return name.substr(draft_start.size(), draft_digits).find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

/// Removes drafts left in a folder by writers that were killed. A writer locks its draft, and the system releases the
/// lock when the process ends. On file systems without locks nothing is removed.
inline void remove_orphans(const std::filesystem::path& folder) {
  std::error_code error;
  const std::filesystem::path directory = folder.empty() ? "." : folder;
  for (std::filesystem::directory_iterator entry(directory, error), end; !error && entry != end;
       entry.increment(error)) {
    const std::filesystem::path& path = entry->path();
    if (!names_draft(path.filename().native())) {
      continue;
    }
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY));
    struct stat info {};
    if (file.get() >= 0 && ::fstat(file.get(), &info) == 0 && S_ISREG(info.st_mode) &&
        ::flock(file.get(), LOCK_EX | LOCK_NB) == 0) {
      ::unlink(path.c_str());
    }
  }
}

/// A new file with a unique name, removed unless it is given its final name.
class Draft {
 public:
  explicit Draft(const std::filesystem::path& folder) {
    remove_orphans(folder);
    // O_EXCL: neither an existing file nor the target of a link. EEXIST: the name is taken; try another.
    for (int attempt = 0; fd_ < 0 && attempt < 100; ++attempt) {
      std::uint64_t number = 0;
      if (::getentropy(&number, sizeof number) != 0) {
        return;
      }
      path_ = (folder / fmt::format("{}{:0{}x}{}", draft_start, number, draft_digits, draft_end)).native();
      fd_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
      if (fd_ < 0 && errno != EEXIST) {
        return;
      }
      if (fd_ >= 0 && !lock()) {
        ::close(fd_);
        ::unlink(path_.c_str());
        fd_ = -1;
        errno = EBUSY;
      }
    }
  }
  ~Draft() {
    if (fd_ >= 0) {
      ::close(fd_);
      if (!renamed_) {
        ::unlink(path_.c_str());
      }
    }
  }
  Draft(const Draft&) = delete;
  Draft& operator=(const Draft&) = delete;

  /// Each of these returns false if it fails; errno has the reason.
  [[nodiscard]] bool opened() const { return fd_ >= 0; }
  [[nodiscard]] bool write(std::string_view bytes) const { return write_all(fd_, bytes); }
  /// The file must be on the disk before it is renamed, or a system crash could leave a named file without content.
  [[nodiscard]] bool rename_to(const std::filesystem::path& path) {
    const bool synced = ::fsync(fd_) == 0 || errno == EINVAL;  // EINVAL: this file system has nothing to sync
    renamed_ = synced && ::rename(path_.c_str(), path.c_str()) == 0;
    return renamed_;
  }
  /// The permissions of the file that it replaces.
  void set_permissions(mode_t mode) const {
    [[maybe_unused]] const int refused = ::fchmod(fd_, mode & 0777U);  // some file systems have none
  }

 private:
  /// False if `remove_orphans` of another process was first: between opening and locking, this was an orphan.
  [[nodiscard]] bool lock() const {
    struct stat info {};
    return (::flock(fd_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) && ::fstat(fd_, &info) == 0 &&
           info.st_nlink > 0;
  }

  int fd_ = -1;
  bool renamed_ = false;
  std::string path_;
};

/// Writes the pieces one after the other. Replaces a file, or a link itself and not what it points to; refuses to
/// replace anything else, e.g. a device. Throws Error: path and reason.
template <class Error>
void write(const std::filesystem::path& path, std::span<const std::string_view> pieces) {
  const auto fail = [&](const char* reason) { throw Error(fmt::format("cannot write {}: {}", path.string(), reason)); };
  if (has_nul(path)) {
    fail("its name contains a NUL character");
  }
  struct stat old {};
  const bool replaces = ::lstat(path.c_str(), &old) == 0;
  if (replaces && !S_ISREG(old.st_mode) && !S_ISLNK(old.st_mode)) {
    fail(S_ISDIR(old.st_mode) ? std::strerror(EISDIR) : "it is not a regular file");
  }
  Draft draft(path.parent_path());
  if (!draft.opened()) {
    fail(std::strerror(errno));
  }
  for (const std::string_view piece : pieces) {
    if (!draft.write(piece)) {
      fail(std::strerror(errno));
    }
  }
  if (replaces && S_ISREG(old.st_mode)) {
    draft.set_permissions(old.st_mode);
  }
  if (!draft.rename_to(path)) {
    fail(std::strerror(errno));
  }
}

}  // namespace stiction::disk
