// Fig. 4: friction lags behind a velocity that rises and falls; the loop widens with frequency.
#include <fmt/format.h>

#include <algorithm>
#include <numbers>

#include "paper_setup.h"
#include "stiction/sim/line.h"

namespace stiction::lab::scalar_fig04 {
namespace {

struct Loop {
  std::vector<double> velocity, friction;
  double area = 0;           // ∮ F dv [N m/s]
  double rising_excess = 0;  // friction at the mean velocity: on the way up minus on the way down [N]
};

Loop lag_loop(const scalar::LuGre& model, double frequency, int rows) {
  constexpr double mean = 2e-3;
  constexpr double swing = 1.5e-3;
  const double period = 2 * std::numbers::pi / frequency;
  const auto run = sim::drive(model, sim::Sine{swing, frequency, 0, mean},
                              {.duration = 4 * period, .output_interval = period / rows}, model.steady_state(mean));
  const auto n = static_cast<std::size_t>(rows);
  Loop loop{{run.velocity.end() - rows - 1, run.velocity.end()}, {run.friction.end() - rows - 1, run.friction.end()}};
  for (std::size_t i = 0; i < n; ++i) {
    loop.area += (loop.friction[i] + loop.friction[i + 1]) / 2 * (loop.velocity[i + 1] - loop.velocity[i]);
  }
  loop.rising_excess = loop.friction[0] - loop.friction[n / 2];
  return loop;
}

}  // namespace

Result run(const Context& context) {
  const auto model = canudas_1995();
  const int rows = context.quick ? 400 : 2000;
  Result result;
  std::vector<Loop> loops;
  Figure figure{"fig04", "Frictional lag (LuGre)", "velocity [m/s]", "friction [N]", {}};
  for (const int frequency : {1, 10, 25}) {
    context.step(static_cast<double>(loops.size()) / 3);
    loops.push_back(lag_loop(model, frequency, rows));
    const std::string name = fmt::format("lag_{}", frequency);
    result.tables.push_back(
        {name, {{"velocity [m/s]", loops.back().velocity}, {"friction [N]", loops.back().friction}}});
    figure.series.push_back({name, 0, 1, fmt::format("{} rad/s", frequency)});
  }
  result.figures = {figure};
  result.notes =
      "The velocity swings between 0.5 and 3.5 mm/s and never changes sign. At the same velocity, friction is higher "
      "while it "
      "rises than while it falls, the more so the faster it swings: what no static model can show.";
  result.claims = {
      at_least("friction at the mean velocity, rising minus falling, 10 rad/s",
               printed("Fig. 4, caption: lower for decreasing velocities"), 0, loops[1].rising_excess, "N"),
      at_least("loop area, 10 rad/s over 1 rad/s", printed("Fig. 4, caption: wider when faster"), 1,
               loops[1].area / loops[0].area, "-"),
      at_least("loop area, 25 rad/s over 10 rad/s", printed("Fig. 4, caption: wider when faster"), 1,
               loops[2].area / loops[1].area, "-"),
      within("loop area at 1 rad/s", independent, 6.69444429e-06, loops[0].area, 2e-9, "N m/s"),
      within("loop area at 10 rad/s", independent, 6.01368993e-05, loops[1].area, 2e-8, "N m/s"),
      within("loop area at 25 rad/s", independent, 1.10922370e-04, loops[2].area, 4e-8, "N m/s"),
      within("friction at the mean velocity, rising, 25 rad/s", independent, 1.0170457702543245, loops[2].friction[0],
             1e-6, "N"),
      within("friction at the mean velocity, falling, 25 rad/s", independent, 1.008491211812035,
             loops[2].friction[static_cast<std::size_t>(rows) / 2], 1e-6, "N"),
  };
  return result;
}

}  // namespace stiction::lab::scalar_fig04
