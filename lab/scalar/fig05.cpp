// Fig. 5: the static models side by side, and the Stribeck curve that LuGre settles on.
#include <algorithm>

#include "paper_setup.h"
#include "stiction/scalar/coulomb.h"
#include "stiction/scalar/stiction.h"
#include "stiction/scalar/stribeck.h"
#include "stiction/sim/line.h"

namespace stiction::lab::scalar_fig05 {
namespace {

/// Friction of LuGre after it has slid far enough at one velocity for the bristle to settle.
double settled_friction(const scalar::LuGre& model, double velocity) {
  const double distance = 60 * model.largest_deflection();  // e^−40 or less of the start remains
  const auto state = model.advance({}, velocity, distance / std::abs(velocity));
  return model.force(state, velocity);
}

}  // namespace

Result run(const Context& context) {
  const auto lugre = canudas_1995();
  const auto coulomb = scalar::Coulomb::make({.coulomb_force = 1});
  const auto coulomb_viscous = scalar::Coulomb::make({.coulomb_force = 1, .viscous = 20});
  const auto stiction = scalar::Stiction::make({.coulomb_force = 1, .static_force = 1.5, .viscous = 20});
  const auto stribeck = scalar::Stribeck::make(
      {.coulomb_force = 1, .static_force = 1.5, .stribeck_velocity = 1e-3, .stribeck_exponent = 2, .viscous = 0.4});

  const int points = context.quick ? 401 : 4001;
  std::vector<double> v;
  std::vector<double> a;
  std::vector<double> b;
  std::vector<double> c;
  std::vector<double> d;
  std::vector<double> settled;
  double worst = 0;
  for (int i = 0; i < points; ++i) {
    const double velocity = 0.02 * (2.0 * i / (points - 1) - 1);
    v.push_back(velocity);
    a.push_back(coulomb.force({}, velocity));
    b.push_back(coulomb_viscous.force({}, velocity));
    c.push_back(stiction.force({}, velocity));
    d.push_back(stribeck.force({}, velocity));
    settled.push_back(velocity == 0 ? 0 : settled_friction(lugre, velocity));
    worst = std::max(worst, std::abs(settled.back() - d.back()));
  }
  context.step(0.5);

  // A slow ramp through zero: the lag keeps the dynamic curve below the static peak.
  const auto ramp = sim::drive(lugre, sim::Ramp{-0.02, 0.02, 0, 20}, {.duration = 20, .output_interval = 0.005},
                               lugre.steady_state(-0.02));
  const auto dynamic_peak = std::max_element(ramp.friction.begin(), ramp.friction.end()) - ramp.friction.begin();

  Result result;
  result.notes =
      "Coulomb (a), with a viscous term (b), with stiction (c), and with the Stribeck effect (d). The points are what "
      "LuGre "
      "settles on at constant velocity: the same curve as (d). Swept through zero at 2 mm/s², LuGre's friction peaks "
      "below F_S "
      "because the bristle has no time to follow.";
  result.tables = {
      {"static",
       {{"velocity [m/s]", v},
        {"Coulomb [N]", a},
        {"Coulomb and viscous [N]", b},
        {"stiction [N]", c},
        {"Stribeck [N]", d},
        {"LuGre settled [N]", settled}}},
      {"breakaway", {{"velocity [m/s]", std::vector<double>{0, 0}}, {"break-away force [N]", std::vector{1.5, -1.5}}}},
      {"ramp", {{"velocity [m/s]", ramp.velocity}, {"friction [N]", ramp.friction}}}};
  result.figures = {{"fig05",
                     "Static friction models",
                     "velocity [m/s]",
                     "friction [N]",
                     {{"static", 0, 1, "a) Coulomb"},
                      {"static", 0, 2, "b) + viscous"},
                      {"breakaway", 0, 1, "c) b and stiction at rest", "points"},
                      {"static", 0, 4, "d) Stribeck"}}},
                    {"stribeck",
                     "LuGre settled and swept",
                     "velocity [m/s]",
                     "friction [N]",
                     {{"static", 0, 5, "settled at each velocity", "points"}, {"ramp", 0, 1, "swept at 2 mm/s²"}}}};
  result.claims = {
      at_most("settled LuGre friction minus the Stribeck curve, worst",
              from_theory("eq. 20 and steady state of eq. 21"), 0, worst, "N", 1e-12),
      within("friction just above standstill", from_theory("F_S"), 1.5, stribeck.force({}, 1e-9), 1e-6, "N"),
      within("friction at 3.018 mm/s, next to the least of the curve", independent, 1.00126257399223,
             stribeck.force({}, 0.003018059416240312), 1e-12, "N"),
      within("largest friction of the sweep", independent, 1.377773677859794,
             ramp.friction[static_cast<std::size_t>(dynamic_peak)], 1e-6, "N"),
      within("velocity at the largest friction of the sweep", independent, 5.2e-4,
             ramp.velocity[static_cast<std::size_t>(dynamic_peak)], 1.1e-5, "m/s"),
  };
  return result;
}

}  // namespace stiction::lab::scalar_fig05
