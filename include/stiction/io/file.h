// Text files in and out: a reader whose errors name the file, and a writer that never leaves half a file behind.
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>

#include "stiction/problem.h"

namespace stiction::io {

/// The text with '?' for every control character: whatever a file or its name has, it is one line, and no terminal
/// obeys it.
inline std::string one_line(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }, '?');
  return text;
}

/// Something about a user's file or input that cannot be used. The message is one line and says what is allowed.
class InputError : public Error {
 public:
  explicit InputError(const std::string& message) : Error(one_line(message)) {}
};

/// The file system said no: message with path and reason.
class FileError : public Error {
 public:
  explicit FileError(const std::string& message) : Error(one_line(message)) {}
};

/// The whole of a regular file of at most 4 GiB, or InputError: a device or a pipe would have no end.
std::string read_text(const std::filesystem::path& path);

/// Old file or new one, whole, whatever happens to the writer; other writers do no harm; no link is followed.
/// FileError.
void write_text(const std::filesystem::path& path, std::string_view text);

/// Creates a folder and its parents, or FileError.
void make_folder(const std::filesystem::path& path);

}  // namespace stiction::io
