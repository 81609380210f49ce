// The [model] table, for all files that have one.
#pragma once

#include "stiction/scalar/presets.h"
#include "toml_section.h"

namespace stiction::io {

struct ReadModel {
  scalar::AnyModel model;
  const scalar::Preset* preset = nullptr;  // if the table names one
};

ReadModel read_model(TomlSection section);

}  // namespace stiction::io
