#include "stiction/io/model_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "model_section.h"
#include "stiction/io/file.h"

namespace stiction::io {
namespace {

/// All parameters from the table; those it leaves out from the preset, else from the model's own defaults.
template <class Model>
Model read_parameters(TomlSection& section, const scalar::AnyModel* preset) {
  using Params = typename Model::Params;
  const bool known = preset != nullptr;
  Params params = known ? scalar::params_of(std::get<Model>(*preset)) : Params{};
  for (const auto& field : Model::fields) {
    const double fallback = known ? params.*field.member : field.fallback;
    params.*field.member =
        section.number(field.name, field.range, std::isnan(fallback) ? std::nullopt : std::optional(fallback));
  }
  if constexpr (requires { Model::lists; }) {
    for (const auto& field : Model::lists) {
      if (known && section.node(field.name) == nullptr) {
        continue;
      }
      auto& list = params.*field.member = {};
      for (const double value : section.numbers(field.name, field.range)) {
        list.push_back(value);
      }
    }
  }
  if (const auto problem = Model::check(params)) {
    if (section.has(problem->field)) {
      section.reject(problem->field, problem->allowed);
    }
    section.fail(fmt::format("{}.{}", section.path(), InvalidParameter::describe(*problem)));
  }
  return Model(params);
}

std::string name_of(const scalar::AnyModel& model) {
  return std::visit([](const auto& chosen) { return std::string(chosen.info.name); }, model);
}

/// The preset that the table names, or nullptr.
const scalar::Preset* read_preset(TomlSection& section) {
  if (!section.has("preset")) {
    return nullptr;
  }
  std::vector<std::string> names;
  for (const scalar::Preset& preset : scalar::presets) {
    names.emplace_back(preset.name);
  }
  return scalar::find_preset(section.choice("preset", names));
}

}  // namespace

ReadModel read_model(TomlSection section) {
  const scalar::Preset* preset = read_preset(section);
  const auto base = preset != nullptr ? std::optional(preset->make()) : std::nullopt;
  std::vector<std::string> names;
  scalar::for_each_model([&]<class M>(std::type_identity<M>) { names.emplace_back(M::info.name); });
  const std::string name = section.choice("name", names, base ? std::optional(name_of(*base)) : std::nullopt);
  if (base && name != name_of(*base)) {
    section.reject("name",
                   fmt::format("'{}', the model of the preset '{}', or left out", name_of(*base), preset->name));
  }
  std::optional<scalar::AnyModel> model;
  scalar::for_each_model([&]<class M>(std::type_identity<M>) {
    if (name == M::info.name) {
      model = read_parameters<M>(section, base ? &*base : nullptr);
    }
  });
  section.finish();
  return {*model, preset};
}

ModelFile parse_model_file(std::string_view text, const std::string& name) {
  const toml::table table = parse_toml(text, name);
  TomlSection root(table, "", name);
  const ReadModel read = read_model(root.section("model"));
  std::optional<double> mass;
  if (read.preset != nullptr) {
    mass = read.preset->mass;
  }
  if (root.has("body")) {
    mass = root.section("body").number("mass", positive);
  }
  return {read.model, mass};
}

ModelFile read_model_file(const std::filesystem::path& path) {
  return parse_model_file(read_text(path), path.string());
}

std::string to_toml(const scalar::AnyModel& model) {
  return std::visit(
      []<class Model>(const Model& chosen) {
        const auto params = scalar::params_of(chosen);
        std::string text = fmt::format("[model]\nname = \"{}\"\n", Model::info.name);
        const auto number = [](double value) {
          const std::string shown = fmt::format("{}", value);  // the shortest that reads back as the same number
          return shown.find_first_of(".en") == std::string::npos ? shown + ".0" : shown;
        };
        for (const auto& field : Model::fields) {
          text +=
              fmt::format("{} = {}  # {}: {}\n", field.name, number(params.*field.member), field.unit, field.meaning);
        }
        if constexpr (requires { Model::lists; }) {
          for (const auto& field : Model::lists) {
            const auto& list = params.*field.member;
            std::vector<std::string> numbers;
            for (const double value : list) {
              numbers.push_back(number(value));
            }
            text +=
                fmt::format("{} = [{}]  # {}: {}\n", field.name, fmt::join(numbers, ", "), field.unit, field.meaning);
          }
        }
        return text;
      },
      model);
}

}  // namespace stiction::io
