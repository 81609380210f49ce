// Words and numbers of a text file, with line numbers for messages. Used for all mesh formats.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>

#include "stiction/geometry/mesh.h"

namespace stiction::geometry {

inline constexpr std::array<const char*, 3> axis_names{"x", "y", "z"};
inline constexpr std::uint32_t max_index = 0xfffffffe;  // of a vertex

/// Part of a file as shown in a message: a few characters, without control characters.
inline std::string shown(std::string_view word) {
  std::string text(word.substr(0, 24));
  for (char& c : text) {
    c = c >= ' ' && c <= '~' ? c : '?';
  }
  return text + (word.size() > 24 ? "…" : "");
}

/// Whether a word is the keyword, in upper or lower case.
inline bool is_keyword(std::string_view word, std::string_view keyword) {
  return std::ranges::equal(word, keyword, [](unsigned char a, char b) { return std::tolower(a) == b; });
}

class Words {
 public:
  Words(std::string_view text, const std::string& name) : text_(text), name_(&name) {}

  /// The next word of this line; empty at its end.
  std::string_view next_in_line() {
    for (std::size_t blank = blank_length(); blank > 0; blank = blank_length()) {
      line_ += blank > 1 ? 1 : 0;
      at_ += blank;
    }
    const std::size_t from = at_;
    while (at_ < text_.size() && !is_space(text_[at_]) && blank_length() == 0) {
      ++at_;
    }
    return text_.substr(from, at_ - from);
  }
  /// The next word, on whichever line; empty at the end of the text.
  std::string_view next() {
    std::string_view word = next_in_line();
    while (word.empty() && next_line()) {
      word = next_in_line();
    }
    return word;
  }
  /// Moves to the start of the next line; false if there is none.
  bool next_line() {
    at_ = text_.find('\n', at_);
    at_ = at_ == std::string_view::npos ? text_.size() : at_ + 1;
    ++line_;
    return at_ < text_.size();
  }
  std::string_view rest_of_text() const { return text_.substr(at_); }

  /// A whole word as a number in the C locale; `nan` and `inf` are rejected.
  template <class Number>
  Number number(std::string_view word, const char* what) const {
    Number value{};
    const std::string_view digits = word.starts_with('+') ? word.substr(1) : word;
    const char* last = digits.data() + digits.size();
    const auto [end, error] = std::from_chars(digits.data(), last, value);
    bool good = error == std::errc() && end == last && !word.starts_with("+-");
    if constexpr (std::is_floating_point_v<Number>) {
      good = good && std::isfinite(value);
    }
    if (!good) {
      fail(fmt::format("{} = '{}': must be a finite {}", what, shown(word),
                       std::is_floating_point_v<Number> ? "number" : "whole number in range"));
    }
    return value;
  }
  [[noreturn]] void fail(const std::string& message) const {
    throw MeshError(fmt::format("{}:{}: {}", *name_, line_, message));
  }

 private:
  /// Length of a blank at the current position, or of a backslash with a line end, which joins two lines; 0 if there is
  /// none.
  [[nodiscard]] std::size_t blank_length() const {
    const std::string_view rest = text_.substr(at_, 3);
    if (rest.starts_with("\\\n")) {
      return 2;
    }
    if (rest == "\\\r\n") {
      return 3;
    }
    return !rest.empty() && is_space(rest[0]) && rest[0] != '\n' ? 1 : 0;
  }
  static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v'; }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
  const std::string* name_;
};

}  // namespace stiction::geometry
