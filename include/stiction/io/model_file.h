// A friction model from the [model] table of a TOML file; docs/scenarios.md has the schema.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "stiction/export.h"
#include "stiction/scalar/any_model.h"

namespace stiction::io {

struct ModelFile {
  scalar::AnyModel model;
  std::optional<double> mass;  // of [body], otherwise of the preset or the servo [kg]
};

/// Reads [model], and the mass of [body] if there is one; other tables are ignored. A file that ends in .json is one of
/// Rhoban/bam (bam_file.h). Throws InputError.
STICTION_EXPORT ModelFile read_model_file(const std::filesystem::path& path);

/// The same from text; `name` is the file name in messages.
STICTION_EXPORT ModelFile parse_model_file(std::string_view text, const std::string& name);

/// The table [model] with all parameters, in the format of `read_model_file`.
STICTION_EXPORT std::string to_toml(const scalar::AnyModel& model);

}  // namespace stiction::io
