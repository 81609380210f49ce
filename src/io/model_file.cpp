#include "stiction/io/model_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "model_section.h"
#include "stiction/io/bam_file.h"
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

/// The inertia of a servo alone, where its file has one.
std::optional<double> mass_of(const BamServo& servo) {
  return servo.armature && *servo.armature > 0 ? servo.armature : std::nullopt;
}

/// A model with all its parameters, by a name in the table, and what calls it so.
struct Base {
  scalar::AnyModel model;
  std::optional<double> mass;
  std::string origin;
};
std::optional<Base> read_base(TomlSection& section, const std::filesystem::path& folder) {
  if (section.has("bam")) {
    if (section.has("preset")) {
      section.reject("preset", "left out beside bam: both give all parameters");
    }
    const std::filesystem::path file = folder / section.text("bam");
    const BamServo servo = read_bam_file(file);
    return Base{servo.friction, mass_of(servo), fmt::format("file '{}'", file.string())};
  }
  const scalar::Preset* preset = read_preset(section);
  if (preset == nullptr) {
    return std::nullopt;
  }
  return Base{preset->make(), preset->mass, fmt::format("preset '{}'", preset->name)};
}

}  // namespace

ReadModel read_model(TomlSection section, const std::filesystem::path& folder) {
  const auto base = read_base(section, folder);
  std::vector<std::string> names;
  for (const scalar::ModelTable* model : scalar::registered_models()) {
    names.emplace_back(model->info.name);
  }
  const std::string name =
      section.choice("name", names, base ? std::optional<std::string>(base->model.name()) : std::nullopt);
  if (base && name != base->model.name()) {
    section.reject("name", fmt::format("'{}', the model of the {}, or left out", base->model.name(), base->origin));
  }
  const scalar::AnyModel model = read_parameters(section, *scalar::find_model(name), base ? &base->model : nullptr);
  section.finish();
  return {model, base ? base->mass : std::nullopt};
}

ModelFile parse_model_file(std::string_view text, const std::string& name) {
  const toml::table table = parse_toml(text, name);
  TomlSection root(table, "", name);
  const ReadModel read = read_model(root.section("model"), std::filesystem::path(name).parent_path());
  std::optional<double> mass = read.mass;
  if (root.has("body")) {
    mass = root.section("body").number("mass", positive);
  }
  return {read.model, mass};
}

ModelFile read_model_file(const std::filesystem::path& path) {
  if (path.extension() == ".json") {
    const BamServo servo = read_bam_file(path);
    return {servo.friction, mass_of(servo)};
  }
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
