#include "stiction/io/bam_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <nlohmann/json.hpp>

#include "stiction/io/file.h"

namespace stiction::io {
namespace {

using Params = scalar::Gear::Params;

/// A key of the file for a parameter of friction, or for two that are equal in structures without direction.
struct FrictionKey {
  const char* key;
  double Params::*member;
  double Params::*other = nullptr;  // of the external side, equal to `member`
  const char* parameter;            // its name in the model
};
constexpr std::array friction_keys{
    FrictionKey{"friction_base", &Params::coulomb_force, nullptr, "coulomb_force"},
    FrictionKey{"friction_stribeck", &Params::stribeck_force, nullptr, "stribeck_force"},
    FrictionKey{"load_friction_base", &Params::motor_gain, &Params::external_gain, "motor_gain"},
    FrictionKey{"load_friction_stribeck", &Params::motor_stribeck_gain, &Params::external_stribeck_gain,
                "motor_stribeck_gain"},
    FrictionKey{"load_friction_motor", &Params::motor_gain, nullptr, "motor_gain"},
    FrictionKey{"load_friction_external", &Params::external_gain, nullptr, "external_gain"},
    FrictionKey{"load_friction_motor_stribeck", &Params::motor_stribeck_gain, nullptr, "motor_stribeck_gain"},
    FrictionKey{"load_friction_external_stribeck", &Params::external_stribeck_gain, nullptr, "external_stribeck_gain"},
    FrictionKey{"load_friction_motor_quad", &Params::motor_quadratic_gain, nullptr, "motor_quadratic_gain"},
    FrictionKey{"load_friction_external_quad", &Params::external_quadratic_gain, nullptr, "external_quadratic_gain"},
    FrictionKey{"dtheta_stribeck", &Params::stribeck_velocity, nullptr, "stribeck_velocity"},
    FrictionKey{"alpha", &Params::stribeck_exponent, nullptr, "stribeck_exponent"},
    FrictionKey{"friction_viscous", &Params::viscous, nullptr, "viscous"},
};

/// Whether a structure has a key: one gain for both sides without direction, one for each with it.
bool has(const scalar::GearStructure& structure, const FrictionKey& key) {
  const std::string_view name = key.key;
  const bool is_gain = name.starts_with("load_friction_");
  return structure.is_free(key.parameter) && (!is_gain || structure.directional == (key.other == nullptr));
}

/// The range of a parameter in the model.
const Range& range_of(const FrictionKey& key) {
  for (const auto& field : scalar::Gear::fields) {
    if (field.member == key.member) {
      return field.range;
    }
  }
  return finite;
}

/// A key of the file for the motor.
struct MotorKey {
  const char* key;
  std::optional<double> BamServo::*member;
  const Range& range;
};
const std::array motor_keys{
    MotorKey{"kt", &BamServo::torque_constant, positive},
    MotorKey{"R", &BamServo::resistance, positive},
    MotorKey{"armature", &BamServo::armature, non_negative},
    MotorKey{"q_offset", &BamServo::position_offset, finite},
};

class Reader {
 public:
  Reader(std::string_view text, std::string name) : name_(std::move(name)) {
    try {
      root_ = nlohmann::json::parse(text);
    } catch (const nlohmann::json::exception& error) {
      throw InputError(fmt::format("{}: not a JSON file: {}", name_, error.what()));
    }
    if (!root_.is_object()) {
      fail("must be a JSON object, with the key 'model'");
    }
  }

  BamServo servo() const {
    BamServo result;
    std::vector<std::string> names;
    for (const auto& structure : scalar::gear_structures) {
      names.emplace_back(structure.name);
    }
    const std::string structure = text("model");
    result.structure = scalar::find_gear_structure(structure);
    if (result.structure == nullptr) {
      fail(fmt::format("model = '{}': must be one of {}", structure, fmt::join(names, ", ")));
    }
    if (root_.contains("actuator")) {
      result.actuator = text("actuator");
    }
    result.friction = friction(*result.structure);
    for (const MotorKey& key : motor_keys) {
      if (root_.contains(key.key)) {
        result.*key.member = number(key.key, key.range);
      }
    }
    return result;
  }

 private:
  [[noreturn]] void fail(const std::string& message) const { throw InputError(fmt::format("{}: {}", name_, message)); }

  scalar::Gear friction(const scalar::GearStructure& structure) const {
    Params params;
    for (const FrictionKey& key : friction_keys) {
      if (!has(structure, key)) {
        if (root_.contains(key.key)) {
          fail(fmt::format("{}: must be left out, since model {} ({}) has no such term", key.key, structure.name,
                           structure.title));
        }
        continue;
      }
      if (!root_.contains(key.key)) {
        fail(fmt::format("there is no {}, which model {} ({}) needs", key.key, structure.name, structure.title));
      }
      params.*key.member = number(key.key, range_of(key));
      if (key.other != nullptr) {
        params.*key.other = params.*key.member;
      }
    }
    if (const auto problem = scalar::Gear::check(params)) {
      fail(InvalidParameter::describe(*problem));
    }
    return scalar::Gear(params);  // NOLINT(modernize-return-braced-init-list): the constructor is explicit
  }
  double number(const char* key, const Range& range) const {
    const nlohmann::json& value = root_.at(key);
    if (!value.is_number() || !range.holds(value.get<double>())) {
      fail(fmt::format("{} = {}: must be a number, {}", key, shown(value), range.text));
    }
    return value.get<double>();
  }
  std::string text(const char* key) const {
    if (!root_.contains(key)) {
      fail(fmt::format("there is no '{}'", key));
    }
    const nlohmann::json& value = root_.at(key);
    if (!value.is_string()) {
      fail(fmt::format("{} = {}: must be a text", key, shown(value)));
    }
    return value.get<std::string>();
  }
  static std::string shown(const nlohmann::json& value) {
    const std::string all = value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    return all.size() > 40 ? all.substr(0, 40) + " …" : all;
  }

  std::string name_;
  nlohmann::json root_;
};

}  // namespace

BamServo parse_bam_file(std::string_view text, const std::string& name) { return Reader(text, name).servo(); }

BamServo read_bam_file(const std::filesystem::path& path) { return parse_bam_file(read_text(path), path.string()); }

std::string to_bam_json(const BamServo& servo) {
  const Params& params = servo.friction.params();
  const scalar::GearStructure& structure = *servo.structure;
  if (!structure.contains(params)) {
    throw InputError(fmt::format("model {} ({}) cannot say this friction, which is {}: write that", structure.name,
                                 structure.title, scalar::structure_of(params).name));
  }
  nlohmann::ordered_json root;
  for (const MotorKey& key : motor_keys) {
    if (const auto& value = servo.*key.member) {
      if (!key.range.holds(*value)) {
        throw InputError(fmt::format("{} = {}: must be {}", key.key, *value, key.range.text));
      }
      root[key.key] = *value;
    }
  }
  for (const FrictionKey& key : friction_keys) {
    if (has(structure, key)) {
      const double value = params.*key.member;
      root[key.key] = value < infinity ? value : 1;  // any speed will do where nothing falls with it
    }
  }
  root["model"] = structure.name;
  root["actuator"] = servo.actuator;
  return root.dump(4, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace stiction::io
