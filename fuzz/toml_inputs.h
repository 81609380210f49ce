// For targets that read TOML. Files that an input names are looked for in the working folder, which is fuzz/files.
#pragma once

#include <cctype>

#include "fuzz/support.h"

namespace stiction::fuzz {

/// Whether a key `cells`, `resolution` or the like has a value of three characters or more. A patch may have
/// 1000 × 1000 cells, which is right but takes seconds: of no use for finding faults.
inline bool large_count(std::string_view text, std::string_view key) {
  for (std::size_t at = text.find(key); at != std::string_view::npos; at = text.find(key, at + 1)) {
    const std::size_t first = text.find_first_of("0123456789", at);
    if (first != std::string_view::npos && text.find_first_not_of("0123456789_.eE+xXob", first) - first > 2) {
      return true;
    }
  }
  return false;
}

}  // namespace stiction::fuzz
