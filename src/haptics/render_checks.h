#pragma once

#include <span>

#include "stiction/haptics/renderer.h"

namespace stiction::haptics {

/// The parameters, or InvalidParameter.
const RenderParams& checked(const RenderParams& params);
/// Throws InvalidParameter for incomplete pairs, invalid values, or an invalid body.
void check(std::span<const BodyPair> pairs, const MovingBody& body);

}  // namespace stiction::haptics
