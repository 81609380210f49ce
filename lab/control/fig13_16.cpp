// Figs. 13 to 16: the velocity loop of Table 1 with friction, and with an observer that compensates it.
#include <fmt/format.h>

#include <cmath>

#include "../lab.h"
#include "statistics.h"
#include "velocity_loop.h"

namespace stiction::lab::control_fig13_16 {
namespace {

/// The share of time that the error spends in each of 41 bins of ± 5 standard deviations, as a density, beside a
/// Gaussian.
Table histogram(const std::string& name, std::span<const double> error) {
  constexpr int bins = 41;
  constexpr double reach = 5;
  const double sigma = rms(error);
  std::vector<double> centre;
  std::vector<double> density(bins);
  std::vector<double> gaussian;
  const double width = 2 * reach / bins;
  for (int i = 0; i < bins; ++i) {
    centre.push_back(-reach + width * (i + 0.5));
    gaussian.push_back(std::exp(-centre.back() * centre.back() / 2) / std::sqrt(2 * std::numbers::pi));
  }
  for (const double e : error) {
    const auto bin = static_cast<int>(std::floor((e / sigma + reach) / width));
    if (bin >= 0 && bin < bins) {
      density[static_cast<std::size_t>(bin)] += 1 / (static_cast<double>(error.size()) * width);
    }
  }
  return {name, {{"error over its rms [-]", centre}, {"density [-]", density}, {"Gaussian [-]", gaussian}}};
}

/// The share of time beyond four standard deviations.
double tail(std::span<const double> error) {
  const double limit = 4 * rms(error);
  const auto beyond = std::count_if(error.begin(), error.end(), [&](double e) { return std::abs(e) > limit; });
  return static_cast<double>(beyond) / static_cast<double>(error.size());
}

/// The largest error within a second after the velocity changed its sign, and at all other times.
struct Reversals {
  double near = 0, far = 0;
};
Reversals at_reversals(const VelocityTrace& trace) {
  Reversals result;
  double last = -2;
  for (std::size_t i = 1; i < trace.time.size(); ++i) {
    if ((trace.velocity[i] < 0) != (trace.velocity[i - 1] < 0)) {
      last = trace.time[i];
    }
    double& largest = trace.time[i] < last + 1 ? result.near : result.far;
    largest = std::max(largest, std::abs(trace.error[i]));
  }
  return result;
}

/// The largest change of the controller's output within 0.2 s.
double largest_jump(const VelocityTrace& trace, double step) {
  const auto span = static_cast<std::size_t>(std::lround(0.2 / step));
  double jump = 0;
  for (std::size_t i = span; i < trace.linear.size(); ++i) {
    jump = std::max(jump, std::abs(trace.linear[i] - trace.linear[i - span]));
  }
  return jump;
}

Table thinned(const std::string& name, const VelocityTrace& trace, std::size_t n) {
  Table table{name, {}};
  const auto add = [&](const char* column, const std::vector<double>& values) {
    std::vector<double> few;
    for (std::size_t i = 0; i < values.size(); i += n) {
      few.push_back(values[i]);
    }
    table.columns.push_back({column, few});
  };
  add("time [s]", trace.time);
  add("error [m/s]", trace.error);
  add("friction [N]", trace.friction);
  add("linear control [N]", trace.linear);
  return table;
}

}  // namespace

Result run(const Context& context) {
  const double step = context.quick ? 5e-4 : 1e-4;
  context.step(0);
  const auto disturbance = sampled(table1_disturbance(), step);
  const auto free = run({}, disturbance);
  context.step(0.3);
  const auto with = run({.friction = table1_friction()}, disturbance);
  context.step(0.6);
  const auto compensated = run({.friction = table1_friction(), .compensation = Compensation::lugre}, disturbance);
  context.step(0.9);
  const Reversals reversals = at_reversals(with);
  const double gaussian_tail = std::erfc(4 / std::numbers::sqrt2);
  const Source traces = from_program("independent solution in continuous time, 10 ms grid");

  Result result;
  result.notes =
      "The loop of Table 1. Where the velocity passes zero, friction turns round faster than the PI controller can "
      "follow: the error has peaks, and its distribution tails that no Gaussian has. With an observer in the loop the "
      "peaks are gone, and the distribution is that of the loop without friction. The time is 100 s, some twenty "
      "independent values: a Gaussian sample of that length has a kurtosis that is off by about one itself.";
  const auto thin = static_cast<std::size_t>(std::lround(0.02 / step));
  result.tables = {thinned("friction", with, thin), thinned("compensated", compensated, thin),
                   thinned("free", free, thin), histogram("histogram_friction", with.error),
                   histogram("histogram_compensated", compensated.error)};
  Table noise{"disturbance", {{"time [s]", {}}, {"disturbance [m/s]", {}}}};
  for (std::size_t i = 0; i < disturbance.values.size(); i += thin) {
    std::get<0>(noise.columns[0].values).push_back(with.time[i]);
    std::get<0>(noise.columns[1].values).push_back(disturbance.values[i]);
  }
  result.tables.push_back(noise);
  result.figures = {
      {"fig14", "Velocity disturbance", "time [s]", "velocity [m/s]", {{"disturbance", 0, 1, "n"}}},
      {"fig15_error", "Without compensation: error", "time [s]", "error [m/s]", {{"friction", 0, 1, "with friction"}}},
      {"fig15_forces",
       "Without compensation: friction and linear control",
       "time [s]",
       "force [N]",
       {{"friction", 0, 2, "friction"}, {"friction", 0, 3, "linear control"}}},
      {"fig16_error",
       "With LuGre compensation: error",
       "time [s]",
       "error [m/s]",
       {{"compensated", 0, 1, "compensated"}, {"free", 0, 1, "no friction"}}},
      {"fig16_forces",
       "With LuGre compensation: friction and linear control",
       "time [s]",
       "force [N]",
       {{"compensated", 0, 2, "friction"}, {"compensated", 0, 3, "linear control"}}},
      {"histograms",
       "Distribution of the error",
       "error over its rms [-]",
       "density [-]",
       {{"histogram_friction", 0, 1, "with friction", "steps"},
        {"histogram_compensated", 0, 1, "LuGre compensation", "steps"},
        {"histogram_friction", 0, 2, "Gaussian"}}},
  };
  result.claims = {
      within("excess kurtosis of the error with friction", traces, 4.51304, excess_kurtosis(with.error), 0.02, "-"),
      within("excess kurtosis of the error with LuGre compensation", traces, 0.50522,
             excess_kurtosis(compensated.error), 0.02, "-"),
      within("excess kurtosis of the error without friction", traces, 0.11007, excess_kurtosis(free.error), 0.02, "-"),
      at_least("heavy tails: excess kurtosis with friction over that with compensation",
               printed("Section 6: far from Gaussian, and close to Gaussian"), 5,
               excess_kurtosis(with.error) / excess_kurtosis(compensated.error), "-"),
      at_least("share of time beyond four standard deviations with friction, over a Gaussian's",
               printed("Section 6: heavy tails"), 10, tail(with.error) / gaussian_tail, "-"),
      at_most("share of time beyond four standard deviations with compensation",
              printed("Section 6: close to Gaussian"), gaussian_tail, tail(compensated.error), "-"),
      within("largest error with friction over that with compensation",
             requirement("Table 1, which plant and gains were searched to reach: 63.7/8.57"), 63.7 / 8.57,
             largest_size(with.error) / largest_size(compensated.error), 0.06 * 63.7 / 8.57, "-"),
      at_least("largest error with friction over that with compensation, to the nearest power of ten",
               printed("Section 6: the maximum tracking error is reduced by an order of magnitude"), std::sqrt(10.0),
               largest_size(with.error) / largest_size(compensated.error), "-"),
      at_most("with friction: largest error away from reversals over that near them",
              printed("Section 6: large errors when the velocity passes through zero"), 0.5,
              reversals.far / reversals.near, "-"),
      at_least("with friction: largest jump of the linear control within 0.2 s",
               printed("Section 6: large jumps when the velocity passes through zero; friction turns by 2 F_C"), 1,
               largest_jump(with, step), "N"),
      at_most("with compensation: largest jump of the linear control over that with friction",
              requirement("the jumps are gone with compensation"), 0.5,
              largest_jump(compensated, step) / largest_jump(with, step), "-"),
  };
  return result;
}

}  // namespace stiction::lab::control_fig13_16
