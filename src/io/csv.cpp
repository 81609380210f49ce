#include "stiction/io/csv.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <iterator>
#include <limits>
#include <string_view>

#include "csv_cells.h"
#include "stiction/io/file.h"

namespace stiction::io {
namespace {

std::vector<std::string_view> split(std::string_view line) {
  std::vector<std::string_view> row;
  while (true) {
    const auto comma = line.find(',');
    row.push_back(cells::trimmed(line.substr(0, comma)));
    if (comma == std::string_view::npos) {
      return row;
    }
    line.remove_prefix(comma + 1);
  }
}

/// The first of them.
std::string shown_list(const std::vector<std::string>& names) {
  std::vector<std::string> safe(std::min<std::size_t>(names.size(), 30));
  std::transform(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(safe.size()), safe.begin(), cells::shown);
  return fmt::format("{}{}", fmt::join(safe, ", "), safe.size() < names.size() ? ", ..." : "");
}

constexpr std::size_t max_columns = 1000;

}  // namespace

const std::vector<double>& Csv::column(const std::string& name) const {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) {
    throw InputError(fmt::format("{}: has no column '{}'; it has: {}", file, cells::shown(name), shown_list(names)));
  }
  return columns[static_cast<std::size_t>(found - names.begin())];
}

std::string plain_name(std::string_view name) {
  std::string plain;
  for (const char c : name.substr(0, name.find_first_of("[("))) {
    const auto letter = static_cast<unsigned char>(c);
    if (std::isalnum(letter) != 0) {
      plain += static_cast<char>(std::tolower(letter));
    } else if (!plain.empty() && plain.back() != '_') {
      plain += '_';
    }
  }
  while (!plain.empty() && plain.back() == '_') {
    plain.pop_back();
  }
  return plain;
}

std::string find_column(const Csv& csv, const std::vector<std::string>& usual) {
  for (const std::string& name : usual) {
    for (const std::string& column : csv.names) {
      if (plain_name(column) == name) {
        return column;
      }
    }
  }
  return {};
}

std::vector<std::vector<double>> read_matrix(const std::filesystem::path& path) {
  const std::string text = read_text(path);
  std::vector<std::vector<double>> rows;
  std::string_view rest = text;
  for (long line_number = 1; !rest.empty(); ++line_number) {
    const auto end = rest.find('\n');
    const std::string_view line = cells::trimmed(rest.substr(0, end));
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    if (line.empty() || line.front() == '#') {
      continue;
    }
    std::vector<double> row;
    for (const std::string_view cell : split(line)) {
      double value = 0;
      const auto [stop, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
      if (error != std::errc{} || stop != cell.data() + cell.size() || !std::isfinite(value)) {
        throw InputError(fmt::format("{}:{}: '{}': must be a finite number", path.string(), line_number,
                                     cells::shown(std::string(cell))));
      }
      row.push_back(value);
    }
    if (!rows.empty() && row.size() != rows.front().size()) {
      throw InputError(fmt::format("{}:{}: row has {} numbers, the first has {}", path.string(), line_number,
                                   row.size(), rows.front().size()));
    }
    rows.push_back(std::move(row));
  }
  if (rows.empty()) {
    throw InputError(fmt::format("{}: has no numbers", path.string()));
  }
  return rows;
}

Csv read_csv(const std::filesystem::path& path, Missing missing) {
  const std::string text = read_text(path);
  Csv csv;
  csv.file = path.string();
  std::string_view rest = text;
  if (rest.starts_with("\xEF\xBB\xBF")) {
    rest.remove_prefix(3);  // a byte order mark, as written by spreadsheets
  }
  for (long line_number = 1; !rest.empty(); ++line_number) {
    const auto end = rest.find('\n');
    const std::string_view whole_line = rest.substr(0, end);
    const std::string_view line = cells::trimmed(whole_line);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    if (line.empty() || line.front() == '#') {
      continue;
    }
    const auto row = split(line);
    if (csv.names.empty()) {
      if (row.size() > max_columns) {
        throw InputError(fmt::format("{}:{}: header has {} columns: must be at most {}", csv.file, line_number,
                                     row.size(), max_columns));
      }
      for (const auto cell : row) {
        if (cell.empty() || std::find(csv.names.begin(), csv.names.end(), cell) != csv.names.end()) {
          throw InputError(fmt::format("{}:{}: header has an empty or repeated name '{}'", csv.file, line_number,
                                       cells::shown(cell)));
        }
        csv.names.emplace_back(cell);
      }
      csv.columns.resize(row.size());
      continue;
    }
    if (row.size() != csv.names.size()) {
      throw InputError(fmt::format("{}:{}: row has {} cells, the header has {}", csv.file, line_number, row.size(),
                                   csv.names.size()));
    }
    for (std::size_t i = 0; i < row.size(); ++i) {
      double value = 0;
      const auto cell = row[i].substr(row[i].starts_with('+') && !row[i].starts_with("+-") ? 1 : 0);
      const auto [stop, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
      const bool number = error == std::errc{} && stop == cell.data() + cell.size();
      const bool absent = missing == Missing::nan && (cell.empty() || (number && !std::isfinite(value)));
      if (absent) {
        value = std::numeric_limits<double>::quiet_NaN();
      } else if (!number || !std::isfinite(value)) {
        throw InputError(fmt::format("{}:{}:{}: {} = '{}': must be a finite number", csv.file, line_number,
                                     row[i].data() - whole_line.data() + 1, cells::shown(csv.names[i]),
                                     cells::shown(row[i])));
      }
      csv.columns[i].push_back(value);
    }
  }
  if (csv.names.empty() || csv.columns.front().empty()) {
    throw InputError(
        fmt::format("{}: has no rows; a header line and at least one row of numbers are needed", csv.file));
  }
  return csv;
}

std::string to_csv(const std::vector<std::string>& names, const std::vector<std::vector<double>>& columns) {
  std::string text = fmt::format("{}\n", fmt::join(names, ","));
  const std::size_t rows = columns.empty() ? 0 : columns.front().size();
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      fmt::format_to(std::back_inserter(text), "{}{:.12g}", i == 0 ? "" : ",", columns[i][row]);
    }
    text += '\n';
  }
  return text;
}

}  // namespace stiction::io
