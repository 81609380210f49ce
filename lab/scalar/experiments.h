// The scalar experiments and the parameter sets they share.
#pragma once

#include "../lab.h"
#include "stiction/scalar/presets.h"

namespace stiction::lab {

Result fig01_rabinowicz(const Context&);
Result fig02_breakaway(const Context&);
Result fig03_presliding(const Context&);
Result fig04_lag(const Context&);
Result fig05_static_curves(const Context&);
Result fig06_dahl_loop(const Context&);
Result fig07_bliman_sorine_response(const Context&);
Result fig08_lugre_response(const Context&);
Result fig09_phase_plane(const Context&);
Result fig11_one_way_torque(const Context&);
Result fig12_changing_torque(const Context&);
Result presliding_damping(const Context&);
Result lugre_dissipativity(const Context&);
Result bliman_sorine_limits(const Context&);
Result stick_slip(const Context&);
Result breakaway_rates(const Context&);
Result lag_loops(const Context&);
Result stick_slip_all(const Context&);
Result hunting(const Context&);
Result vibration_drift(const Context&);
Result comparison(const Context&);
Result bristle_spread(const Context&);
Result rolling(const Context&);
Result stiction_gate(const Context&);
Result capability_table(const Context&);

using scalar::preset::canudas_1995;
using scalar::preset::olsson_table2;
inline constexpr double olsson_table2_inertia = scalar::preset::olsson_table2_mass;  // [kg m²]

inline constexpr const char* independent = "independent solution (LSODA, rtol 1e-9)";
inline constexpr const char* independent_runge_kutta = "independent solution (explicit Runge-Kutta, fine fixed steps)";

}  // namespace stiction::lab
