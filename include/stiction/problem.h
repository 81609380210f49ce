// Problems with parameters, and the tables from which every model's parameters are checked, read and documented.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <initializer_list>
#include <limits>
#include <optional>
#include <type_traits>

#if defined(__cpp_exceptions)
#include <stdexcept>
#include <string>
#endif

#include "stiction/export.h"

namespace stiction {

inline constexpr double infinity = std::numeric_limits<double>::infinity();

/// The interval in which a value must lie, with its description. NaN lies in none.
struct Range {
  double low;
  double high;
  bool low_allowed;
  bool high_allowed;
  const char* text;

  template <class Real>
  [[nodiscard]] constexpr bool holds(const Real& x) const noexcept {
    if constexpr (std::is_integral_v<Real>) {
      return holds(static_cast<double>(x));
    } else {
      return (low_allowed ? x >= Real(low) : x > Real(low)) && (high_allowed ? x <= Real(high) : x < Real(high));
    }
  }
};

inline constexpr Range positive{0, infinity, false, false, "> 0 and finite"};
inline constexpr Range positive_or_infinite{0, infinity, false, true, "> 0, or inf"};
inline constexpr Range non_negative{0, infinity, true, false, ">= 0 and finite"};
inline constexpr Range finite{-infinity, infinity, false, false, "finite"};

/// An invalid parameter: its name, its value, and what is allowed. Plain data, so that firmware can use it too.
struct STICTION_EXPORT Problem {
  const char* field;
  double value;
  const char* allowed;
  bool is_length = false;  // the value is the length of a list
};

/// Marks a field without a default: a scenario must give it.
inline constexpr double required = std::numeric_limits<double>::quiet_NaN();

/// One parameter of a model: the single source for checks, scenario keys, `stiction models` and the bindings.
template <class Params, class Number>
struct Field {
  const char* name;
  Number Params::*member;
  const char* unit;
  Range range;
  double fallback;  // `required` if there is none
  const char* meaning;
};

/// One parameter that is a count. Files and bindings pass doubles: `assign` rejects values that are not integers.
template <class Params>
using IntegerField = Field<Params, std::uint32_t>;

/// Sets a parameter to a number from a file or from another language. For a real parameter any number is stored, and
/// left to `check`. For an integer parameter, a number that is not an integer or is out of range is a problem, and the
/// parameter is unchanged.
template <class Params, class Number>
constexpr std::optional<Problem> assign(Params& params, const Field<Params, Number>& field, double value) noexcept {
  if constexpr (std::is_integral_v<Number>) {
    if (!field.range.holds(value) || static_cast<double>(static_cast<Number>(value)) != value) {
      return Problem{field.name, value, field.range.text};
    }
  }
  params.*field.member = static_cast<Number>(value);
  return std::nullopt;
}

/// A short list of numbers without the heap: the elements of a Maxwell-slip model, a small matrix, a measured curve.
template <class Real, std::size_t Capacity>
struct List {
  std::array<Real, Capacity> values{};
  std::size_t size = 0;  // may exceed the capacity until it is checked; further values are lost

  constexpr List() = default;
  constexpr List(std::initializer_list<Real> list) noexcept {  // NOLINT(google-explicit-constructor): reads as a list
    for (const Real& value : list) {
      push_back(value);
    }
  }
  constexpr void push_back(const Real& value) noexcept {
    if (size < Capacity) {
      values[size] = value;
    }
    ++size;
  }
  constexpr const Real& operator[](std::size_t i) const noexcept { return values[i]; }
  constexpr const Real* begin() const noexcept { return values.data(); }
  constexpr const Real* end() const noexcept { return values.data() + (size < Capacity ? size : Capacity); }
  friend constexpr bool operator==(const List&, const List&) = default;
};

/// One parameter that is a list; every element lies in the range.
template <class Params, class Real, std::size_t Capacity>
struct ListField {
  static constexpr std::size_t capacity = Capacity;
  const char* name;
  List<Real, Capacity> Params::*member;
  const char* unit;
  Range range;
  const char* length;  // the number of values it takes, in words
  const char* meaning;
};

/// The double behind a number that may be an automatic-differentiation type.
template <class Real>
constexpr double plain(const Real& x) noexcept {
  if constexpr (requires { x.value(); }) {
    return static_cast<double>(x.value());
  } else {
    return static_cast<double>(x);
  }
}

/// The first field whose value lies outside its range.
template <class Params, class Number, std::size_t N>
constexpr std::optional<Problem> first_problem(const Params& params,
                                               const std::array<Field<Params, Number>, N>& fields) noexcept {
  for (const auto& field : fields) {
    if (!field.range.holds(params.*field.member)) {
      return Problem{field.name, plain(params.*field.member), field.range.text};
    }
  }
  return std::nullopt;
}

/// The same for lists: an element outside its range, an empty list, or one that exceeds the capacity.
template <class Params, class Real, std::size_t Capacity, std::size_t N>
constexpr std::optional<Problem> first_problem(const Params& params,
                                               const std::array<ListField<Params, Real, Capacity>, N>& lists) noexcept {
  for (const auto& field : lists) {
    const auto& list = params.*field.member;
    if (list.size == 0 || list.size > Capacity) {
      return Problem{field.name, static_cast<double>(list.size), field.length, true};
    }
    for (const Real& value : list) {
      if (!field.range.holds(value)) {
        return Problem{field.name, plain(value), field.range.text};
      }
    }
  }
  return std::nullopt;
}

/// Checks that two lists that belong together have the same length.
template <class Real, std::size_t A, std::size_t B>
constexpr std::optional<Problem> problem_unlike(const char* field, const List<Real, A>& list,
                                                const List<Real, B>& other, const char* allowed) noexcept {
  return list.size == other.size ? std::nullopt
                                 : std::optional<Problem>({field, static_cast<double>(list.size), allowed, true});
}

/// Checks a relation between two fields: `value` must be at least `limit`.
template <class Real>
constexpr std::optional<Problem> problem_below(const char* field, const Real& value, const Real& limit,
                                               const char* allowed) noexcept {
  return value >= limit ? std::nullopt : std::optional<Problem>({field, plain(value), allowed, false});
}

#if defined(__cpp_exceptions)
/// The base of all exceptions of the library. The message is one line.
class STICTION_EXPORT Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Thrown by every `make`: "stiffness = -1: must be > 0 and finite".
class STICTION_EXPORT InvalidParameter : public Error {
 public:
  explicit InvalidParameter(const Problem& problem) : Error(describe(problem)), problem_(problem) {}
  [[nodiscard]] const Problem& problem() const noexcept { return problem_; }

  static std::string describe(const Problem& problem) {
    std::array<char, 32> number{};
    std::snprintf(number.data(), number.size(), "%g", problem.value);
    if (problem.is_length) {
      return std::string(problem.field) + " has " + number.data() + " numbers: must be " + problem.allowed;
    }
    return std::string(problem.field) + " = " + number.data() + ": must be " + problem.allowed;
  }

 private:
  Problem problem_;
};

/// Checks `params` and returns them, or throws.
template <class Model>
typename Model::Params checked(const typename Model::Params& params) {
  if (const auto problem = Model::check(params)) {
    throw InvalidParameter(*problem);
  }
  return params;
}
#endif

}  // namespace stiction
