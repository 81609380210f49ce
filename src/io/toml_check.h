// Checks of a text before it is passed to the TOML library.
#pragma once

#include <string>
#include <string_view>

namespace stiction::io {

/// Throws InputError with the location for a text that is too large, too deeply nested, or on which toml++ has
/// undefined behaviour (3.3: characters beyond ASCII outside of quotes, a table without a name, brackets that do not
/// match, a quote inside a number, a date with half a time).
void check_toml(std::string_view text, const std::string& file);

}  // namespace stiction::io
