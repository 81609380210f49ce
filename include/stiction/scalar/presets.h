// Parameter sets with their sources, published or derived by this project: scenarios, experiments, tests use them.
#pragma once

#include <array>
#include <cmath>
#include <string_view>

#include "stiction/scalar/gear_presets.h"
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

// The comparison set: every model as close to the servo of Table 2 as its parameters allow.

inline Coulomb table2_coulomb() noexcept { return Coulomb({.coulomb_force = 0.28, .viscous = 0.0176}); }
inline Viscous table2_viscous() noexcept { return Viscous({.viscous = 0.0176}); }
inline Stiction table2_stiction() noexcept {
  return Stiction({.coulomb_force = 0.28, .static_force = 0.33, .viscous = 0.0176});
}
inline Stribeck table2_stribeck() noexcept {
  return Stribeck({.coulomb_force = 0.28, .static_force = 0.33, .stribeck_velocity = 0.01, .viscous = 0.0176});
}
/// A different curve backwards.
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
/// Friction that increases by a tenth of the load.
inline LoadDependentStribeck table2_load_dependent_stribeck() noexcept {
  return LoadDependentStribeck(
      {.coulomb_force = 0.28, .static_force = 0.33, .stribeck_velocity = 0.01, .viscous = 0.0176, .load_gain = 0.1});
}
inline LoadDependentDahl table2_load_dependent_dahl() noexcept {
  return LoadDependentDahl({.stiffness = 260, .coulomb_force = 0.28, .load_gain = 0.1});
}
/// The Stribeck curve as if measured, with four digits.
inline Tabulated table2_tabulated() noexcept {
  return Tabulated({.speed = {0, 0.0025, 0.005, 0.0075, 0.01, 0.0125, 0.015, 0.02, 0.03, 0.1, 1},
                    .force = {0.33, 0.327, 0.319, 0.3086, 0.2986, 0.2907, 0.2855, 0.2813, 0.2805, 0.2818, 0.2976},
                    .static_force = 0.33});
}
inline Karnopp table2_karnopp() noexcept {
  return Karnopp({.coulomb_force = 0.28,
                  .static_force = 0.33,
                  .zero_velocity = 1e-3,
                  .viscous = 0.0176,
                  .stribeck_velocity = 0.01});
}
inline KarnoppOriginal table2_karnopp_original() noexcept {
  return KarnoppOriginal({.coulomb_force = 0.28,
                          .static_force = 0.33,
                          .zero_velocity = 1e-3,
                          .viscous = 0.0176,
                          .stribeck_velocity = 0.01});
}
inline Armstrong table2_armstrong() noexcept {
  return Armstrong({.stiffness = 260,
                    .coulomb_force = 0.28,
                    .viscous = 0.0176,
                    .static_excess = 0.05,
                    .stribeck_velocity = 0.01,
                    .lag = 0.02,
                    .dwell_time = 1});
}
/// Twenty bristles of 260 N m/rad in total; the mean friction (2/3) N σ₀ δ_s is 0.28 N m.
inline HaessigBristle table2_haessig_bristle() noexcept {
  return HaessigBristle({.stiffness = 13, .largest_bend = 1.5 * 0.28 / 260});
}
/// A shaft of 25 mm in oil under 200 N.
inline JournalBearing journal_bearing_200n() noexcept {
  return JournalBearing({.radius = 0.0125,
                         .length = 0.025,
                         .clearance = 2.5e-5,
                         .viscosity = 0.02,
                         .mass = 5,
                         .load = 200,
                         .contact_onset = 0.85,
                         .contact_stiffness = 40816.32653061224,
                         .contact_friction = 0.2});
}
inline constexpr double journal_bearing_mass = 5;  // [kg]
/// The same, scaled down such that it holds 0.33 at rest.
inline JournalBearing table2_journal_bearing() noexcept {
  auto params = journal_bearing_200n().params();
  const double scale = 0.33 / (params.contact_friction * params.load);
  params.viscosity *= scale;
  params.mass *= scale;
  params.load *= scale;
  params.contact_stiffness *= scale;
  return JournalBearing(params);  // NOLINT(modernize-return-braced-init-list): the inherited constructor is explicit
}
inline Tanh table2_tanh() noexcept { return Tanh({.coulomb_force = 0.28, .transition_velocity = 1e-3}); }
/// σ₁ fades above 0.1 rad/s, which makes the model dissipative.
inline LuGre table2_lugre_fading() noexcept {
  auto params = olsson_table2().params();
  params.damping_velocity = 0.1;
  return LuGre(params);
}

inline Dahl table2_dahl() noexcept { return Dahl({.stiffness = 260, .coulomb_force = 0.28}); }
inline ResetIntegrator table2_reset_integrator() noexcept {
  return ResetIntegrator(
      {.stiffness = 260, .largest_deflection = 0.28 / 260, .stiction = 0.33 / 0.28 - 1, .damping = 0.6});
}
inline BlimanSorine1 table2_bliman_sorine_1() noexcept {
  return BlimanSorine1({.force = 0.28, .distance = 0.28 / 260, .viscous = 0.0176});
}
/// BS2-A of the comparison: steady friction, peak after a reversal and presliding stiffness are those of Table 2.
inline BlimanSorine2 table2_bliman_sorine_2() noexcept {
  return BlimanSorine2({.force_1 = 0.3247175838483214,
                        .force_2 = 0.04471758384832137,
                        .ratio = 0.1,
                        .distance = 0.012317147133211125,
                        .viscous = 0.0176});
}
/// BS2-B: the same levels over 3.6 times the distance, for Fig. 11.
inline BlimanSorine2 table2_bliman_sorine_2_soft() noexcept {
  auto params = table2_bliman_sorine_2().params();
  params.distance = 0.04419883218730175;
  return BlimanSorine2(params);  // NOLINT(modernize-return-braced-init-list): the inherited constructor is explicit
}
/// BS2-STD: derived from the set of 1995 as BS2-A is from Table 2.
inline BlimanSorine2 canudas_bliman_sorine_2() noexcept {
  return BlimanSorine2({.force_1 = 1.4114277830094897,
                        .force_2 = 0.4114277830094897,
                        .ratio = 0.1,
                        .distance = 1.3702850047085405e-4,
                        .viscous = 0.4});
}
/// BS2-A in the general form:  A = diag(−1/(η ε), −1/ε),  B = (f₁/(η ε), −f₂/ε),  C = (1, 1).
inline BlimanSorine table2_bliman_sorine() noexcept {
  const auto [f1, f2, ratio, distance, viscous] = table2_bliman_sorine_2().params();
  const double fast = 1 / (ratio * distance);
  const double slow = 1 / distance;
  return BlimanSorine({.a = {-fast, 0, 0, -slow}, .b = {f1 * fast, -f2 * slow}, .c = {1, 1}, .viscous = viscous});
}
inline ElastoPlastic table2_elasto_plastic() noexcept {
  return ElastoPlastic({.stiffness = 260,
                        .damping = 0.6,
                        .coulomb_force = 0.28,
                        .static_force = 0.33,
                        .stribeck_velocity = 0.01,
                        .viscous = 0.0176,
                        .elastic_share = 0.7});
}
/// Four elements; the stiff ones slip first.
inline Gms table2_gms() noexcept {
  return Gms({.stiffness = {104, 78, 52, 26},
              .share = {0.1, 0.2, 0.3, 0.4},
              .attraction = 1,
              .coulomb_force = 0.28,
              .static_force = 0.33,
              .stribeck_velocity = 0.01,
              .viscous = 0.0176});
}
inline Leuven table2_leuven() noexcept {
  return Leuven({.stiffness = {104, 78, 52, 26},
                 .limit = {0.033, 0.066, 0.099, 0.132},
                 .damping = 0.6,
                 .coulomb_force = 0.28,
                 .static_force = 0.33,
                 .stribeck_velocity = 0.01,
                 .viscous = 0.0176});
}
inline BrownMcPhee table2_brown_mcphee() noexcept {
  return BrownMcPhee({.coulomb_force = 0.28, .static_force = 0.33, .transition_velocity = 0.005, .viscous = 0.0176});
}
inline Specker table2_specker() noexcept {
  return Specker({.coulomb_force = 0.28, .static_force = 0.33, .breakaway_velocity = 0.005, .viscous = 0.0176});
}

}  // namespace preset

namespace detail {
inline constexpr const char* comparison_set = "this project's comparison set, after Table 2 of Olsson et al. 1998";

/// A preset of the comparison set, with the inertia of Table 2.
template <auto Make>
constexpr Preset compared(const char* name, const char* source = comparison_set) noexcept {
  return {name, Axis::rotary, preset::olsson_table2_mass, []() noexcept { return AnyModel(Make()); }, source};
}
// Servos alone, with their own inertia.
inline constexpr const char* m6 = "Duclusaud and Passault 2025, M6 of Rhoban/bam (Apache-2.0)";
inline constexpr const char* with_bristle = "this project: an example of a bristle on servo-mx64";
template <auto Make>
constexpr Preset servo(const char* name, double armature, const char* source = m6) noexcept {
  return {name, Axis::rotary, armature, []() noexcept { return AnyModel(Make()); }, source};
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
    detail::compared<preset::table2_load_dependent_stribeck>("table2-load-dependent-stribeck"),
    detail::compared<preset::table2_tabulated>("table2-tabulated"),
    detail::compared<preset::table2_karnopp>("table2-karnopp"),
    detail::compared<preset::table2_karnopp_original>("table2-karnopp-original"),
    detail::compared<preset::table2_armstrong>("table2-armstrong"),
    detail::compared<preset::table2_dahl>("table2-dahl"),
    detail::compared<preset::table2_load_dependent_dahl>("table2-load-dependent-dahl"),
    detail::compared<preset::table2_haessig_bristle>("table2-haessig-bristle"),
    detail::compared<preset::table2_reset_integrator>("table2-reset-integrator"),
    detail::compared<preset::table2_bliman_sorine_1>("table2-bliman-sorine-1"),
    detail::compared<preset::table2_bliman_sorine_2>("table2-bliman-sorine-2"),
    detail::compared<preset::table2_bliman_sorine_2_soft>("table2-bliman-sorine-2-soft"),
    detail::compared<preset::table2_bliman_sorine>("table2-bliman-sorine"),
    Preset{"canudas-bliman-sorine-2", Axis::linear, preset::canudas_1995_mass,
           []() noexcept { return AnyModel(preset::canudas_bliman_sorine_2()); },
           "this project: made from the set of Canudas de Wit et al. 1995"},
    Preset{"journal-bearing-200n", Axis::linear, preset::journal_bearing_mass,
           []() noexcept { return AnyModel(preset::journal_bearing_200n()); },
           "this project's bearing: a shaft of 25 mm in oil under 200 N"},
    detail::compared<preset::table2_journal_bearing>("table2-journal-bearing"),
    detail::compared<preset::table2_lugre_fading>("table2-lugre-fading"),
    detail::compared<preset::table2_elasto_plastic>("table2-elasto-plastic"),
    detail::compared<preset::table2_gms>("table2-gms"),
    detail::compared<preset::table2_leuven>("table2-leuven"),
    detail::compared<preset::table2_brown_mcphee>("table2-brown-mcphee"),
    detail::compared<preset::table2_specker>("table2-specker"),
    detail::compared<preset::table2_tanh>("table2-tanh"),
    detail::servo<preset::servo_mx64>("servo-mx64", preset::servo_mx64_armature),
    detail::servo<preset::servo_mx106>("servo-mx106", preset::servo_mx106_armature),
    detail::servo<preset::servo_xl320>("servo-xl320", preset::servo_xl320_armature),
    detail::servo<preset::servo_xl330>("servo-xl330", preset::servo_xl330_armature),
    detail::servo<preset::servo_erob80_50>("servo-erob80-50", preset::servo_erob80_50_armature),
    detail::servo<preset::servo_erob80_100>("servo-erob80-100", preset::servo_erob80_100_armature),
    detail::servo<preset::servo_mx64_lugre>("servo-mx64-lugre", preset::servo_mx64_armature, detail::with_bristle),
    detail::servo<preset::servo_mx64_elasto_plastic>("servo-mx64-elasto-plastic", preset::servo_mx64_armature,
                                                     detail::with_bristle),
};

/// The preset with that name, or nullptr.
constexpr const Preset* find_preset(std::string_view name) noexcept {
  for (const Preset& preset : presets) {
    if (name == preset.name) {
      return &preset;
    }
  }
  return nullptr;
}

/// The preset of the comparison set for a model, all of which are fitted to the servo of Table 2; or nullptr.
inline const Preset* comparison_preset(const ModelTable& model) noexcept {
  for (const Preset& preset : presets) {
    if (preset.mass == preset::olsson_table2_mass && preset.make().table() == &model) {
      return &preset;
    }
  }
  return nullptr;
}

}  // namespace stiction::scalar
