#include "toml_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "stiction/io/file.h"

namespace stiction::io {
namespace {

constexpr std::size_t max_size = std::size_t{16} << 20U;  // [bytes]
constexpr std::size_t max_depth = 32;                     // brackets in brackets
constexpr std::size_t max_parts = 16;                     // of a dotted key
constexpr std::size_t max_keys = 20'000;                  // the library takes quadratic time

bool is_key_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

/// Scans the text once, token by token.
class Scan {
 public:
  Scan(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  void run() {
    if (text_.size() > max_size) {
      throw InputError(fmt::format("{}: has {} bytes: must have at most {}", file_, text_.size(), max_size));
    }
    at_ = text_.starts_with("\xEF\xBB\xBF") ? 3 : 0;  // a byte order mark
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '#') {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (c == '"' || c == '\'') {
        skip_string(c);
      } else {
        take(c);
        if (c == '\n' && in_header_) {
          return;  // a [name that is not closed: the library stops there with an error
        }
        ++at_;
      }
    }
  }

 private:
  /// A character outside quotes and comments.
  void take(char c) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x80 || byte == 0x7f || (byte < 0x20 && c != '\t' && c != '\n' && c != '\r')) {
      fail(fmt::format("byte 0x{:02x}: must be inside quotes or a comment", byte));
    }
    if (c == '[' || c == '{') {
      if (word_ != '\0') {
        fail(fmt::format("'{}' must stand apart", c));
      }
      if (c == '[' && open_.empty() && starts_line()) {
        check_header();
      }
      open_.push_back(c);
      if (open_.size() > max_depth) {
        fail(fmt::format("brackets are nested more than {} deep", max_depth));
      }
    } else if (c == ']' || c == '}') {
      if (open_.empty() || open_.back() != (c == ']' ? '[' : '{')) {
        fail(fmt::format("'{}' closes nothing", c));
      }
      open_.pop_back();
      in_header_ = in_header_ && !open_.empty();
    } else if (c == '=') {
      if (has_value_ || (!open_.empty() && open_.back() == '[')) {
        fail("'=' must stand between a key and its value");
      }
      count_key();
    }
    has_value_ = c == '=' || (has_value_ && c != ',' && c != '{' && c != '\n');
    check_word(c);
    // Counts dots between keys: any character that cannot be part of a key resets the count.
    if (c == '.') {
      ++parts_;
      if (parts_ > max_parts) {
        fail(fmt::format("a key has more than {} parts", max_parts));
      }
    } else if (!is_key_character(c) && c != ' ' && c != '\t') {
      parts_ = 1;
    }
  }

  /// The library fails on a date followed by an incomplete time, and no file of ours has dates.
  void check_word(char c) {
    if (std::string_view(" \t\r\n=,[]{}").find(c) != std::string_view::npos) {
      word_ = '\0';
    } else if (word_ == '\0') {
      word_ = c;
    } else if (c == '-' && word_ >= '0' && word_ <= '9' && text_[at_ - 1] != 'e' && text_[at_ - 1] != 'E') {
      fail("'-' must be the sign of a number; dates are not used");
    }
  }

  void count_key() {
    ++keys_;
    if (keys_ > max_keys) {
      fail(fmt::format("has more than {} keys and tables", max_keys));
    }
  }

  [[nodiscard]] bool starts_line() const {
    const std::size_t before = at_ == 0 ? std::string_view::npos : text_.find_last_not_of(" \t", at_ - 1);
    return before == std::string_view::npos || text_[before] == '\n' || text_[before] == '\xBF';
  }

  /// [name] or [[name]]
  void check_header() {
    count_key();
    in_header_ = true;
    std::size_t name = at_ + 1;
    name += name < text_.size() && text_[name] == '[' ? 1 : 0;
    name = text_.find_first_not_of(" \t", name);
    if (name == std::string_view::npos ||
        !(is_key_character(text_[name]) || text_[name] == '"' || text_[name] == '\'')) {
      fail("a table must have a name: letters, digits, '_' and '-', or a text in quotes");
    }
  }

  void skip_string(char quote) {
    // The library takes a quote or a bracket inside a number as part of it, including what is in the quotes.
    if (at_ > 0 && std::string_view(" \t\r\n=[{,\xBF").find(text_[at_ - 1]) == std::string_view::npos) {
      fail("a text in quotes must stand apart");
    }
    const std::string_view rest = text_.substr(at_);
    const bool many_lines = rest.size() > 2 && rest[1] == quote && rest[2] == quote;
    at_ += many_lines ? 3 : 1;
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '\\' && quote == '"') {
        ++at_;
        if (at_ < text_.size() && (static_cast<unsigned char>(text_[at_]) & 0x80U) != 0) {
          fail("a backslash must be followed by one of b t n f r \" \\ u U");
        }
      } else if (!many_lines && c == '\n') {
        return;  // the library reports it
      } else if (many_lines && (static_cast<unsigned char>(c) & 0x80U) != 0) {
        fail("a text of several lines must be ASCII");
      } else if (c == quote) {
        const std::size_t end = std::min(text_.find_first_not_of(quote, at_), text_.size());
        if (!many_lines) {
          ++at_;
          return;
        }
        if (end - at_ >= 3) {
          at_ += std::min<std::size_t>(end - at_, 5);  // up to two quotes more belong to the text
          return;
        }
        at_ = end - 1;
      }
    }
  }

  [[noreturn]] void fail(const std::string& message) const {
    const std::string_view before = text_.substr(0, std::min(at_, text_.size()));
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    const std::size_t start = before.rfind('\n') + 1;  // npos + 1 = 0
    const auto column = 1 + std::count_if(before.begin() + static_cast<std::ptrdiff_t>(start), before.end(),
                                          [](unsigned char c) { return (c & 0xC0U) != 0x80U; });
    throw InputError(fmt::format("{}:{}:{}: not valid TOML: {}", file_, line, column, message));
  }

  std::string_view text_;
  const std::string& file_;
  std::size_t at_ = 0;
  std::size_t parts_ = 1, keys_ = 0;
  std::vector<char> open_;
  bool in_header_ = false;
  bool has_value_ = false;  // the key that was read last
  char word_ = '\0';        // first character of the current word
};

}  // namespace

void check_toml(std::string_view text, const std::string& file) { Scan(text, file).run(); }

}  // namespace stiction::io
