// Fig. 7: the open-loop response of a servo with Bliman-Sorine friction to a small sinusoidal torque.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "paper_setup.h"
#include "stiction/sim/line.h"

namespace stiction::lab::scalar_fig07 {
namespace {

constexpr double pi = std::numbers::pi;

/// Largest friction, without its viscous part, between a zero of the torque and the moment the shaft turns with it at
/// 0.1 rad/s: the stiction peak of one half period.
double stiction_peak(const sim::Trajectory& run, int half) {
  const double direction = half % 2 == 0 ? 1 : -1;
  auto i = static_cast<std::size_t>(std::lower_bound(run.time.begin(), run.time.end(), half * pi) - run.time.begin());
  double peak = 0;
  for (; i < run.time.size() && direction * run.velocity[i] < 0.1; ++i) {
    peak = std::max(peak, direction * (run.states[0][i] + run.states[1][i]));
  }
  return peak;
}

/// The number of sign changes of the velocity from half a second before to half a second after the torque passes zero.
int reversals(const sim::Trajectory& run, double middle) {
  int count = 0;
  for (std::size_t i = 1; i < run.time.size(); ++i) {
    count += std::abs(run.time[i] - middle) < 0.5 && run.velocity[i - 1] * run.velocity[i] < 0 ? 1 : 0;
  }
  return count;
}

}  // namespace

Result run(const Context& context) {
  const double duration = 25;
  const auto respond = [&](const auto& model) {
    return sim::simulate(model, {.mass = olsson_table2_inertia}, {.force = sim::Sine{0.4, 1}},
                         {.duration = duration, .output_interval = context.quick ? 2.5e-3 : 5e-4});
  };
  const auto model = scalar::preset::table2_bliman_sorine_2();
  context.step(0);
  const auto run = respond(model);
  context.step(0.7);
  const auto lugre = respond(olsson_table2());
  const double sliding = model.params().force_1 - model.params().force_2;
  std::vector<double> excess;
  for (int half = 0; half < 8; ++half) {
    excess.push_back(stiction_peak(run, half) - sliding);
  }
  const double later = *std::max_element(excess.begin() + 1, excess.end());
  const double lowest = *std::min_element(excess.begin() + 1, excess.end());
  const double travel = *std::max_element(run.position.begin(), run.position.end());
  const auto at = [&](const sim::Trajectory& r, double time) {
    return r.position[static_cast<std::size_t>(std::lround(time / duration * static_cast<double>(r.time.size() - 1)))];
  };

  // The stick phase before the torque passes zero at 2 π, close up.
  const auto close_up = [](const char* name, const sim::Trajectory& r) {
    const auto part = [&](const std::vector<double>& values) {
      const auto row = [&](double time) {
        return std::lower_bound(r.time.begin(), r.time.end(), time) - r.time.begin();
      };
      return std::vector(values.begin() + row(5.4), values.begin() + row(6.2));
    };
    return Table{
        name,
        {{"time [s]", part(r.time)}, {"velocity [rad/s]", part(r.velocity)}, {"friction [N m]", part(r.friction)}}};
  };

  Result result;
  result.notes =
      "The servo of Fig. 8 with the second-order model of Bliman and Sorine in place of LuGre: the same sliding "
      "friction, peak and presliding stiffness. Nothing but the viscous term damps it, so it rings in every stick "
      "phase. It starts with zero states, so its first stiction peak has half the height, and the shaft never "
      "comes back to where it was.";
  result.tables = {
      {"response",
       {{"time [s]", run.time},
        {"torque [N m]", run.load},
        {"position [rad]", run.position},
        {"velocity [rad/s]", run.velocity},
        {"x1 [N m]", run.states[0]},
        {"x2 [N m]", run.states[1]},
        {"friction [N m]", run.friction}}},
      {"lugre", {{"time [s]", lugre.time}, {"position [rad]", lugre.position}, {"friction [N m]", lugre.friction}}},
      close_up("stick", run),
      close_up("stick_lugre", lugre)};
  result.figures = {{"position",
                     "Position",
                     "time [s]",
                     "position [rad]",
                     {{"response", 0, 2, "Bliman-Sorine 2"}, {"lugre", 0, 1, "LuGre"}}},
                    {"friction",
                     "Friction torque",
                     "time [s]",
                     "torque [N m]",
                     {{"response", 0, 6, "friction"}, {"response", 0, 1, "driving torque"}}},
                    {"stick",
                     "Friction as the shaft comes to rest",
                     "time [s]",
                     "torque [N m]",
                     {{"stick", 0, 2, "Bliman-Sorine 2"}, {"stick_lugre", 0, 2, "LuGre"}}}};
  result.claims = {
      within("first stiction peak above sliding friction, over the largest F* allows",
             printed("Section 5: only half that of F*"), 0.5, excess[0] / 0.05, 1e-3, "-"),
      at_least("lowest of the later peaks above sliding friction, over the first",
               printed("Section 5: a smaller first stiction peak"), 1.9, lowest / excess[0], "-"),
      at_most("spread of the later peaks, relative", from_theory("the same stop before each"), 0,
              (later - lowest) / later, "-", 1e-3),
      at_least("reversals of the velocity in the stick phase at 2 π",
               printed("Section 5: significant oscillations in the stick mode"), 10, reversals(run, 2 * pi), "-"),
      at_most("the same with LuGre", printed("Section 5: no oscillations"), 1, reversals(lugre, 2 * pi), "-"),
      within("residual position after one period, at 6.2825 s", independent, 0.300323911487, at(run, 6.2825), 1e-6,
             "rad"),
      at_least("residual position at the end, relative to the travel",
               printed("Section 5: a remaining bias in position"), 0.01, at(run, 25) / travel, "-"),
      within("position at 25 s", independent, 0.300163516533, at(run, 25), 1e-6, "rad"),
      within("largest position", independent, 6.86436626429, travel, 1e-5, "rad"),
      within("largest friction torque", independent, 0.396615253738,
             *std::max_element(run.friction.begin(), run.friction.end()), 1e-6, "N m"),
  };
  return result;
}

}  // namespace stiction::lab::scalar_fig07
