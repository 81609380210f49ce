// What all bindings share: numbers and arrays from Python without copies, checks with clear messages, and a guard
// against two threads that use one object.
#pragma once

#include <pybind11/functional.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "stiction/problem.h"

namespace stiction::python {

namespace py = pybind11;

// One for each part of the library, each after those that it needs.
void bind_scalar(py::module_& root);
void bind_planar(py::module_& root);
void bind_spatial(py::module_& root);
void bind_control(py::module_& root);
void bind_coupled(py::module_& root);
void bind_geometry(py::module_& root);
void bind_haptics(py::module_& root);
void bind_sim(py::module_& root);
void bind_identify(py::module_& root);
void bind_lab(py::module_& root);

/// A part of the extension, whose objects say that they are of the package's module of that name.
py::module_ part(py::module_& root, const char* name, const char* doc);

/// Numbers in a loop, as they lie in memory: float32 or float64, of any stride, or one number for all.
struct Numbers {
  const void* data = nullptr;
  std::ptrdiff_t stride = 0;  // [bytes]
  bool single = false;        // float32

  double operator[](std::size_t i) const noexcept {
    const char* const at = static_cast<const char*>(data) + static_cast<std::ptrdiff_t>(i) * stride;
    return single ? static_cast<double>(*reinterpret_cast<const float*>(at)) : *reinterpret_cast<const double*>(at);
  }
  [[nodiscard]] bool contiguous() const noexcept { return !single && stride == sizeof(double); }
};

/// Where a loop writes.
struct Room {
  void* data = nullptr;
  std::ptrdiff_t stride = 0;
  bool single = false;

  void put(std::size_t i, double value) const noexcept {
    char* const at = static_cast<char*>(data) + static_cast<std::ptrdiff_t>(i) * stride;
    if (single) {
      *reinterpret_cast<float*>(at) = static_cast<float>(value);
    } else {
      *reinterpret_cast<double*>(at) = value;
    }
  }
  [[nodiscard]] bool contiguous() const noexcept { return !single && stride == sizeof(double); }
};

// Types that Python shows --------------------------------------------------------------------------------------------

/// A text as a template argument.
template <std::size_t N>
struct Text {
  char characters[N];                                                          // NOLINT: a literal
  constexpr Text(const char (&text)[N]) { std::copy_n(text, N, characters); }  // NOLINT: a literal
};
/// A Base whose type signatures, and with them stubs, help and messages, give as `type`. What it holds is checked by
/// whoever takes it.
template <Text type, class Base = py::object>
struct As : Base {
  As(Base object) : Base(std::move(object)) {}  // NOLINT(google-explicit-constructor): the same object
  As(py::handle object, py::object::borrowed_t tag) : Base(object, tag) {}
  As(py::handle object, py::object::stolen_t tag) : Base(object, tag) {}
  static bool check_(py::handle object) {
    if constexpr (std::is_same_v<Base, py::object>) {
      return object.ptr() != nullptr;
    } else {
      return py::isinstance<Base>(object);
    }
  }
};
using ArrayLike = As<"ArrayLike">;
using Floats = As<"NDArray[float32 | float64]">;  // as the caller's numbers are
using FloatOrArray = As<"float | NDArray[float64]">;
using PathLike = As<"str | os.PathLike[str]">;
/// One of some words: "Literal['a', 'b']".
template <Text words>
using OneOf = As<words, py::str>;
[[noreturn]] void reject_type(const py::handle& given, const char* name, const char* allowed);
/// The argument as a T; TypeError "name: must be … , not …" where it is none.
template <class T>
T cast_argument(const py::handle& given, const char* name, const char* allowed) {
  try {
    return py::cast<T>(given);
  } catch (const py::cast_error&) {
    reject_type(given, name, allowed);
  }
}
/// The path of a file or a folder.
std::string path_text(const PathLike& path);

/// An array as Python gives it: float32 and float64 are taken as they are, whole numbers become float64. TypeError for
/// everything else.
py::array numbers_of(const py::handle& given, const char* name);

/// "(3, 2)", for messages.
std::string shape_text(const py::array& array);

/// An argument for each of n: one number, or an array of shape (n,). None is allowed where `optional`; then there is
/// no data. ValueError for another shape.
class Argument {
 public:
  Argument(const py::handle& given, const char* name, std::size_t n);
  Argument(const Argument&) = delete;
  Argument& operator=(const Argument&) = delete;

  [[nodiscard]] const Numbers& numbers() const noexcept { return numbers_; }
  [[nodiscard]] bool is_array() const noexcept { return static_cast<bool>(array_); }
  [[nodiscard]] bool single() const noexcept { return numbers_.single; }
  /// ValueError where one is not finite and ≥ 0.
  void require_non_negative(const char* name, std::size_t n) const;

 private:
  py::object array_;  // keeps the numbers
  double value_ = 0;
  Numbers numbers_;
};

/// An array that is written to: the caller's, of shape (n,) or (rows, columns), or a new one.
class Result {
 public:
  Result(const py::handle& given, const char* name, std::vector<py::ssize_t> shape, bool single);
  [[nodiscard]] const py::array& array() const noexcept { return array_; }
  /// Of a one-dimensional array.
  [[nodiscard]] Room room() const;

 private:
  py::array array_;
};

/// A table of (n, columns) float64 that may be a copy.
using Table = py::array_t<double, py::array::c_style | py::array::forcecast>;
/// ValueError unless the array has this shape; −1 stands for any length.
Table table_of(const py::handle& given, const char* name, std::vector<py::ssize_t> shape);
template <std::size_t N>
std::array<double, N> vector_of(const py::handle& given, const char* name) {
  const Table table = table_of(given, name, {static_cast<py::ssize_t>(N)});
  std::array<double, N> result{};
  std::memcpy(result.data(), table.data(), sizeof result);
  return result;
}
template <std::size_t N>
py::array_t<double> to_array(const std::array<double, N>& values) {
  return py::array_t<double>(static_cast<py::ssize_t>(N), values.data());
}
py::array_t<double> to_array(const std::vector<double>& values);
/// The vector itself, as an array that owns it.
py::array_t<double> to_array(std::vector<double>&& values);
template <class T>
py::array_t<T> read_only(py::array_t<T> array) {
  py::detail::array_proxy(array.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
  return array;
}
/// Rows of numbers that lie in an object, so many bytes apart: not a copy, read-only, and it keeps the object alive.
template <class T>
py::array_t<T> view_of(std::array<std::size_t, 2> shape, std::size_t stride, const T* data, const py::object& owner) {
  return read_only(py::array_t<T>({shape[0], shape[1]}, {stride, sizeof(T)}, data, owner));
}
template <class T>
py::array_t<T> view_of(std::span<const T> numbers, const py::object& owner) {
  return read_only(py::array_t<T>(static_cast<py::ssize_t>(numbers.size()), numbers.data(), owner));
}

/// Calls f(row, result) for one vector of shape (N,), or for each row of a table (n, N), without the interpreter's
/// lock. The result is (M,) or (n, M).
template <std::size_t N, std::size_t M, class F>
py::array_t<double> map_rows(const py::handle& given, const char* name, const F& f) {
  const Table table = numbers_of(given, name);
  if (table.ndim() != 1 && table.ndim() != 2) {
    throw py::value_error(std::string(name) + " has shape " + shape_text(table) + ": must be (" + std::to_string(N) +
                          ",) or (n, " + std::to_string(N) + ")");
  }
  const bool many = table.ndim() == 2;
  table_of(table, name, many ? std::vector<py::ssize_t>{-1, N} : std::vector<py::ssize_t>{N});
  const auto n = many ? static_cast<std::size_t>(table.shape(0)) : 1;
  py::array_t<double> result(many ? std::vector<std::size_t>{n, M} : std::vector<std::size_t>{M});
  const double* const in = table.data();
  double* const out = result.mutable_data();
  {
    const py::gil_scoped_release release;
    for (std::size_t i = 0; i < n; ++i) {
      f(i, in + i * N, out + i * M);
    }
  }
  return result;
}

/// ValueError unless finite and ≥ 0: "dt = -1: must be >= 0 and finite".
double checked_dt(double dt);
double checked_non_negative(double value, const char* name);

/// TypeError naming a keyword that is in none of the lists, or a required one that is missing.
void check_keywords(const py::kwargs& given, const std::vector<std::string>& known,
                    const std::vector<std::string>& required, const std::string& what);

/// A plain struct of parameters from keywords, by its tables of fields; unknown and missing names are TypeErrors, an
/// integer that is not one is a ValueError.
template <class Params, class... Fields>
Params params_from(const py::kwargs& given, const std::string& what, const std::vector<std::string>& also_known,
                   const Fields&... tables) {
  std::vector<std::string> known = also_known;
  std::vector<std::string> required_names;
  const auto note_names = [&](const auto& fields) {
    for (const auto& field : fields) {
      known.emplace_back(field.name);
      if (field.fallback != field.fallback) {
        required_names.emplace_back(field.name);
      }
    }
  };
  (note_names(tables), ...);
  check_keywords(given, known, required_names, what);

  Params params{};
  const auto read = [&](const auto& fields) {
    for (const auto& field : fields) {
      const bool is_given = given.contains(field.name);
      const double value = is_given ? py::cast<double>(given[field.name]) : field.fallback;
      if (const auto problem = assign(params, field, value)) {
        throw py::value_error(InvalidParameter::describe(*problem));
      }
    }
  };
  (read(tables), ...);
  return params;
}
template <class Params, class Fields>
Params params_from(const py::kwargs& given, const Fields& fields, const std::string& what) {
  return params_from<Params>(given, what, {}, fields);
}
/// One line for each field: name, unit, range, default and meaning.
template <class Fields>
std::string describe_fields(const Fields& fields) {
  std::string text;
  for (const auto& field : fields) {
    text += std::string("    ") + field.name + " [" + field.unit + "]: " + field.meaning + "; " + field.range.text;
    if (field.fallback == field.fallback) {
      std::array<char, 32> number{};
      std::snprintf(number.data(), number.size(), "%g", field.fallback);
      text += std::string("; default ") + number.data();
    }
    text += "\n";
  }
  return text;
}
/// Name, unit, range, default and meaning of each field.
template <class Fields>
py::list table_of_fields(const Fields& fields) {
  py::list rows;
  for (const auto& field : fields) {
    py::dict row;
    row["name"] = field.name;
    row["unit"] = field.unit;
    row["range"] = field.range.text;
    row["default"] = field.fallback == field.fallback ? py::object(py::float_(field.fallback)) : py::none();
    row["meaning"] = field.meaning;
    rows.append(row);
  }
  return rows;
}
template <class Params, class Fields>
py::dict to_dict(const Params& params, const Fields& fields) {
  py::dict result;
  for (const auto& field : fields) {
    result[field.name] = params.*field.member;
  }
  return result;
}

/// "name(part=…, …)" as Python writes it, by which the object can be made again; in angle brackets where it is too
/// long.
std::string call_text(const std::string& name, const py::dict& parts);

/// Marks an object as in use; a second thread that comes meanwhile gets a RuntimeError instead of a data race.
class InUse {
 public:
  using Flag = std::atomic_flag;
  InUse(Flag& flag, const char* what);
  ~InUse() { flag_.clear(std::memory_order_release); }
  InUse(const InUse&) = delete;
  InUse& operator=(const InUse&) = delete;

 private:
  Flag& flag_;
};
/// A flag that copies of its owner do not share.
struct OwnFlag {
  OwnFlag() = default;
  OwnFlag(const OwnFlag&) noexcept {}
  OwnFlag(OwnFlag&&) noexcept {}
  OwnFlag& operator=(const OwnFlag&) noexcept { return *this; }
  OwnFlag& operator=(OwnFlag&&) noexcept { return *this; }
  ~OwnFlag() = default;
  InUse::Flag flag = ATOMIC_FLAG_INIT;
};

}  // namespace stiction::python

namespace stiction::python {
/// For objects that functions take by shared pointer: None is not one of them, which pybind11 takes for a null pointer.
template <class T>
struct NotNone : py::detail::copyable_holder_caster<T, std::shared_ptr<T>> {
  bool load(py::handle source, bool convert) {
    return !source.is_none() && py::detail::copyable_holder_caster<T, std::shared_ptr<T>>::load(source, convert);
  }
};
}  // namespace stiction::python

template <stiction::python::Text type, class Base>
struct pybind11::detail::handle_type_name<stiction::python::As<type, Base>> {
  static constexpr auto name = const_name(type.characters);
};
