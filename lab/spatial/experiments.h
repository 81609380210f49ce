// The experiments on friction cones and on the static friction of many contacts.
#pragma once

#include "../lab.h"

namespace stiction::lab {

Result spatial_cone_rows(const Context&);
Result spatial_cone_nesting(const Context&);
Result spatial_contact_cost(const Context&);
Result spatial_lp_and_qp(const Context&);
Result spatial_chatter(const Context&);
Result spatial_slip_angle(const Context&);
Result spatial_declared(const Context&);

}  // namespace stiction::lab
