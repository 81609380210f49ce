#pragma once

#include <span>

#include "stiction/haptics/renderer.h"

namespace stiction::haptics {

/// The parameters, or InvalidParameter.
const RenderParams& checked(const RenderParams& params);
/// Throws InvalidParameter where a pair lacks something or has a number that cannot be, or the body is none.
void check(std::span<const BodyPair> pairs, const MovingBody& body);

}  // namespace stiction::haptics
