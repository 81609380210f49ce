// A contact patch from the [patch] table of a TOML file; docs/planar/patch-files.md has the schema.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "stiction/export.h"
#include "stiction/planar/patch.h"

namespace stiction::io {

/// Throws InputError. The path of a grid's CSV or PNG file is relative to the TOML file.
STICTION_EXPORT planar::Patch read_patch_file(const std::filesystem::path& path);

/// The same from text; `name` is the file name in messages, and paths are relative to `folder`.
STICTION_EXPORT planar::Patch parse_patch_file(std::string_view text, const std::string& name,
                                               const std::filesystem::path& folder = {});

}  // namespace stiction::io
