// Haessig and Friedland's bristles: friction is random, and less so with more bristles.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "paper_setup.h"

namespace stiction::lab::scalar_bristle_spread {
namespace {

constexpr double max_deflection = 1e-3;         // δ_s [m]
constexpr double all_deflected = 0.42;          // N σ₀ δ_s [N], the same for every N: the mean is 0.28 N
constexpr double mean = 2 * all_deflected / 3;  // [N]

struct Friction {
  double first_peak = 0;  // [N]
  double mean = 0;        // after the first 50 δ_s [N]
  double spread = 0;      // standard deviation [N]
  double minimum = infinity;
};

Friction slide(std::uint32_t bristles, double path) {
  const auto model = scalar::HaessigBristle::make(
      {.stiffness = all_deflected / max_deflection / bristles, .largest_bend = max_deflection, .bristles = bristles});
  Friction result;
  auto state = model.at_rest(0);
  for (int i = 0; i < 2000; ++i) {
    state = model.advance(state, max_deflection / 1000, 1);
    result.first_peak = std::max(result.first_peak, model.force(state, 1));
  }
  state = model.advance(state, 50 * max_deflection, 1);
  double sum = 0;
  double squares = 0;
  const int samples = static_cast<int>(path / (0.1 * max_deflection));
  for (int i = 0; i < samples; ++i) {
    state = model.advance(state, 0.1 * max_deflection, 1);
    const double force = model.force(state, 1);
    sum += force;
    squares += (force - mean) * (force - mean);
    result.minimum = std::min(result.minimum, force);
  }
  result.mean = sum / samples;
  result.spread = std::sqrt(squares / samples - std::pow(result.mean - mean, 2));
  return result;
}

/// A short slide, back and forth, for the figure.
Table trace(std::uint32_t bristles) {
  const auto model = scalar::HaessigBristle::make(
      {.stiffness = all_deflected / max_deflection / bristles, .largest_bend = max_deflection, .bristles = bristles});
  std::vector<double> position{0};
  std::vector<double> force{0};
  auto state = model.at_rest(0);
  for (int i = 0; i < 1600; ++i) {
    const double step = (i < 800 ? 1 : -1) * max_deflection / 100;
    state = model.advance(state, step, 1);
    position.push_back(position.back() + step);
    force.push_back(model.force(state, step));
  }
  return {fmt::format("trace_{}", bristles), {{"position [m]", position}, {"friction [N]", force}}};
}

}  // namespace

Result run(const Context& context) {
  Result result;
  const double path = max_deflection * (context.quick ? 3e4 : 3e5);
  std::vector<double> counts;
  std::vector<double> spreads;
  std::vector<double> theory;
  double slope_above = 0;
  double slope_below = 0;
  for (const std::uint32_t bristles : {1U, 4U, 16U, 20U, 25U, 64U}) {
    context.step(static_cast<double>(counts.size()) / 6);
    const Friction f = slide(bristles, path);
    // While sliding a deflection has the density 2 b/δ_s²: mean 2/3 δ_s, variance δ_s²/18.
    const double expected = 1 / std::sqrt(8.0 * bristles);  // (σ₀ δ_s √(N/18)) / (2/3 N σ₀ δ_s)
    const double scatter = 4 * expected * mean * std::sqrt(max_deflection / path);  // of the mean, four standard errors
    const std::string n = fmt::format("N = {}: ", bristles);
    result.claims.push_back(within(n + "mean friction", from_theory("2/3 N σ0 δs"), mean, f.mean, scatter, "N"));
    result.claims.push_back(
        within(n + "spread over mean", from_theory("√(1/(8 N))"), expected, f.spread / f.mean, 0.03 * expected, "-"));
    result.claims.push_back(
        within(n + "first peak", from_theory("N σ0 δs"), all_deflected, f.first_peak, 2e-3 * all_deflected, "N"));
    if (bristles == 1) {
      result.claims.push_back(at_least("N = 1: least friction while sliding",
                                       printed("Section 4: a single bristle behaves reasonably; it never pushes"), 0,
                                       f.minimum, "N"));
    }
    if (bristles == 20) {
      result.claims.push_back(
          at_most("N = 20: spread over mean is small",
                  requirement("the paper has good results with 20 to 25 bristles; 8 % is taken as good"), 0.08,
                  f.spread / f.mean, "-"));
      const Source other = from_program("independent program, 180 δs; its own scatter is 0.0016 N");
      result.claims.push_back(within("N = 20: mean friction of another run", other, 0.28090, f.mean, 0.005, "N"));
      result.claims.push_back(within("N = 20: spread of another run", other, 0.02161, f.spread, 0.0025, "N"));
    }
    counts.push_back(bristles);
    spreads.push_back(f.spread / f.mean);
    theory.push_back(expected);
  }
  // Least squares of ln(spread) over ln(N).
  double mean_log = 0;
  double mean_spread = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    mean_log += std::log(counts[i]) / static_cast<double>(counts.size());
    mean_spread += std::log(spreads[i]) / static_cast<double>(counts.size());
  }
  for (std::size_t i = 0; i < counts.size(); ++i) {
    slope_above += (std::log(counts[i]) - mean_log) * (std::log(spreads[i]) - mean_spread);
    slope_below += std::pow(std::log(counts[i]) - mean_log, 2);
  }
  result.claims.push_back(within("power of N with which the spread falls", from_theory("1/√N"), -0.5,
                                 slope_above / slope_below, 0.01, "-"));
  result.tables = {{"spread", {{"N [-]", counts}, {"spread over mean [-]", spreads}, {"theory [-]", theory}}, true},
                   trace(1),
                   trace(4),
                   trace(25)};
  result.figures = {{"spread",
                     "Spread of the friction against the number of bristles",
                     "number of bristles N",
                     "spread over mean",
                     {{"spread", 0, 2, "1/sqrt(8 N)"}, {"spread", 0, 1, "measured", "points"}},
                     true,
                     true},
                    {"traces",
                     "Friction of 1, 4 and 25 bristles, there and back",
                     "position [m]",
                     "friction [N]",
                     {{"trace_1", 0, 1, "N = 1"}, {"trace_4", 0, 1, "N = 4"}, {"trace_25", 0, 1, "N = 25"}}}};
  result.notes = fmt::format(
      "N bristles of stiffness σ0 that snap at δs = 1 mm; N σ0 is the same for all N. Friction slides over {:.0f} "
      "δs. Its mean does not depend on N, its spread falls as 1/√N: 35 % for one bristle, 8 % for 20, 7 % for 25. "
      "Started together, all bristles snap together: the first peak is 3/2 of the mean.",
      path / max_deflection);
  return result;
}

}  // namespace stiction::lab::scalar_bristle_spread
