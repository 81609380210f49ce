// Published parameter sets with their sources, and sets of this project that are made from them. The one home of these
// numbers: scenarios, experiments and tests take them from here.
#pragma once

#include <array>
#include <cmath>
#include <string_view>

#include "stiction/scalar/registry.h"

namespace stiction::scalar {

enum class Axis { linear, rotary };  // N, m, kg; or N m, rad, kg m²

struct Preset {
  const char* name;
  Axis axis;
  double mass;  // of the body in the source [kg], or its inertia [kg m²]
  AnyModel (*make)() noexcept;
  const char* source;
};

/// The parameters a model was made from.
template <Model M>
typename M::Params params_of(const M& model) noexcept {
  if constexpr (requires { model.params(); }) {
    return model.params();
  } else {
    return model.params;
  }
}

namespace preset {

inline constexpr double canudas_1995_mass = 1;        // [kg]
inline constexpr double olsson_table2_mass = 0.0023;  // J [kg m²]

/// Canudas de Wit et al. 1995, Table I: the set of LuGre's standard tests.
inline LuGre canudas_1995() noexcept {
  return LuGre({.stiffness = 1e5,
                .damping = std::sqrt(1e5),
                .coulomb_force = 1,
                .static_force = 1.5,
                .stribeck_velocity = 1e-3,
                .viscous = 0.4});
}

/// Olsson et al. 1998, Table 2: identified on a servo.
inline LuGre olsson_table2() noexcept {
  return LuGre({.stiffness = 260,
                .damping = 0.6,
                .coulomb_force = 0.28,
                .static_force = 0.33,
                .stribeck_velocity = 0.01,
                .viscous = 0.0176});
}

// The comparison set: every model as near to the servo of Table 2 as its own parameters allow.

inline Coulomb table2_coulomb() noexcept { return Coulomb({.coulomb_force = 0.28, .viscous = 0.0176}); }
inline Viscous table2_viscous() noexcept { return Viscous({.viscous = 0.0176}); }
inline Stiction table2_stiction() noexcept {
  return Stiction({.coulomb_force = 0.28, .static_force = 0.33, .viscous = 0.0176});
}
inline Stribeck table2_stribeck() noexcept {
  return Stribeck({.coulomb_force = 0.28, .static_force = 0.33, .stribeck_velocity = 0.01, .viscous = 0.0176});
}
/// Another curve backwards.
inline AsymmetricStribeck table2_asymmetric_stribeck() noexcept {
  return AsymmetricStribeck({.coulomb_force_plus = 0.28,
                             .static_force_plus = 0.33,
                             .stribeck_velocity_plus = 0.01,
                             .viscous_plus = 0.0176,
                             .coulomb_force_minus = 0.25,
                             .static_force_minus = 0.36,
                             .stribeck_velocity_minus = 0.02,
                             .stribeck_exponent_minus = 1,
                             .viscous_minus = 0.02});
}
inline Tanh table2_tanh() noexcept { return Tanh({.coulomb_force = 0.28, .transition_velocity = 1e-3}); }
/// σ₁ fades above 0.1 rad/s, which makes the model dissipative.
inline LuGre table2_lugre_fading() noexcept {
  auto params = olsson_table2().params();
  params.damping_velocity = 0.1;
  return LuGre(params);
}

}  // namespace preset

namespace detail {
inline constexpr const char* comparison_set = "this project's comparison set, after Table 2 of Olsson et al. 1998";

/// A preset of the comparison set, with the inertia of Table 2.
template <auto Make>
constexpr Preset compared(const char* name, const char* source = comparison_set) noexcept {
  return {name, Axis::rotary, preset::olsson_table2_mass, []() noexcept { return AnyModel(Make()); }, source};
}
}  // namespace detail

/// All of them; parameters have passed `check`.
inline constexpr std::array presets{
    Preset{"canudas-1995", Axis::linear, preset::canudas_1995_mass,
           []() noexcept { return AnyModel(preset::canudas_1995()); },
           "Canudas de Wit, Olsson, Åström and Lischinsky 1995, Table I"},
    detail::compared<preset::olsson_table2>("olsson-1998-table2", "Olsson et al. 1998, Table 2"),
    detail::compared<preset::table2_coulomb>("table2-coulomb"),
    detail::compared<preset::table2_viscous>("table2-viscous"),
    detail::compared<preset::table2_stiction>("table2-stiction"),
    detail::compared<preset::table2_stribeck>("table2-stribeck"),
    detail::compared<preset::table2_asymmetric_stribeck>("table2-asymmetric-stribeck"),
    detail::compared<preset::table2_tanh>("table2-tanh"),
    detail::compared<preset::table2_lugre_fading>("table2-lugre-fading"),
};

/// The preset of that name, or nullptr.
constexpr const Preset* find_preset(std::string_view name) noexcept {
  for (const Preset& preset : presets) {
    if (name == preset.name) {
      return &preset;
    }
  }
  return nullptr;
}

}  // namespace stiction::scalar
