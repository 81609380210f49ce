// Input signals, for all files that have some.
#pragma once

#include <filesystem>
#include <string>

#include "stiction/sim/signal.h"
#include "toml_section.h"

namespace stiction::io {

/// A number, a table with a type, or a list of these, which are added. CSV files are looked for in `folder`; a signal
/// that is optional and not there is 0.
sim::Signal read_signal(TomlSection& section, const std::string& key, const std::filesystem::path& folder,
                        bool optional = false);

}  // namespace stiction::io
