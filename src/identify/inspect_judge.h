// Which models a log can support, and what is wrong with it.
#pragma once

#include "stiction/identify/inspect.h"

namespace stiction::identify::inspection {

/// Fills yardstick, support, warnings and advice from the rest.
void judge(const Signals& signals, Inspection& found);

}  // namespace stiction::identify::inspection
