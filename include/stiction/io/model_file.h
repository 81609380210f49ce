// A friction model from the [model] table of a TOML file; docs/scenarios.md has the schema.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "stiction/scalar/registry.h"

namespace stiction::io {

struct ModelFile {
  scalar::AnyModel model;
  std::optional<double> mass;  // of [body], else that of the preset [kg]
};

/// Reads [model], and the mass of [body] where there is one; other tables are not looked at. Throws InputError.
ModelFile read_model_file(const std::filesystem::path& path);

/// The same from text; `name` stands for the file in messages.
ModelFile parse_model_file(std::string_view text, const std::string& name);

/// The table [model] with all parameters, as `read_model_file` reads it back.
std::string to_toml(const scalar::AnyModel& model);

}  // namespace stiction::io
