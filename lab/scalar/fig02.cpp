// Fig. 2: the faster the force rises, the lower the friction at which a LuGre contact breaks away.
#include <algorithm>

#include "paper_setup.h"
#include "stiction/sim/line.h"

namespace stiction::lab::scalar_fig02 {
namespace {

/// Largest friction before the body reaches `breakaway_speed`, when it is pushed with rate·t from rest.
double breakaway_force(const scalar::LuGre& model, double mass, double rate, double breakaway_speed, int rows) {
  // Once the force exceeds F_S by half the body moves fast, whatever the rate; the loop below cuts off what comes
  // after.
  const double duration = 1.5 * model.curve.static_force / rate;
  const auto run = sim::simulate(model, {.mass = mass}, {.force = sim::Ramp{0, rate * duration, 0, duration}},
                                 {.duration = duration, .output_interval = duration / rows});
  double peak = 0;
  for (std::size_t i = 0; i < run.time.size() && run.velocity[i] < breakaway_speed; ++i) {
    peak = std::max(peak, run.friction[i]);
  }
  return peak;
}

}  // namespace

Result run(const Context& context) {
  const auto model = canudas_1995();
  const int rows = context.quick ? 20000 : 100000;
  const std::vector<double> rates{0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30};
  std::vector<double> forces;
  for (const double rate : rates) {
    context.step(static_cast<double>(forces.size()) / static_cast<double>(rates.size()));
    forces.push_back(breakaway_force(model, 1, rate, 0.01, rows));
  }
  double largest_rise = -1;  // from one rate to the next: negative where the curve falls
  for (std::size_t i = 1; i < forces.size(); ++i) {
    largest_rise = std::max(largest_rise, forces[i] - forces[i - 1]);
  }

  Result result;
  result.notes =
      "A mass of 1 kg at rest is pushed by a force that rises at a constant rate. The break-away force is the largest "
      "friction "
      "before the mass reaches 10 mm/s. It falls with the rate because a fast force drags the bristle to speeds at "
      "which the "
      "Stribeck curve is already low.";
  result.tables = {{"breakaway", {{"force rate [N/s]", rates}, {"break-away force [N]", forces}}, true}};
  result.figures = {{"fig02",
                     "Break-away force against force rate (LuGre)",
                     "force rate [N/s]",
                     "break-away force [N]",
                     {{"breakaway", 0, 1, "LuGre", "linespoints"}},
                     true,
                     false}};
  result.claims = {
      at_most("break-away force falls with every rise of the rate: largest change",
              printed("Fig. 2, caption: decreases with increased rate"), 0, largest_rise, "N"),
      at_least("slowest push: share of the static force reached", from_theory("a slow push reaches g(0) = F_S"), 0.98,
               forces[0] / 1.5, "-"),
      within("break-away force at 0.1 N/s", independent, 1.48521348924, forces[0], 2e-5, "N"),
      within("break-away force at 1 N/s", independent, 1.43241, forces[3], 2e-5, "N"),
      within("break-away force at 10 N/s", independent, 1.21994, forces[6], 2e-5, "N"),
      within("break-away force at 30 N/s", independent, 1.02448, forces[8], 2e-5, "N"),
  };
  return result;
}

}  // namespace stiction::lab::scalar_fig02
