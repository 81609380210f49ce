// Text files: a reader whose errors name the file, and a writer that never leaves a partial file behind.
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>

#include "stiction/export.h"
#include "stiction/problem.h"

namespace stiction::io {

/// The text with '?' for every control character: it stays on one line, and no content or name of a file can send
/// escape sequences to a terminal.
inline std::string one_line(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }, '?');
  return text;
}

/// A user's file or input is invalid. The message is one line and says what is allowed.
class STICTION_EXPORT InputError : public Error {
 public:
  explicit InputError(const std::string& message) : Error(one_line(message)) {}
};

/// A file-system operation failed; the message has path and reason.
class STICTION_EXPORT FileError : public Error {
 public:
  explicit FileError(const std::string& message) : Error(one_line(message)) {}
};

/// The contents of a regular file of at most 4 GiB. Throws InputError, also for devices and pipes, which may never end.
STICTION_EXPORT std::string read_text(const std::filesystem::path& path);

/// Atomic: the file is either the old or the new one, complete, whatever happens to the writer. Concurrent writers are
/// safe; links are not followed. Throws FileError.
STICTION_EXPORT void write_text(const std::filesystem::path& path, std::string_view text);

/// Creates a folder and its parents. Throws FileError.
STICTION_EXPORT void make_folder(const std::filesystem::path& path);

}  // namespace stiction::io
