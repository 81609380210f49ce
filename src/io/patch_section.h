// The [patch] table, for all files that have one.
#pragma once

#include <filesystem>

#include "stiction/planar/patch.h"
#include "toml_section.h"

namespace stiction::io {

/// The path of a grid's file is relative to `folder`.
planar::Patch read_patch(TomlSection section, const std::filesystem::path& folder);

}  // namespace stiction::io
