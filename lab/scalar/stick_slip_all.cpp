// A mass pulled through a spring, with every model: which stick and slip, how often, and at which force.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "comparison_set.h"
#include "paper_setup.h"
#include "stiction/roots.h"
#include "stiction/sim/line.h"

namespace stiction::lab::scalar_stick_slip_all {
namespace {

constexpr double mass = 1;              // [kg]
constexpr double spring_stiffness = 2;  // [N/m]
constexpr double pull_speed = 0.1;      // [m/s]

struct Cycle {
  double period = 0;         // mean [s]; 0 where there is none
  double largest_pull = 0;   // spring force [N]
  double largest_speed = 0;  // [m/s]
  double slowest_late = 0;   // least speed over the last 10 s [m/s]
};

sim::Trajectory pulled(const scalar::AnyModel& model, double duration, sim::Method method = sim::Method::cvode) {
  sim::Load load{.spring = sim::Spring{spring_stiffness, 0, sim::Ramp{0, pull_speed * duration, 0, duration}}};
  if (lacks_viscous(model)) {
    load.controller = sim::Pid{.derivative = canudas_1995().params().viscous};
  }
  return sim::simulate(model, {.mass = mass}, load,
                       {.method = method, .duration = duration, .output_interval = 0.005, .step = 1e-3});
}

std::vector<double> spring_force(const sim::Trajectory& run) {
  std::vector<double> force(run.time.size());
  std::transform(run.time.begin(), run.time.end(), run.position.begin(), force.begin(),
                 [](double t, double x) { return spring_stiffness * (pull_speed * t - x); });
  return force;
}

/// A slip begins when the velocity rises through half the pulling speed; between samples it is interpolated.
Cycle measure(const sim::Trajectory& run) {
  std::vector<double> slips;
  const double level = pull_speed / 2;
  Cycle cycle{.slowest_late = infinity};
  for (std::size_t i = 1; i < run.time.size(); ++i) {
    if (run.velocity[i - 1] < level && run.velocity[i] >= level) {
      const double share = (level - run.velocity[i - 1]) / (run.velocity[i] - run.velocity[i - 1]);
      slips.push_back(run.time[i - 1] + share * (run.time[i] - run.time[i - 1]));
    }
    if (run.time[i] > run.time.back() - 10) {
      cycle.slowest_late = std::min(cycle.slowest_late, run.velocity[i]);
    }
  }
  if (slips.size() > 2) {  // the first one starts from an unstretched spring
    cycle.period = (slips.back() - slips[1]) / static_cast<double>(slips.size() - 2);
  }
  const auto pull = spring_force(run);
  cycle.largest_pull = *std::max_element(pull.begin(), pull.end());
  cycle.largest_speed = *std::max_element(run.velocity.begin(), run.velocity.end());
  return cycle;
}

/// The period where friction is F_S at rest and F_C + F_v v in motion, and motion begins and ends at the speed `band`.
/// In slip w = v − pull speed obeys  m w'' + F_v w' + k w = 0,  and the spring force is  m v' + F_C + F_v v.
double period_by_theory(double coulomb, double breakaway, double viscous, double band) {
  const double a = viscous / (2 * mass);
  const double b = std::sqrt(spring_stiffness / mass - a * a);
  const double w0 = band - pull_speed;
  const double start = (breakaway - coulomb - viscous * band) / mass;  // w'(0)
  const double amplitude = (start + a * w0) / b;
  const auto w = [&](double t) { return std::exp(-a * t) * (w0 * std::cos(b * t) + amplitude * std::sin(b * t)); };
  const auto slope = [&](double t) {
    return std::exp(-a * t) * ((b * amplitude - a * w0) * std::cos(b * t) - (b * w0 + a * amplitude) * std::sin(b * t));
  };
  // The slip ends between the top of the swing and its bottom.
  const double top = std::atan2(b * amplitude - a * w0, b * w0 + a * amplitude) / b;
  const double bottom = top + std::numbers::pi / b;
  const auto over = [&](double t) { return w(t) - w0; };
  const double end = root_in(Bracket<double>{top, over(top), bottom, over(bottom)}, 1e-13, over);
  const double force_at_stop = mass * slope(end) + coulomb + viscous * band;
  return end + (breakaway - force_at_stop) / (spring_stiffness * pull_speed);
}

/// The delay from the spring force reaching F_S to the start of the motion.
double breakaway_delay(const scalar::KarnoppOriginal& model) {
  const double reached = model.params().static_force / (spring_stiffness * pull_speed);
  const sim::Spring spring{spring_stiffness, 0, sim::Ramp{0, pull_speed * 2 * reached, 0, 2 * reached}};
  const auto run =
      sim::simulate(model, {.mass = mass}, {.spring = spring}, {.duration = reached + 0.5, .output_interval = 1e-4});
  const auto moving = std::find_if(run.position.begin(), run.position.end(), [](double x) { return x > 0; });
  return run.time[static_cast<std::size_t>(moving - run.position.begin())] - reached;
}

}  // namespace

Result run(const Context& context) {
  Result result;
  const double duration = context.quick ? 30 : 60;
  const auto levels = canudas_1995().params();
  const double fc = levels.coulomb_force;
  const double fs = levels.static_force;
  const double fv = levels.viscous;

  // Karnopp's model as the independent program ran it: no Stribeck effect, a wide band.
  const double band = 0.01;
  context.step(0);
  const scalar::Karnopp::Params wide{.coulomb_force = fc, .static_force = fs, .zero_velocity = band, .viscous = fv};
  const auto karnopp = pulled(scalar::Karnopp::make(wide), duration);
  const Cycle karnopp_cycle = measure(karnopp);
  const auto original =
      scalar::KarnoppOriginal::make({.coulomb_force = fc, .static_force = fs, .zero_velocity = band, .viscous = fv});
  const auto original_run = pulled(original, duration);
  const double delay = breakaway_delay(original);
  const Source events = from_program("independent solution with located events");
  result.claims = {
      within("Karnopp, DV = 10 mm/s: period", events, 6.42292939, karnopp_cycle.period, 1e-5, "s"),
      within("Karnopp, DV = 10 mm/s: period, from the linear slip", from_theory("closed form"),
             period_by_theory(fc, fs, fv, band), karnopp_cycle.period, 1e-5, "s"),
      within("Karnopp, DV = 10 mm/s: largest spring force", events, 1.5164579842, karnopp_cycle.largest_pull, 2e-6,
             "N"),
      within("Karnopp, DV = 10 mm/s: largest velocity", events, 0.374699402923, karnopp_cycle.largest_speed, 2e-6,
             "m/s"),
      within("Karnopp as published: break-away comes late by", from_theory("closed form √(2 m DV/(k v))"),
             std::sqrt(2 * mass * band / (spring_stiffness * pull_speed)), delay, 2e-4, "s"),
  };
  const auto table_of = [](const std::string& name, const sim::Trajectory& run) {
    return Table{name,
                 {{"time [s]", run.time},
                  {"position [m]", run.position},
                  {"velocity [m/s]", run.velocity},
                  {"spring force [N]", spring_force(run)}}};
  };
  result.tables = {table_of("karnopp_wide", karnopp), table_of("karnopp_original_wide", original_run)};

  constexpr std::array sticking{"stiction",
                                "stribeck",
                                "asymmetric-stribeck",
                                "load-dependent-stribeck",
                                "tabulated",
                                "karnopp",
                                "karnopp-original",
                                "armstrong",
                                "reset-integrator",
                                "journal-bearing",
                                "lugre",
                                "elasto-plastic",
                                "gms",
                                "leuven",
                                "brown-mcphee",
                                "specker"};
  const auto set = comparison_set(canudas_1995());
  std::vector<std::string> names;
  std::array<std::vector<double>, 4> columns;
  Cycle lugre;
  Cycle stiction;
  for (const auto& [name, model] : set) {
    context.step(0.1 + 0.85 * static_cast<double>(names.size()) / static_cast<double>(set.size()));
    // The bristles snap too often for events to be located one by one, and the film is stiff at every reversal.
    const bool fixed_steps = name == "haessig-bristle" || name == "journal-bearing";
    const auto run = pulled(model, duration, fixed_steps ? sim::Method::sdirk2 : sim::Method::cvode);
    const Cycle cycle = measure(run);
    const double slowest = cycle.slowest_late / pull_speed;
    const bool sticks = std::find(sticking.begin(), sticking.end(), name) != sticking.end();
    result.claims.push_back(
        sticks ? at_most(name + ": least speed over the pulling speed, last 10 s",
                         from_theory("friction falls once the body moves: stick-slip"), 0.05, slowest, "-")
               : at_least(name + ": least speed over the pulling speed, last 10 s",
                          from_theory("friction does not fall with speed: no stick-slip"), 0.5, slowest, "-"));
    lugre = name == "lugre" ? cycle : lugre;
    stiction = name == "stiction" ? cycle : stiction;
    names.push_back(name);
    columns[0].push_back(sticks && name != "journal-bearing" ? cycle.period : 0);  // the bearing swings in between
    columns[1].push_back(cycle.largest_pull);
    columns[2].push_back(cycle.largest_speed);
    columns[3].push_back(slowest);
    result.tables.push_back(table_of(name, run));
  }
  context.step(0.95);
  const auto& armstrong = model_named(set, "armstrong");
  const double fixed_period = measure(pulled(armstrong, duration, sim::Method::sdirk2)).period;
  const auto period_of = [&](const char* name) {
    return columns[0][static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin())];
  };
  const std::vector<Claim> numbers{
      within("LuGre: period", independent, 6.36271963, lugre.period, 1e-5, "s"),
      within("LuGre: largest spring force", independent, 1.50798774386, lugre.largest_pull, 2e-6, "N"),
      within("LuGre: largest velocity", independent, 0.369815976274, lugre.largest_speed, 1e-5, "m/s"),
      within("stiction: period, from the linear slip", from_theory("closed form"), period_by_theory(fc, fs, fv, 0),
             stiction.period, 1e-5, "s"),
      within("Armstrong: period with SDIRK2 at 1 ms over the accurate one", from_program("accurate solver (CVODE)"), 1,
             fixed_period / period_of("armstrong"), 0.01, "-")
          .as_info("the stick spring has no damping: it rings, and lets go early, until the step damps it"),
  };
  result.claims.insert(result.claims.end(), numbers.begin(), numbers.end());
  result.tables.push_back({"cycles",
                           {{"model", names},
                            {"period [s] (0: none)", columns[0]},
                            {"largest spring force [N]", columns[1]},
                            {"largest velocity [m/s]", columns[2]},
                            {"least speed over the pulling speed, last 10 s [-]", columns[3]}},
                           true});
  result.notes =
      "1 kg pulled through a spring of 2 N/m at 0.1 m/s, every model fitted to the set of 1995. Models without a "
      "viscous term get the same one from a damper. Stick-slip needs a friction that falls once the body moves. "
      "Dahl's and Bliman and Sorine's models have none in steady sliding: after a first overshoot they slide. "
      "Haessig's bristles peak only when they start from rest together. Leuven's elements remember earlier slips: "
      "its peak still rises after ten cycles. The bearing loses nearly all of its friction on its film: it "
      "swings to and fro many times before it sticks again.";
  const auto figure = [](const char* name, const char* title,
                         const std::vector<std::pair<const char*, const char*>>& lines) {
    Figure f{name, title, "time [s]", "spring force [N]", {}};
    for (const auto& [table, label] : lines) {
      f.series.push_back({table, 0, 3, label});
    }
    return f;
  };
  result.figures = {figure("sticking", "Stick-slip: spring force",
                           {{"stiction", "stiction"},
                            {"stribeck", "stribeck"},
                            {"lugre", "lugre"},
                            {"gms", "gms"},
                            {"leuven", "leuven"},
                            {"armstrong", "armstrong"},
                            {"specker", "specker"}}),
                    figure("sliding", "No stick-slip: spring force",
                           {{"coulomb", "coulomb"},
                            {"dahl", "dahl"},
                            {"bliman-sorine-1", "bliman-sorine-1"},
                            {"bliman-sorine-2", "bliman-sorine-2"},
                            {"haessig-bristle", "haessig-bristle"},
                            {"tanh", "tanh"}}),
                    figure("karnopp", "Karnopp with a band of 10 mm/s: spring force",
                           {{"karnopp_wide", "karnopp"}, {"karnopp_original_wide", "as published"}}),
                    figure("journal-bearing", "Stick-slip of a journal bearing: spring force",
                           {{"journal-bearing", "journal-bearing"}})};
  return result;
}

}  // namespace stiction::lab::scalar_stick_slip_all
