// The experiments on haptic rendering.
#pragma once

#include "../lab.h"

namespace stiction::lab {

Result haptics_cube_and_corner(const Context&);
Result haptics_peg_and_hole(const Context&);
Result haptics_engine_bay(const Context&);
Result haptics_door(const Context&);

}  // namespace stiction::lab
