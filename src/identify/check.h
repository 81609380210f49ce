// What an identification asks of its data and options; whatever passes has finite numbers of sizes that can be squared.
#pragma once

#include "stiction/identify/identify.h"

namespace stiction::identify {

void check(const Options& options);  // throws BadData
void check(const Data& data);        // throws BadData, in one line that names the column, the row and the value

/// Rows of a table slower than this share of its fastest stand still: they say nothing of sliding friction.
inline constexpr double standstill = 1e-9;

}  // namespace stiction::identify
