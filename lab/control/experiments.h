// The experiments on friction compensation.
#pragma once

#include "../lab.h"
#include "stiction/scalar/presets.h"

namespace stiction::lab {

Result compensation_table1(const Context&);
Result velocity_tracking_figs13_to_16(const Context&);
Result servo_figs18_to_20(const Context&);
Result observer_sensitivity(const Context&);
Result dither_against_stiction(const Context&);
Result hunting_compensated(const Context&);

}  // namespace stiction::lab
