// What every run of a body on a patch checks at its entry.
#pragma once

#include "stiction/sim/planar_body.h"

namespace stiction::sim {

/// Throw InvalidParameter.
void check(const PlanarBody& body, const PlanarState& start);
void check(const PlanarOptions& options);
/// In fixed steps.
void check_steps(const PlanarOptions& options, double step);

}  // namespace stiction::sim
