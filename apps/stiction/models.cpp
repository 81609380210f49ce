#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "commands.h"
#include "stiction/io/bam_file.h"
#include "stiction/io/file.h"
#include "stiction/io/model_file.h"
#include "stiction/io/scenario.h"
#include "stiction/scalar/presets.h"

namespace stiction::cli {
namespace {

nlohmann::json number_of(const scalar::Parameter& p, double value) {
  if (std::isnan(value)) {
    return nullptr;
  }
  if (p.is_integer) {
    return static_cast<std::int64_t>(value);
  }
  return value == infinity ? nlohmann::json("inf") : nlohmann::json(value);
}

std::string range_of(const scalar::Parameter& p) {
  return p.capacity == 0 ? p.range.text : fmt::format("{}, each {}", p.length, p.range.text);
}

nlohmann::json json_of(const scalar::ModelTable& model) {
  nlohmann::json parameters = nlohmann::json::array();
  for (const scalar::Parameter& p : model.parameters) {
    parameters.push_back({{"name", p.name},
                          {"unit", p.unit},
                          {"range", range_of(p)},
                          {"default", number_of(p, p.fallback)},
                          {"meaning", p.meaning}});
  }
  const std::vector<std::string> states(model.state_names.begin(), model.state_names.end());
  return {{"name", model.info.name},     {"title", model.info.title}, {"equation", model.info.equation},
          {"source", model.info.source}, {"states", states},          {"parameters", parameters}};
}

void print_details(const scalar::ModelTable& model) {
  const scalar::Info& info = model.info;
  fmt::print("{}: {}\n\n  {}\n\n  source: {}\n\n", info.name, info.title, info.equation, info.source);
  std::size_t width = 18;
  for (const scalar::Parameter& p : model.parameters) {
    width = std::max(width, std::string_view(p.range.text).size());
  }
  fmt::print("  {:<26} {:<12} {:<{}} {:<9} {}\n", "parameter", "unit", "range", width, "default", "meaning");
  for (const scalar::Parameter& p : model.parameters) {
    const std::string fallback = std::isnan(p.fallback) ? "required" : fmt::format("{:g}", p.fallback);
    const std::string length = p.capacity == 0 ? "" : fmt::format(": {}", p.length);
    fmt::print("  {:<26} {:<12} {:<{}} {:<9} {}{}\n", p.name, p.unit, p.range.text, width, fallback, p.meaning, length);
  }
}

/// Each parameter of a model with its value, in the order of its table.
nlohmann::ordered_json values_of(const scalar::AnyModel& model) {
  nlohmann::ordered_json result;
  const scalar::AnyParams params = model.params();
  for (std::size_t i = 0; i < params.parameters().size(); ++i) {
    const scalar::Parameter& p = params.parameters()[i];
    const auto values = params.values(i);
    result[p.name] =
        p.capacity == 0 ? number_of(p, values[0]) : nlohmann::json(std::vector<double>(values.begin(), values.end()));
  }
  return result;
}

std::vector<std::string> model_names() {
  std::vector<std::string> names;
  for (const scalar::ModelTable* model : scalar::registered_models()) {
    names.emplace_back(model->info.name);
  }
  return names;
}

[[noreturn]] void reject_unknown(const std::string& name, const std::vector<std::string>& names) {
  const std::string near = io::closest(name, names);
  throw io::InputError(fmt::format("unknown model '{}'{}; 'stiction models' lists them", name,
                                   near.empty() ? "" : fmt::format(", did you mean '{}'?", near)));
}

}  // namespace

int presets(const std::string& model_name, bool json) {
  if (!model_name.empty() && scalar::find_model(model_name) == nullptr) {
    reject_unknown(model_name, model_names());
  }
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const scalar::Preset& preset : scalar::presets) {
    const scalar::AnyModel model = preset.make();
    if (!model_name.empty() && model_name != model.name()) {
      continue;
    }
    const bool rotary = preset.axis == scalar::Axis::rotary;
    if (!json) {
      fmt::print("{:<28} {:<20} {:>7g} {:<7} {}\n", preset.name, model.name(), preset.mass, rotary ? "kg m^2" : "kg",
                 preset.source);
      continue;
    }
    all.push_back({{"name", preset.name},
                   {"model", model.name()},
                   {"axis", rotary ? "rotary" : "linear"},
                   {"mass", preset.mass},
                   {"source", preset.source},
                   {"parameters", values_of(model)}});
  }
  if (json) {
    fmt::print("{}\n", all.dump(2));
  }
  return exit_good;
}

int model_file(const std::string& file, bool as_bam) {
  const bool is_bam = file.ends_with(".json");
  io::BamServo servo;
  std::optional<scalar::AnyModel> model;
  if (is_bam) {
    servo = io::read_bam_file(file);
    model = servo.friction;
  } else {
    const io::ModelFile read = io::read_model_file(file);
    model = read.model;
    servo.armature = read.mass;
  }
  if (!as_bam) {
    // The motor's constants, which no model has.
    const auto note = [](const char* meaning, const char* unit, const std::optional<double>& value) {
      if (value) {
        fmt::print("# {}: {} {}\n", meaning, *value, unit);
      }
    };
    note("torque constant", "N m/A", servo.torque_constant);
    note("resistance", "Ω", servo.resistance);
    note("position offset", "rad", servo.position_offset);
    fmt::print("{}", io::to_toml(*model));
    if (servo.armature && *servo.armature > 0) {
      fmt::print("\n[body]\nmass = {}{}\n", *servo.armature, is_bam ? "  # kg m²: the armature alone" : "");
    }
    return exit_good;
  }
  const auto* const gear = model->as<scalar::Gear>();
  if (gear == nullptr) {
    throw io::InputError(
        fmt::format("{}: the model is {}: only gear can be written as a file of Rhoban/bam", file, model->name()));
  }
  if (!is_bam) {
    servo.friction = *gear;
    servo.structure = &scalar::structure_of(gear->params());
    servo.actuator = std::filesystem::path(file).stem().string();
  }
  fmt::print("{}", io::to_bam_json(servo));
  return exit_good;
}

int models(const std::string& name, bool json) {
  if (!name.empty() && scalar::find_model(name) == nullptr) {
    reject_unknown(name, model_names());
  }
  nlohmann::json all = nlohmann::json::array();
  for (const scalar::ModelTable* model : scalar::registered_models()) {
    if (!name.empty() && name != model->info.name) {
      continue;
    }
    if (json) {
      all.push_back(json_of(*model));
    } else if (name.empty()) {
      fmt::print("{:<20} {:<55} {}\n", model->info.name, model->info.title, model->info.source);
    } else {
      print_details(*model);
    }
  }
  if (json) {
    fmt::print("{}\n", all.dump(2));
  }
  return exit_good;
}

}  // namespace stiction::cli
