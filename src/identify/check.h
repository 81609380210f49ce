// Checks of data and options of an identification. Numbers that pass are finite and can be squared.
#pragma once

#include "stiction/identify/identify.h"

namespace stiction::identify {

void check(const Options& options);  // throws BadData
void check(const Data& data);        // throws BadData, in one line that names the column, the row and the value

/// Rows of a table slower than this fraction of its fastest count as at rest: they carry no information on sliding
/// friction.
inline constexpr double standstill = 1e-9;

}  // namespace stiction::identify
