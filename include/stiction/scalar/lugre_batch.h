// Many LuGre joints or contacts in one call.
#pragma once

#include "stiction/export.h"
#include "stiction/scalar/batch.h"
#include "stiction/scalar/lugre.h"

namespace stiction::scalar {

/// The state is the bristle. Fast if every exponent δ is 2 and no damping fades.
using LuGreBatch = Batch<LuGre>;
extern template class STICTION_EXPORT Batch<LuGre>;

}  // namespace stiction::scalar
