// Identification by simulating the axis under its logged torque or in its loop.
#pragma once

#include <vector>

#include "stiction/identify/identify.h"

namespace stiction::identify {

std::vector<Fit> identify_simulated(const Data& data, const Options& options);

}  // namespace stiction::identify
