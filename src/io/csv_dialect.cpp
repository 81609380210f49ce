#include "csv_dialect.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "stiction/io/file.h"

namespace stiction::io::cells {
namespace {

constexpr std::size_t max_columns = 1000;

using Cells = std::vector<std::string_view>;

/// The rows of the sample as one dialect would have them.
struct Sample {
  Dialect dialect;
  std::vector<Cells> rows;
  std::vector<bool> data;       // more than half of the cells are numbers or say that there is none
  std::size_t width = 0;        // the most frequent one of such rows
  std::size_t number_size = 0;  // characters in numbers
};

bool is_data(const Cells& row, char decimal) {
  std::size_t numbers = 0;
  std::size_t usable = 0;
  for (const auto cell : row) {
    const auto kind = read(cell, decimal).kind;
    numbers += kind == Kind::number ? 1 : 0;
    usable += kind != Kind::text ? 1 : 0;
  }
  return numbers > 0 && 2 * usable > row.size();
}

Sample sample_as(const std::vector<Line>& lines, Dialect dialect) {
  Sample sample{dialect, {}, {}};
  std::map<std::size_t, std::size_t> widths;
  for (const Line& line : lines) {
    sample.rows.emplace_back();
    split(line.text, dialect.separator, sample.rows.back());
    const Cells& row = sample.rows.back();
    sample.data.push_back(is_data(row, dialect.decimal));
    if (!sample.data.back()) {
      continue;
    }
    const std::size_t count = ++widths[row.size()];
    if (sample.width == 0 || count > widths[sample.width]) {
      sample.width = row.size();
    }
    for (const auto cell : row) {
      sample.number_size += read(cell, dialect.decimal).kind == Kind::number ? cell.size() : 0;
    }
  }
  return sample;
}

/// The dialect in which most characters of the rows belong to numbers. One column is what any wrong separator gives.
/// A comma for cells and decimals is possible where the numbers are in quotes.
Sample best_sample(const std::vector<Line>& lines) {
  constexpr auto dialects = std::to_array<Dialect>(
      {{',', '.'}, {',', ','}, {';', '.'}, {';', ','}, {'\t', '.'}, {'\t', ','}, {' ', '.'}, {' ', ','}});
  Sample best;
  for (const Dialect dialect : dialects) {
    Sample sample = sample_as(lines, dialect);
    const bool several = sample.width > 1;
    const bool best_has_several = best.width > 1;
    if (several != best_has_several ? several : sample.number_size > best.number_size) {
      best = std::move(sample);
    }
  }
  return best;
}

/// Cells up to the last that is not empty.
std::size_t filled(const Cells& row) {
  const auto last = std::find_if(row.rbegin(), row.rend(), [](std::string_view cell) { return !cell.empty(); });
  return static_cast<std::size_t>(row.rend() - last);
}

/// The cells of a line of names. Between blanks, a unit in brackets belongs to the name before it.
Cells header_cells(std::string_view text, char separator) {
  Cells row;
  split(text, separator, row);
  if (separator != ' ') {
    return row;
  }
  Cells joined;
  bool open = false;
  for (const auto cell : row) {
    if (!joined.empty() && (open || cell.starts_with('[') || cell.starts_with('('))) {
      const char* begin = joined.back().data();
      joined.back() = {begin, static_cast<std::size_t>(cell.data() + cell.size() - begin)};
    } else {
      joined.push_back(cell);
    }
    const auto bracket = joined.back().find_last_of("[]()");
    open = bracket != std::string_view::npos && (joined.back()[bracket] == '[' || joined.back()[bracket] == '(');
  }
  return joined;
}

bool fits(const Cells& row, const Layout& layout) {
  const std::size_t count = filled(row);
  return count > 0 && count <= layout.width && (count >= layout.min_width || row.size() == layout.width);
}

/// The names of a line, if they are as many as the columns; a line may have a separator other than the rows have.
std::optional<Cells> names_in(std::string_view text, const Layout& layout) {
  const auto separators = {layout.dialect.separator, ',', ';', '\t', ' '};
  for (const char separator : separators) {
    Cells row = header_cells(text, separator);
    if (fits(row, layout) && (layout.width > 1 || !row.front().empty())) {
      row.resize(layout.width);
      return row;
    }
  }
  return std::nullopt;
}

bool are_units(const Cells& row) {
  return filled(row) > 0 &&
         std::all_of(row.begin(), row.end(), [](std::string_view cell) { return cell.empty() || is_unit(cell); });
}

/// Names without gaps and repetitions. `groups`: the row above, whose names hold up to the next one.
std::vector<std::string> complete_names(const Cells& row, const Cells& groups) {
  const bool repeated = [&] {
    std::set<std::string_view> seen;
    return std::any_of(row.begin(), row.end(), [&](auto cell) { return !cell.empty() && !seen.insert(cell).second; });
  }();
  std::vector<std::string> names;
  std::set<std::string> taken;
  std::string_view group;
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (repeated && i < groups.size() && !groups[i].empty()) {
      group = groups[i];
    }
    std::string name(row[i]);
    if (name.empty()) {
      name = fmt::format("column {}", i + 1);
    } else if (!group.empty()) {
      name = fmt::format("{} {}", group, name);
    }
    // The number of a repeated name goes before a unit in brackets.
    const auto bracket = std::min(name.find_first_of("[("), name.size());
    const std::string stem(trimmed(std::string_view(name).substr(0, bracket)));
    const std::string rest = name.substr(bracket);
    for (int n = 2; !taken.insert(name).second; ++n) {
      name = fmt::format("{}_{}{}{}", stem, n, rest.empty() ? "" : " ", rest);
    }
    names.push_back(std::move(name));
  }
  return names;
}

/// Names and units from the lines above the numbers, or from a comment there; of these the last one comes first.
void find_names(const std::vector<Line>& head, const std::vector<Line>& comments, Layout& layout,
                const std::string& file) {
  std::optional<std::size_t> names_line;
  std::optional<std::size_t> units_line;
  std::vector<std::optional<Cells>> rows;
  for (std::size_t i = 0; i < head.size(); ++i) {
    rows.push_back(names_in(head[i].text, layout));
    if (!rows.back()) {
      continue;
    }
    if (names_line && are_units(*rows.back())) {
      units_line = i;
    } else {
      names_line = i;
    }
  }
  if (names_line) {
    const bool group = *names_line > 0 && rows[*names_line - 1];
    layout.names = complete_names(*rows[*names_line], group ? *rows[*names_line - 1] : Cells{});
    layout.header = fmt::format("names in line {}", head[*names_line].number);
    if (units_line) {
      layout.units.assign(rows[*units_line]->begin(), rows[*units_line]->end());
      layout.header += fmt::format(", units in line {}", head[*units_line].number);
    }
    return;
  }
  for (const Line& line : comments) {
    if (const auto row = names_in(*comment(line.text), layout); row && layout.width > 1) {
      layout.names = complete_names(*row, {});
      layout.header = fmt::format("names from the comment in line {}", line.number);
      return;
    }
  }
  for (const Line& line : head) {
    const Cells row = header_cells(line.text, layout.dialect.separator);
    if (row.size() > 1) {
      const bool twice = layout.dialect.separator == ',' && filled(row) * 2 >= layout.width;
      throw InputError(
          fmt::format("{}:{}: row has {} cells, the header has {}{}", file, layout.first_row, layout.width, row.size(),
                      twice ? "; is the comma a decimal comma too? export with ';' between the cells" : ""));
    }
  }
  for (std::size_t i = 0; i < layout.width; ++i) {
    layout.names.push_back(fmt::format("column {}", i + 1));
  }
  layout.header = "no names: columns are called by number";
}

/// What the rows of numbers say about width, words and decimals.
void read_rows(const Sample& sample, std::size_t first, Layout& layout) {
  std::vector<std::size_t> words(layout.width);
  std::vector<std::size_t> numbers(layout.width);
  layout.min_width = 1;
  for (std::size_t k = first; k < sample.rows.size(); ++k) {
    const Cells& row = sample.rows[k];
    if (row.size() != layout.width) {
      continue;
    }
    layout.min_width = std::max(layout.min_width, filled(row));
    for (std::size_t i = 0; i < row.size(); ++i) {
      const Kind kind = read(row[i], layout.dialect.decimal).kind;
      words[i] += kind == Kind::text ? 1 : 0;
      numbers[i] += kind == Kind::number ? 1 : 0;
      layout.decimal_is_sure |= kind == Kind::number && row[i].find(layout.dialect.decimal) != std::string_view::npos;
    }
  }
  for (std::size_t i = 0; i < layout.width; ++i) {
    layout.text.push_back(words[i] > numbers[i]);
  }
}

}  // namespace

bool is_unit(std::string_view text) {
  static const std::set<std::string, std::less<>> known{
      "s",     "ms",  "us",    "µs",     "ns",   "min",     "h",     "hz",      "khz", "nm",    "n",     "mnm",
      "ncm",   "kn",  "mn",    "rad",    "mrad", "urad",    "deg",   "°",       "rev", "m",     "mm",    "um",
      "µm",    "cm",  "rad/s", "deg/s",  "°/s",  "rpm",     "1/min", "min-1",   "m/s", "mm/s",  "rev/s", "rad/s2",
      "m/s2",  "a",   "ma",    "v",      "mv",   "w",       "%",     "-",       "c",   "°c",    "degc",  "counts",
      "count", "inc", "u/min", "rad/s²", "m/s²", "rad/s^2", "m/s^2", "deg/s^2", "1",   "ticks", "lsb",   "k"};
  text = trimmed(text);
  if (text.size() > 2 && ((text.front() == '[' && text.back() == ']') || (text.front() == '(' && text.back() == ')'))) {
    text = text.substr(1, text.size() - 2);
  }
  std::string plain;
  for (const char c : text) {
    if (c != ' ' && c != '.' && c != '*' && c != '_') {
      plain += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    }
  }
  const auto dot = plain.find("\xC2\xB7");  // N·m
  if (dot != std::string::npos) {
    plain.erase(dot, 2);
  }
  return known.contains(plain);
}

Layout layout_of(const std::vector<Line>& lines, const std::string& file) {
  std::vector<Line> rows;
  std::vector<Line> comments;
  for (const Line& line : lines) {
    if (comment(line.text)) {
      if (rows.size() < 20) {
        comments.push_back(line);
      }
    } else if (!trimmed(line.text).empty()) {
      rows.push_back(line);
    }
  }
  const Sample sample = best_sample(rows);
  if (sample.width == 0) {
    throw InputError(fmt::format("{}: has no rows; a header line and at least one row of numbers are needed", file));
  }
  if (sample.width > max_columns) {
    throw InputError(fmt::format("{}: has {} columns: must be at most {}", file, sample.width, max_columns));
  }
  Layout layout{sample.dialect};
  layout.width = sample.width;
  std::size_t first = 0;
  while (!sample.data[first] || sample.rows[first].size() != sample.width) {
    ++first;
  }
  layout.first_row = rows[first].number;
  read_rows(sample, first, layout);
  std::erase_if(comments, [&](const Line& line) { return line.number > layout.first_row; });
  std::reverse(comments.begin(), comments.end());
  find_names({rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(first)}, comments, layout, file);
  return layout;
}

}  // namespace stiction::io::cells
