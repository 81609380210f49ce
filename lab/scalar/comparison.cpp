// Every model on one imposed motion: a matrix of small figures, and each model compared with an independent program.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "comparison_set.h"
#include "paper_setup.h"
#include "stiction/sim/line.h"

namespace stiction::lab::scalar_comparison {
namespace {

using Samples = std::array<double, 10>;
constexpr Samples times{0.1, 0.4, 0.9, 1.1, 1.5, 1.95, 2.3, 2.7, 3.2, 3.8};  // [s]; the velocity is zero at 0, 1, 2 …

// Friction at these times by another program: closed forms; Runge-Kutta with steps of 1 µs (Dahl, Bliman-Sorine, LuGre,
// elasto-plastic), good to better than 1e-7; steps of first order of 1 µs (GMS, reset integrator, Leuven), good to
// 1e-5.
constexpr Samples coulomb{0.28, 0.28, 0.28, -0.28, -0.28, -0.28, 0.28, 0.28, -0.28, -0.28};
constexpr Samples coulomb_viscous{0.2801942062,  0.2802727018, 0.2801942062, -0.2801942062, -0.2802464,
                                  -0.2801030063, 0.2803174062, 0.2803174062, -0.280307332,  -0.280307332};
constexpr Samples viscous_root{0.001848791148,  0.002190787797, 0.001848791148, -0.001848791148, -0.002082460084,
                               -0.001346443976, 0.002363545792, 0.002363545792, -0.002325734893, -0.002325734893};
constexpr Samples stribeck{0.2949913464,  0.2848051075, 0.2949913464, -0.2949913464, -0.287289321,
                           -0.3156014891, 0.2822514481, 0.2822514481, -0.2826771026, -0.2826771026};
constexpr Samples stribeck_asymmetric{0.2949913464,  0.2848051075, 0.2949913464, -0.3135759703, -0.3049043834,
                                      -0.3322097243, 0.2822514481, 0.2822514481, -0.2962911686, -0.2962911686};
constexpr Samples tanh{0.2799999999, 0.28, 0.2799999999, -0.2799999999, -0.28, -0.2799953799, 0.28, 0.28, -0.28, -0.28};
constexpr Samples brown_mcphee{0.3086966031,  0.2958805074, 0.3086966031, -0.3086966031, -0.2993093212,
                               -0.3290872754, 0.2915753572, 0.2915753572, -0.2924050635, -0.2924050635};
constexpr Samples specker{0.2961277795,  0.2823718354, 0.2961277795, -0.2961277795, -0.2848261409,
                          -0.3287412691, 0.280762285,  0.280762285,  -0.2809540499, -0.2809540499};
constexpr Samples armstrong{0.3075965684,  0.2942661922, 0.2991608086, -0.3075965684, -0.2970319546,
                            -0.3104710908, 0.291813805,  0.2924793431, -0.2935396399, -0.2920934593};
constexpr Samples dahl{0.1156855093,  0.2783828426, 0.2799989271, 0.04862861197, -0.2791602748,
                       -0.2799985556, 0.264547379,  0.2799543678, -0.1964769219, -0.2799915576};
constexpr Samples dahl_half{0.1293552868, 0.28, 0.28, 0.08882662462, -0.28, -0.28, 0.28, 0.28, -0.2200265074, -0.28};
constexpr Samples dahl_2{0.09735247809, 0.2345020223, 0.2592164993, -0.01371848519, -0.2401203658,
                         -0.259083456,  0.2118627301, 0.2518147448, -0.1643933623,  -0.2559069643};
constexpr Samples bliman_sorine_2{0.1191177897,  0.3051833707, 0.2952157858, 0.0556464764,  -0.3205698338,
                                  -0.3044711939, 0.2999232856, 0.3088349274, -0.2152591181, -0.3062066476};
constexpr Samples lugre{0.1219304659,  0.2817439399, 0.2862124743, 0.05556290987, -0.2848410111,
                        -0.2917052086, 0.2662733988, 0.2835207426, -0.1972534258, -0.2824731203};
constexpr Samples lugre_fading{0.1218823486,  0.2817414872, 0.2862100334, 0.05566037692, -0.2848395786,
                               -0.2917042889, 0.2662529913, 0.2835223637, -0.1971545675, -0.2824728842};
constexpr Samples elasto_plastic{0.1560569392,  0.283307429,  0.2872293087, 0.145274974,   -0.285897912,
                                 -0.2959166033, 0.2800806428, 0.2835828827, -0.2364588344, -0.2824850558};
constexpr Samples gms_hysteresis{0.1200702337,  0.2841901681, 0.28456924,   0.1444977384,   -0.2354975444,
                                 -0.2873405744, 0.1535957234, 0.2838711213, -0.04102522844, -0.2832698467};
constexpr Samples gms{0.1202644399,  0.2844628698, 0.2847634462, 0.1443035322,   -0.2357439444,
                      -0.2874435808, 0.1539131296, 0.2841885275, -0.04133256042, -0.2835771787};
constexpr Samples reset{0.1825131023, 0.28, 0.28, 0.1474868977, -0.28, -0.28, 0.28, 0.28, -0.3084050403, -0.28};
constexpr Samples leuven{0.1088810849,  0.2476456625, 0.2670116086, 0.06033778092, -0.232099665,
                         -0.2566662102, 0.1789594716, 0.2512832098, -0.1087365577, -0.2541581188};

struct Compare {
  std::string name;
  scalar::AnyModel model;
  const Samples* expected;
  double tolerance;  // over the range of 0.66 N m
  const char* source;
};

constexpr const char* closed = "independent program, closed form";
constexpr const char* fourth_order = "independent program, Runge-Kutta, 1 µs";
constexpr const char* first_order = "independent program, first order, 1 µs";

/// A copy with one parameter changed.
template <class M>
M with(const M& model, double M::Params::*field, double value) {
  auto params = model.params();
  params.*field = value;
  return M::make(params);
}

/// The models of the comparison set with what is known about them, and the variants that the independent program ran.
std::vector<Compare> compared_models() {
  using namespace scalar;          // NOLINT(google-build-using-namespace): one of each of its models
  using namespace scalar::preset;  // NOLINT(google-build-using-namespace)
  const auto set = comparison_set();
  const auto named = [&](const char* name) { return model_named(set, name); };
  // The independent program has no stick: a stiff spring that has rested at once comes close.
  auto sliding = named("armstrong").as<Armstrong>()->params();
  sliding.stiffness = 1e9;
  sliding.dwell_time = 1e-12;
  return {
      {"coulomb", with(table2_coulomb(), &Coulomb::Params::viscous, 0), &coulomb, 1e-9, closed},
      {"coulomb, viscous", named("coulomb"), &coulomb_viscous, 1e-9, closed},
      {"viscous, exponent 0.5", with(table2_viscous(), &Viscous::Params::exponent, 0.5), &viscous_root, 1e-9, closed},
      {"stiction", named("stiction"), &coulomb_viscous, 1e-9, "independent program, Coulomb: the same curve in motion"},
      {"stribeck", named("stribeck"), &stribeck, 1e-9, closed},
      {"asymmetric-stribeck", named("asymmetric-stribeck"), &stribeck_asymmetric, 1e-9, closed},
      {"load-dependent-stribeck", named("load-dependent-stribeck"), &stribeck, 1e-9,
       "independent program, Stribeck: the same without a load"},
      {"tabulated", named("tabulated"), &stribeck, 1e-3, "independent program, Stribeck; here from 29 points"},
      {"karnopp", named("karnopp"), &stribeck, 1e-9, "independent program, Stribeck: the same outside of the band"},
      {"karnopp-original", named("karnopp-original"), &stribeck, 1e-9,
       "independent program, Stribeck: the same outside of the band"},
      {"armstrong", Armstrong::make(sliding), &armstrong, 1e-5, "independent program, sliding branch"},
      {"dahl", named("dahl"), &dahl, 1e-6, fourth_order},
      {"dahl, exponent 0.5", with(table2_dahl(), &Dahl::Params::exponent, 0.5), &dahl_half, 1e-6, fourth_order},
      {"dahl, exponent 2", with(table2_dahl(), &Dahl::Params::exponent, 2), &dahl_2, 1e-6, fourth_order},
      {"load-dependent-dahl", named("load-dependent-dahl"), &dahl, 1e-6,
       "independent program, Dahl: the same without a load"},
      {"haessig-bristle", named("haessig-bristle"), nullptr, 0, ""},
      {"reset-integrator", named("reset-integrator"), &reset, 1e-5, first_order},
      {"bliman-sorine-1", with(table2_bliman_sorine_1(), &BlimanSorine1::Params::viscous, 0), &dahl, 1e-6,
       "independent program, Dahl: the same without F_v"},
      {"bliman-sorine-2", named("bliman-sorine-2"), &bliman_sorine_2, 1e-6, fourth_order},
      {"bliman-sorine", named("bliman-sorine"), &bliman_sorine_2, 1e-6, "independent program, the form of eq. 17"},
      {"journal-bearing", named("journal-bearing"), nullptr, 0, ""},
      {"lugre", named("lugre"), &lugre, 1e-6, fourth_order},
      {"lugre, fading σ1", table2_lugre_fading(), &lugre_fading, 1e-6, fourth_order},
      {"elasto-plastic", named("elasto-plastic"), &elasto_plastic, 1e-6, fourth_order},
      {"gms, without F_v", with(table2_gms(), &Gms::Params::viscous, 0), &gms_hysteresis, 1e-5, first_order},
      {"gms", named("gms"), &gms, 1e-5, first_order},
      {"leuven", named("leuven"), &leuven, 1e-5, first_order},
      {"brown-mcphee", named("brown-mcphee"), &brown_mcphee, 1e-9, closed},
      {"specker", named("specker"), &specker, 1e-9, closed},
      {"tanh", named("tanh"), &tanh, 1e-9, closed},
  };
}

std::vector<double> thousandfold(std::vector<double> values) {
  std::transform(values.begin(), values.end(), values.begin(), [](double value) { return 1000 * value; });
  return values;
}

}  // namespace

Result run(const Context& context) {
  Result result;
  const double interval = context.quick ? 0.005 : 0.001;
  const sim::Signal velocity(
      std::vector<sim::Signal::Term>{sim::Sine{0.02, std::numbers::pi}, sim::Sine{0.006, 3 * std::numbers::pi}});
  constexpr double range = 0.66;  // from −F_S to F_S
  Figure over_velocity{"over-velocity", "Friction over velocity", "v [mrad/s]", "F [N m]", {}, false, false, 6};
  Figure over_position{"over-position", "Friction over position", "x [mrad]", "F [N m]", {}, false, false, 6};
  const auto models = compared_models();
  for (std::size_t m = 0; m < models.size(); ++m) {
    context.step(static_cast<double>(m) / static_cast<double>(models.size()));
    const auto& [name, model, expected, tolerance, source] = models[m];
    const auto run = sim::drive(model, velocity, {.duration = 4, .output_interval = interval});
    if (expected != nullptr) {
      double deviation = 0;
      for (std::size_t i = 0; i < times.size(); ++i) {
        const auto row = static_cast<std::size_t>(std::llround(times[i] / interval));
        deviation = std::max(deviation, std::abs(run.friction[row] - (*expected)[i]) / range);
      }
      result.claims.push_back(at_most(name + ": largest deviation over the range of friction", from_program(source), 0,
                                      deviation, "-", tolerance));
    } else if (name == "haessig-bristle") {
      const auto [low, high] = std::minmax_element(run.friction.begin(), run.friction.end());
      result.claims.push_back(at_most("haessig-bristle: largest friction", from_theory("all bristles bent: 3/2 F_C"),
                                      0.42, std::max(-*low, *high), "N m", 1e-9));
    } else {
      double min_power = 0;
      for (std::size_t i = 0; i < run.time.size(); ++i) {
        min_power = std::min(min_power, run.friction[i] * run.velocity[i]);
      }
      result.claims.push_back(at_least("journal-bearing: least power taken from the motion",
                                       from_theory("friction opposes motion"), 0, min_power, "W"));
    }
    const std::string table = "model_" + std::to_string(m + 1);
    result.tables.push_back({table,
                             {{"time [s]", run.time},
                              {"position [mrad]", thousandfold(run.position)},
                              {"velocity [mrad/s]", thousandfold(run.velocity)},
                              {name + ": friction [N m]", run.friction}}});
    over_velocity.series.push_back({table, 2, 3, name});
    over_position.series.push_back({table, 1, 3, name});
  }
  result.figures = {over_velocity, over_position};
  result.notes =
      "The velocity is 0.02 sin πt + 0.006 sin 3πt rad/s; every model is as near to the servo of Table 2 as its own "
      "parameters allow. Friction is compared at ten times with another program. Deviations are in parts of the "
      "range from −F_S to F_S. Its own accuracy is that of ten printed digits for closed forms, better than 1e-7 "
      "for Runge-Kutta and 1e-5 for its steps of first order.";
  return result;
}

}  // namespace stiction::lab::scalar_comparison
