// The experiments on the friction of contact patches.
#pragma once

#include "../lab.h"

namespace stiction::lab {

Result planar_fixed_velocity(const Context&);
Result planar_drift(const Context&);
Result planar_in_hand(const Context&);
Result planar_resolution(const Context&);
Result planar_limit_curves(const Context&);
Result planar_stepping(const Context&);

}  // namespace stiction::lab
