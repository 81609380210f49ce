// A test for every model of the registry, or for those with a property:
//   TYPED_TEST_SUITE(Suite, test::EveryModel, test::ModelNames);
//   TYPED_TEST_SUITE(Suite, test::ModelsThat<HaveIt>, test::ModelNames);   // HaveIt<Model>::value
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <type_traits>

#include "stiction/scalar/registry.h"

namespace stiction::test {

namespace detail {
template <class... Model>
testing::Types<Model...> as_types(std::tuple<std::type_identity<Model>...>);

template <template <class> class Has, class... Model>
auto models_that(scalar::ModelList<Model...>) -> decltype(as_types(
    std::tuple_cat(std::conditional_t<Has<Model>::value, std::tuple<std::type_identity<Model>>, std::tuple<>>{}...)));
}  // namespace detail

template <template <class> class Has>
using ModelsThat = decltype(detail::models_that<Has>(scalar::RegisteredModels{}));

template <class>
using Any = std::true_type;
using EveryModel = ModelsThat<Any>;

/// The names of the models without '-', which would split the filter by which one test is run.
struct ModelNames {
  template <class Model>
  static std::string GetName(int) {
    std::string name = Model::info.name;
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
  }
};

}  // namespace stiction::test
