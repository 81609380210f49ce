// Input signals, for all files that have some.
#pragma once

#include <filesystem>
#include <string>

#include "stiction/sim/signal.h"
#include "toml_section.h"

namespace stiction::io {

/// A number, a table with a type, or a list of these, which are added. Paths of CSV files are relative to
/// `folder`; a missing optional signal is 0.
sim::Signal read_signal(TomlSection& section, const std::string& key, const std::filesystem::path& folder,
                        bool optional = false);

}  // namespace stiction::io
