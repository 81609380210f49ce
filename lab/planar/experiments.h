// The experiments on the friction of contact patches.
#pragma once

#include "../lab.h"

namespace stiction::lab {

Result planar_fixed_velocity(const Context&);
Result planar_drift(const Context&);
Result planar_in_hand(const Context&);
Result planar_resolution(const Context&);
Result planar_limit_curves(const Context&);
Result planar_quadrature(const Context&);
Result planar_slip(const Context&);
Result planar_soft_finger(const Context&);
Result planar_stepping(const Context&);
Result planar_timing(const Context&);
Result planar_variants(const Context&);

}  // namespace stiction::lab
