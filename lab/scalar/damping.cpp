// Eqs. 27 to 29: small free oscillations on the presliding spring, and what damps them.
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "paper_setup.h"
#include "stiction/sim/line.h"

namespace stiction::lab::scalar_damping {
namespace {

constexpr double pi = std::numbers::pi;
constexpr double inertia = olsson_table2_inertia;

struct Ringing {
  double frequency = 0;  // ω [rad/s]
  double damping = 0;    // ζ [-]
  double overshoot = 0;  // of one swing over the one before [-]
};

/// Turning points of a body that is knocked from rest. The swing from one to the next shrinks by exp(−π ζ/√(1 − ζ²))
/// and takes π/(ω √(1 − ζ²)).
Ringing measure(const sim::Trajectory& run, std::size_t swings) {
  std::vector<double> times;
  std::vector<double> positions;
  for (std::size_t i = 1; i < run.time.size() && times.size() <= swings; ++i) {
    const double v0 = run.velocity[i - 1];
    const double v1 = run.velocity[i];
    if (v0 * v1 < 0) {
      const double h = run.time[i] - run.time[i - 1];
      const double share = v0 / (v0 - v1);
      times.push_back(run.time[i - 1] + share * h);
      positions.push_back(run.position[i - 1] + share * h * v0 / 2);  // the velocity is interpolated linearly to 0
    }
  }
  const std::size_t last = times.size() - 1;
  const double first_swing = std::abs(positions[1] - positions[0]);
  const double last_swing = std::abs(positions[last] - positions[last - 1]);
  const double decrement = std::log(first_swing / last_swing) / static_cast<double>(last - 1);
  const double damping = decrement / std::hypot(pi, decrement);
  const double swing_time = (times[last] - times[0]) / static_cast<double>(last);
  return {pi / (swing_time * std::sqrt(1 - damping * damping)), damping, std::exp(-decrement)};
}

/// The first swing has the given share of the deflection at which this spring would carry 0.33 N m.
template <class Model>
Ringing rung(const Model& model, double stiffness, double share, bool lightly_damped) {
  const double frequency = std::sqrt(stiffness / inertia);
  const std::size_t swings = lightly_damped ? 20 : 3;
  const double swing_time = pi / frequency;
  return measure(sim::simulate(model, {.mass = inertia, .velocity = share * 0.33 / stiffness * frequency}, {},
                               {.duration = 1.5 * static_cast<double>(swings + 1) * swing_time,
                                .output_interval = swing_time / 1000,
                                .relative_tolerance = 1e-10}),
                 swings);
}

}  // namespace

Result run(const Context& context) {
  namespace preset = scalar::preset;
  constexpr double small = 1e-4;
  const auto lugre = preset::olsson_table2();
  auto bs1 = preset::table2_bliman_sorine_1().params();
  auto bs2 = preset::table2_bliman_sorine_2().params();
  const double sigma0 = lugre.stiffness;
  const double sigma1 = lugre.damping.at_rest;
  const double viscous = lugre.viscous.coefficient;

  Result result;
  result.notes =
      "The servo of Table 2 is knocked and rings on its presliding spring. x'' + 2 ζ ω x' + ω² x = 0 with ω² "
      "= k₀/J and ζ = d₀/(2 √(J k₀)) describes it for small swings. LuGre, elasto-plastic, Leuven and the "
      "reset integrator have a damping of their own. Bliman-Sorine, GMS and Dahl have the viscous term alone; "
      "without it only the hysteresis is left, which vanishes with the amplitude.";
  std::vector<std::string> models;
  std::vector<double> frequencies;
  std::vector<double> expected_frequencies;
  std::vector<double> dampings;
  std::vector<double> expected_dampings;
  const auto compare = [&](const char* name, const Source& source, const auto& model, double k0, double d0) {
    context.step(static_cast<double>(models.size()) / 12);
    const double omega = std::sqrt(k0 / inertia);
    const double zeta = d0 / (2 * std::sqrt(inertia * k0));
    const Ringing r = rung(model, k0, small, zeta < 0.1);
    models.emplace_back(name);
    frequencies.push_back(r.frequency);
    expected_frequencies.push_back(omega);
    dampings.push_back(r.damping);
    expected_dampings.push_back(zeta);
    result.claims.push_back(within(fmt::format("{}: ω over √(k₀/J)", name), source, 1, r.frequency / omega, 1e-5, "-"));
    result.claims.push_back(within(fmt::format("{}: ζ", name), source, zeta, r.damping, 3e-5, "-"));
    return r;
  };
  // ζ = (σ₁ + α₂)/(2 √(J σ₀))
  const Ringing knocked = compare("LuGre", printed("eqs. 27 and 29"), lugre, sigma0, sigma1 + viscous);
  // ζ = (F_v/2) √(η ε/(J (f₁ − η f₂))): k₀ = (f₁ − η f₂)/(η ε), d₀ = F_v
  compare("Bliman-Sorine 2", from_theory("eq. 27, and eq. 28 with J under the whole root"), scalar::BlimanSorine2(bs2),
          (bs2.force_1 - bs2.ratio * bs2.force_2) / (bs2.ratio * bs2.distance), bs2.viscous);
  compare("Bliman-Sorine 1", from_theory("eq. 27, k₀ = f₁/ε, d₀ = F_v"), scalar::BlimanSorine1(bs1),
          bs1.force / bs1.distance, bs1.viscous);
  compare("reset integrator", from_theory("eq. 27, k₀ = (1 + a) σ₀, d₀ = σ₁"), preset::table2_reset_integrator(),
          sigma0 * 0.33 / 0.28, sigma1);
  compare("elasto-plastic", from_theory("eq. 27, k₀ = σ₀, d₀ = σ₁ + F_v"), preset::table2_elasto_plastic(), sigma0,
          sigma1 + viscous);
  compare("GMS", from_theory("eq. 27, k₀ = Σ kᵢ, d₀ = F_v"), preset::table2_gms(), sigma0, viscous);
  compare("Leuven", from_theory("eq. 27, k₀ = Σ kᵢ, d₀ = σ₁ + F_v"), preset::table2_leuven(), sigma0, sigma1 + viscous);
  const Ringing undamped = compare("Dahl", from_theory("eq. 27, k₀ = σ, d₀ = 0"), preset::table2_dahl(), sigma0, 0);
  bs1.viscous = bs2.viscous = 0;
  compare("Bliman-Sorine 1 without viscous term", from_theory("eq. 28 with F_v = 0"), scalar::BlimanSorine1(bs1),
          sigma0, 0);
  compare("Bliman-Sorine 2 without viscous term", from_theory("eq. 28 with F_v = 0"), scalar::BlimanSorine2(bs2),
          sigma0, 0);

  // Without a viscous term only hysteresis remains: ζ is proportional to the amplitude.
  std::vector<double> shares;
  std::vector<double> lugre_zeta;
  std::vector<double> dahl_zeta;
  std::vector<double> bs2_zeta;
  for (double share = 0.1; share > 2e-5; share /= context.quick ? 10 : std::sqrt(10.0)) {
    shares.push_back(share);
    lugre_zeta.push_back(rung(lugre, sigma0, share, false).damping);
    dahl_zeta.push_back(rung(preset::table2_dahl(), sigma0, share, true).damping);
    bs2_zeta.push_back(rung(scalar::BlimanSorine2(bs2), sigma0, share, true).damping);
  }
  // Dahl's loop between ±u F_C costs (4/3) u³ F_C²/σ, the swing holds u² F_C²/(2 σ): ζ = 2 u/(3 π).
  const double dahl_hysteresis = 2 / (3 * pi) * small * 0.33 / 0.28;
  result.tables = {{"damping",
                    {{"model", models},
                     {"ω measured [rad/s]", frequencies},
                     {"ω by formula [rad/s]", expected_frequencies},
                     {"ζ measured [-]", dampings},
                     {"ζ by formula [-]", expected_dampings}},
                    true},
                   {"amplitude",
                    {{"amplitude over 0.33 N m / k0 [-]", shares},
                     {"LuGre [-]", lugre_zeta},
                     {"Dahl [-]", dahl_zeta},
                     {"Bliman-Sorine 2, F_v = 0 [-]", bs2_zeta}}}};
  result.figures = {{"damping",
                     "Damping ratio against the amplitude of the first swing",
                     "amplitude over 0.33 N m / k0 [-]",
                     "ζ [-]",
                     {{"amplitude", 0, 1, "LuGre", "linespoints"},
                      {"amplitude", 0, 2, "Dahl", "linespoints"},
                      {"amplitude", 0, 3, "Bliman-Sorine 2, F_v = 0", "linespoints"}},
                     true,
                     true}};
  result.claims.push_back(within("LuGre: overshoot of a swing", from_program("eq. 29 by another program"), 0.254526,
                                 knocked.overshoot, 1e-5, "-"));
  result.claims.push_back(within("Dahl: ζ over that of its hysteresis, which vanishes with the amplitude",
                                 from_theory("closed form, 2 u/(3 π)"), 1, undamped.damping / dahl_hysteresis, 0.01,
                                 "-"));
  result.claims.push_back(at_least("J f₁ − η f₂ under the root", printed("eq. 28 as printed"), 0,
                                   inertia * bs2.force_1 - bs2.ratio * bs2.force_2, "N m")
                              .as_refuted("the root would be imaginary: J multiplies (f₁ − η f₂)"));
  return result;
}

}  // namespace stiction::lab::scalar_damping
