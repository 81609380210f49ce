// Colours, only on terminals.
#pragma once

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace stiction::cli {

enum class Colour { plain = 0, bold = 1, red = 31, green = 32, yellow = 33 };

/// Whether colours may go there: a terminal that knows them, and no NO_COLOR in the environment (no-color.org).
inline bool has_colours(std::FILE* file) {
  const auto set = [](const char* name) {
    const char* const value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nothing here changes it
    return std::string_view(value == nullptr ? "" : value);
  };
  return ::isatty(::fileno(file)) != 0 && set("NO_COLOR").empty() && set("TERM") != "dumb";
}

inline std::string coloured(std::string_view text, Colour colour, std::FILE* file = stdout) {
  if (colour == Colour::plain || !has_colours(file)) {
    return std::string(text);
  }
  return "\033[" + std::to_string(static_cast<int>(colour)) + "m" + std::string(text) + "\033[0m";
}

}  // namespace stiction::cli
