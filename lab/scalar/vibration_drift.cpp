// Drift: a bias and a vibration that together stay below break-away. Which models drift under it, and how fast.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <numbers>
#include <numeric>

#include "comparison_set.h"
#include "paper_setup.h"
#include "stiction/roots.h"
#include "stiction/sim/line.h"

namespace stiction::lab::scalar_vibration_drift {
namespace {

constexpr double bias = 0.12;       // [N m]
constexpr double vibration = 0.06;  // amplitude [N m]
constexpr double period = 2;        // [s]
constexpr int samples = 200;        // in a period

/// The path of a bristle from one torque to another: dF/dx = σ (1 − F/F_max sgn v). Up and down again leaves
///   x = (F_max/σ) ln[(1 − f₁²)/(1 − f₂²)],   f = torque/F_max at the lower and the upper turning point
double bristle_drift(double largest, double stiffness, double low, double high) {
  const auto margin = [&](double torque) { return 1 - std::pow(torque / largest, 2); };
  return largest / stiffness * std::log(margin(low) / margin(high)) / period;
}

/// The mean over a period of the speed at which a friction that is a function of velocity equals the torque.
template <class M>
double creep_speed(const M& model) {
  double sum = 0;
  for (int i = 0; i < samples; ++i) {
    const double torque = bias + vibration * std::sin(2 * std::numbers::pi * i / samples);
    const auto miss = [&](double v) { return model.resistance(v) - torque; };
    const double peak = model.velocity_scale();
    sum += root_in(Bracket<double>{0, -torque, peak, miss(peak)}, 0.0, miss);
  }
  return sum / samples;
}

struct Drift {
  double speed;  // [rad/s]
  sim::Trajectory run;
};
Drift drift_of(const scalar::AnyModel& model, int cycles, sim::Method method) {
  constexpr int settling = 3;  // cycles
  const sim::Load load{.force = sim::Signal(std::vector<sim::Signal::Term>{
                           sim::Ramp{0, bias, 0, 1, true}, sim::Sine{vibration, 2 * std::numbers::pi / period}})};
  Drift drift{0, sim::simulate(model, {.mass = olsson_table2_inertia}, load,
                               {.method = method,
                                .duration = (settling + cycles + 1) * period,
                                .output_interval = period / samples,
                                .step = 1e-3})};
  const auto mean_position = [&](int cycle) {
    const auto first = drift.run.position.begin() + std::ptrdiff_t{cycle} * samples;
    return std::accumulate(first, first + samples, 0.0) / samples;
  };
  drift.speed = (mean_position(settling + cycles) - mean_position(settling)) / (cycles * period);
  return drift;
}

}  // namespace

Result run(const Context& context) {
  Result result;
  const int cycles = context.quick ? 5 : 20;
  const auto set = comparison_set();
  std::vector<std::string> names;
  std::vector<double> speeds;
  std::map<std::string, double> speed;
  for (const auto& [name, model] : set) {
    context.step(static_cast<double>(names.size()) / static_cast<double>(set.size()));
    const bool fixed_steps = name == "haessig-bristle" || name == "journal-bearing";
    const Drift drift = drift_of(model, cycles, fixed_steps ? sim::Method::sdirk2 : sim::Method::cvode);
    names.push_back(name);
    speeds.push_back(drift.speed);
    speed[name] = drift.speed;
    result.tables.push_back({name, {{"time [s]", drift.run.time}, {"position [rad]", drift.run.position}}});
  }
  result.tables.push_back({"drift", {{"model", names}, {"drift [rad/s]", speeds}}, true});

  const auto levels = olsson_table2().params();
  const double low = bias - vibration;
  const double high = bias + vibration;
  const double fc = levels.coulomb_force;
  const double dahl = bristle_drift(fc, levels.stiffness, low, high);
  const double lugre = bristle_drift(levels.static_force, levels.stiffness, low, high);
  const auto unloaded = [&](double torque) { return torque / (1 + 0.1 * torque / fc); };
  const double loaded_dahl = bristle_drift(fc, levels.stiffness, unloaded(low), unloaded(high));
  const auto drifts = [&](const std::string& name, const char* source, double expected) {
    result.claims.push_back(
        within(name + ": drift", from_theory(source), expected, speed[name], 0.01 * expected, "rad/s"));
  };
  drifts("lugre", "closed form, g = F_S: the motion is far slower than v_S", lugre);
  drifts("leuven", "as LuGre: no element slips any more", lugre);
  drifts("dahl", "closed form", dahl);
  drifts("bliman-sorine-1", "closed form: Dahl's", dahl);
  drifts("load-dependent-dahl", "closed form, F/(1 + μ F/F_C)", loaded_dahl);
  for (const char* name : {"bliman-sorine-2", "bliman-sorine"}) {
    result.claims.push_back(at_least(std::string(name) + ": drift over LuGre's",
                                     from_theory("its bristles never hold either"), 0.1, speed[name] / speed["lugre"],
                                     "-"));
  }
  drifts("viscous", "bias/F_v", bias / levels.viscous);
  drifts("tanh", "speed at which friction equals the torque, mean", creep_speed(scalar::preset::table2_tanh()));
  drifts("brown-mcphee", "speed at which friction equals the torque, mean",
         creep_speed(scalar::preset::table2_brown_mcphee()));
  drifts("specker", "speed at which friction equals the torque, mean", creep_speed(scalar::preset::table2_specker()));
  const auto holds = [&](const std::string& name, const char* source, double limit) {
    result.claims.push_back(at_most(name + ": drift over LuGre's", from_theory(source), limit,
                                    std::abs(speed[name]) / speed["lugre"], "-"));
  };
  holds("elasto-plastic", "Dupont et al. 2002: no drift in the elastic range", 1e-9);
  holds("gms", "loops of Maxwell-slip elements close", 1e-9);
  holds("reset-integrator", "elastic inside its limits", 1e-9);
  holds("armstrong", "elastic; its spring rings undamped", 1e-5);
  holds("haessig-bristle", "elastic before the first snap; it rings undamped", 1e-5);
  for (const char* name : {"coulomb", "stiction", "stribeck", "asymmetric-stribeck", "load-dependent-stribeck",
                           "tabulated", "karnopp", "karnopp-original", "journal-bearing"}) {
    holds(name, "sticks exactly", 0);
  }
  result.notes =
      "A servo with the friction of Table 2 under a torque of 0.12 N m that swings by 0.06 N m every 2 s; "
      "break-away is at 0.28 to 0.33 N m. Models of one bristle yield a little in every swing and do not take it "
      "all back: they drift, so much in each cycle however slow it is. An elastic range, or elements that slip one "
      "by one, stop that. Smoothed models creep under the bias alone.";
  const auto figure = [](const char* name, const char* title, std::initializer_list<const char*> models) {
    Figure f{name, title, "time [s]", "position [rad]", {}};
    for (const char* model : models) {
      f.series.push_back({model, 0, 1, model});
    }
    return f;
  };
  result.figures = {
      figure("drift", "Position under a bias and a vibration below break-away",
             {"lugre", "leuven", "dahl", "bliman-sorine-2", "elasto-plastic", "gms", "reset-integrator", "coulomb"}),
      figure("creep", "The same with smoothed models", {"brown-mcphee", "tanh", "specker"})};
  return result;
}

}  // namespace stiction::lab::scalar_vibration_drift
