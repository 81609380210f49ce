// Hunting: a PID position loop on a mass with friction, for every model. Which ones end in a limit cycle, and in which.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "comparison_set.h"
#include "paper_setup.h"
#include "stiction/roots.h"
#include "stiction/sim/line.h"

namespace stiction::lab::scalar_hunting {
namespace {

// Mass and gains of Canudas de Wit et al. 1995.
constexpr double mass = 1;          // [kg]
constexpr double goal = 1;          // [m]
constexpr double proportional = 3;  // [N/m]
constexpr double integral = 4;      // [N/(m s)]
constexpr double derivative = 6;    // [N s/m]

sim::Trajectory controlled(const Context& context, const scalar::AnyModel& model, double viscous, double duration,
                           sim::Method method) {
  const sim::Pid pid{.reference = goal,
                     .proportional = proportional,
                     .integral = integral,
                     .derivative = derivative + (lacks_viscous(model) ? viscous : 0)};
  return sim::simulate(
      model, {.mass = mass}, {.controller = pid},
      {.method = method, .duration = duration, .output_interval = 0.02, .step = 1e-3, .progress = [&](double) {
         context.check();
       }});
}

/// The largest errors between its changes of sign, and the times of those upwards.
struct Swings {
  std::vector<double> errors;   // [m], without sign
  std::vector<double> upwards;  // [s]
  [[nodiscard]] double last(std::size_t before = 0) const { return errors[errors.size() - 1 - before]; }
  /// The last swing over the one some cycles before it on the same side.
  [[nodiscard]] double ratio(std::size_t cycles) const {
    return errors.size() < 2 * cycles + 1 ? 0 : last() / last(2 * cycles);
  }
  [[nodiscard]] double period() const { return upwards.back() - upwards[upwards.size() - 2]; }
};
Swings swings_of(const sim::Trajectory& run) {
  Swings swings;
  double largest = 0;
  for (std::size_t i = 1; i < run.time.size(); ++i) {
    const double before = run.position[i - 1] - goal;
    const double now = run.position[i] - goal;
    if ((before < 0) != (now < 0) && largest > 1e-6) {  // smaller errors count as arrived
      swings.errors.push_back(largest);
      largest = 0;
      if (now > 0) {
        swings.upwards.push_back(run.time[i - 1] - before / (now - before) * (run.time[i] - run.time[i - 1]));
      }
    }
    largest = std::max(largest, std::abs(now));
  }
  return swings;
}

/// The error after the first overshoot.
Table late_error(const std::string& name, const sim::Trajectory& run) {
  std::vector<double> time;
  std::vector<double> error;
  for (std::size_t i = 0; i < run.time.size(); ++i) {
    if (run.time[i] >= 10) {
      time.push_back(run.time[i]);
      error.push_back(run.position[i] - goal);
    }
  }
  return {name, {{"time [s]", time}, {"error [m]", error}}};
}

/// One slip where friction is F_S at rest and F_C + F_v v in motion, from rest at the error e:
///   m v' = L − (K_d + F_v) v − F_C,   L' = −K_p v − K_i e,   e' = v,   v = 0 and L = F_S at the start
struct Slip {
  double time, load, error;  // at its end
};
Slip slip_from(double error, const scalar::LuGre::Params& levels, double breakaway) {
  using Vector = std::array<double, 3>;
  const auto rate = [&](const Vector& y) {
    const auto [v, load, e] = y;
    return Vector{(load - (derivative + levels.viscous) * v - levels.coulomb_force) / mass,
                  -proportional * v - integral * e, v};
  };
  const auto moved = [](const Vector& y, const Vector& r, double h) {
    return Vector{y[0] + h * r[0], y[1] + h * r[1], y[2] + h * r[2]};
  };
  constexpr double h = 5e-4;
  Vector y{0, breakaway, error};
  for (double t = 0;; t += h) {  // Runge-Kutta 4
    const Vector k1 = rate(y);
    const Vector k2 = rate(moved(y, k1, h / 2));
    const Vector k3 = rate(moved(y, k2, h / 2));
    const Vector k4 = rate(moved(y, k3, h));
    const Vector next = moved(moved(moved(moved(y, k1, h / 6), k2, h / 3), k3, h / 3), k4, h / 6);
    if (next[0] <= 0) {
      const double share = y[0] / (y[0] - next[0]);
      return {t + share * h, y[1] + share * (next[1] - y[1]), y[2] + share * (next[2] - y[2])};
    }
    y = next;
  }
}

struct LimitCycle {
  double amplitude, period;
};
/// The slip that ends as far beyond the goal as it began before it; then the integral reverses the load from L to −F_S.
LimitCycle theory_with_stiction(const scalar::LuGre::Params& levels) {
  const double fs = levels.static_force;
  const auto excess = [&](double e) { return slip_from(-e, levels, fs).error - e; };
  const double e = root_in(Bracket<double>{1e-3, excess(1e-3), 1, excess(1)}, 1e-10, excess);
  const Slip slip = slip_from(-e, levels, fs);
  return {e, 2 * (slip.time + (slip.load + fs) / (integral * e))};
}

}  // namespace

Result run(const Context& context) {
  Result result;
  const auto levels = canudas_1995().params();
  const double duration = context.quick ? 120 : 250;
  constexpr std::array arriving{"coulomb", "viscous", "dahl", "load-dependent-dahl", "bliman-sorine-1", "tanh"};
  // Events or undamped springs that make the accurate solver slow.
  constexpr std::array fixed_steps{"armstrong",
                                   "dahl",
                                   "load-dependent-dahl",
                                   "haessig-bristle",
                                   "bliman-sorine-1",
                                   "bliman-sorine-2",
                                   "bliman-sorine",
                                   "journal-bearing",
                                   "gms"};
  const auto is_in = [](const auto& list, const std::string& name) {
    return std::find(list.begin(), list.end(), name) != list.end();
  };
  std::vector<std::string> names;
  std::array<std::vector<double>, 3> columns;
  Swings coulomb;
  Swings stiction;
  const auto set = comparison_set(canudas_1995());
  for (const auto& [name, model] : set) {
    context.step(0.95 * static_cast<double>(names.size()) / static_cast<double>(set.size()));
    const auto run = controlled(context, model, levels.viscous, duration,
                                is_in(fixed_steps, name) ? sim::Method::sdirk2 : sim::Method::cvode);
    const Swings swings = swings_of(run);
    const bool arrives = is_in(arriving, name);
    if (arrives) {
      result.claims.push_back(at_most(name + ": error, last swing over the one a cycle before",
                                      from_theory("no static friction above the sliding one: it arrives"), 0.5,
                                      swings.ratio(1), "-"));
    } else {
      Claim hunts = within(name + ": error, last swing over the one two cycles before",
                           from_theory("static friction above the sliding one: it hunts for ever"), 1, swings.ratio(2),
                           0.01, "-");
      result.claims.push_back(name == "haessig-bristle" ? hunts.as_info("friction is random: no two swings are alike")
                                                        : hunts);
    }
    coulomb = name == "coulomb" ? swings : coulomb;
    stiction = name == "stiction" ? swings : stiction;
    names.push_back(name);
    columns[0].push_back(swings.last());
    columns[1].push_back(swings.ratio(1));
    columns[2].push_back(arrives ? 0 : swings.period());
    result.tables.push_back(late_error(name, run));
  }
  context.step(0.95);
  const LimitCycle theory = theory_with_stiction(levels);
  const double shrink = slip_from(-1, levels, levels.coulomb_force).error;  // linear in the error: any one will do
  const std::vector<Claim> numbers{
      within("stiction: amplitude of the limit cycle", from_theory("half cycle of linear slip, solved for symmetry"),
             theory.amplitude, stiction.last(), 1e-4 * theory.amplitude, "m"),
      within("stiction: period of the limit cycle",
             from_theory("half cycle of linear slip and the wait for break-away"), theory.period, stiction.period(),
             1e-4 * theory.period, "s"),
      within("coulomb: distance of a rest from the goal over that of the one before",
             from_theory("linear slip from a load of F_C"), shrink, coulomb.last() / coulomb.last(1), 1e-3, "-"),
  };
  result.claims.insert(result.claims.begin(), numbers.begin(), numbers.end());
  result.tables.push_back({"cycles",
                           {{"model", names},
                            {"last swing of the error [m]", columns[0]},
                            {"over the one a cycle before [-]", columns[1]},
                            {"period [s] (0: arrives)", columns[2]}},
                           true});
  result.notes =
      "1 kg is to go 1 m under PID control, with the gains and the friction of 1995. Integral action hunts wherever "
      "the force to break away is above the force to slide: the mass stops beside its goal, the integral grows "
      "until it lets go, and the excess carries it as far to the other side. With Coulomb friction every rest is "
      "closer to the goal by the same factor, but takes ever longer. Smoothing does not help by itself: tanh "
      "arrives because it has no peak, Brown-McPhee and Specker have one and hunt like the models with true "
      "stiction. The bearing hunts in cycles of which every second one is alike.";
  const auto figure = [](const char* name, const char* title, const std::vector<const char*>& models) {
    Figure f{name, title, "time [s]", "position beyond the goal [m]", {}};
    for (const char* model : models) {
      f.series.push_back({model, 0, 1, model});
    }
    return f;
  };
  result.figures = {
      figure("hunting", "PID control that hunts", {"stiction", "lugre", "gms", "leuven", "specker"}),
      figure("arriving", "PID control that arrives", {"coulomb", "dahl", "bliman-sorine-1", "tanh", "viscous"}),
      figure("bristles", "PID control on a random friction", {"haessig-bristle"}),
      figure("bearing", "PID control on a journal bearing", {"journal-bearing"})};
  return result;
}

}  // namespace stiction::lab::scalar_hunting
