// Eq. 30: LuGre dissipates while σ₁ < 4 g(v)/|v|. Beyond, it can push, and a closed cycle can generate energy.
#include <algorithm>
#include <cmath>

#include "paper_setup.h"

namespace stiction::lab::scalar_dissipativity {
namespace {

using scalar::LuGre;

/// The point at which a function that starts positive turns negative.
template <class F>
double extremum(double low, double high, const F& f) {
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (f(middle) > 0 ? low : high) = middle;
  }
  return low;
}

/// The minimum of F v − dS/dt at this speed, S = σ₀ z²/2, for deflections up to a limit [W].
double min_dissipation(const LuGre& model, double speed, double deflection) {
  double minimum = model.dissipated_power({0}, speed);
  for (int i = -4000; i <= 4000; ++i) {
    minimum = std::min(minimum, model.dissipated_power({deflection * i / 4000}, speed));
  }
  return minimum;
}

/// Back and forth, each direction slowly at first, then fast: position, velocity and bristle all return.
struct Cycle {
  double slow = 1e-3;           // [rad/s]
  double slow_distance = 7e-3;  // [rad]
  double fast = 100;            // [rad/s]
  double fast_distance = 2e-3;  // [rad]
};

struct Work {
  double cycle = 0;  // ∮ F v dt over a cycle, in the periodic state [J]
  std::vector<double> position, friction;
};

Work work(const LuGre& model, const Cycle& cycle, int pieces) {
  Work result;
  LuGre::State state;
  double position = 0;
  for (int period = 0; period < 3; ++period) {
    result = {};
    for (const double direction : {1.0, -1.0}) {
      for (const auto& [speed, distance] :
           {std::pair{cycle.slow, cycle.slow_distance}, {cycle.fast, cycle.fast_distance}}) {
        const double velocity = direction * speed;
        const double dt = distance / speed / pieces;
        for (int i = 0; i < pieces; ++i) {
          state = model.advance(state, velocity, dt / 2);  // to the middle of the segment, then to its end
          result.position.push_back(position + velocity * dt / 2);
          result.friction.push_back(model.force(state, velocity));
          result.cycle += velocity * dt * result.friction.back();
          state = model.advance(state, velocity, dt / 2);
          position += velocity * dt;
        }
      }
    }
  }
  return result;
}

/// The same from the solution of the bristle equation: at one speed σ₀ z = g + c e^(−x/l) with l = g/σ₀, so
///   ∫ F dx = (g + F_v v) x + c (1 − σ₁ v/g) l (1 − e^(−x/l))
double closed_form_work(const LuGre& model, const Cycle& cycle) {
  const auto p = model.params();
  const auto curve = [&](double v) {
    return p.coulomb_force + (p.static_force - p.coulomb_force) * std::exp(-std::pow(v / p.stribeck_velocity, 2));
  };
  const double slow_g = curve(cycle.slow);
  const double fast_g = curve(cycle.fast);
  const double slow_remaining = std::exp(-cycle.slow_distance * p.stiffness / slow_g);
  const double fast_remaining = std::exp(-cycle.fast_distance * p.stiffness / fast_g);
  // After half a cycle σ₀ z has changed its sign: end = −start.
  const double start = -(fast_g * (1 - fast_remaining) + slow_g * (1 - slow_remaining) * fast_remaining) /
                       (1 + slow_remaining * fast_remaining);
  const double middle = slow_g + (start - slow_g) * slow_remaining;
  const auto part = [&](double v, double g, double from, double distance, double remaining) {
    return (g + p.viscous * v) * distance + (from - g) * (1 - p.damping * v / g) * g / p.stiffness * (1 - remaining);
  };
  return 2 * (part(cycle.slow, slow_g, start, cycle.slow_distance, slow_remaining) +
              part(cycle.fast, fast_g, middle, cycle.fast_distance, fast_remaining));
}

}  // namespace

Result run(const Context& context) {
  const auto model = olsson_table2();
  auto params = model.params();
  params.damping_velocity = 4;
  const LuGre fading(params);  // eq. 22
  params = model.params();
  params.viscous = model.min_dissipative_viscous();
  const LuGre viscous(params);  // Barabanov and Ortega's condition, just met
  const double largest_deflection = model.largest_deflection();

  context.step(0);
  const double bound = model.dissipative_speed();
  double min_below_bound = 1;
  for (int i = 1; i <= 100; ++i) {
    min_below_bound = std::min(min_below_bound, min_dissipation(model, bound * i / 100, 3 * largest_deflection));
  }
  const double first_any =
      extremum(0.1, 10, [&](double v) { return min_dissipation(model, v, 3 * largest_deflection); });
  const double first_reachable =
      extremum(0.1, 10, [&](double v) { return min_dissipation(model, v, largest_deflection); });
  const double widest_fading = extremum(1, 10, [&](double v_d) {
    auto p = fading.params();
    p.damping_velocity = v_d;
    const LuGre candidate(p);
    double margin = candidate.dissipativity_margin(0);
    for (double v = 0; v < 20; v += 1e-3) {
      margin = std::min(margin, candidate.dissipativity_margin(v));
    }
    return margin;
  });
  const double min_viscous = extremum(1e-3, 1, [&](double f_v) {
    auto p = model.params();
    p.viscous = f_v;
    return -LuGre(p).force({largest_deflection}, 1e9);  // a push at a very high speed
  });

  context.step(0.3);
  const Cycle cycle;
  const auto with_speed = [&](double fast) {
    Cycle c = cycle;
    c.fast = fast;
    return c;
  };
  const Work taken = work(model, cycle, 400);
  std::vector<double> speeds;
  std::vector<double> standard_work;
  std::vector<double> fading_work;
  std::vector<double> viscous_work;
  for (double fast = 1; fast < 300; fast *= context.quick ? 1.5 : 1.1) {
    const Cycle c = with_speed(fast);
    speeds.push_back(fast);
    standard_work.push_back(work(model, c, 100).cycle);
    fading_work.push_back(work(fading, c, 100).cycle);
    viscous_work.push_back(work(viscous, c, 100).cycle);
  }
  const double generating_speed =
      extremum(1, 100, [&](double fast) { return work(model, with_speed(fast), 400).cycle; });
  const double generating_speed_closed =
      extremum(1, 100, [&](double fast) { return closed_form_work(model, with_speed(fast)); });
  context.step(0.6);
  double min_fading = 1;
  double min_viscous_work = 1;
  double min_standard = 1;
  for (const double fast : {3.0, 10.0, 30.0, 100.0, 300.0}) {
    for (double slow_distance = 1e-3; slow_distance < 0.02; slow_distance *= context.quick ? 2 : 1.4) {
      for (double fast_distance = 2e-4; fast_distance < 0.01; fast_distance *= context.quick ? 2 : 1.4) {
        const Cycle c{1e-3, slow_distance, fast, fast_distance};
        min_standard = std::min(min_standard, work(model, c, 50).cycle);
        min_fading = std::min(min_fading, work(fading, c, 50).cycle);
        min_viscous_work = std::min(min_viscous_work, work(viscous, c, 50).cycle);
      }
    }
  }

  Result result;
  result.notes =
      "Table 2's set has a constant σ₁. Below 4 F_C/σ₁ = 1.87 rad/s it dissipates whatever its state. "
      "Jumping from break-away to 10 rad/s it pushes instead of resisting. Moved to and fro, slowly until the "
      "bristles are deflected and then in a jerk, it generates energy in every cycle at 100 rad/s, though position, "
      "velocity and bristle all return. A σ₁ that fades (eq. 22), or enough viscous friction (Barabanov and "
      "Ortega), cures that.";
  result.tables = {{"cycle", {{"position [rad]", taken.position}, {"friction [N m]", taken.friction}}},
                   {"work",
                    {{"fast speed [rad/s]", speeds},
                     {"Table 2 [J]", standard_work},
                     {"with eq. 22 [J]", fading_work},
                     {"with more viscous friction [J]", viscous_work}}}};
  result.figures = {{"cycle",
                     "One closed cycle at 1e-3 and 100 rad/s, Table 2",
                     "position [rad]",
                     "friction [N m]",
                     {{"cycle", 0, 1, "LuGre"}}},
                    {"work",
                     "Work taken up in a closed cycle",
                     "speed of the jerk [rad/s]",
                     "work [J]",
                     {{"work", 0, 1, "Table 2"}, {"work", 0, 2, "with eq. 22, v_d = 4"}, {"work", 0, 3, "F_v = 0.107"}},
                     true}};
  const Source closed = from_theory("closed form");
  result.claims = {
      within("speed below which eq. 30 holds", from_theory("eq. 30, 4 F_C/σ₁"), 1.8667,
             extremum(0.1, 10, [&](double v) { return model.dissipativity_margin(v); }), 1e-4, "rad/s"),
      at_least("minimum of F v − dS/dt below that speed, at any deflection",
               printed("eq. 30: dissipative where it holds"), 0, min_below_bound, "W"),
      within("speed at which F v − dS/dt first turns negative, any deflection",
             from_theory("closed form, 4 F_C (σ₁ + F_v)/σ₁²"), 4 * 0.28 * 0.6176 / 0.36, first_any, 1e-3, "rad/s"),
      within("the same for deflections that are reached", from_theory("closed form, F_S²/(σ₁ (F_S − F_C) − F_v F_C)"),
             0.33 * 0.33 / (0.6 * 0.05 - 0.0176 * 0.28), first_reachable, 1e-3, "rad/s"),
      within("largest v_d with which eq. 22 meets eq. 30 at all speeds", from_theory("closed form, 4 √(2e) F_C/σ₁"),
             4.3524, widest_fading, 1e-3, "rad/s"),
      within("smallest F_v that resists at any speed", from_theory("Barabanov and Ortega 2000, σ₁ (F_S − F_C)/F_C"),
             0.107143, min_viscous, 1e-5, "N m s/rad"),
      within("friction after a jump from break-away to 10 rad/s", from_program("independent evaluation"), -0.56543,
             model.force({largest_deflection}, 10), 5e-6, "N m"),
      within("the same with eq. 22, v_d = 4", from_program("independent evaluation"), 0.50393,
             fading.force({largest_deflection}, 10), 5e-6, "N m"),
      within("work taken up in the closed cycle", closed, closed_form_work(model, cycle), taken.cycle, 1e-6, "J"),
      within("speed of the jerk from which that cycle generates energy", closed, generating_speed_closed,
             generating_speed, 1e-3, "rad/s"),
      at_most("smallest work over all cycles tried, Table 2", from_theory("not dissipative where eq. 30 fails"), -1e-3,
              min_standard, "J"),
      at_least("smallest work over all cycles tried, with eq. 22",
               printed("Section 4: eq. 22 gives a dissipative model"), 0, min_fading, "J"),
      at_least("smallest work over all cycles tried, with F_v = 0.107", from_theory("Barabanov and Ortega 2000"), 0,
               min_viscous_work, "J"),
  };
  return result;
}

}  // namespace stiction::lab::scalar_dissipativity
