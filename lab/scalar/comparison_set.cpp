#include "comparison_set.h"

#include <algorithm>
#include <cmath>

#include "stiction/roots.h"

namespace stiction::lab {
namespace {

using namespace scalar;  // NOLINT(google-build-using-namespace): one of each of its models

/// f₁ and f₂ that slide at F_C and peak at F_S after a reversal, with η = 0.1, and the distance that gives σ₀.
BlimanSorine2 bliman_sorine_like(const LuGre::Params& p) {
  constexpr double ratio = 0.1;
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
  Tabulated::Params points{.static_force = stribeck.params.static_force};
  const auto measure = [&](double share) {
    const double speed = share * stribeck.params.stribeck_velocity;
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

/// Twenty bristles of the wanted stiffness in all, whose mean friction (2/3) N σ₀ δ_s is F_C.
HaessigBristle bristles_like(const LuGre::Params& p) {
  return HaessigBristle::make({.stiffness = p.stiffness / 20, .largest_bend = 1.5 * p.coulomb_force / p.stiffness});
}

/// The bearing of 200 N with oil, load, mass and asperities scaled such that it holds F_S at rest.
JournalBearing bearing_like(const LuGre::Params& p) {
  auto bearing = preset::journal_bearing_200n().params;
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
  constexpr double load_gain = 0.1;                                    // of the models that see the load
  const Elements<double> springs{0.4 * k, 0.3 * k, 0.2 * k, 0.1 * k};  // the stiff ones slip first
  return {
      Coulomb::make({.coulomb_force = fc, .viscous = fv}),
      Viscous::make({.viscous = fv}),
      Stiction::make({.coulomb_force = fc, .static_force = fs, .viscous = fv}),
      stribeck,
      AsymmetricStribeck::make({.coulomb_force_plus = fc,
                                .static_force_plus = fs,
                                .stribeck_velocity_plus = vs,
                                .viscous_plus = fv,
                                .coulomb_force_minus = fc * 25 / 28,
                                .static_force_minus = fs * 36 / 33,
                                .stribeck_velocity_minus = 2 * vs,
                                .stribeck_exponent_minus = 1,
                                .viscous_minus = fv * 25 / 22}),
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
                       .lag = 0.02,
                       .dwell_time = 1}),
      Dahl::make({.stiffness = k, .coulomb_force = fc}),
      LoadDependentDahl::make({.stiffness = k, .coulomb_force = fc, .load_gain = load_gain}),
      bristles_like(p),
      ResetIntegrator::make(
          {.stiffness = k, .largest_deflection = fc / k, .stiction = fs / fc - 1, .damping = p.damping}),
      BlimanSorine1::make({.force = fc, .distance = fc / k, .viscous = fv}),
      bliman_sorine,
      general_form(bliman_sorine.params),
      bearing_like(p),
      like,
      ElastoPlastic::make({.stiffness = k,
                           .damping = p.damping,
                           .coulomb_force = fc,
                           .static_force = fs,
                           .stribeck_velocity = vs,
                           .viscous = fv,
                           .elastic_share = 0.7}),
      Gms::make({.stiffness = springs,
                 .share = {0.1, 0.2, 0.3, 0.4},
                 .attraction = fc / 0.28,
                 .coulomb_force = fc,
                 .static_force = fs,
                 .stribeck_velocity = vs,
                 .viscous = fv}),
      Leuven::make({.stiffness = springs,
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
  for (AnyModel& model : models_like(like)) {
    set.push_back({std::visit([]<class M>(const M&) { return M::info.name; }, model), std::move(model)});
  }
  return set;
}

const AnyModel& model_named(const std::vector<Compared>& set, const std::string& name) {
  return std::find_if(set.begin(), set.end(), [&](const Compared& one) { return one.name == name; })->model;
}

bool lacks_viscous(const AnyModel& model) {
  return std::holds_alternative<Dahl>(model) || std::holds_alternative<LoadDependentDahl>(model) ||
         std::holds_alternative<HaessigBristle>(model) || std::holds_alternative<ResetIntegrator>(model) ||
         std::holds_alternative<Tanh>(model);
}

}  // namespace stiction::lab
