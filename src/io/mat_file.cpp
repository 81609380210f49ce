#include "mat_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "mat_vectors.h"
#include "stiction/io/file.h"

namespace stiction::io {
namespace {

constexpr std::size_t max_mat_columns = 1000;

}  // namespace

bool is_mat_file(std::string_view bytes) {
  return bytes.size() >= 128 && bytes.starts_with("MATLAB ") &&
         (bytes.substr(126, 2) == "IM" ||
          bytes.substr(126, 2) == "MI");  // the mark of byte order that both levels have
}

void MatVectors::add(const std::string& name, std::size_t rows, std::size_t columns,
                     const std::vector<double>& values) {
  const bool row = rows == 1;
  const std::size_t length = row ? columns : rows;
  const std::size_t count = row ? 1 : columns;
  if (length < 2 || list.size() + count > max_mat_columns) {
    others.push_back(name);
    return;
  }
  for (std::size_t k = 0; k < count; ++k) {
    const auto first = values.begin() + static_cast<std::ptrdiff_t>(k * length);
    list.emplace_back(count == 1 ? name : fmt::format("{}_{}", name, k + 1),
                      std::vector<double>(first, first + static_cast<std::ptrdiff_t>(length)));
  }
}

LogTable read_mat_file(const std::filesystem::path& path, std::string_view bytes) {
  const bool little = bytes.substr(126, 2) == "IM";
  const char level = bytes[little ? 125 : 124];  // the high byte of 0x0100 or 0x0200
  MatVectors vectors = level == 2 ? read_mat73(path) : read_mat5(bytes, path.string());
  vectors.others.resize(std::min<std::size_t>(vectors.others.size(), 30));
  std::map<std::size_t, std::size_t> lengths;
  for (const auto& [name, values] : vectors.list) {
    ++lengths[values.size()];
  }
  // The length that most vectors have, and of two such lengths the larger one.
  const auto common = std::max_element(lengths.begin(), lengths.end(),
                                       [](const auto& a, const auto& b) { return a.second <= b.second; });
  if (common == lengths.end()) {
    throw InputError(fmt::format(
        "{}: has no vectors of numbers, but {}; save vectors as variables or as fields of one "
        "structure (tables and timeseries cannot be read)",
        path.string(), vectors.others.empty() ? "no variables" : fmt::format("{}", fmt::join(vectors.others, ", "))));
  }
  LogTable table;
  table.csv.file = path.string();
  for (auto& [name, values] : vectors.list) {
    const bool repeated = std::find(table.csv.names.begin(), table.csv.names.end(), name) != table.csv.names.end();
    if (values.size() == common->first && !repeated) {
      table.csv.names.push_back(one_line(name));
      table.csv.columns.push_back(std::move(values));
    } else {
      vectors.others.push_back(one_line(name));
    }
  }
  table.notes.push_back(fmt::format("taken as: .mat, {} vectors of {} numbers", table.csv.names.size(), common->first));
  if (!vectors.others.empty()) {
    vectors.others.resize(std::min<std::size_t>(vectors.others.size(), 30));
    table.notes.push_back(
        fmt::format("variables of another size or kind, not used: {}", fmt::join(vectors.others, ", ")));
  }
  return table;
}

}  // namespace stiction::io
