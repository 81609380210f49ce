// MATLAB's level 7.3, which is HDF5, by libmatio where it was there when this was built.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <memory>

#include "mat_vectors.h"
#include "stiction/io/file.h"

#ifdef STICTION_MATIO
#include <matio.h>
#endif

namespace stiction::io {

#ifndef STICTION_MATIO

MatVectors read_mat73(const std::filesystem::path& path) {
  throw InputError(
      fmt::format("{}: is a .mat file of level 7.3, and this program was built without libmatio: save it "
                  "with -v7, or as CSV (writetable)",
                  path.string()));
}

#else

namespace {

struct CloseFile {
  void operator()(mat_t* file) const { Mat_Close(file); }
};
struct FreeVariable {
  void operator()(matvar_t* variable) const { Mat_VarFree(variable); }
};

template <class T>
void append(const matvar_t& variable, std::size_t count, std::vector<double>& values) {
  const T* data = static_cast<const T*>(variable.data);
  std::transform(data, data + count, std::back_inserter(values), [](T x) {
    const auto value = static_cast<double>(x);
    return std::isfinite(value) ? value : std::numeric_limits<double>::quiet_NaN();
  });
}

/// The numbers; none where the variable has others.
std::vector<double> numbers(const matvar_t& variable, std::size_t count) {
  std::vector<double> values;
  if (variable.data == nullptr || variable.isComplex != 0 || variable.data_size <= 0 ||
      variable.nbytes / static_cast<std::size_t>(variable.data_size) < count) {
    return values;
  }
  values.reserve(count);
  switch (variable.class_type) {
    case MAT_C_DOUBLE:
      append<double>(variable, count, values);
      break;
    case MAT_C_SINGLE:
      append<float>(variable, count, values);
      break;
    case MAT_C_INT8:
      append<std::int8_t>(variable, count, values);
      break;
    case MAT_C_UINT8:
      append<std::uint8_t>(variable, count, values);
      break;
    case MAT_C_INT16:
      append<std::int16_t>(variable, count, values);
      break;
    case MAT_C_UINT16:
      append<std::uint16_t>(variable, count, values);
      break;
    case MAT_C_INT32:
      append<std::int32_t>(variable, count, values);
      break;
    case MAT_C_UINT32:
      append<std::uint32_t>(variable, count, values);
      break;
    case MAT_C_INT64:
      append<std::int64_t>(variable, count, values);
      break;
    case MAT_C_UINT64:
      append<std::uint64_t>(variable, count, values);
      break;
    default:
      break;
  }
  return values;
}

/// A matrix, or all fields of a structure.
void collect(const std::string& name, matvar_t& variable, int depth, MatVectors& found) {
  const bool plane = variable.rank == 2 && variable.dims != nullptr && variable.dims[0] > 0 && variable.dims[1] > 0;
  if (variable.class_type == MAT_C_STRUCT && depth < max_mat_depth && plane &&
      variable.dims[0] * variable.dims[1] == 1) {
    const unsigned fields = Mat_VarGetNumberOfFields(&variable);
    char* const* names = Mat_VarGetStructFieldnames(&variable);
    for (unsigned k = 0; k < fields && names != nullptr; ++k) {
      matvar_t* field = Mat_VarGetStructFieldByIndex(&variable, k, 0);
      if (field != nullptr) {
        collect(depth == 0 ? names[k] : fmt::format("{}_{}", name, names[k]), *field, depth + 1, found);
      }
    }
    return;
  }
  const std::vector<double> values =
      plane ? numbers(variable, variable.dims[0] * variable.dims[1]) : std::vector<double>{};
  if (values.empty()) {
    found.others.push_back(one_line(name));
  } else {
    found.add(one_line(name), variable.dims[0], variable.dims[1], values);
  }
}

}  // namespace

MatVectors read_mat73(const std::filesystem::path& path) {
  const std::unique_ptr<mat_t, CloseFile> file(Mat_Open(path.c_str(), MAT_ACC_RDONLY));
  if (!file) {
    throw InputError(fmt::format("{}: cannot be read as a .mat file", path.string()));
  }
  MatVectors found;
  while (const std::unique_ptr<matvar_t, FreeVariable> variable{Mat_VarReadNext(file.get())}) {
    collect(variable->name == nullptr ? "" : variable->name, *variable, 0, found);
  }
  return found;
}

#endif

}  // namespace stiction::io
