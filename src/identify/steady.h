// Friction at constant velocities.
#pragma once

#include <vector>

#include "families.h"
#include "stiction/identify/identify.h"

namespace stiction::identify {

/// From tables and from the parts of recordings where the velocity is constant. Throws BadData for a table whose noise
/// is neither given nor can be estimated.
std::vector<SteadyPoint> steady_points(const Data& data);

/// Robust fits of F = F_C + ΔF exp(−|v/v_S|^δ) + F_v |v| to |v|, |F|: to all points, and to each direction.
Guess stribeck_guess(const std::vector<SteadyPoint>& points, double exponent);

/// Marks the slowest points as unused if friction had not settled: in their direction they lie far below the curve of
/// the others and decrease towards rest. At most a fifth of all points; if it would be more, none.
void drop_unsettled(std::vector<SteadyPoint>& points, double exponent);

}  // namespace stiction::identify
