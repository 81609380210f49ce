// Fig. 3: below break-away, friction is a spring with hysteresis, and a released force leaves a permanent displacement.
#include <algorithm>

#include "paper_setup.h"
#include "stiction/sim/line.h"

namespace stiction::lab::scalar_fig03 {

Result run(const Context& context) {
  const auto model = canudas_1995();
  context.step(0);
  // 95 % of the static force, up, down and up again at 0.1 N/s, then released.
  const sim::Table force{{0, 14.25, 42.75, 71.25, 85.5}, {0, 1.425, -1.425, 1.425, 0}};
  const auto run = sim::simulate(model, {.mass = 1}, {.force = force},
                                 {.duration = 85.5, .output_interval = context.quick ? 0.0285 : 0.00285});
  const auto at = [&](double time) {
    return run.position[static_cast<std::size_t>(std::lround(time / 85.5 * static_cast<double>(run.time.size() - 1)))];
  };
  const double first_peak = at(14.25);
  const double end_of_loop = at(71.25);
  const double released = run.position.back();
  // The slope of the curve at the start, after the inertial transient and long before it flattens.
  const auto early = static_cast<std::size_t>(std::lround(0.1425 / 85.5 * static_cast<double>(run.time.size() - 1)));
  const double initial_stiffness =
      (run.friction[early] - run.friction[early / 2]) / (run.position[early] - run.position[early / 2]);

  Result result;
  result.notes =
      "A mass of 1 kg under a force that swings slowly between ±95 % of the static friction. It never slides, yet it "
      "moves: by "
      "micrometres, on a closed hysteresis loop, and it does not come back when the force is released.";
  result.tables = {{"presliding",
                    {{"time [s]", run.time},
                     {"position [m]", run.position},
                     {"friction [N]", run.friction},
                     {"load [N]", run.load}}}};
  result.figures = {{"fig03",
                     "Presliding: friction against displacement (LuGre)",
                     "position [m]",
                     "friction [N]",
                     {{"presliding", 1, 2, "0.1 N/s up, down, up, released"}}}};
  result.claims = {
      within("displacement at +95 % of break-away", independent, 4.487823444324e-05, first_peak, 1e-10, "m"),
      within("displacement at −95 %", independent, -9.818685884406e-06, at(42.75), 1e-10, "m"),
      at_most("gap of the closed loop, relative to its width", from_theory("a slow loop between two loads closes"), 0,
              std::abs(end_of_loop - first_peak) / (first_peak - at(42.75)), "-", 1e-6),
      at_least("permanent displacement after release, share of the largest",
               printed("Fig. 3, caption: a permanent displacement"), 0.1, released / first_peak, "-"),
      within("stiffness at the start over σ₀", from_theory("linearisation, k₀ = σ₀"), 1,
             initial_stiffness / model.stiffness, 0.03, "-"),
  };
  return result;
}

}  // namespace stiction::lab::scalar_fig03
