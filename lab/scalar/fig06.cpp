// Fig. 6: the hysteresis loop of Dahl's model, for several exponents.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "paper_setup.h"
#include "stiction/sim/line.h"

namespace stiction::lab::scalar_fig06 {
namespace {

constexpr double half_width = 5;  // of the loop, in F_C/σ; both are 1 here

/// ∫ f(w) dw from a to b > a > 0 by Simpson's rule in ln w.
template <class F>
double integral(double a, double b, const F& f) {
  constexpr int pieces = 20000;
  const double h = (std::log(b) - std::log(a)) / pieces;
  double sum = 0;
  for (int i = 0; i <= pieces; ++i) {
    const double w = a * std::exp(i * h);
    sum += (i == 0 || i == pieces ? 1 : (i % 2 == 1 ? 4 : 2)) * w * f(w);
  }
  return sum * h / 3;
}

/// The area of the closed loop of half width X, from the stress-strain curve alone: with w = 1 − F/F_C in one direction
///   dx = −w^−α dw,   F = 1 − w,   and w runs from 2 − e to e where the distance from one to the other is 2 X
double area_by_quadrature(double alpha) {
  const auto distance = [&](double e) { return integral(e, 2 - e, [&](double w) { return std::pow(w, -alpha); }); };
  double low = 1e-15;
  double high = 1;
  for (int i = 0; i < 60; ++i) {
    const double middle = std::sqrt(low * high);
    (distance(middle) > 2 * half_width ? low : high) = middle;
  }
  const double rising = integral(high, 2 - high, [&](double w) { return (1 - w) * std::pow(w, -alpha); });
  return 2 * (rising + (2 * half_width - distance(high)));  // α < 1: F_C is reached, and kept to the end
}

/// The displacement from F = 0 to 0.95 F_C, between samples by interpolation.
double knee(const scalar::Dahl& model, double alpha) {
  const double step = alpha < 2.5 ? 1e-3 : 1e-2;
  const auto run =
      sim::drive(model, 1.0, {.method = sim::Method::midpoint, .duration = 250, .output_interval = step, .step = step});
  const auto i =
      static_cast<std::size_t>(std::lower_bound(run.friction.begin(), run.friction.end(), 0.95) - run.friction.begin());
  return run.position[i - 1] + step * (0.95 - run.friction[i - 1]) / (run.friction[i] - run.friction[i - 1]);
}

}  // namespace

Result run(const Context& context) {
  const int samples = context.quick ? 2000 : 8000;  // in one direction
  Result result;
  result.notes =
      "Dahl's model moved to and fro by 5 F_C/σ, friction in units of F_C. After a reversal a higher exponent "
      "starts more steeply (2^α σ), but then approaches F_C more slowly: the knee is softer, not sharper.";
  result.figures = {{"fig06", "Dahl's model: friction against displacement", "σ x / F_C", "F / F_C", {}}};
  std::vector<double> knees;
  for (const auto& [alpha, published] : {std::pair{0.5, 1.55}, {1.0, 3.00}, {1.5, 6.94}, {2.0, 19.0}, {3.0, 199.5}}) {
    context.step((alpha - 0.5) / 3);
    const auto model = scalar::Dahl::make({.stiffness = 1, .coulomb_force = 1, .exponent = alpha});
    const double stroke = 2 * half_width;
    // From the middle up, then down and up until the loop has closed, and once around.
    const sim::Steps velocity{
        {0, half_width, half_width + stroke, half_width + 2 * stroke, half_width + 3 * stroke, half_width + 4 * stroke},
        {1, -1, 1, -1, 1, -1}};
    const double step = stroke / samples;
    const auto run = sim::drive(
        model, velocity,
        {.method = sim::Method::midpoint, .duration = half_width + 4 * stroke, .output_interval = step, .step = step});
    const std::size_t last = run.time.size() - 1;
    double area = 0;
    for (std::size_t i = last - 2 * static_cast<std::size_t>(samples); i < last; ++i) {
      area += (run.friction[i] + run.friction[i + 1]) / 2 * (run.position[i + 1] - run.position[i]);
    }
    const auto after_reversal = model.advance({-1}, 1, 1e-6);  // a small step forwards from −F_C
    knees.push_back(knee(model, alpha));

    const std::string name = fmt::format("alpha_{}", alpha);
    result.tables.push_back({name, {{"sigma x/F_C", run.position}, {"F/F_C", run.friction}}});
    result.figures[0].series.push_back({name, 0, 1, fmt::format("α = {}", alpha)});
    result.claims.push_back(within(fmt::format("α = {}: area of the loop over its quadrature", alpha),
                                   from_theory("quadrature of the stress-strain curve"), 1,
                                   area / area_by_quadrature(alpha), 1e-4, "-"));
    result.claims.push_back(within(fmt::format("α = {}: distance from 0 to 0.95 F_C", alpha),
                                   from_theory("∫ dF/(σ (1 − F/F_C)^α)"), published, knees.back(), 0.006, "F_C/σ"));
    result.claims.push_back(within(fmt::format("α = {}: slope after the reversal over 2^α σ", alpha),
                                   from_theory("eq. 10 at F = −F_C"), 1,
                                   (after_reversal.force + 1) / 1e-6 / std::pow(2, alpha), 1e-5, "-"));
  }
  result.claims.push_back(
      at_most("distance from 0 to 0.95 F_C for α = 3 over that for α = 1",
              printed("Section 4: higher values give a sharper bend"), 1, knees[4] / knees[1], "-")
          .as_refuted("a higher α bends earlier but approaches F_C ever more slowly: the knee takes 67 times as long"));
  return result;
}

}  // namespace stiction::lab::scalar_fig06
