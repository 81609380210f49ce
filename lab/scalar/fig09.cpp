// Fig. 9: the phase plane of Fig. 7, and the ideal trajectory F* of eq. 24.
#include <algorithm>
#include <cmath>
#include <functional>

#include "paper_setup.h"
#include "stiction/sim/line.h"

namespace stiction::lab::scalar_fig09 {

Result run(const Context& context) {
  const auto model = scalar::preset::table2_bliman_sorine_2();
  const auto& p = model.params();
  // F* of eq. 24: from the steady state backwards, over a long way forwards without a reversal; and from zero states.
  const double distance = 8 * p.distance;
  const auto moved = [&](const scalar::BlimanSorine2::State& from) {
    return sim::drive(model, distance, {.duration = 1, .output_interval = 1.0 / 8000}, from);
  };
  context.step(0);
  const auto ideal = moved(model.steady_state(-1));
  const auto from_zero = moved({});
  context.step(0.2);
  const auto run = sim::simulate(model, {.mass = olsson_table2_inertia}, {.force = sim::Sine{0.4, 1}},
                                 {.duration = 25, .output_interval = context.quick ? 2.5e-3 : 5e-4});
  const auto friction_of = [](const sim::Trajectory& r) {  // F = x₁ + x₂, without the viscous part
    std::vector<double> sum(r.states[0]);
    std::transform(sum.begin(), sum.end(), r.states[1].begin(), sum.begin(), std::plus<>());
    return sum;
  };
  const auto ideal_friction = friction_of(ideal);
  const auto zero_friction = friction_of(from_zero);
  const auto friction = friction_of(run);

  // In the plane of the two states F* and its mirror image enclose a lens: where x₂ = −f₂ (1 − 2 r), the fast state is
  // x₁ = f₁ (1 − 2 r^(1/η)), and may not be larger.
  const auto edge = [&](double x2) { return p.force_1 * (1 - 2 * std::pow((1 + x2 / p.force_2) / 2, 1 / p.ratio)); };
  double outside = 0;
  for (std::size_t i = 0; i < friction.size(); ++i) {
    const double x2 = std::clamp(run.states[1][i], -p.force_2, p.force_2);
    outside = std::max({outside, run.states[0][i] - edge(x2), -run.states[0][i] - edge(-x2)});
  }
  const auto largest = [](const std::vector<double>& v) { return *std::max_element(v.begin(), v.end()); };
  const auto peak_at =
      static_cast<std::size_t>(std::max_element(ideal_friction.begin(), ideal_friction.end()) - ideal_friction.begin());
  // From the second half period on: the first one still carries the zero states it started from.
  const std::vector<double> after(friction.begin() + static_cast<std::ptrdiff_t>(friction.size() / 8), friction.end());

  Result result;
  result.notes =
      "The states of Fig. 7 in their plane. Each reversal from steady sliding would follow F*, the edge of the "
      "lens; the ringing cuts the corner, so the peaks stay below that of F*. On the line x₁ + x₂ = 0 the "
      "friction is zero.";
  result.tables = {
      {"states",
       {{"x1 [N m]", run.states[0]},
        {"x2 [N m]", run.states[1]},
        {"friction [N m]", friction},
        {"velocity [rad/s]", run.velocity}}},
      {"ideal",
       {{"s [rad]", ideal.position},
        {"F* [N m]", ideal_friction},
        {"x1 [N m]", ideal.states[0]},
        {"x2 [N m]", ideal.states[1]}}},
      {"zero_states", {{"s [rad]", from_zero.position}, {"F [N m]", zero_friction}}},
      {"no_friction",
       {{"x1 [N m]", std::vector{-p.force_2, p.force_2}}, {"x2 [N m]", std::vector{p.force_2, -p.force_2}}}}};
  result.figures = {{"fig09",
                     "The states of Bliman and Sorine's model in the servo of Fig. 7",
                     "x1 [N m]",
                     "x2 [N m]",
                     {{"states", 0, 1, "Fig. 7"}, {"ideal", 2, 3, "F*"}, {"no_friction", 0, 1, "F = 0"}}},
                    {"ideal",
                     "Friction over the distance from a reversal",
                     "s [rad]",
                     "friction [N m]",
                     {{"ideal", 0, 1, "F*, from steady sliding"}, {"zero_states", 0, 1, "from zero states"}}}};
  const Source independent_formula = from_program("eq. 24, evaluated by another program");
  result.claims = {
      within("F* where it starts", from_theory("eq. 24, −F_C"), -0.28, ideal_friction.front(), 1e-9, "N m"),
      within("F* after 0.8 ε", independent_formula, 0.319967950029, ideal_friction[800], 1e-8, "N m"),
      within("F* after 1.6 ε", independent_formula, 0.29805657586, ideal_friction[1600], 1e-8, "N m"),
      within("F* after 4 ε", independent_formula, 0.281638062235, ideal_friction[4000], 1e-8, "N m"),
      within("largest F*", requirement("F_S of Table 2, for which the set was made"), 0.33, largest(ideal_friction),
             1e-6, "N m"),
      within("distance at which F* is largest", from_theory("closed form, η ε/(1 − η) ln(f₁/(η f₂))"),
             model.peak_distance(), ideal.position[peak_at], distance / 8000, "rad"),
      within("largest friction from zero states", independent_formula, 0.305, largest(zero_friction), 1e-6, "N m"),
      within("peak above sliding friction from zero states, over that of F*",
             printed("Section 5: only half that of F*"), 0.5,
             (largest(zero_friction) - 0.28) / (largest(ideal_friction) - 0.28), 1e-5, "-"),
      at_most("states outside the lens of F*", printed("Section 5: the oscillations force F inside F*"), 0, outside,
              "N m", 1e-7),
      at_most("largest friction in the servo, over that of F*",
              printed("Section 5: a lower friction torque in the transient"), 0.999,
              largest(after) / largest(ideal_friction), "-"),
  };
  return result;
}

}  // namespace stiction::lab::scalar_fig09
