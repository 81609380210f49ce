// Frictional lag of four models: loops of friction over a velocity that rises and falls, against frequency, load and
// viscosity.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <numbers>

#include "comparison_set.h"
#include "paper_setup.h"
#include "stiction/sim/line.h"
#include "stiction/sim/measure.h"

namespace stiction::lab::scalar_lag_loops {
namespace {

struct Swing {
  double mean, amplitude;  // v = mean + amplitude sin(w t) [m/s]
};
struct Loop {
  std::vector<double> velocity, friction;
  double area = 0;  // ∮ F dv [N m/s], positive where friction is higher while the velocity rises
};

/// The last period of a motion of at least 4 s.
template <scalar::Model M>
Loop lag_loop(const M& model, const Swing& swing, double frequency, const typename M::State& start, double normal = 1) {
  const int rows = swing.amplitude < 0.1 * swing.mean ? 200 : 1000;
  const double period = 2 * std::numbers::pi / frequency;
  const double periods = std::max(4.0, std::ceil(4 / period));
  const auto run = sim::drive(model, sim::Sine{swing.amplitude, frequency, 0, swing.mean},
                              {.duration = periods * period, .output_interval = period / rows}, start, normal);
  Loop loop{{run.velocity.end() - rows - 1, run.velocity.end()}, {run.friction.end() - rows - 1, run.friction.end()}};
  for (std::size_t i = 0; i + 1 < loop.velocity.size(); ++i) {
    loop.area += (loop.friction[i] + loop.friction[i + 1]) / 2 * (loop.velocity[i + 1] - loop.velocity[i]);
  }
  return loop;
}

/// The response of sliding friction to a small oscillation, F/v at s = i w. Its loop has the area π A² Im.
using Response = std::complex<double>;
/// g'(v) (1 + s σ₁/σ₀)/(1 + s g/(σ₀ v)) + F_v
Response lugre_response(const scalar::LuGre::Params& p, double g, double slope, double v, Response s) {
  return slope * (1.0 + s * p.damping / p.stiffness) / (1.0 + s * g / (p.stiffness * v)) + p.viscous;
}
/// g'(v)/(1 + s g/C) + F_v: every slipping element follows g with a lag of first order
Response gms_response(const scalar::Gms::Params& p, double g, double slope, Response s) {
  return slope / (1.0 + s * g / p.attraction) + p.viscous;
}
/// slope e^(−s τ_L) + F_v, slope = −2 (v/v_S²) F_S/(1 + (v/v_S)²)²
Response armstrong_response(const scalar::Armstrong::Params& p, double v, Response s) {
  const double share = 1 + std::pow(v / p.stribeck_velocity, 2);
  const double slope = -2 * v / std::pow(p.stribeck_velocity, 2) * p.static_excess / (share * share);
  return slope * std::exp(-s * p.lag) + p.viscous;
}

/// Loops at three frequencies and two loads, as tables and a figure; returns the areas, frequency by frequency.
template <scalar::Model M>
std::array<std::array<double, 2>, 3> loops_of(const M& model, const std::string& name, const Swing& swing,
                                              Result& result) {
  std::array<std::array<double, 2>, 3> areas{};
  Figure figure{name, "Lag loops: " + name, "velocity [m/s]", "friction [N]", {}};
  const auto start = sim::settled(model, swing.mean);
  constexpr std::array frequencies{1, 10, 25};
  for (std::size_t f = 0; f < frequencies.size(); ++f) {
    for (const int normal : {1, 2}) {
      const Loop loop = lag_loop(model, swing, frequencies[f], start, normal);
      const std::string table = fmt::format("{}_{}_{}", name, frequencies[f], normal);
      areas[f][static_cast<std::size_t>(normal - 1)] = loop.area;
      result.tables.push_back({table, {{"velocity [m/s]", loop.velocity}, {"friction [N]", loop.friction}}});
      figure.series.push_back({table, 0, 1, fmt::format("{} rad/s, load {}", frequencies[f], normal)});
    }
  }
  result.figures.push_back(figure);
  return areas;
}

/// Small swings against the linear theory, over a wide range of frequencies.
void add_small_swings(const Context& context, const scalar::LuGre& lugre, const scalar::Gms& gms,
                      const scalar::Armstrong& armstrong, Result& result) {
  const Swing small{2e-3, 2e-5};
  const double g = lugre.curve(small.mean);
  const double step = 1e-8;
  const double slope = (lugre.curve(small.mean + step) - lugre.curve(small.mean - step)) / (2 * step);
  const auto theory = [&](double frequency) {
    const Response s{0, frequency};
    return std::array{lugre_response(lugre.params(), g, slope, small.mean, s), gms_response(gms.params(), g, slope, s),
                      armstrong_response(armstrong.params(), small.mean, s)};
  };
  const double unit = std::numbers::pi * small.amplitude * small.amplitude;
  std::vector<double> frequencies;
  std::array<std::vector<double>, 3> areas;
  std::array<double, 3> worst{};
  for (double frequency = 0.1; frequency < 1100; frequency *= std::pow(10, context.quick ? 1 / 2.0 : 1 / 6.0)) {
    context.step(0.4);
    const std::array measured{lag_loop(lugre, small, frequency, lugre.steady_state(small.mean)).area,
                              lag_loop(gms, small, frequency, sim::settled(gms, small.mean)).area,
                              lag_loop(armstrong, small, frequency, sim::settled(armstrong, small.mean)).area};
    frequencies.push_back(frequency);
    for (std::size_t i = 0; i < measured.size(); ++i) {
      const Response expected = theory(frequency)[i];
      worst[i] = std::max(worst[i], std::abs(measured[i] / unit - expected.imag()) / std::abs(expected));
      areas[i].push_back(measured[i] / unit);
    }
  }
  std::vector<double> fine;
  std::array<std::vector<double>, 3> expected;
  for (double frequency = 0.1; frequency < 1100; frequency *= 1.03) {
    fine.push_back(frequency);
    for (std::size_t i = 0; i < expected.size(); ++i) {
      expected[i].push_back(theory(frequency)[i].imag());
    }
  }
  const auto table_of = [](const char* name, const std::vector<double>& f,
                           const std::array<std::vector<double>, 3>& y) {
    return Table{
        name, {{"frequency [rad/s]", f}, {"LuGre [N s/m]", y[0]}, {"GMS [N s/m]", y[1]}, {"Armstrong [N s/m]", y[2]}}};
  };
  result.tables.push_back(table_of("small_swing", frequencies, areas));
  result.tables.push_back(table_of("small_swing_theory", fine, expected));
  constexpr std::array models{"LuGre", "GMS", "Armstrong"};
  constexpr std::array theories{"g' (1 + s σ1/σ0)/(1 + s g/(σ0 v))", "g'/(1 + s g/C)", "pure delay"};
  Figure figure{"small-swing", "Area of small loops over π A²", "frequency [rad/s]", "area/(π A²) [N s/m]", {}, true,
                false};
  for (std::size_t i = 0; i < models.size(); ++i) {
    result.claims.push_back(
        at_most(fmt::format("{}: small loops, 0.1 to 1000 rad/s, largest deviation over |F/v|", models[i]),
                from_theory(fmt::format("linearised: {}", theories[i])), 0, worst[i], "-", 5e-3));
    figure.series.push_back({"small_swing", 0, i + 1, models[i], "points"});
    figure.series.push_back({"small_swing_theory", 0, i + 1, fmt::format("{}, theory", models[i])});
  }
  result.figures.push_back(figure);
}

double bearing_area(const scalar::JournalBearing::Params& params, const Swing& swing, double frequency) {
  const auto bearing = scalar::JournalBearing::make(params);
  return lag_loop(bearing, swing, frequency, bearing.steady_state(swing.mean)).area;
}

void add_bearing(const Context& context, Result& result) {
  const auto bearing = scalar::preset::journal_bearing_200n();
  const Swing swing{0.03, 0.025};
  Figure loops{"journal-bearing", "Lag loops: journal bearing", "surface speed [m/s]", "friction [N]", {}};
  constexpr std::array frequencies{0.1, 0.3, 1.0};
  constexpr std::array independent_areas{0.04768944905289654, 0.13797809406623313, 0.3589037138043651};
  for (std::size_t i = 0; i < frequencies.size(); ++i) {
    context.step(0.6 + 0.1 * static_cast<double>(i));
    const Loop loop = lag_loop(bearing, swing, frequencies[i], bearing.steady_state(swing.mean));
    const std::string table = fmt::format("journal_{}", i);
    result.tables.push_back({table, {{"surface speed [m/s]", loop.velocity}, {"friction [N]", loop.friction}}});
    loops.series.push_back({table, 0, 1, fmt::format("{} rad/s", frequencies[i])});
    result.claims.push_back(within(fmt::format("journal bearing: loop area at {} rad/s", frequencies[i]), independent,
                                   independent_areas[i], loop.area, 2e-5 * independent_areas[i], "N m/s"));
  }

  // Steady friction: every sixth point of the independent Stribeck curve, and the one of its least friction.
  const std::vector<double> speeds{0.001,           0.00226951053669,     0.00515067807617, 0.011689518165,
                                   0.0265294846443, 0.039966389379830825, 0.0602089449334,  0.13664483493,
                                   0.310116892657,  0.703813555493,       1.59731228006};
  const std::vector<double> published{36.6650562523, 33.0089298997,       26.3199653108, 15.8226268429,
                                      3.27791503348, 0.11807701715762926, 0.16266922763, 0.311909897986,
                                      0.61025702422, 1.23261287359,       2.60474347975};
  const auto steady = [&](double v) { return bearing.force(bearing.steady_state(v), v); };
  double error = 0;
  for (std::size_t i = 0; i < speeds.size(); ++i) {
    error = std::max(error, std::abs(steady(speeds[i]) / published[i] - 1));
  }
  Column curve_speed{"surface speed [m/s]", std::vector<double>{}};
  Column curve_force{"friction [N]", std::vector<double>{}};
  double minimum = infinity;
  for (double v = 1e-3; v < 2; v *= 1.01) {
    std::get<0>(curve_speed.values).push_back(v);
    std::get<0>(curve_force.values).push_back(steady(v));
    minimum = std::min(minimum, steady(v));
  }
  result.tables.push_back({"stribeck", {curve_speed, curve_force}});
  result.tables.push_back({"stribeck_independent", {{"surface speed [m/s]", speeds}, {"friction [N]", published}}});
  result.claims.push_back(at_most("journal bearing: steady friction at 11 speeds, largest relative deviation",
                                  from_program("independent solution of the short bearing"), 0, error, "-", 1e-6));
  result.claims.push_back(at_most("journal bearing: least steady friction",
                                  from_program("independent solution, least of 61 points"), 0.11807701715762926,
                                  minimum, "N"));

  // Hess and Soom: against load and viscosity.
  const auto with = [&](double scalar::JournalBearing::Params::*field, double factor, const Swing& s) {
    auto params = bearing.params();
    params.*field *= factor;
    return bearing_area(params, s, 1);
  };
  using Params = scalar::JournalBearing::Params;
  const std::vector<double> factors{0.125, 0.25, 0.5, 1, 2, 4};
  const Swing slow{0.006, 0.005};
  std::vector<double> by_viscosity;
  std::vector<double> by_viscosity_slow;
  std::vector<double> by_load;
  for (const double factor : factors) {
    context.step(0.9);
    by_viscosity.push_back(with(&Params::viscosity, factor, swing));
    by_viscosity_slow.push_back(with(&Params::viscosity, factor, slow));
    by_load.push_back(with(&Params::load, factor, swing));
  }
  result.tables.push_back({"journal_factors",
                           {{"factor [-]", factors},
                            {"area, viscosity changed, 5 to 55 mm/s [N m/s]", by_viscosity},
                            {"area, viscosity changed, 1 to 11 mm/s [N m/s]", by_viscosity_slow},
                            {"area, load changed, 5 to 55 mm/s [N m/s]", by_load}},
                           true});
  const Source hess_soom = printed("Section 2: the loop grows with load and viscosity (Hess and Soom)");
  for (const std::size_t i : {1U, 2U, 3U}) {
    result.claims.push_back(
        at_least(fmt::format("journal bearing: area, viscosity {} over {} times", factors[i], factors[i - 1]),
                 hess_soom, 1, by_viscosity[i] / by_viscosity[i - 1], "-"));
  }
  result.claims.push_back(
      at_least("journal bearing: area, viscosity 2 over 1 times", hess_soom, 1, by_viscosity[4] / by_viscosity[3], "-")
          .as_refuted("at 5 to 55 mm/s the thicker oil carries the journal clear of its asperities "
                      "during most of the swing, and a full film hardly lags"));
  result.claims.push_back(at_least("journal bearing: area at 1 to 11 mm/s, viscosity 2 over 1 times", hess_soom, 1,
                                   by_viscosity_slow[4] / by_viscosity_slow[3], "-"));
  for (const std::size_t i : {1U, 2U, 3U, 4U, 5U}) {
    result.claims.push_back(
        at_least(fmt::format("journal bearing: area, load {} over {} times", factors[i], factors[i - 1]), hess_soom, 1,
                 by_load[i] / by_load[i - 1], "-"));
  }
  result.figures.push_back(loops);
  result.figures.push_back(
      {"stribeck",
       "Journal bearing: steady friction",
       "surface speed [m/s]",
       "friction [N]",
       {{"stribeck", 0, 1, "steady friction"}, {"stribeck_independent", 0, 1, "independent", "points"}},
       true,
       true});
  result.figures.push_back({"journal-factors",
                            "Journal bearing: loop area at 1 rad/s",
                            "viscosity or load, over that of the reference [-]",
                            "loop area [N m/s]",
                            {{"journal_factors", 0, 1, "viscosity", "linespoints"},
                             {"journal_factors", 0, 2, "viscosity, slow", "linespoints"},
                             {"journal_factors", 0, 3, "load", "linespoints"}},
                            true,
                            false});
}

}  // namespace

Result run(const Context& context) {
  Result result;
  const auto set = comparison_set(canudas_1995());
  const auto lugre = canudas_1995();
  const auto& gms = *model_named(set, "gms").as<scalar::Gms>();
  const auto& armstrong = *model_named(set, "armstrong").as<scalar::Armstrong>();
  const Swing swing{2e-3, 1.5e-3};
  context.step(0);
  const auto lugre_areas = loops_of(lugre, "lugre", swing, result);
  context.step(0.15);
  const auto gms_areas = loops_of(gms, "gms", swing, result);
  context.step(0.3);
  const auto armstrong_areas = loops_of(armstrong, "armstrong", swing, result);
  context.step(0.4);

  constexpr std::array independent_areas{6.69444429422664e-06, 6.013689925360682e-05, 1.1092237000846317e-4};
  constexpr std::array frequencies{1.0, 10.0, 25.0};
  for (std::size_t i = 0; i < frequencies.size(); ++i) {
    result.claims.push_back(within(fmt::format("LuGre: loop area at {} rad/s", frequencies[i]), independent,
                                   independent_areas[i], lugre_areas[i][0], 2e-4 * independent_areas[i], "N m/s"));
  }
  for (const auto& [name, areas] :
       {std::pair{"LuGre", lugre_areas}, {"GMS", gms_areas}, {"Armstrong", armstrong_areas}}) {
    result.claims.push_back(within(fmt::format("{}: loop area at 10 rad/s, load 2 over load 1", name),
                                   from_theory("all forces in proportion to the load"), 2, areas[1][1] / areas[1][0],
                                   1e-6, "-"));
  }
  for (const auto& [name, areas] : {std::pair{"LuGre", lugre_areas}, {"Armstrong", armstrong_areas}}) {
    result.claims.push_back(at_least(fmt::format("{}: loop area, 25 over 10 rad/s", name),
                                     printed("Section 2: the loop grows with frequency"), 1, areas[2][0] / areas[1][0],
                                     "-"));
  }
  result.claims.push_back(
      at_least("GMS: loop area, 25 over 10 rad/s", printed("Section 2: the loop grows with frequency"), 1,
               gms_areas[2][0] / gms_areas[1][0], "-")
          .as_refuted("a lag of first order: above C/s(v) = 3.5 rad/s friction no longer follows the curve"));

  add_small_swings(context, lugre, gms, armstrong, result);
  add_bearing(context, result);
  result.notes =
      "LuGre with the set of 1995, GMS and Armstrong's model fitted to it, at 0.5 to 3.5 mm/s; a journal bearing at "
      "5 to 55 mm/s. Loops grow with the load in all. They grow with frequency as long as the friction can follow: "
      "LuGre up to σ0 v/g, GMS up to C/s(v), Armstrong's pure delay up to a quarter of a period, and beyond half "
      "of one its loops run the other way. In the bearing they grow with viscosity in mixed lubrication, and shrink "
      "once "
      "the film carries the journal.";
  return result;
}

}  // namespace stiction::lab::scalar_lag_loops
