// The [model] table, for all files that have one.
#pragma once

#include <filesystem>
#include <optional>

#include "stiction/scalar/presets.h"
#include "toml_section.h"

namespace stiction::io {

struct ReadModel {
  scalar::AnyModel model;
  std::optional<double> mass = {};  // of the preset or the file that the table names [kg]
};

/// Files that the table names are relative to the folder.
ReadModel read_model(TomlSection section, const std::filesystem::path& folder);

}  // namespace stiction::io
