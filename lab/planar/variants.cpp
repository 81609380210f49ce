// Two variants that the paper names: a stiffness that is frozen while the contact sticks (Marques et al.), under an
// oscillating normal force; and a bound on bristles in explicit steps.
#include <fmt/format.h>

#include <algorithm>
#include <numbers>

#include "../lab.h"
#include "paper_setup.h"
#include "stiction/planar/frozen_stiffness.h"
#include "stiction/sim/planar_steps.h"

namespace stiction::lab::planar_variants {
namespace {

using planar::Patch;
using planar::Reduced;
using planar::SurfaceTable;
using planar::Wrench;
using Model = Reduced<SurfaceTable>;

constexpr double period = 1.0 / 3;  // [s]
constexpr double duration = 5;      // [s]

/// The disc of Figs. 23 to 25; loads are held over 10 ms.
struct Loads {
  Wrench applied;
  double normal;
};
Loads loads_at(double t, bool normal_swings) {
  const double held = 0.01 * std::floor(t / 0.01 + 1e-9);
  const double rise = std::min(held / 0.2, 1.0);
  const double wave = held <= 1 ? 0 : std::sin(6 * std::numbers::pi * held);
  return normal_swings ? Loads{{rise, 0, 0.03 * rise}, 9.81 + wave} : Loads{{rise + 0.4 * wave, 0, 0}, 9.81};
}

/// The slope of one-period means over the last five periods [m/s]; the displacement is stored in `x`.
template <class Contact>
double drift(Contact contact, bool normal_swings, double dt, std::vector<double>& x) {
  sim::PlanarSteps<Contact> steps({.mass = 1, .inertia = 0.5 * 0.05 * 0.05, .carried = true}, std::move(contact));
  const auto count = std::lround(duration / dt);
  std::array<double, 5> mean{};
  std::array<long, 5> samples{};
  for (long k = 0; k < count; ++k) {
    const double t = static_cast<double>(k) * dt;
    const Loads loads = loads_at(t, normal_swings);
    if constexpr (requires { steps.contact.press(loads.normal); }) {
      steps.contact.press(loads.normal);
    }
    steps.step({loads.applied, loads.normal}, dt);
    const double before_end = duration - (t + dt);
    if (const double periods = before_end / period; periods < 5 - 1e-9) {
      const auto from_end = static_cast<std::size_t>(std::max(periods, 0.0));
      mean.at(4 - from_end) += steps.position.x;
      ++samples.at(4 - from_end);
    }
    if (k % std::lround(0.01 / dt) == 0) {
      x.push_back(steps.position.x);
    }
  }
  double slope = 0;
  for (int j = 0; j < 5; ++j) {
    const auto i = static_cast<std::size_t>(j);
    slope += (j - 2) * mean.at(i) / static_cast<double>(samples.at(i)) / (10 * period);
  }
  return slope;
}

/// The largest force of explicit Euler steps of a patch that is dragged at a speed.
double largest_force(const planar::Friction& friction, const Patch& patch, double speed, double dt, bool bounded) {
  const auto model = planar::Distributed::make({friction, patch});
  std::vector<double> z(model.state_size());
  double largest = 0;
  for (int k = 0; k < 400; ++k) {
    const double force = std::abs(model.euler_step(z, {speed, 0, 0}, 1, dt, bounded).x);
    largest = std::max(largest, std::isfinite(force) ? force : 1e300);
  }
  return largest;
}

}  // namespace

Result run(const Context& context) {
  const double dt = context.quick ? 1e-3 : 1e-4;
  const Patch patch(planar::paper::circle(21, 0.05));
  const SurfaceTable table(patch);
  Result result;
  result.notes =
      "The disc of Figs. 23 to 25 with the reduced model, in fixed steps that solve body and friction together. "
      "Frozen: "
      "while the contact sticks its stiffness is that of the normal force at which it last slid. That stops the creep "
      "under a normal force that swings, and does nothing against tangential loads that swing; elasto-plastic bristles "
      "stop both. Bound: the authors' code can clip bristles to their largest deflection after each explicit step, "
      "which "
      "the paper announces and does not describe.";
  Table curves{"drift", {}};
  std::vector<double> time;
  for (int i = 0; i < 500; ++i) {
    time.push_back(0.01 * i);
  }
  curves.columns.push_back({"time [s]", time});
  int done = 0;
  std::array<std::array<double, 3>, 2> drifts{};  // by what swings, and by model
  for (const bool normal : {false, true}) {
    const char* swings = normal ? "normal force swings" : "tangential force swings";
    for (const int which : {0, 1, 2}) {
      context.step(done++ / 7.0);
      planar::Friction friction = planar::preset::waltersson_p1();
      friction.elasto_plastic = which == 1;
      const auto model = Model::make({friction, patch.pressure_moments(), table});
      std::vector<double> x;
      drifts.at(normal ? 1 : 0).at(static_cast<std::size_t>(which)) =
          which == 2 ? drift(planar::FrozenStiffness<SurfaceTable>(model), normal, dt, x)
                     : drift(sim::ReducedContact<SurfaceTable>{model}, normal, dt, x);
      constexpr std::array names{"LuGre", "elasto-plastic", "LuGre, frozen stiffness"};
      curves.columns.push_back({fmt::format("x, {}, {} [m]", swings, names.at(static_cast<std::size_t>(which))), x});
    }
  }
  const auto& [tangential, normal] = drifts;
  result.claims.push_back(at_least("tangential force swings, LuGre: drift",
                                   from_figure("Fig. 23: drifts; 2e-8 m/s is ours"), 2e-8, tangential[0], "m/s"));
  result.claims.push_back(at_most("tangential force swings, elasto-plastic: drift",
                                  printed("Section VI-B: no drift is observed; 2e-9 m/s is ours"), 2e-9,
                                  std::abs(tangential[1]), "m/s"));
  result.claims.push_back(within("tangential force swings, frozen stiffness: drift over that of LuGre",
                                 from_theory("the stiffness is the same at a constant normal force"), 1,
                                 tangential[2] / tangential[0], 1e-6, "-"));
  result.claims.push_back(at_least("normal force swings, LuGre: drift",
                                   from_figure("Fig. 25: drifts; 2e-8 m/s is ours"), 2e-8, normal[0], "m/s"));
  result.claims.push_back(at_most("normal force swings, elasto-plastic: drift",
                                  printed("Section VI-B: mitigated; 2e-9 m/s is ours"), 2e-9, std::abs(normal[1]),
                                  "m/s"));
  result.claims.push_back(at_most("normal force swings, frozen stiffness: drift",
                                  printed("Section II, of Marques et al.: mitigated; 2e-9 m/s is ours"), 2e-9,
                                  std::abs(normal[2]), "m/s"));
  result.tables.push_back(curves);
  Figure figure{"drift", "Creep under a normal force that swings", "time [s]", "x [m]", {}};
  for (const std::size_t column : {4U, 5U, 6U}) {
    figure.series.push_back({"drift", 0, column, curves.columns[column].name});
  }
  result.figures.push_back(figure);

  // Explicit steps of 0.1 ms at 0.05 m/s: σ0 v dt/μ_C = 5
  const Patch square(planar::paper::square(9));
  for (const bool elasto_plastic : {false, true}) {
    planar::Friction friction = planar::preset::waltersson_p1();
    friction.elasto_plastic = elasto_plastic;
    friction.damping = 0;  // its force is dz/dt, which no bound on z limits
    const char* name = elasto_plastic ? "elasto-plastic" : "LuGre";
    result.claims.push_back(at_least(fmt::format("{}, explicit steps of 0.1 ms at 0.05 m/s: largest force", name),
                                     from_authors("data made with the authors' code: unstable"), 4,
                                     largest_force(friction, square, 0.05, 1e-4, false), "N"));
    result.claims.push_back(at_most(fmt::format("{}, the same with bounded bristles", name),
                                    from_theory("at most μ_C f_N and viscous friction"), 1.01 + 0.2 * 0.05,
                                    largest_force(friction, square, 0.05, 1e-4, true), "N"));
  }
  return result;
}

}  // namespace stiction::lab::planar_variants
