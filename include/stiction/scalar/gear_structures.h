// The extended friction models M1 to M6 of servos: which parameters of a gear are free, the others being zero.
#pragma once

#include <array>
#include <string_view>

#include "stiction/scalar/gear.h"

namespace stiction::scalar {

/// One of Duclusaud and Passault's extended friction models. `coulomb_force` and `viscous` are free in all of them.
struct GearStructure {
  const char* name;
  const char* title;
  bool stribeck;     // f_s, v_S and α, and with `load` the gains k_ms and k_es
  bool load;         // the gains k_m and k_e
  bool directional;  // k_m and k_e differ, and k_ms and k_es; otherwise they are equal
  bool quadratic;    // q_m and q_e

  /// Whether a parameter of `gear` is free, by its name.
  [[nodiscard]] constexpr bool is_free(std::string_view parameter) const noexcept {
    if (parameter.ends_with("_quadratic_gain")) {
      return quadratic;
    }
    if (parameter.ends_with("_stribeck_gain")) {
      return stribeck && load;
    }
    if (parameter.ends_with("_gain")) {
      return load;
    }
    return parameter.starts_with("stribeck_") ? stribeck : true;
  }

  /// Whether a gear is of this structure: nothing but its free parameters is used.
  [[nodiscard]] bool contains(const Gear::Params& p) const noexcept {
    const bool symmetric = p.motor_gain == p.external_gain && p.motor_stribeck_gain == p.external_stribeck_gain;
    bool inside = directional || symmetric;
    for (const auto& field : Gear::fields) {
      const bool shapes = field.member == &Gear::Params::stribeck_velocity ||
                          field.member == &Gear::Params::stribeck_exponent;  // of no effect where nothing falls
      inside = inside && (shapes || is_free(field.name) || p.*field.member == 0);
    }
    return inside;
  }
};

/// From simple to rich.
inline constexpr std::array gear_structures{
    GearStructure{"m1", "Coulomb", false, false, false, false},
    GearStructure{"m2", "Stribeck", true, false, false, false},
    GearStructure{"m3", "load-dependent", false, true, false, false},
    GearStructure{"m4", "Stribeck, load-dependent", true, true, false, false},
    GearStructure{"m5", "Stribeck, load-dependent, directional", true, true, true, false},
    GearStructure{"m6", "Stribeck, load-dependent, directional, quadratic", true, true, true, true},
};

/// The one of that name, or nullptr.
constexpr const GearStructure* find_gear_structure(std::string_view name) noexcept {
  for (const GearStructure& structure : gear_structures) {
    if (name == structure.name) {
      return &structure;
    }
  }
  return nullptr;
}

/// The first, and so the simplest, that contains a gear.
inline const GearStructure& structure_of(const Gear::Params& p) noexcept {
  for (const GearStructure& structure : gear_structures) {
    if (structure.contains(p)) {
      return structure;
    }
  }
  return gear_structures.back();  // m6 contains all
}

}  // namespace stiction::scalar
