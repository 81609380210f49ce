#include "comparison_set.h"

#include <algorithm>
#include <cmath>

#include "stiction/roots.h"

namespace stiction::lab {
namespace {

using namespace scalar;  // NOLINT(google-build-using-namespace): one of each of its models

/// f₁ and f₂ that slide at F_C and peak at F_S after a reversal, with the η of Table 2, and the distance that gives σ₀.
BlimanSorine2 bliman_sorine_like(const LuGre::Params& p) {
  const double ratio = preset::table2_bliman_sorine_2().params().ratio;
  // F_S − F_C = 2 (1 − η) f₂ r^{−η/(1−η)},   r = f₁/(η f₂),   f₁ = F_C + f₂
  const auto excess = [&](double f2) {
    return 2 * (1 - ratio) * f2 * std::pow((p.coulomb_force + f2) / (ratio * f2), -ratio / (1 - ratio));
  };
  const auto miss = [&](double f2) { return excess(f2) - (p.static_force - p.coulomb_force); };
  const double most = 100 * p.static_force;
  const double f2 = root_in(Bracket<double>{1e-9 * most, miss(1e-9 * most), most, miss(most)}, 0.0, miss);
  const double f1 = p.coulomb_force + f2;
  // σ₀ = (f₁ − η f₂)/(η ε)
  const double distance = (f1 - ratio * f2) / (ratio * p.stiffness);
  return BlimanSorine2::make(
      {.force_1 = f1, .force_2 = f2, .ratio = ratio, .distance = distance, .viscous = p.viscous});
}

/// The same in the general form:  A = diag(−1/(η ε), −1/ε),  B = (f₁/(η ε), −f₂/ε),  C = (1, 1).
BlimanSorine general_form(const BlimanSorine2::Params& p) {
  const double fast = 1 / (p.ratio * p.distance);
  const double slow = 1 / p.distance;
  return BlimanSorine::make(
      {.a = {-fast, 0, 0, -slow}, .b = {p.force_1 * fast, -p.force_2 * slow}, .c = {1, 1}, .viscous = p.viscous});
}

/// The Stribeck curve, measured at 29 speeds.
Tabulated tabulated(const Stribeck& stribeck) {
  Tabulated::Params points{.static_force = stribeck.params().static_force};
  const auto measure = [&](double share) {
    const double speed = share * stribeck.params().stribeck_velocity;
    points.speed.push_back(speed);
    points.force.push_back(stribeck.sliding_force(speed, 1));
  };
  for (int i = 0; i <= 24; ++i) {
    measure(i / 6.0);
  }
  for (const double share : {10., 100., 1000., 1e4}) {
    measure(share);
  }
  return Tabulated::make(points);
}

/// Twenty bristles with the required total stiffness, whose mean friction (2/3) N σ₀ δ_s is F_C.
HaessigBristle bristles_like(const LuGre::Params& p) {
  return HaessigBristle::make({.stiffness = p.stiffness / 20, .largest_bend = 1.5 * p.coulomb_force / p.stiffness});
}

/// The bearing of 200 N with oil, load, mass and asperities scaled such that it holds F_S at rest.
JournalBearing bearing_like(const LuGre::Params& p) {
  auto bearing = preset::journal_bearing_200n().params();
  const double scale = p.static_force / (bearing.contact_friction * bearing.load);
  for (double JournalBearing::Params::*force :
       {&JournalBearing::Params::viscosity, &JournalBearing::Params::mass, &JournalBearing::Params::load,
        &JournalBearing::Params::contact_stiffness}) {
    bearing.*force *= scale;
  }
  return JournalBearing::make(bearing);
}

std::vector<AnyModel> models_like(const LuGre& like) {
  const LuGre::Params p = like.params();
  const double fc = p.coulomb_force;
  const double fs = p.static_force;
  const double vs = p.stribeck_velocity;
  const double fv = p.viscous;
  const double k = p.stiffness;
  const Stribeck stribeck =
      Stribeck::make({.coulomb_force = fc, .static_force = fs, .stribeck_velocity = vs, .viscous = fv});
  const BlimanSorine2 bliman_sorine = bliman_sorine_like(p);
  // Parameters without a counterpart in LuGre are those of the presets for Table 2.
  const auto backwards = preset::table2_asymmetric_stribeck().params();
  const double load_gain = preset::table2_load_dependent_dahl().params().load_gain;
  const auto armstrong = preset::table2_armstrong().params();
  auto springs = preset::table2_gms().params();
  for (double& stiffness : springs.stiffness.values) {
    stiffness *= k / preset::olsson_table2().stiffness;
  }
  return {
      Coulomb::make({.coulomb_force = fc, .viscous = fv}),
      Viscous::make({.viscous = fv}),
      Stiction::make({.coulomb_force = fc, .static_force = fs, .viscous = fv}),
      stribeck,
      AsymmetricStribeck::make(
          {.coulomb_force_plus = fc,
           .static_force_plus = fs,
           .stribeck_velocity_plus = vs,
           .viscous_plus = fv,
           .coulomb_force_minus = fc * backwards.coulomb_force_minus / backwards.coulomb_force_plus,
           .static_force_minus = fs * backwards.static_force_minus / backwards.static_force_plus,
           .stribeck_velocity_minus = vs * backwards.stribeck_velocity_minus / backwards.stribeck_velocity_plus,
           .stribeck_exponent_minus = backwards.stribeck_exponent_minus,
           .viscous_minus = fv * backwards.viscous_minus / backwards.viscous_plus}),
      LoadDependentStribeck::make(
          {.coulomb_force = fc, .static_force = fs, .stribeck_velocity = vs, .viscous = fv, .load_gain = load_gain}),
      tabulated(stribeck),
      Karnopp::make(
          {.coulomb_force = fc, .static_force = fs, .zero_velocity = vs / 10, .viscous = fv, .stribeck_velocity = vs}),
      KarnoppOriginal::make(
          {.coulomb_force = fc, .static_force = fs, .zero_velocity = vs / 10, .viscous = fv, .stribeck_velocity = vs}),
      Armstrong::make({.stiffness = k,
                       .coulomb_force = fc,
                       .viscous = fv,
                       .static_excess = fs - fc,
                       .stribeck_velocity = vs,
                       .lag = armstrong.lag,
                       .dwell_time = armstrong.dwell_time}),
      Dahl::make({.stiffness = k, .coulomb_force = fc}),
      LoadDependentDahl::make({.stiffness = k, .coulomb_force = fc, .load_gain = load_gain}),
      bristles_like(p),
      ResetIntegrator::make(
          {.stiffness = k, .largest_deflection = fc / k, .stiction = fs / fc - 1, .damping = p.damping}),
      BlimanSorine1::make({.force = fc, .distance = fc / k, .viscous = fv}),
      bliman_sorine,
      general_form(bliman_sorine.params()),
      bearing_like(p),
      like,
      ElastoPlastic::make({.stiffness = k,
                           .damping = p.damping,
                           .coulomb_force = fc,
                           .static_force = fs,
                           .stribeck_velocity = vs,
                           .viscous = fv,
                           .elastic_share = preset::table2_elasto_plastic().params().elastic_share}),
      Gms::make({.stiffness = springs.stiffness,
                 .share = springs.share,
                 .attraction = springs.attraction * fc / springs.coulomb_force,
                 .coulomb_force = fc,
                 .static_force = fs,
                 .stribeck_velocity = vs,
                 .viscous = fv}),
      Leuven::make({.stiffness = springs.stiffness,
                    .limit = {0.1 * fs, 0.2 * fs, 0.3 * fs, 0.4 * fs},
                    .damping = p.damping,
                    .coulomb_force = fc,
                    .static_force = fs,
                    .stribeck_velocity = vs,
                    .viscous = fv}),
      BrownMcPhee::make({.coulomb_force = fc, .static_force = fs, .transition_velocity = vs / 2, .viscous = fv}),
      Specker::make({.coulomb_force = fc, .static_force = fs, .breakaway_velocity = vs / 2, .viscous = fv}),
      Tanh::make({.coulomb_force = fc, .transition_velocity = vs / 10}),
  };
}

}  // namespace

std::vector<Compared> comparison_set(const LuGre& like) {
  std::vector<Compared> set;
  for (const AnyModel& model : models_like(like)) {
    set.push_back({model.name(), model});
  }
  return set;
}

const AnyModel& model_named(const std::vector<Compared>& set, const std::string& name) {
  return std::find_if(set.begin(), set.end(), [&](const Compared& one) { return one.name == name; })->model;
}

bool lacks_viscous(const AnyModel& model) {
  return model.as<Dahl>() != nullptr || model.as<LoadDependentDahl>() != nullptr ||
         model.as<HaessigBristle>() != nullptr || model.as<ResetIntegrator>() != nullptr || model.as<Tanh>() != nullptr;
}

}  // namespace stiction::lab
