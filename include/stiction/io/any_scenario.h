// A scenario of any kind. A file is a planar scenario if it has one of the tables [patch], [friction] and [contact], a
// servo's if it has [servo].
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <variant>

#include "stiction/export.h"
#include "stiction/io/planar_scenario.h"
#include "stiction/io/scenario.h"
#include "stiction/io/servo_scenario.h"

namespace stiction::io {

using AnyScenario = std::variant<Scenario, ServoScenario, PlanarScenario>;

/// Throws InputError.
STICTION_EXPORT AnyScenario read_any_scenario(const std::filesystem::path& path);

/// The same from text; `name` is the file name in messages, and paths are relative to `folder`.
STICTION_EXPORT AnyScenario parse_any_scenario(std::string_view text, const std::string& name,
                                               const std::filesystem::path& folder);

}  // namespace stiction::io
