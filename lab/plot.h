// Figures of experiments as SVG, drawn without another program.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "lab.h"

namespace stiction::lab {

/// Draws folder/<name>.svg from the tables that its series name. Throws FileError.
void draw(const Figure& figure, const std::vector<Table>& tables, const std::filesystem::path& folder);

/// The same figure as a part of a page: curves in an SVG element whose scale the page's script can change, and a
/// legend. `target` names the figure in messages. Throws FileError.
std::string plot_for_page(const Figure& figure, const std::vector<Table>& tables, const std::filesystem::path& target);

/// Escapes a text for HTML and XML; control characters become blanks, bytes that are not UTF-8 become U+FFFD.
std::string escaped(std::string_view text);

}  // namespace stiction::lab
