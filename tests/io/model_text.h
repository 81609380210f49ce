// A model's parameters as a scenario gives them.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <vector>

namespace stiction::test {

template <class List>
std::string list_text(const char* name, const List& list) {
  return fmt::format("{} = [{}]\n", name, fmt::join(std::vector<double>(list.begin(), list.end()), ", "));
}

/// The table [model]; `wanted(field)` says whether a parameter that is a number stands in it.
template <class Model, class Wanted>
std::string model_text(const typename Model::Params& params, Wanted&& wanted) {
  std::string text = fmt::format("[model]\nname = '{}'\n", Model::info.name);
  for (const auto& field : Model::fields) {
    text += wanted(field) ? fmt::format("{} = {}\n", field.name, params.*field.member) : "";
  }
  if constexpr (requires { Model::integers; }) {
    for (const auto& field : Model::integers) {
      text += wanted(field) ? fmt::format("{} = {}\n", field.name, params.*field.member) : "";
    }
  }
  if constexpr (requires { Model::lists; }) {
    for (const auto& field : Model::lists) {
      text += list_text(field.name, params.*field.member);
    }
  }
  return text;
}
template <class Model>
std::string model_text(const typename Model::Params& params) {
  return model_text<Model>(params, [](const auto&) { return true; });
}

}  // namespace stiction::test
