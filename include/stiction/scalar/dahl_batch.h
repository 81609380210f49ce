// Many joints or contacts with Dahl friction in one call.
#pragma once

#include "stiction/export.h"
#include "stiction/scalar/batch.h"
#include "stiction/scalar/dahl.h"

namespace stiction::scalar {

/// The state is the friction itself. Fast if every exponent α is 1 or 2.
using DahlBatch = Batch<Dahl>;
extern template class STICTION_EXPORT Batch<Dahl>;

}  // namespace stiction::scalar
