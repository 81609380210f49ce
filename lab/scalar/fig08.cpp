// Fig. 8, and LuGre's half of Figs. 7 and 9: the open-loop response of a servo to a small sinusoidal torque.
#include <algorithm>
#include <numbers>

#include "paper_setup.h"
#include "stiction/sim/line.h"

namespace stiction::lab::scalar_fig08 {
namespace {

constexpr double pi = std::numbers::pi;

/// Largest |friction| between a zero of the torque and the moment the shaft turns at 0.1 rad/s: the stiction peak.
double stiction_peak(const sim::Trajectory& run, double from) {
  auto i = static_cast<std::size_t>(std::lower_bound(run.time.begin(), run.time.end(), from) - run.time.begin());
  while (i < run.time.size() && std::abs(run.velocity[i]) > 0.1) {
    ++i;  // still sliding from the last half period
  }
  double peak = 0;
  for (; i < run.time.size() && std::abs(run.velocity[i]) < 0.1; ++i) {
    peak = std::max(peak, std::abs(run.friction[i]));
  }
  return peak;
}

}  // namespace

Result run(const Context& context) {
  const auto model = olsson_table2();
  const double duration = 8 * pi;
  context.step(0);
  const auto run =
      sim::simulate(model, {.mass = olsson_table2_inertia}, {.force = sim::Sine{0.4, 1}},
                    {.duration = duration, .output_interval = duration / (context.quick ? 20000 : 100000)});
  context.step(0.8);
  std::vector<double> peaks;
  for (int half = 0; half < 8; ++half) {
    peaks.push_back(stiction_peak(run, half * pi));
  }
  const auto [low, high] = std::minmax_element(peaks.begin() + 1, peaks.end());
  const auto position_at = [&](double time) {
    return run
        .position[static_cast<std::size_t>(std::lround(time / duration * static_cast<double>(run.time.size() - 1)))];
  };
  // In the stick phase around t = 2π the torque passes zero: any oscillation shows as a velocity of the other sign.
  double forward = 0;
  double backward = 0;
  for (std::size_t i = 0; i < run.time.size(); ++i) {
    if (run.time[i] > 2 * pi - 0.5 && run.time[i] < 2 * pi + 0.5) {
      forward = std::max(forward, run.velocity[i]);
      backward = std::max(backward, -run.velocity[i]);
    }
  }
  const double travel = *std::max_element(run.position.begin(), run.position.end());

  Result result;
  result.notes =
      "An inertia of 0.0023 kg m² with the friction of Table 2, driven by 0.4 sin t N m from rest. LuGre brings it to "
      "rest in each "
      "half period without oscillation, comes back to where it started, and shows the same stiction peak every time.";
  result.tables = {{"response",
                    {{"time [s]", run.time},
                     {"torque [N m]", run.load},
                     {"position [rad]", run.position},
                     {"velocity [rad/s]", run.velocity},
                     {"friction [N m]", run.friction}}}};
  result.figures = {{"position", "Position", "time [s]", "position [rad]", {{"response", 0, 2, "LuGre"}}},
                    {"friction",
                     "Friction torque",
                     "time [s]",
                     "torque [N m]",
                     {{"response", 0, 4, "friction"}, {"response", 0, 1, "driving torque"}}},
                    {"phase",
                     "Phase plane (as Fig. 9, for LuGre)",
                     "velocity [rad/s]",
                     "friction [N m]",
                     {{"response", 3, 4, "LuGre"}}}};
  result.claims = {
      at_most("residual position after four periods, relative to the travel", printed("Section 5: no remaining bias"),
              0, std::abs(position_at(duration)) / travel, "-", 1e-5),
      at_most("difference between stiction peaks after the first, relative",
              printed("Section 5: all stiction peaks of the same magnitude"), 0, (*high - *low) / *high, "-", 1e-3),
      at_most("velocity against the torque in the stick phase, relative to that with it",
              printed("Section 5: no oscillations in stick"), 0,
              std::min(forward, backward) / std::max(forward, backward), "-", 0.01),
      within("largest position", independent, 7.04070562228, travel, 1e-5, "rad"),
      within("largest friction torque", independent, 0.396663596617,
             *std::max_element(run.friction.begin(), run.friction.end()), 1e-6, "N m"),
  };
  return result;
}

}  // namespace stiction::lab::scalar_fig08
