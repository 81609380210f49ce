// Many joints or contacts with elasto-plastic friction in one call.
#pragma once

#include "stiction/export.h"
#include "stiction/scalar/batch.h"
#include "stiction/scalar/elasto_plastic.h"

namespace stiction::scalar {

/// The state is the bristle. Fast if every exponent δ is 2 and no damping fades.
using ElastoPlasticBatch = Batch<ElastoPlastic>;
extern template class STICTION_EXPORT Batch<ElastoPlastic>;

}  // namespace stiction::scalar
