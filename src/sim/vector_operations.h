#pragma once

#include <sundials/sundials_nvector.h>

namespace stiction::sim {

/// Vector loops for a serial vector of many states and all its clones: Debian's SUNDIALS works on one number at a time,
/// and most of its time goes there.
void use_vector_operations(N_Vector vector);

}  // namespace stiction::sim
