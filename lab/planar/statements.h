// The parts of planar/statements that have a file of their own.
#pragma once

#include <numbers>

#include "../lab.h"

namespace stiction::lab::planar_statements {

inline constexpr double pi = std::numbers::pi;
inline constexpr double side = 0.02;  // of the contact [m]

/// Sections V and VI: the pre-computed limit surface and the model that uses it.
void reduced_model(const Context& context, Result& result);

/// Section VI-B: the disc under loads below break-away.
void disc_under_loads(const Context& context, Result& result);

/// Section VI-C: the box between two fingers.
void box_in_hand(const Context& context, Result& result);

}  // namespace stiction::lab::planar_statements
