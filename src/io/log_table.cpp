#include "stiction/io/log_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>

#include "csv_dialect.h"
#include "mat_file.h"
#include "stiction/io/file.h"

namespace stiction::io {
namespace {

constexpr std::size_t sample_lines = 400;
constexpr std::size_t sample_size = 262'144;  // characters
constexpr std::size_t max_line = 1'048'576;   // characters of a line in the sample
constexpr std::size_t spoilt_share = 100;     // one row in so many may be unreadable

/// Rows that cannot be read: a few are left out, many are a fault of the whole file.
class Spoilt {
 public:
  void add(const std::string& complaint) {
    if (count_++ == 0) {
      first_ = complaint;
    }
  }
  void settle(std::size_t rows, std::vector<std::string>& notes) const {
    if (count_ > rows / spoilt_share) {
      throw InputError(first_);
    }
    if (count_ > 0) {
      notes.push_back(fmt::format("{} cells or rows that cannot be read left out; the first: {}", count_, first_));
    }
  }

 private:
  std::size_t count_ = 0;
  std::string first_;
};

/// The text without the mark of its encoding. Throws InputError where the encoding is not UTF-8 or an older one.
std::string_view body_of(const std::string& text, const std::string& file) {
  std::string_view rest = text;
  if (rest.starts_with("\xFF\xFE") || rest.starts_with("\xFE\xFF")) {
    throw InputError(fmt::format("{}: is UTF-16 text: save it as UTF-8", file));
  }
  if (rest.starts_with("\xEF\xBB\xBF")) {
    rest.remove_prefix(3);  // a byte order mark, as written by spreadsheets
  }
  if (rest.substr(0, sample_size).find('\0') != std::string_view::npos) {
    throw InputError(fmt::format("{}: is not text: a log is CSV or MATLAB's .mat", file));
  }
  return rest;
}

std::vector<cells::Line> first_lines(std::string_view text, char end, const std::string& file) {
  std::vector<cells::Line> lines;
  long number = 0;
  std::size_t size = 0;
  while (!text.empty() && lines.size() < sample_lines && size < sample_size) {
    lines.push_back(cells::next_line(text, number, end));
    size += lines.back().text.size();
    if (lines.back().text.size() > max_line) {
      throw InputError(fmt::format("{}:{}: line has {} characters: must be at most {}", file, number,
                                   lines.back().text.size(), max_line));
    }
  }
  return lines;
}

std::string described(const cells::Layout& layout) {
  const char separator = layout.dialect.separator;
  const char* name = separator == ' ' ? "blanks" : separator == '\t' ? "tabs" : separator == ';' ? "';'" : "','";
  return fmt::format("{} columns, {} between cells, {}{}", layout.width, name,
                     layout.dialect.decimal == ',' ? "decimal comma, " : "", layout.header);
}

/// Reads the rows below the header into columns.
class RowReader {
 public:
  RowReader(cells::Layout& layout, Csv& csv) : layout_(layout), csv_(csv) { csv_.columns.resize(layout.width); }

  void read(const cells::Line& line, bool last) {
    cells::split(line.text, layout_.dialect.separator, row_);
    ++rows_;
    const std::size_t count = row_.size();
    const bool one_more = count == layout_.width + 1 && row_.back().empty();
    if (!one_more && (count > layout_.width || count < layout_.min_width)) {
      if (last && count < layout_.width) {
        incomplete_ = true;
        return;
      }
      spoilt_.add(
          fmt::format("{}:{}: row has {} cells, the header has {}", csv_.file, line.number, count, layout_.width));
      return;
    }
    for (std::size_t i = 0; i < layout_.width; ++i) {
      csv_.columns[i].push_back(i < count && !layout_.text[i] ? value_of(row_[i], line, i)
                                                              : std::numeric_limits<double>::quiet_NaN());
    }
  }

  void finish(std::vector<std::string>& notes) const {
    spoilt_.settle(rows_, notes);
    if (incomplete_) {
      notes.emplace_back("the last row is incomplete and left out");
    }
  }

 private:
  double value_of(std::string_view text, const cells::Line& line, std::size_t column) {
    cells::Cell cell = cells::read(text, layout_.dialect.decimal);
    if (cell.kind == cells::Kind::text && !layout_.decimal_is_sure && layout_.dialect.separator != ',') {
      // So far there were integers only: the first number with decimals says how they are written.
      const char other = layout_.dialect.decimal == '.' ? ',' : '.';
      const cells::Cell again = cells::read(text, other);
      if (again.kind == cells::Kind::number) {
        layout_.dialect.decimal = other;
        layout_.decimal_is_sure = true;
        cell = again;
      }
    } else if (cell.kind == cells::Kind::number && !layout_.decimal_is_sure) {
      layout_.decimal_is_sure = text.find(layout_.dialect.decimal) != std::string_view::npos;
    }
    if (cell.kind == cells::Kind::text) {
      spoilt_.add(fmt::format("{}:{}:{}: {} = '{}': must be a finite number", csv_.file, line.number,
                              text.data() - line.text.data() + 1, cells::shown(layout_.names[column]),
                              cells::shown(text)));
      return std::numeric_limits<double>::quiet_NaN();
    }
    return cell.value;
  }

  cells::Layout& layout_;
  Csv& csv_;
  std::vector<std::string_view> row_;
  Spoilt spoilt_;
  std::size_t rows_ = 0;
  bool incomplete_ = false;
};

/// Takes out columns of words, and those that are empty and have no name.
void drop_columns(const cells::Layout& layout, LogTable& table) {
  Csv kept;
  kept.file = table.csv.file;
  std::vector<std::string> units;
  std::vector<std::string> words;
  for (std::size_t i = 0; i < layout.width; ++i) {
    if (layout.text[i]) {
      words.push_back(cells::shown(layout.names[i]));
      continue;
    }
    auto& column = table.csv.columns[i];
    const bool empty = std::all_of(column.begin(), column.end(), [](double x) { return std::isnan(x); });
    if (empty && layout.names[i].starts_with("column ")) {
      continue;
    }
    kept.names.push_back(layout.names[i]);
    kept.columns.push_back(std::move(column));
    if (!layout.units.empty()) {
      units.push_back(layout.units[i]);
    }
  }
  if (!words.empty()) {
    table.notes.push_back(fmt::format("columns of words, not used: {}", fmt::join(words, ", ")));
  }
  table.csv = std::move(kept);
  table.units = std::move(units);
}

}  // namespace

LogTable read_log_table(const std::filesystem::path& path) {
  LogTable table;
  table.csv.file = path.string();
  const std::string text = read_text(path);
  if (is_mat_file(text)) {
    return read_mat_file(path, text);
  }
  std::string_view rest = body_of(text, table.csv.file);
  const char end = rest.substr(0, sample_size).find('\n') == std::string_view::npos ? '\r' : '\n';
  cells::Layout layout = cells::layout_of(first_lines(rest, end, table.csv.file), table.csv.file);
  RowReader reader(layout, table.csv);
  for (long number = 0; !rest.empty();) {
    const cells::Line line = cells::next_line(rest, number, end);
    if (number >= layout.first_row && !cells::comment(line.text) && !cells::trimmed(line.text).empty()) {
      reader.read(line, rest.empty());
    }
  }
  table.notes.push_back("taken as: " + described(layout));
  reader.finish(table.notes);
  drop_columns(layout, table);
  if (table.csv.columns.empty() || table.csv.columns.front().empty()) {
    throw InputError(
        fmt::format("{}: has no rows; a header line and at least one row of numbers are needed", table.csv.file));
  }
  return table;
}

}  // namespace stiction::io
