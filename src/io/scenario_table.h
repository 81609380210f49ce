// Scenarios from a parsed table.
#pragma once

#include <filesystem>
#include <string>

#include "stiction/io/planar_scenario.h"
#include "stiction/io/scenario.h"
#include "stiction/io/servo_scenario.h"
#include "toml_section.h"

namespace stiction::io {

/// `name` is the file name in messages, and paths are relative to `folder`. Throw InputError.
Scenario read_line_scenario(const toml::table& table, const std::string& name, const std::filesystem::path& folder);
ServoScenario read_servo_scenario(const toml::table& table, const std::string& name,
                                  const std::filesystem::path& folder);
PlanarScenario read_planar_scenario(const toml::table& table, const std::string& name,
                                    const std::filesystem::path& folder);

}  // namespace stiction::io
