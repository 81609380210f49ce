// Figures of experiments, and texts in scripts for gnuplot.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "lab.h"

namespace stiction::lab {

/// Draws folder/<name>.svg from the tables that its series name. Throws FileError.
void draw(const Figure& figure, const std::vector<Table>& tables, const std::filesystem::path& folder);

/// A text in quotes for a script: gnuplot shows it and obeys nothing in it. Control characters become blanks.
std::string quoted_for_gnuplot(std::string_view text);

}  // namespace stiction::lab
