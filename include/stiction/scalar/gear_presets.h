// Servos as published by Duclusaud and Passault with their extended friction model M6. The numbers are those of
// https://github.com/Rhoban/bam, bam/params/*/m6.json, copyright 2025 Marc Duclusaud and Grégoire Passault, licensed
// under the Apache License, Version 2.0 (http://www.apache.org/licenses/LICENSE-2.0); only their names are changed.
#pragma once

#include "stiction/scalar/gear.h"
#include "stiction/scalar/gear_bristles.h"

namespace stiction::scalar::preset {

inline Gear servo_mx64() noexcept {
  return Gear({.coulomb_force = 6.217919698787649e-07,
               .stribeck_force = 0.12269525980968875,
               .motor_gain = 0.3114720375111298,
               .external_gain = 2.0462014258729542e-08,
               .motor_stribeck_gain = 0.18774381222411038,
               .external_stribeck_gain = 0.014065853481003015,
               .motor_quadratic_gain = 0.006908512882777861,
               .external_quadratic_gain = 0.009999980627672081,
               .stribeck_velocity = 2.575277366960116,
               .stribeck_exponent = 0.8409018066017007,
               .viscous = 0.02533701181690149});
}
inline constexpr double servo_mx64_armature = 0.012265893049213158;  // [kg m²]
inline Gear servo_mx106() noexcept {
  return Gear({.coulomb_force = 1.0232526438525893e-05,
               .stribeck_force = 0.12195409579603411,
               .motor_gain = 0.19800553725822115,
               .external_gain = 0.022215529897348624,
               .motor_stribeck_gain = 0.19859970173941574,
               .external_stribeck_gain = 0.08710328264676681,
               .motor_quadratic_gain = 0.009999930103371748,
               .external_quadratic_gain = 7.326919843140997e-05,
               .stribeck_velocity = 1.7463251741328727,
               .stribeck_exponent = 1.142827788004191,
               .viscous = 0.05071566473605552});
}
inline constexpr double servo_mx106_armature = 0.026016184370993383;  // [kg m²]
inline Gear servo_xl320() noexcept {
  return Gear({.coulomb_force = 4.333784350288425e-07,
               .stribeck_force = 0.016305511369376878,
               .motor_gain = 3.0882140904620497e-06,
               .external_gain = 0.158325301089096,
               .motor_stribeck_gain = 5.965719077390517e-09,
               .external_stribeck_gain = 0.24548304071888186,
               .motor_quadratic_gain = 0.0036164099909151977,
               .external_quadratic_gain = 0.00471092869180762,
               .stribeck_velocity = 2.3010537332753387,
               .stribeck_exponent = 1.7067361543333317,
               .viscous = 0.007225172246502409});
}
inline constexpr double servo_xl320_armature = 0.0011629864934131363;  // [kg m²]
inline Gear servo_xl330() noexcept {
  return Gear({.coulomb_force = 0.004771183165566,
               .stribeck_force = 0.004676345799486616,
               .motor_gain = 0.2667860954283698,
               .external_gain = 8.515871897059342e-06,
               .motor_stribeck_gain = 1.0722918395099123e-05,
               .external_stribeck_gain = 0.08077928978935671,
               .motor_quadratic_gain = 0.009972471242139415,
               .external_quadratic_gain = 0.004902565732332559,
               .stribeck_velocity = 2.890372094130307,
               .stribeck_exponent = 8.683259907618984,
               .viscous = 0.005359668274599504});
}
inline constexpr double servo_xl330_armature = 0.0018077432831600838;  // [kg m²]
inline Gear servo_erob80_50() noexcept {
  return Gear({.coulomb_force = 3.258936577427873,
               .stribeck_force = 0.32043116640097835,
               .motor_gain = 0.03566185222966088,
               .external_gain = 0.0008431659435708802,
               .motor_stribeck_gain = 0.003770985236415064,
               .external_stribeck_gain = 0.041438023645284434,
               .motor_quadratic_gain = 0.0018721192347735344,
               .external_quadratic_gain = 0.0015990991138724365,
               .stribeck_velocity = 2.830385649014235,
               .stribeck_exponent = 1.7864364677651365,
               .viscous = 1.403394119501813});
}
inline constexpr double servo_erob80_50_armature = 0.36173986463800073;  // [kg m²]
inline Gear servo_erob80_100() noexcept {
  return Gear({.coulomb_force = 0.0004779665335836211,
               .stribeck_force = 5.2264235087217585,
               .motor_gain = 0.048887727723564756,
               .external_gain = 7.626323416955297e-08,
               .motor_stribeck_gain = 8.823275901433639e-06,
               .external_stribeck_gain = 0.05116664604344119,
               .motor_quadratic_gain = 0.0027029166135035076,
               .external_quadratic_gain = 0.002556257557735874,
               .stribeck_velocity = 2.0330344391978556,
               .stribeck_exponent = 2.9999247237894795,
               .viscous = 9.709332392870175});
}
inline constexpr double servo_erob80_100_armature = 1.1350955632532613;  // [kg m²]

// The friction of the MX-64 with an example of a bristle, which nobody has identified: it yields 1.2 mrad before it
// slips.

inline GearLuGre servo_mx64_lugre() noexcept {
  const auto p = servo_mx64().params();
  return GearLuGre({.stiffness = 100,
                    .damping = 0.5,
                    .coulomb_force = p.coulomb_force,
                    .stribeck_force = p.stribeck_force,
                    .motor_gain = p.motor_gain,
                    .external_gain = p.external_gain,
                    .motor_stribeck_gain = p.motor_stribeck_gain,
                    .external_stribeck_gain = p.external_stribeck_gain,
                    .motor_quadratic_gain = p.motor_quadratic_gain,
                    .external_quadratic_gain = p.external_quadratic_gain,
                    .stribeck_velocity = p.stribeck_velocity,
                    .stribeck_exponent = p.stribeck_exponent,
                    .viscous = p.viscous});
}
inline GearElastoPlastic servo_mx64_elasto_plastic() noexcept {
  const auto p = servo_mx64_lugre().params();
  return GearElastoPlastic({.stiffness = p.stiffness,
                            .damping = p.damping,
                            .coulomb_force = p.coulomb_force,
                            .stribeck_force = p.stribeck_force,
                            .motor_gain = p.motor_gain,
                            .external_gain = p.external_gain,
                            .motor_stribeck_gain = p.motor_stribeck_gain,
                            .external_stribeck_gain = p.external_stribeck_gain,
                            .motor_quadratic_gain = p.motor_quadratic_gain,
                            .external_quadratic_gain = p.external_quadratic_gain,
                            .stribeck_velocity = p.stribeck_velocity,
                            .stribeck_exponent = p.stribeck_exponent,
                            .viscous = p.viscous});
}

}  // namespace stiction::scalar::preset
