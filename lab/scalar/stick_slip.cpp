// A mass on a surface, pulled by a spring at constant speed: it sticks, slips, and sticks again.
#include <algorithm>

#include "paper_setup.h"
#include "stiction/scalar/stribeck.h"
#include "stiction/sim/line.h"

namespace stiction::lab::scalar_stick_slip {
namespace {

constexpr double spring_stiffness = 2;  // [N/m]
constexpr double pull_speed = 0.1;      // [m/s]

struct Cycle {
  double first_slip = 0;     // [s]
  double period = 0;         // mean [s]
  double largest_pull = 0;   // spring force [N]
  double largest_speed = 0;  // [m/s]
};

/// A slip begins when the velocity rises through half the pulling speed; between samples it is interpolated.
Cycle measure(const sim::Trajectory& run) {
  std::vector<double> slips;
  const double level = pull_speed / 2;
  for (std::size_t i = 1; i < run.time.size(); ++i) {
    if (run.velocity[i - 1] < level && run.velocity[i] >= level) {
      const double share = (level - run.velocity[i - 1]) / (run.velocity[i] - run.velocity[i - 1]);
      slips.push_back(run.time[i - 1] + share * (run.time[i] - run.time[i - 1]));
    }
  }
  return {slips.front(), (slips.back() - slips.front()) / static_cast<double>(slips.size() - 1),
          *std::max_element(run.load.begin(), run.load.end()),
          *std::max_element(run.velocity.begin(), run.velocity.end())};
}

template <class Model>
sim::Trajectory pulled(const Model& model, sim::Method method, double duration) {
  return sim::simulate(model, {.mass = 1},
                       {.spring = sim::Spring{spring_stiffness, 0, sim::Ramp{0, pull_speed * duration, 0, duration}}},
                       {.method = method, .duration = duration, .output_interval = 0.005, .step = 1e-3});
}

Table table_of(const char* name, const sim::Trajectory& run) {
  return {name,
          {{"time [s]", run.time},
           {"position [m]", run.position},
           {"velocity [m/s]", run.velocity},
           {"friction [N]", run.friction},
           {"spring force [N]", run.load}}};
}

}  // namespace

Result run(const Context& context) {
  const auto lugre = canudas_1995();
  const auto stribeck =
      scalar::Stribeck::make({.coulomb_force = 1, .static_force = 1.5, .stribeck_velocity = 1e-3, .viscous = 0.4});
  const double duration = context.quick ? 30 : 60;
  context.step(0);
  const auto accurate = pulled(lugre, sim::Method::cvode, duration);
  context.step(0.4);
  const auto fixed = pulled(lugre, sim::Method::sdirk2, duration);
  context.step(0.7);
  const auto events = pulled(stribeck, sim::Method::cvode, duration);
  const Cycle cycle = measure(accurate);
  const Cycle fixed_cycle = measure(fixed);
  const auto moving = std::find_if(events.velocity.begin(), events.velocity.end(), [](double v) { return v > 0; });
  const double breakaway_pull = events.load[static_cast<std::size_t>(moving - events.velocity.begin()) - 1];
  const auto held =
      static_cast<std::size_t>(std::lower_bound(events.time.begin(), events.time.end(), 5.0) - events.time.begin());

  Result result;
  result.notes =
      "1 kg pulled through a spring of 2 N/m at 0.1 m/s. LuGre with the accurate solver, LuGre with the coupled step "
      "at 1 ms, and "
      "set-valued Stribeck friction with events, where the mass stands perfectly still between slips.";
  result.tables = {table_of("lugre", accurate), table_of("lugre_sdirk2", fixed), table_of("stribeck", events)};
  result.figures = {{"position",
                     "Stick-slip: position",
                     "time [s]",
                     "position [m]",
                     {{"lugre", 0, 1, "LuGre"}, {"stribeck", 0, 1, "Stribeck, events"}}},
                    {"force",
                     "Stick-slip: friction",
                     "time [s]",
                     "force [N]",
                     {{"lugre", 0, 3, "LuGre"}, {"lugre", 0, 4, "spring"}}}};
  result.claims = {
      within("period of the stick-slip cycle", independent, 6.3625, cycle.period, 1e-3, "s"),
      within("start of the first slip", independent, 7.545, cycle.first_slip, 5e-3, "s"),
      within("largest spring force", independent, 1.50798774386, cycle.largest_pull, 2e-6, "N"),
      within("largest velocity", independent, 0.369815976274, cycle.largest_speed, 1e-5, "m/s"),
      within("period with the coupled step (SDIRK2, 1 ms) over the accurate one",
             from_program("accurate solver (CVODE), same run"), 1, fixed_cycle.period / cycle.period, 1e-3, "-"),
      within("set-valued Stribeck: spring force at break-away", from_theory("F_S"), 1.5, breakaway_pull, 2e-3, "N"),
      at_most("set-valued Stribeck: displacement while stuck", from_theory("sticks exactly"), 0,
              std::abs(events.position[held]), "m"),
  };
  return result;
}

}  // namespace stiction::lab::scalar_stick_slip
