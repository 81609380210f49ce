// One table of a TOML file, read key by key. Errors are reported with location, value and what is allowed;
// unknown keys with the one that was probably meant.
#pragma once

#define TOML_ENABLE_FORMATTERS 0  // those of 3.3 have undefined behaviour for small and for very large numbers
#include <toml++/toml.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "stiction/export.h"
#include "stiction/problem.h"

namespace stiction::io {

class STICTION_EXPORT TomlSection {  // also for stiction_haptic_io
 public:
  /// `path` is the name of this table in messages, e.g. "load.spring"; empty for the whole file.
  TomlSection(const toml::table& table, std::string path, std::string file);

  [[nodiscard]] bool has(const std::string& key) const { return table_.contains(key); }

  double number(const std::string& key, const Range& range, std::optional<double> fallback = {});
  /// A whole number; the text of the range must say so.
  std::int64_t count(const std::string& key, const Range& range, std::optional<std::int64_t> fallback = {});
  bool flag(const std::string& key, bool fallback);
  std::string text(const std::string& key, std::optional<std::string> fallback = {});
  /// One of the names; the message lists them and suggests the closest.
  std::string choice(const std::string& key, const std::vector<std::string>& names,
                     std::optional<std::string> fallback = {});
  std::vector<double> numbers(const std::string& key, const Range& range = finite);
  /// A list of some of the names; empty if the key is missing.
  std::vector<std::string> choices(const std::string& key, const std::vector<std::string>& names);
  /// The value behind a key that may hold several types, or nullptr.
  const toml::node* node(const std::string& key);
  /// The same for a required key. A mistyped key in its place is reported as such.
  const toml::node& required_node(const std::string& key, const std::string& allowed);
  TomlSection section(const std::string& key);

  /// Call last: every key that was not read is an error.
  void finish() const;

  /// Throws InputError "file:line:column: path.key = value: must be <allowed>".
  [[noreturn]] void reject(const std::string& key, const std::string& allowed) const;
  /// The same for a value inside a key, e.g. an element of an array.
  [[noreturn]] void reject(const toml::node& where, const std::string& key, const std::string& allowed) const;
  /// Throws InputError "file:line:column: <message>" at the start of this table.
  [[noreturn]] void fail(const std::string& message) const;

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] const std::string& file() const { return file_; }

 private:
  [[nodiscard]] std::string full(const std::string& key) const { return path_.empty() ? key : path_ + "." + key; }
  [[noreturn]] void reject_unknown(const toml::key& key, const toml::node& value, const std::string& suggested) const;

  const toml::table& table_;
  std::string path_;
  std::string file_;
  std::vector<std::string> asked_;
};

/// The text as a table, or InputError; `file` is its name in messages.
toml::table parse_toml(std::string_view text, const std::string& file);

}  // namespace stiction::io
