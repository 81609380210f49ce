#include "toml_section.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "stiction/io/file.h"
#include "stiction/io/scenario.h"
#include "toml_check.h"

namespace stiction::io {
namespace {

constexpr std::size_t max_shown = 40;  // characters of a value

/// A value as the user may have written it, up to the length that is shown.
void show(const toml::node& node, std::string& text) {
  if (text.size() > max_shown) {
    return;
  }
  if (const auto* list = node.as_array()) {
    text += list->empty() ? "[]" : "[ ";
    for (std::size_t i = 0; i < list->size() && text.size() <= max_shown; ++i) {
      text += i > 0 ? ", " : "";
      show((*list)[i], text);
    }
    text += list->empty() ? "" : " ]";
  } else if (const auto* table = node.as_table()) {
    const bool braces = table->is_inline() || !text.empty();  // a [table] of the file has none
    text += table->empty() ? "{}" : braces ? "{ " : "";
    for (auto it = table->begin(); it != table->end() && text.size() <= max_shown; ++it) {
      text += it != table->begin() ? ", " : "";
      text += it->first.str();
      text += " = ";
      show(it->second, text);
    }
    text += braces && !table->empty() ? " }" : "";
  } else if (const auto* words = node.as_string()) {
    text += "'" + words->get() + "'";
  } else if (const auto* number = node.as_floating_point()) {
    text += fmt::format("{}", number->get());
  } else if (const auto* integer = node.as_integer()) {
    text += fmt::format("{}", integer->get());
  } else if (const auto* flag = node.as_boolean()) {
    text += flag->get() ? "true" : "false";
  } else {
    text += node.is_time() ? "a time" : "a date";
  }
}

/// On one line, at most 40 characters.
std::string shortened(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }, ' ');
  return text.size() > max_shown ? text.substr(0, max_shown) + "..." : text;
}

std::string shown(const toml::node& node) {
  std::string text;
  show(node, text);
  return shortened(std::move(text));
}

std::string location(const std::string& file, const toml::source_region& region) {
  return fmt::format("{}:{}:{}", file, region.begin.line, region.begin.column);
}

/// Levenshtein distance.
std::size_t distance(std::string_view a, std::string_view b) {
  constexpr std::size_t max_length = 64;  // longer words are not compared
  if (std::max(a.size(), b.size()) > max_length) {
    return std::max(a.size(), b.size());
  }
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0 : 1)});
      diagonal = above;
    }
  }
  return row.back();
}

std::string suggestion(std::string_view mistyped, const std::vector<std::string>& known) {
  const std::string near = closest(mistyped, known);
  return near.empty() ? "" : fmt::format("; did you mean '{}'?", near);
}

}  // namespace

std::string closest(std::string_view mistyped, const std::vector<std::string>& known) {
  const auto nearest = std::min_element(known.begin(), known.end(), [&](const auto& a, const auto& b) {
    return distance(mistyped, a) < distance(mistyped, b);
  });
  if (nearest == known.end() || distance(mistyped, *nearest) > std::max<std::size_t>(2, mistyped.size() / 3)) {
    return {};
  }
  return *nearest;
}

TomlSection::TomlSection(const toml::table& table, std::string path, std::string file)
    : table_(table), path_(std::move(path)), file_(std::move(file)) {}

const toml::node* TomlSection::node(const std::string& key) {
  asked_.push_back(key);
  return table_.get(key);
}

const toml::node& TomlSection::required_node(const std::string& key, const std::string& allowed) {
  if (const toml::node* found = node(key)) {
    return *found;
  }
  const std::size_t slips = key.size() < 2 ? 0 : (key.size() < 4 ? 1 : 2);  // typing errors that are recognised
  for (const auto& [other, value] : table_) {
    const bool unread = std::find(asked_.begin(), asked_.end(), other.str()) == asked_.end();
    if (unread && distance(key, other.str()) <= slips) {
      reject_unknown(other, value, fmt::format("; did you mean '{}'?", key));
    }
  }
  fail(fmt::format("'{}' is missing: must be {}", full(key), allowed));
}

double TomlSection::number(const std::string& key, const Range& range, std::optional<double> fallback) {
  if (!has(key) && fallback) {
    asked_.push_back(key);
    return *fallback;
  }
  const toml::node& found = required_node(key, fmt::format("a number {}", range.text));
  const auto value = found.value<double>();
  if (!found.is_number() || !value || !range.holds(*value)) {
    reject(key, found.is_number() ? range.text : fmt::format("a number {}", range.text));
  }
  return *value;
}

std::int64_t TomlSection::count(const std::string& key, const Range& range, std::optional<std::int64_t> fallback) {
  if (!has(key) && fallback) {
    asked_.push_back(key);
    return *fallback;
  }
  const toml::node& found = required_node(key, range.text);
  const auto value = found.value<double>();
  if (!found.is_number() || !value || !range.holds(*value) || *value != std::floor(*value)) {
    reject(key, range.text);
  }
  return static_cast<std::int64_t>(*value);
}

bool TomlSection::flag(const std::string& key, bool fallback) {
  const toml::node* found = node(key);
  if (found != nullptr && !found->is_boolean()) {
    reject(key, "true or false");
  }
  return found == nullptr ? fallback : **found->as_boolean();
}

std::string TomlSection::text(const std::string& key, std::optional<std::string> fallback) {
  if (!has(key) && fallback) {
    asked_.push_back(key);
    return *fallback;
  }
  const toml::node& found = required_node(key, "a text in quotes");
  if (!found.is_string()) {
    reject(key, "a text in quotes");
  }
  return **found.as_string();
}

std::string TomlSection::choice(const std::string& key, const std::vector<std::string>& names,
                                std::optional<std::string> fallback) {
  if (!fallback) {
    required_node(key, fmt::format("one of {}", fmt::join(names, ", ")));
  }
  std::string value = text(key, std::move(fallback));
  if (std::find(names.begin(), names.end(), value) == names.end()) {
    reject(key, fmt::format("one of {}{}", fmt::join(names, ", "), suggestion(value, names)));
  }
  return value;
}

std::vector<double> TomlSection::numbers(const std::string& key, const Range& range) {
  const std::string allowed = fmt::format("a list of numbers, each {}", range.text);
  const toml::node& found = required_node(key, allowed);
  const toml::array* list = found.as_array();
  if (list == nullptr || list->empty()) {
    reject(key, allowed);
  }
  std::vector<double> values;
  for (const toml::node& element : *list) {
    const auto value = element.value<double>();
    if (!element.is_number() || !value || !range.holds(*value)) {
      reject(element, key, allowed);
    }
    values.push_back(*value);
  }
  return values;
}

std::vector<std::string> TomlSection::choices(const std::string& key, const std::vector<std::string>& names) {
  const toml::node* found = node(key);
  std::vector<std::string> values;
  if (found == nullptr) {
    return values;
  }
  const toml::array* list = found->as_array();
  if (list == nullptr || !list->is_homogeneous<std::string>()) {
    reject(key, fmt::format("a list of texts in quotes, each one of {}", fmt::join(names, ", ")));
  }
  list->for_each([&](const toml::value<std::string>& value) {
    if (std::find(names.begin(), names.end(), *value) == names.end()) {
      reject(value, key, fmt::format("one of {}{}", fmt::join(names, ", "), suggestion(*value, names)));
    }
    if (std::find(values.begin(), values.end(), *value) != values.end()) {
      reject(value, key, "named once");
    }
    values.push_back(*value);
  });
  return values;
}

TomlSection TomlSection::section(const std::string& key) {
  const toml::node& found = required_node(key, fmt::format("a table [{}]", full(key)));
  if (!found.is_table()) {
    reject(key, fmt::format("a table [{}]", full(key)));
  }
  return {*found.as_table(), full(key), file_};
}

void TomlSection::finish() const {
  for (const auto& [key, value] : table_) {
    if (std::find(asked_.begin(), asked_.end(), key.str()) == asked_.end()) {
      reject_unknown(key, value, suggestion(key.str(), asked_));
    }
  }
}

void TomlSection::reject_unknown(const toml::key& key, const toml::node& value, const std::string& suggested) const {
  throw InputError(fmt::format("{}: unknown key '{}' ({}){}", location(file_, key.source()),
                               full(shortened(std::string(key.str()))), shown(value), suggested));
}

void TomlSection::reject(const std::string& key, const std::string& allowed) const {
  reject(*table_.get(key), key, allowed);
}

void TomlSection::reject(const toml::node& where, const std::string& key, const std::string& allowed) const {
  throw InputError(
      fmt::format("{}: {} = {}: must be {}", location(file_, where.source()), full(key), shown(where), allowed));
}

void TomlSection::fail(const std::string& message) const {
  throw InputError(fmt::format("{}: {}", location(file_, table_.source()), message));
}

toml::table parse_toml(std::string_view text, const std::string& file) {
  check_toml(text, file);
  try {
    return toml::parse(text);
  } catch (const toml::parse_error& error) {
    std::string description(error.description());  // it may quote the end of a line
    std::replace_if(
        description.begin(), description.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }, ' ');
    throw InputError(fmt::format("{}: not valid TOML: {}", location(file, error.source()), description));
  }
}

}  // namespace stiction::io
