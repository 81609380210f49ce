// The experiments on haptic rendering.
#pragma once

#include "../lab.h"

namespace stiction::lab {

Result haptics_story(const Context&);
Result haptics_fig02(const Context&);
Result haptics_fig03(const Context&);
Result haptics_cube_and_corner(const Context&);
Result haptics_peg_and_hole(const Context&);
Result haptics_engine_bay(const Context&);
Result haptics_door(const Context&);

Result haptics_fig06(const Context&);
Result haptics_fig07(const Context&);
Result haptics_fig08_11(const Context&);
Result haptics_fig12(const Context&);
Result haptics_fig14(const Context&);
Result haptics_fig15(const Context&);
Result haptics_fig16(const Context&);
Result haptics_fig17(const Context&);
Result haptics_fig18(const Context&);
Result haptics_baseline_costs(const Context&);
Result haptics_beyond(const Context&);

}  // namespace stiction::lab
