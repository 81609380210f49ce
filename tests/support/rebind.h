// The same model with another number type.
#pragma once

#include <array>
#include <cstddef>

#include "stiction/scalar/model.h"

namespace stiction::test {

template <class Model, class Real>
struct RebindModel;
template <template <class> class Basic, class Real>
struct RebindModel<Basic<double>, Real> {
  using Type = Basic<Real>;
};
template <template <class, bool> class Basic, bool Option, class Real>
struct RebindModel<Basic<double, Option>, Real> {
  using Type = Basic<Real, Option>;
};
template <class Model, class Real>
using Rebind = typename RebindModel<Model, Real>::Type;

/// The numbers in a model's parameters, fields first; `visit` is called with each of them.
template <class Model, class Params, class Visitor>
void for_each_number(Params& params, Visitor&& visit) {
  for (const auto& field : Model::fields) {
    visit(params.*field.member);
  }
  if constexpr (requires { Model::lists; }) {
    for (const auto& field : Model::lists) {
      for (std::size_t i = 0; i < (params.*field.member).size; ++i) {
        visit((params.*field.member).values[i]);
      }
    }
  }
}

/// Parameters of another number type with the same values.
template <class To, class From>
typename To::Params converted_params(const typename From::Params& params) {
  typename To::Params result;
  if constexpr (requires { To::integers; }) {
    for (std::size_t k = 0; k < To::integers.size(); ++k) {
      result.*To::integers[k].member = params.*From::integers[k].member;
    }
  }
  if constexpr (requires { To::lists; }) {
    for (std::size_t k = 0; k < To::lists.size(); ++k) {
      (result.*To::lists[k].member).size = (params.*From::lists[k].member).size;
    }
  }
  std::array<double, 256> numbers{};
  std::size_t count = 0;
  for_each_number<From>(params, [&](double number) { numbers[count++] = number; });
  count = 0;
  for_each_number<To>(result,
                      [&](auto& number) { number = static_cast<std::decay_t<decltype(number)>>(numbers[count++]); });
  return result;
}

}  // namespace stiction::test
