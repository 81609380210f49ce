// Text files in and out: a reader whose errors name the file, and a writer that never leaves half a file behind.
#pragma once

#include <algorithm>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>

namespace stiction::io {

/// The text with '?' for every control character: whatever a file or its name has, it is one line, and no terminal
/// obeys it.
inline std::string one_line(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }, '?');
  return text;
}

/// Something about a user's file or input that cannot be used. The message is one line and says what is allowed.
class InputError : public std::runtime_error {
 public:
  explicit InputError(const std::string& message) : std::runtime_error(one_line(message)) {}
};

/// The file system said no: message with path and reason.
class FileError : public std::runtime_error {
 public:
  explicit FileError(const std::string& message) : std::runtime_error(one_line(message)) {}
};

/// The whole of a regular file of at most 4 GiB, or InputError: a device or a pipe would have no end.
std::string read_text(const std::filesystem::path& path);

/// Writes beside `path` under a name of its own, then renames: a reader sees the old file or the new one, also after a
/// crash, on a full disk, or with other writers at the same time. A link is replaced, not followed. FileError.
void write_text(const std::filesystem::path& path, std::string_view text);

/// Creates a folder and its parents, or FileError.
void make_folder(const std::filesystem::path& path);

}  // namespace stiction::io
