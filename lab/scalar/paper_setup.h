// Parameter sets and sources shared by the scalar experiments.
#pragma once

#include "../lab.h"
#include "stiction/scalar/presets.h"

namespace stiction::lab {

using scalar::preset::canudas_1995;
using scalar::preset::olsson_table2;
inline constexpr double olsson_table2_inertia = scalar::preset::olsson_table2_mass;  // [kg m²]

inline const Source independent = from_program("independent solution (LSODA, rtol 1e-9)");
inline const Source independent_runge_kutta =
    from_program("independent solution (explicit Runge-Kutta, fine fixed steps)");

}  // namespace stiction::lab
