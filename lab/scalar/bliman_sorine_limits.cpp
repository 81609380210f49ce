// Bliman and Sorine's models at their limits: ε → 0, the steady state of the general form, and one-way motion under a
// torque that pushes both ways alike.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "paper_setup.h"
#include "stiction/scalar/bliman_sorine_general.h"
#include "stiction/sim/line.h"

namespace stiction::lab::scalar_bliman_sorine_limits {
namespace {

constexpr double pi = std::numbers::pi;
constexpr int period = 2000;  // rows

/// The servo of Table 2 under a sin t, from zero states.
template <class Model>
sim::Trajectory driven(const Model& model, double a, double duration) {
  return sim::simulate(model, {.mass = olsson_table2_inertia}, {.force = sim::Sine{a, 1}},
                       {.duration = duration, .output_interval = 2 * pi / period});
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    largest = std::max(largest, std::abs(a[i] - b[i]));
  }
  return largest;
}

/// Friction after a reversal from steady sliding, over 0.1 rad forwards at 1 rad/s.
template <class Model>
sim::Trajectory reversed(const Model& model, const typename Model::State& backwards) {
  return sim::drive(
      model, 1.0, {.method = sim::Method::midpoint, .duration = 0.1, .output_interval = 1e-6, .step = 1e-6}, backwards);
}

/// ∫ (F − F_C) dx/F_C along it: the deficit relative to Coulomb friction [m].
double lack(const sim::Trajectory& run, double coulomb) {
  double sum = 0;
  for (std::size_t i = 1; i < run.time.size(); ++i) {
    sum += ((run.friction[i] + run.friction[i - 1]) / 2 - coulomb) * (run.position[i] - run.position[i - 1]);
  }
  return -sum / coulomb;
}

/// −C A⁻¹ B for three states, by Cramer's rule.
double steady_force(const scalar::BlimanSorine::Params& p) {
  const auto determinant = [](const std::array<double, 9>& m) {
    return m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6]) + m[2] * (m[3] * m[7] - m[4] * m[6]);
  };
  std::array<double, 9> a{};
  std::copy_n(p.a.begin(), 9, a.begin());
  double force = 0;
  for (std::size_t column = 0; column < 3; ++column) {
    auto replaced = a;
    for (std::size_t row = 0; row < 3; ++row) {
      replaced[3 * row + column] = p.b[row];
    }
    force -= p.c[column] * determinant(replaced) / determinant(a);
  }
  return force;
}

}  // namespace

Result run(const Context& context) {
  namespace preset = scalar::preset;
  Result result;
  result.notes =
      "As ε shrinks, the first-order model becomes Coulomb friction, and the second-order model Coulomb friction "
      "with a peak of F_S that takes no distance. In the servo of Fig. 7 the ringing lowers the break-away torque, "
      "at any ε. After sliding forwards, a reversal meets the full peak of 0.33 N m; going on forwards after the "
      "small way back meets a lower one. A torque of 0.32 sin t lies between the two: the shaft breaks away "
      "forwards in every period and never backwards.";

  // ε → 0, motion imposed and in the servo.
  auto first = preset::table2_bliman_sorine_1().params();
  auto second = preset::table2_bliman_sorine_2().params();
  first.viscous = second.viscous = 0;
  const double coulomb = first.force;
  std::vector<double> factors{1, 0.1, 0.01};
  std::vector<double> first_lack;
  std::vector<double> second_lack;
  std::vector<double> second_peak;
  std::vector<double> peak_distance;
  std::vector<double> servo_error;
  std::vector<double> servo_breakaway;
  const double until = pi + 1.25;  // forwards, to rest, and off backwards
  const auto coulomb_run = driven(preset::table2_coulomb(), 0.4, until);
  for (const double factor : factors) {
    context.step(0.1 * static_cast<double>(first_lack.size()));
    auto p1 = first;
    auto p2 = second;
    p1.distance *= factor;
    p2.distance *= factor;
    first_lack.push_back(lack(reversed(scalar::BlimanSorine1(p1), {-first.force}), coulomb));
    const auto run = reversed(scalar::BlimanSorine2(p2), {-second.force_1, second.force_2});
    const auto peak =
        static_cast<std::size_t>(std::max_element(run.friction.begin(), run.friction.end()) - run.friction.begin());
    second_lack.push_back(lack(run, coulomb));
    second_peak.push_back(run.friction[peak]);
    peak_distance.push_back(run.position[peak]);
    p1.viscous = p2.viscous = preset::table2_bliman_sorine_1().params().viscous;
    servo_error.push_back(
        largest_difference(driven(scalar::BlimanSorine1(p1), 0.4, until).position, coulomb_run.position));
    // The largest friction, without its viscous part, before the shaft turns backwards at 0.1 rad/s for the first time.
    const auto servo = driven(scalar::BlimanSorine2(p2), 0.4, until);
    double breakaway = 0;
    for (std::size_t i = period / 2; i < servo.time.size() && servo.velocity[i] > -0.1; ++i) {
      breakaway = std::max(breakaway, -servo.states[0][i] - servo.states[1][i]);
    }
    servo_breakaway.push_back(breakaway);
  }

  // The general form with a pair of complex eigenvalues: A in 1/rad, B in N m/rad.
  const scalar::BlimanSorine::Params general{
      .a = {-200, 300, 20, -300, -200, 10, 5, 0, -60}, .b = {90, -40, 12}, .c = {1, 0.5, 0.7}, .viscous = 0};
  const auto any = scalar::BlimanSorine::make(general);
  const auto slid = sim::drive(any, 1.0, {.duration = 0.5, .output_interval = 1e-4});

  context.step(0.5);
  const double long_run = 2 * pi * (context.quick ? 3 : 10);
  const auto one_way = driven(preset::table2_bliman_sorine_2(), 0.32, long_run);
  const auto both_ways = driven(preset::table2_bliman_sorine_2(), 0.4, long_run);
  const auto lugre = driven(preset::olsson_table2(), 0.32, long_run);
  const auto drift = [](const sim::Trajectory& run) {
    return run.position.back() - run.position[run.position.size() - 1 - period];
  };
  double going_on = 0;
  for (std::size_t i = one_way.time.size() - period; i < one_way.time.size(); ++i) {
    going_on = std::max(going_on, one_way.states[0][i] + one_way.states[1][i]);
  }
  const auto backwards = [](const sim::Trajectory& run) {
    return -*std::min_element(run.velocity.end() - period, run.velocity.end());
  };

  result.tables = {{"limits",
                    {{"ε over that of the set [-]", factors},
                     {"first order: lack of friction [rad]", first_lack},
                     {"second order: lack of friction [rad]", second_lack},
                     {"second order: peak [N m]", second_peak},
                     {"second order: distance of the peak [rad]", peak_distance},
                     {"first order: servo against Coulomb's [rad]", servo_error},
                     {"second order: break-away in the servo [N m]", servo_breakaway}},
                    true},
                   {"general", {{"s [rad]", slid.position}, {"F [N m]", slid.friction}}},
                   {"one_way",
                    {{"time [s]", one_way.time},
                     {"torque [N m]", one_way.load},
                     {"position [rad]", one_way.position},
                     {"velocity [rad/s]", one_way.velocity}}},
                   {"both_ways", {{"time [s]", both_ways.time}, {"position [rad]", both_ways.position}}},
                   {"lugre", {{"time [s]", lugre.time}, {"position [rad]", lugre.position}}}};
  result.figures = {{"one_way",
                     "One-way motion under a symmetric torque",
                     "time [s]",
                     "position [rad]",
                     {{"one_way", 0, 2, "Bliman-Sorine 2, 0.32 sin t"},
                      {"lugre", 0, 1, "LuGre, 0.32 sin t"},
                      {"both_ways", 0, 1, "Bliman-Sorine 2, 0.4 sin t"}}},
                    {"general",
                     "General form, three states: friction on the way to eq. 23",
                     "s [rad]",
                     "friction [N m]",
                     {{"general", 0, 1, "F"}}},
                    {"limits",
                     "ε → 0",
                     "ε over that of the set [-]",
                     "[rad]",
                     {{"limits", 0, 1, "first order, lack of friction", "linespoints"},
                      {"limits", 0, 4, "second order, distance of the peak", "linespoints"},
                      {"limits", 0, 5, "first order, servo against Coulomb's", "linespoints"}},
                     true,
                     true}};
  const Source coulomb_limit = printed("Section 4: as ε goes to zero, Coulomb friction");
  const Source stiction_limit = printed("Section 4: as ε goes to zero, Coulomb friction and stiction");
  const double fast = second.ratio * second.distance;
  result.claims = {
      // Reversed at s = 0: F = f₁ (1 − 2 e^(−s/ε)), so the lack is 2 ε.
      within("first order: lack of friction over 2 ε, ε/100", coulomb_limit, 1,
             first_lack[2] / (2 * first.distance / 100), 1e-2, "-"),
      within("first order: fall of the lack from ε to ε/100", coulomb_limit, 100, first_lack[0] / first_lack[2], 1,
             "-"),
      at_least("first order in the servo: fall of the error against Coulomb's from ε to ε/100", coulomb_limit, 10,
               servo_error[0] / servo_error[2], "-"),
      // The same for both parts:  2 (f₁ η ε − f₂ ε)/(f₁ − f₂)
      within("second order: lack of friction over its closed form, ε/100", stiction_limit, 1,
             second_lack[2] / (2 * (second.force_1 * fast - second.force_2 * second.distance) / 100 / coulomb), 2e-2,
             "-"),
      within("second order: peak, ε/100", stiction_limit, 0.33, second_peak[2], 1e-4, "N m"),
      within("second order: fall of the peak's distance from ε to ε/100", stiction_limit, 100,
             peak_distance[0] / peak_distance[2], 2, "-"),
      at_most("second order in the servo: break-away torque, ε/100",
              printed("Section 5: oscillations make it differ from F*"), 0.329, servo_breakaway[2], "N m"),
      at_least("the same from below", from_theory("the peak from zero states"), 0.305, servo_breakaway[2], "N m"),
      within("general form: friction after sliding for long", from_theory("eq. 23, F₀ = −C A⁻¹ B by Cramer's rule"),
             steady_force(general), slid.friction.back(), 1e-9, "N m"),
      within("one-way motion: drift in a period under 0.32 sin t", independent_runge_kutta, 1.3621234, drift(one_way),
             1e-5, "rad"),
      at_most("one-way motion: fastest turning backwards over forwards",
              printed("Section 5: unidirectional stick-slip motion"), 0.02,
              backwards(one_way) / *std::max_element(one_way.velocity.end() - period, one_way.velocity.end()), "-"),
      at_most("one-way motion: friction without its viscous part when it breaks away again",
              printed("Section 5: the friction differs from F*; lower than its 0.33"), 0.32, going_on, "N m"),
      at_most("drift in a period under 0.4 sin t", from_theory("both directions break away"), 0,
              std::abs(drift(both_ways)), "rad", 1e-3),
      at_most("LuGre: drift in a period under 0.32 sin t", printed("Section 5: no bias with LuGre"), 0,
              std::abs(drift(lugre)), "rad", 1e-5),
  };
  return result;
}

}  // namespace stiction::lab::scalar_bliman_sorine_limits
