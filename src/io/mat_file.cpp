#include "mat_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "stiction/io/file.h"

#ifdef STICTION_MATIO
#include <matio.h>
#endif

namespace stiction::io {

bool is_mat_file(std::string_view bytes) {
  return bytes.size() >= 128 && bytes.starts_with("MATLAB ") &&
         (bytes.substr(126, 2) == "IM" ||
          bytes.substr(126, 2) == "MI");  // the mark of byte order that both levels have
}

#ifndef STICTION_MATIO

LogTable read_mat_file(const std::filesystem::path& path) {
  throw InputError(
      fmt::format("{}: is a .mat file, and this program was built without libmatio: save it as CSV "
                  "(writetable), or build where libmatio-dev is installed",
                  path.string()));
}

#else

namespace {

constexpr std::size_t max_columns = 1000;
constexpr int max_depth = 3;

struct CloseFile {
  void operator()(mat_t* file) const { Mat_Close(file); }
};
struct FreeVariable {
  void operator()(matvar_t* variable) const { Mat_VarFree(variable); }
};

/// Vectors by name, and what is none.
struct Vectors {
  std::vector<std::pair<std::string, std::vector<double> > > list;
  std::vector<std::string> others;
};

template <class T>
void append(const matvar_t& variable, std::size_t first, std::size_t count, std::vector<double>& values) {
  const T* data = static_cast<const T*>(variable.data) + first;
  std::transform(data, data + count, std::back_inserter(values), [](T x) {
    const auto value = static_cast<double>(x);
    return std::isfinite(value) ? value : std::numeric_limits<double>::quiet_NaN();
  });
}

/// The numbers from `first` on; empty where the variable has none.
std::vector<double> numbers(const matvar_t& variable, std::size_t first, std::size_t count) {
  std::vector<double> values;
  if (variable.data == nullptr || variable.isComplex != 0 || variable.data_size <= 0 ||
      variable.nbytes / static_cast<std::size_t>(variable.data_size) < first + count) {
    return values;
  }
  values.reserve(count);
  switch (variable.class_type) {
    case MAT_C_DOUBLE:
      append<double>(variable, first, count, values);
      break;
    case MAT_C_SINGLE:
      append<float>(variable, first, count, values);
      break;
    case MAT_C_INT8:
      append<std::int8_t>(variable, first, count, values);
      break;
    case MAT_C_UINT8:
      append<std::uint8_t>(variable, first, count, values);
      break;
    case MAT_C_INT16:
      append<std::int16_t>(variable, first, count, values);
      break;
    case MAT_C_UINT16:
      append<std::uint16_t>(variable, first, count, values);
      break;
    case MAT_C_INT32:
      append<std::int32_t>(variable, first, count, values);
      break;
    case MAT_C_UINT32:
      append<std::uint32_t>(variable, first, count, values);
      break;
    case MAT_C_INT64:
      append<std::int64_t>(variable, first, count, values);
      break;
    case MAT_C_UINT64:
      append<std::uint64_t>(variable, first, count, values);
      break;
    default:
      break;
  }
  return values;
}

/// The columns of a matrix, or those of all fields of a structure.
void collect(const std::string& name, matvar_t& variable, int depth, Vectors& vectors) {
  if (variable.class_type == MAT_C_STRUCT && depth < max_depth && variable.rank == 2 && variable.dims != nullptr &&
      variable.dims[0] == 1 && variable.dims[1] == 1) {
    const unsigned fields = Mat_VarGetNumberOfFields(&variable);
    char* const* names = Mat_VarGetStructFieldnames(&variable);
    for (unsigned k = 0; k < fields && names != nullptr; ++k) {
      matvar_t* field = Mat_VarGetStructFieldByIndex(&variable, k, 0);
      if (field != nullptr) {
        collect(depth == 0 ? names[k] : fmt::format("{}_{}", name, names[k]), *field, depth + 1, vectors);
      }
    }
    return;
  }
  const bool table = variable.rank == 2 && variable.dims != nullptr && variable.dims[0] * variable.dims[1] > 1;
  const std::size_t rows = !table ? 0 : variable.dims[0] == 1 ? variable.dims[1] : variable.dims[0];
  const std::size_t columns = !table || variable.dims[0] == 1 ? 1 : variable.dims[1];
  bool used = false;
  for (std::size_t k = 0; table && k < columns && vectors.list.size() < max_columns; ++k) {
    auto values = numbers(variable, k * rows, rows);
    if (!values.empty()) {
      vectors.list.emplace_back(columns == 1 ? name : fmt::format("{}_{}", name, k + 1), std::move(values));
      used = true;
    }
  }
  if (!used) {
    vectors.others.push_back(one_line(name));
  }
}

}  // namespace

LogTable read_mat_file(const std::filesystem::path& path) {
  const std::unique_ptr<mat_t, CloseFile> file(Mat_Open(path.c_str(), MAT_ACC_RDONLY));
  if (!file) {
    throw InputError(fmt::format("{}: cannot be read as a .mat file", path.string()));
  }
  Vectors vectors;
  while (const std::unique_ptr<matvar_t, FreeVariable> variable{Mat_VarReadNext(file.get())}) {
    collect(variable->name == nullptr ? "" : variable->name, *variable, 0, vectors);
  }
  std::map<std::size_t, std::size_t> lengths;
  for (const auto& [name, values] : vectors.list) {
    ++lengths[values.size()];
  }
  // The length that most vectors have, and of two such lengths the larger one.
  const auto common = std::max_element(lengths.begin(), lengths.end(),
                                       [](const auto& a, const auto& b) { return a.second <= b.second; });
  if (common == lengths.end()) {
    throw InputError(
        fmt::format("{}: has no vectors of numbers: save them as variables or as fields of one structure "
                    "(tables and timeseries cannot be read)",
                    path.string()));
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

#endif

}  // namespace stiction::io
