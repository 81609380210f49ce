// The scalar experiments and the parameter sets they share.
#pragma once

#include <cmath>

#include "../lab.h"
#include "stiction/scalar/lugre.h"

namespace stiction::lab {

Result fig02_breakaway(const Context&);
Result fig03_presliding(const Context&);
Result fig04_lag(const Context&);
Result fig05_static_curves(const Context&);
Result fig08_lugre_response(const Context&);
Result stick_slip(const Context&);
Result stiction_gate(const Context&);

/// The set of Canudas de Wit et al. 1995, in use for LuGre's standard tests (m = 1 kg).
inline scalar::LuGre canudas_1995() {
  return scalar::LuGre::make({.stiffness = 1e5,
                              .damping = std::sqrt(1e5),
                              .coulomb_force = 1,
                              .static_force = 1.5,
                              .stribeck_velocity = 1e-3,
                              .viscous = 0.4});
}

/// Table 2 of Olsson et al. 1998, identified on a servo (rotary).
inline scalar::LuGre olsson_table2() {
  return scalar::LuGre::make({.stiffness = 260,
                              .damping = 0.6,
                              .coulomb_force = 0.28,
                              .static_force = 0.33,
                              .stribeck_velocity = 0.01,
                              .viscous = 0.0176});
}
inline constexpr double olsson_table2_inertia = 0.0023;  // [kg m²]

inline constexpr const char* independent = "independent solution (LSODA, rtol 1e-9)";

}  // namespace stiction::lab
