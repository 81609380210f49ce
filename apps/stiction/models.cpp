#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "stiction/io/file.h"
#include "stiction/io/scenario.h"
#include "stiction/scalar/presets.h"

namespace stiction::cli {
namespace {

nlohmann::json default_of(double fallback) {
  if (std::isnan(fallback)) {
    return nullptr;
  }
  return fallback == infinity ? nlohmann::json("inf") : nlohmann::json(fallback);
}

template <class M>
nlohmann::json json_of() {
  nlohmann::json parameters = nlohmann::json::array();
  for (const auto& field : M::fields) {
    parameters.push_back({{"name", field.name},
                          {"unit", field.unit},
                          {"range", field.range.text},
                          {"default", default_of(field.fallback)},
                          {"meaning", field.meaning}});
  }
  if constexpr (requires { M::lists; }) {
    for (const auto& field : M::lists) {
      parameters.push_back({{"name", field.name},
                            {"unit", field.unit},
                            {"range", fmt::format("{}, each {}", field.length, field.range.text)},
                            {"default", nullptr},
                            {"meaning", field.meaning}});
    }
  }
  return {{"name", M::info.name},     {"title", M::info.title},   {"equation", M::info.equation},
          {"source", M::info.source}, {"states", M::state_names}, {"parameters", parameters}};
}

template <class M>
void print_details() {
  fmt::print("{}: {}\n\n  {}\n\n  source: {}\n\n", M::info.name, M::info.title, M::info.equation, M::info.source);
  fmt::print("  {:<26} {:<12} {:<18} {:<9} {}\n", "parameter", "unit", "range", "default", "meaning");
  for (const auto& field : M::fields) {
    const std::string fallback = std::isnan(field.fallback) ? "required" : fmt::format("{:g}", field.fallback);
    fmt::print("  {:<26} {:<12} {:<18} {:<9} {}\n", field.name, field.unit, field.range.text, fallback, field.meaning);
  }
  if constexpr (requires { M::lists; }) {
    for (const auto& field : M::lists) {
      fmt::print("  {:<26} {:<12} {:<18} {:<9} {}: {}\n", field.name, field.unit, field.range.text, "required",
                 field.meaning, field.length);
    }
  }
}

/// Each parameter of a model with its value, in the order of its table.
template <class M, class Visitor>
void for_each_parameter(const M& model, Visitor&& visit) {
  const auto params = scalar::params_of(model);
  for (const auto& field : M::fields) {
    visit(field.name, default_of(params.*field.member));
  }
  if constexpr (requires { M::lists; }) {
    for (const auto& field : M::lists) {
      const auto& list = params.*field.member;
      visit(field.name, nlohmann::json(std::vector<double>(list.begin(), list.end())));
    }
  }
}

[[noreturn]] void reject_unknown(const std::string& name, const std::vector<std::string>& names) {
  const std::string near = io::closest(name, names);
  throw io::InputError(fmt::format("unknown model '{}'{}; 'stiction models' lists them", name,
                                   near.empty() ? "" : fmt::format(", did you mean '{}'?", near)));
}

}  // namespace

int presets(const std::string& model_name, bool json) {
  std::vector<std::string> names;
  scalar::for_each_model([&]<class M>(std::type_identity<M>) { names.emplace_back(M::info.name); });
  if (!model_name.empty() && std::find(names.begin(), names.end(), model_name) == names.end()) {
    reject_unknown(model_name, names);
  }
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const scalar::Preset& preset : scalar::presets) {
    const bool rotary = preset.axis == scalar::Axis::rotary;
    std::visit(
        [&]<class M>(const M& model) {
          if (!model_name.empty() && model_name != M::info.name) {
            return;
          }
          if (!json) {
            fmt::print("{:<28} {:<20} {:>7g} {:<7} {}\n", preset.name, M::info.name, preset.mass,
                       rotary ? "kg m^2" : "kg", preset.source);
            return;
          }
          nlohmann::ordered_json parameters;
          for_each_parameter(model, [&](const char* name, const nlohmann::json& value) { parameters[name] = value; });
          all.push_back({{"name", preset.name},
                         {"model", M::info.name},
                         {"axis", rotary ? "rotary" : "linear"},
                         {"mass", preset.mass},
                         {"source", preset.source},
                         {"parameters", parameters}});
        },
        preset.make());
  }
  if (json) {
    fmt::print("{}\n", all.dump(2));
  }
  return exit_good;
}

int models(const std::string& name, bool json) {
  std::vector<std::string> names;
  nlohmann::json all = nlohmann::json::array();
  bool found = name.empty();
  scalar::for_each_model([&]<class M>(std::type_identity<M>) {
    names.emplace_back(M::info.name);
    if (!name.empty() && name != M::info.name) {
      return;
    }
    found = true;
    if (json) {
      all.push_back(json_of<M>());
    } else if (name.empty()) {
      fmt::print("{:<20} {:<55} {}\n", M::info.name, M::info.title, M::info.source);
    } else {
      print_details<M>();
    }
  });
  if (!found) {
    reject_unknown(name, names);
  }
  if (json) {
    fmt::print("{}\n", all.dump(2));
  }
  return exit_good;
}

}  // namespace stiction::cli
