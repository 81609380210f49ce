// A contact patch from the [patch] table of a TOML file; docs/planar/patch-files.md has the schema.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "stiction/planar/patch.h"

namespace stiction::io {

/// Throws InputError. A grid's CSV or PNG file is looked for beside the TOML file.
planar::Patch read_patch_file(const std::filesystem::path& path);

/// The same from text; `name` stands for the file in messages, and files are looked for in `folder`.
planar::Patch parse_patch_file(std::string_view text, const std::string& name,
                               const std::filesystem::path& folder = {});

}  // namespace stiction::io
