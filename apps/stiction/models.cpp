#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "stiction/io/file.h"
#include "stiction/io/scenario.h"
#include "stiction/scalar/registry.h"

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
}

}  // namespace

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
    const std::string near = io::closest(name, names);
    throw io::InputError(fmt::format("unknown model '{}'{}; 'stiction models' lists them", name,
                                     near.empty() ? "" : fmt::format(", did you mean '{}'?", near)));
  }
  if (json) {
    fmt::print("{}\n", all.dump(2));
  }
  return exit_good;
}

}  // namespace stiction::cli
