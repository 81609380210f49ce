#include "csv_cells.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <chrono>
#include <cmath>

#include "stiction/io/file.h"

namespace stiction::io::cells {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// The text in lower case equals one of the usual ways to say that there is no number.
bool says_missing(std::string_view text) {
  constexpr auto words =
      std::to_array<std::string_view>({"", "-", "--", "nan", "+nan", "-nan", "na", "n/a", "null", "none", "#n/a", "#nv",
                                       "inf", "+inf", "-inf", "infinity", "-infinity", "nan(ind)", "-nan(ind)"});
  if (text.size() > 10) {
    return false;
  }
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return std::find(words.begin(), words.end(), lower) != words.end();
}

std::optional<double> number(std::string_view text) {
  if (text.starts_with('+') && text.size() > 1 && text[1] != '-' && text[1] != '+') {
    text.remove_prefix(1);
  }
  double value = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc{} && stop == text.data() + text.size();
  return whole && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

/// The number with this many digits at the front, which is taken off.
std::optional<int> digits(std::string_view& text, std::size_t count) {
  if (text.size() < count || !std::all_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(count), is_digit)) {
    return std::nullopt;
  }
  int value = 0;
  for (std::size_t k = 0; k < count; ++k) {
    value = 10 * value + (text[k] - '0');
  }
  text.remove_prefix(count);
  return value;
}

bool take(std::string_view& text, std::string_view any_of) {
  if (text.empty() || any_of.find(text.front()) == std::string_view::npos) {
    return false;
  }
  text.remove_prefix(1);
  return true;
}

/// hh:mm:ss with decimals, after a date yyyy-mm-dd or without, in seconds; with a date since 1970. Zones are not read.
std::optional<double> clock_time(std::string_view text) {
  double date = 0;
  if (text.size() >= 19 && (text[4] == '-' || text[4] == '/')) {
    const auto year = digits(text, 4);
    const bool first = take(text, "-/");
    const auto month = digits(text, 2);
    const bool second = take(text, "-/");
    const auto day = digits(text, 2);
    if (!year || !first || !month || !second || !day || !take(text, "T ")) {
      return std::nullopt;
    }
    const std::chrono::year_month_day when{std::chrono::year(*year), std::chrono::month(static_cast<unsigned>(*month)),
                                           std::chrono::day(static_cast<unsigned>(*day))};
    if (!when.ok()) {
      return std::nullopt;
    }
    date = 86400.0 * static_cast<double>(std::chrono::sys_days(when).time_since_epoch().count());
  }
  const auto hour = digits(text, 2);
  const bool first = take(text, ":");
  const auto minute = digits(text, 2);
  const bool second = take(text, ":");
  if (!hour || !first || !minute || !second || *hour > 23 || *minute > 59 || text.size() < 2 || !is_digit(text[0])) {
    return std::nullopt;
  }
  if (text.back() == 'Z') {
    text.remove_suffix(1);
  }
  std::string seconds(text);
  std::replace(seconds.begin(), seconds.end(), ',', '.');
  const auto rest = number(seconds);
  return rest && *rest >= 0 && *rest < 61 ? std::optional(date + 3600.0 * *hour + 60.0 * *minute + *rest)
                                          : std::nullopt;
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) {
    return text.substr(0, 0);  // empty, but still at its position in the line
  }
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

std::string shown(std::string_view text) {
  return one_line(std::string(text.substr(0, 40))) + (text.size() > 40 ? "..." : "");
}

void split(std::string_view line, char separator, std::vector<std::string_view>& cells) {
  cells.clear();
  const bool blanks = separator == ' ';
  if (blanks) {
    line = trimmed(line);
  }
  while (true) {
    const auto start = line.find_first_not_of(separator == '\t' ? " " : " \t");
    const auto quote =
        start != std::string_view::npos && line[start] == '"' ? line.find('"', start + 1) : std::string_view::npos;
    const std::size_t from = quote == std::string_view::npos ? 0 : quote + 1;
    const auto end = blanks ? line.find_first_of(" \t", from) : line.find(separator, from);
    std::string_view cell = trimmed(line.substr(0, end));
    if (cell.size() >= 2 && cell.front() == '"' && cell.back() == '"') {
      cell = trimmed(cell.substr(1, cell.size() - 2));
    }
    cells.push_back(cell);
    if (end == std::string_view::npos) {
      return;
    }
    line.remove_prefix(blanks ? line.find_first_not_of(" \t", end) : end + 1);
  }
}

Cell read(std::string_view text, char decimal) {
  if (decimal == ',') {
    const auto comma = text.find(',');
    if (text.find('.') != std::string_view::npos) {
      return {};  // a point would be of thousands, or this is a number of another dialect
    }
    if (comma != std::string_view::npos) {
      // A digit on both sides: a comma behind a number separates cells.
      if (comma == 0 || comma + 1 == text.size() || !is_digit(text[comma - 1]) || !is_digit(text[comma + 1]) ||
          text.size() > 60) {
        return {};
      }
      std::array<char, 64> copy{};
      std::copy(text.begin(), text.end(), copy.begin());
      copy[comma] = '.';
      const auto value = number({copy.data(), text.size()});
      return value ? Cell{Kind::number, *value} : Cell{};
    }
  }
  if (const auto value = number(text)) {
    return {Kind::number, *value};
  }
  if (says_missing(text)) {
    return {Kind::missing, std::nan("")};
  }
  if (const auto value = clock_time(text)) {
    return {Kind::number, *value};
  }
  return {};
}

std::optional<std::string_view> comment(std::string_view line) {
  line = trimmed(line);
  if (line.starts_with("//")) {
    return trimmed(line.substr(2));
  }
  if (line.starts_with('#') || line.starts_with('%')) {
    return trimmed(line.substr(1));
  }
  return std::nullopt;
}

Line next_line(std::string_view& rest, long& number, char end) {
  const auto stop = rest.find(end);
  std::string_view line = rest.substr(0, stop);
  rest.remove_prefix(stop == std::string_view::npos ? rest.size() : stop + 1);
  if (line.ends_with('\r')) {
    line.remove_suffix(1);
  }
  return {++number, line};
}

}  // namespace stiction::io::cells
