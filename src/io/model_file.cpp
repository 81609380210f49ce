#include "stiction/io/model_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "model_section.h"
#include "stiction/io/file.h"

namespace stiction::io {
namespace {

/// A parameter from the table, or the fallback if that is a number.
double read_number(TomlSection& section, const scalar::Parameter& parameter, double fallback) {
  if (std::isnan(fallback)) {
    return parameter.is_integer ? static_cast<double>(section.count(parameter.name, parameter.range))
                                : section.number(parameter.name, parameter.range);
  }
  return parameter.is_integer
             ? static_cast<double>(section.count(parameter.name, parameter.range, static_cast<std::int64_t>(fallback)))
             : section.number(parameter.name, parameter.range, fallback);
}

/// All parameters from the table; missing ones from the preset, otherwise from the model's defaults.
scalar::AnyModel read_parameters(TomlSection& section, const scalar::ModelTable& model,
                                 const scalar::AnyModel* preset) {
  scalar::AnyParams params = preset != nullptr ? preset->params() : scalar::AnyParams(model);
  for (std::size_t i = 0; i < model.parameters.size(); ++i) {
    const scalar::Parameter& parameter = model.parameters[i];
    if (parameter.capacity == 0) {
      params.assign(i, read_number(section, parameter, params.value(i)));
    } else if (preset == nullptr || section.node(parameter.name) != nullptr) {
      params.assign(i, section.numbers(parameter.name, parameter.range));
    }
  }
  if (const auto problem = params.check()) {
    if (section.has(problem->field)) {
      section.reject(problem->field, problem->allowed);
    }
    section.fail(fmt::format("{}.{}", section.path(), InvalidParameter::describe(*problem)));
  }
  return scalar::AnyModel(params);
}

/// The preset named in the table, or nullptr.
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
  for (const scalar::ModelTable* model : scalar::registered_models()) {
    names.emplace_back(model->info.name);
  }
  const std::string name =
      section.choice("name", names, base ? std::optional<std::string>(base->name()) : std::nullopt);
  if (base && name != base->name()) {
    section.reject("name", fmt::format("'{}', the model of the preset '{}', or left out", base->name(), preset->name));
  }
  const scalar::AnyModel model = read_parameters(section, *scalar::find_model(name), base ? &*base : nullptr);
  section.finish();
  return {model, preset};
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
  const scalar::AnyParams params = model.params();
  std::string text = fmt::format("[model]\nname = \"{}\"\n", model.name());
  const auto number = [](double value, bool is_integer) {
    const std::string shown = fmt::format("{}", value);  // the shortest that reads back as the same number
    return is_integer || shown.find_first_of(".en") != std::string::npos ? shown : shown + ".0";
  };
  for (std::size_t i = 0; i < params.parameters().size(); ++i) {
    const scalar::Parameter& parameter = params.parameters()[i];
    std::vector<std::string> numbers;
    for (const double value : params.values(i)) {
      numbers.push_back(number(value, parameter.is_integer));
    }
    const std::string shown = parameter.capacity == 0 ? numbers.front() : fmt::format("[{}]", fmt::join(numbers, ", "));
    text += fmt::format("{} = {}  # {}: {}\n", parameter.name, shown, parameter.unit, parameter.meaning);
  }
  return text;
}

}  // namespace stiction::io
