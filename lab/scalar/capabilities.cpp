// What each model captures, measured by the same small experiments for all: numbers, thresholds and ticks.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "model_timing.h"
#include "paper_setup.h"
#include "stiction/sim/line.h"
#include "stiction/sim/measure.h"

namespace stiction::lab::scalar_capabilities {
namespace {

constexpr double inertia = scalar::preset::olsson_table2_mass;
constexpr double coulomb_force = 0.28;      // of the comparison set [N m]
constexpr double stribeck_velocity = 0.01;  // [rad/s]
constexpr double presliding = 0.28 / 260;   // [rad]
constexpr double fixed_step = 1e-3;         // for bodies that should rest [s]

/// The things measured, in the order of the table.
enum Capability { holds, stiction, stribeck, elastic, lag, varying, drift_free, dissipative, rate_independent };
constexpr std::size_t capabilities = 9;

struct Criterion {
  const char* name;
  const char* measured;  // the measured quantity
  double threshold;
  bool above;  // ticked above the threshold, otherwise below
};
constexpr std::array<Criterion, capabilities> columns{{
    {"holds a load", "movement in 10 s under half of break-away [rad]", 1e-9, false},
    {"stiction", "break-away over sliding friction, less 1", 0.05, true},
    {"Stribeck effect", "largest friction below v_S over that at 10 v_S, less 1", 0.02, true},
    {"presliding", "displacement that comes back when half of break-away is taken off [rad]", 1e-6, true},
    {"lag", "area of the loop F(v) at 25 rad/s over 2 F_C times the amplitude of v", 5e-3, true},
    {"varying break-away", "fall of the break-away force from a rate of 5 mN m/s to 1 N m/s, relative", 0.03, true},
    {"drift-free", "movement in 10 s under a vibration below 60 % of F_C [rad]", 1e-6, false},
    {"dissipative", "net over total work of the worst closed cycle", -1e-3, true},
    {"rate independent", "largest difference of F(x) at 0.5 and at 50 mrad/s over the largest F", 0.01, false},
}};

/// The prediction of theory: '+' yes, '-' no, '?' not known.
struct Theory {
  const char* model;
  const char* ticks;  // in the order of the table
  const char* source;
};
constexpr const char* static_law = "a law of the velocity, set-valued at rest (Olsson et al. 1998, section 2)";
constexpr const char* smooth_law = "a continuous law of the velocity: no stiction";
constexpr const char* rate_free = "a law of the path alone (Olsson et al. 1998, section 3)";
constexpr std::array<Theory, 25> theory{{
    {"coulomb", "+-----+++", static_law},
    {"viscous", "-------+-", smooth_law},
    {"stiction", "++----+++", static_law},
    {"stribeck", "+++---++-", static_law},
    {"asymmetric-stribeck", "+++---++-", static_law},
    {"load-dependent-stribeck", "+++---++-", "Stribeck friction times a factor of the load"},
    {"tabulated", "+++---++-", "a measured Stribeck curve, set-valued at rest"},
    {"karnopp", "+++---++-", "Karnopp 1985: a band of zero velocity"},
    {"karnopp-original", "+++---++-", "Karnopp 1985: a band of zero velocity"},
    {"armstrong", "+++++++?-", "Olsson et al. 1998, eqs. 7 to 9: all but a proof of dissipation"},
    {"dahl", "+--+---++", rate_free},
    {"load-dependent-dahl", "+--+---++", "Dahl's friction times a factor of the load"},
    {"haessig-bristle", "++-+-?+++",
     "Olsson et al. 1998, eq. 12: bonds of the path alone; its scatter hides small falls"},
    {"reset-integrator", "++-+--++-", "Olsson et al. 1998, eqs. 13 and 14; elastic below break-away, damped"},
    {"bliman-sorine-1", "+--+---++", rate_free},
    {"bliman-sorine-2", "++-+---++", rate_free},
    {"bliman-sorine", "++-+---++", rate_free},
    {"journal-bearing", "+++-++++-", "Harnoy and Friedland 1994: the film lags behind the velocity"},
    {"lugre", "++++++---", "Olsson et al. 1998; not dissipative since F_v < sigma1 (F_S - F_C)/F_C"},
    {"elasto-plastic", "+++++++?-", "Dupont et al. 2002: LuGre without drift; eq. 30 fails, which decides nothing"},
    {"gms", "+++++++?-", "Al-Bender et al. 2005; dissipation is proven for constant s(v) alone"},
    {"leuven", "++++++-?-", "Swevers et al. 2000; nothing is proven about dissipation"},
    {"brown-mcphee", "--+----+-", smooth_law},
    {"specker", "--+----+-", smooth_law},
    {"tanh", "-------+-", smooth_law},
}};

/// Half of the largest load that is held; if there is none, half of the sliding friction.
double test_load(const scalar::AnyModel& model) {
  const double breakaway = sim::breakaway_force(model);
  const double fast = sim::sliding_speed(model);
  return 0.5 * (breakaway > 0 ? breakaway : model.force(sim::settled(model, fast), fast));
}

/// The position of a body at some times, with steps of backward Euler: which adds no numerical motion.
std::vector<double> positions(const scalar::AnyModel& model, const sim::Signal& force, std::vector<double> times,
                              double h) {
  const sim::Load load{.force = force};
  sim::LineState<scalar::AnyModel> y{0, 0, 0, model.at_rest(0)};
  std::vector<double> result;
  for (long i = 0; result.size() < times.size(); ++i) {
    if (static_cast<double>(i) * h >= times[result.size()] - h / 2) {
      result.push_back(y.position);
    }
    y = sim::backward_euler(model, inertia, load, static_cast<double>(i) * h, y, h).state;
  }
  return result;
}

double held_movement(const scalar::AnyModel& model, double load) {
  const auto x = positions(model, sim::Ramp{0, load, 0, 1, true}, {10, 20}, fixed_step);
  return std::abs(x[1] - x[0]);
}

/// Mean friction while sliding at a speed, over 20 presliding lengths.
double sliding_friction(const scalar::AnyModel& model, double speed) {
  constexpr int samples = 2000;
  const double dt = 20 * presliding / speed / samples;
  auto state = sim::settled(model, speed);
  double sum = 0;
  for (int i = 0; i < samples; ++i) {
    state = model.advance(state, speed, dt);
    sum += model.force(state, speed);
  }
  return sum / samples;
}

constexpr std::array speed_shares{0.01, 0.03, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 10.0};  // of v_S
using SteadyCurve = std::array<double, speed_shares.size()>;

SteadyCurve steady_curve(const scalar::AnyModel& model) {
  SteadyCurve friction{};
  std::transform(speed_shares.begin(), speed_shares.end(), friction.begin(),
                 [&](double share) { return sliding_friction(model, share * stribeck_velocity); });
  return friction;
}

double stribeck_fall(const SteadyCurve& friction) {
  return *std::max_element(friction.begin(), friction.end() - 1) / friction.back() - 1;
}

/// A load up and down again in 4 s: the recovered displacement.
double elastic_displacement(const scalar::AnyModel& model, double load) {
  const auto x = positions(model, sim::Table{{0, 2, 4}, {0, load, 0}}, {2, 5}, fixed_step);
  return x[0] - x[1];
}

/// v = 2 v_S + 1.5 v_S sin(25 t), never reversed; the mean loop of 200 periods.
double lag_area(const scalar::AnyModel& model) {
  constexpr int steps = 200;
  constexpr int periods = 203;
  constexpr double amplitude = 1.5 * stribeck_velocity;
  const double dt = 2 * std::numbers::pi / 25 / steps;
  const auto velocity = [&](double i) {
    return 2 * stribeck_velocity + amplitude * std::sin(2 * std::numbers::pi * i / steps);
  };
  std::array<double, steps> force{};
  auto state = sim::settled(model, velocity(0));
  for (int period = 0; period < periods; ++period) {
    for (int i = 0; i < steps; ++i) {
      force[static_cast<std::size_t>(i)] += period < 3 ? 0 : model.force(state, velocity(i)) / (periods - 3);
      state = model.advance(state, velocity(i + 0.5), dt);
    }
  }
  double area = 0;  // ∮ F dv
  for (int i = 0; i < steps; ++i) {
    area += force[static_cast<std::size_t>(i)] * (velocity(i + 1) - velocity(i - 1)) / 2;
  }
  return std::abs(area) / (2 * amplitude * coulomb_force);
}

/// The largest friction while a load rises, until the body slides at 20 v_S. Before that it has slid for
/// long, has come to rest, and has rested for 0.1 s, with long steps that damp all ringing.
double breakaway_at(const scalar::AnyModel& model, double rate) {
  const double slide = 5 * stribeck_velocity;
  sim::LineState<scalar::AnyModel> y{0, slide, 0, sim::settled(model, slide)};
  for (int i = 0; i < 50; ++i) {
    y = sim::backward_euler(model, inertia, {}, 0, y, 2e-3).state;
  }
  const double end = 2 * coulomb_force / rate;
  const sim::Load load{.force = sim::Ramp{0, 2 * coulomb_force, 0, end}};
  double peak = 0;
  for (double t = 0; t < end && y.velocity < 20 * stribeck_velocity;) {
    const double speed = std::abs(y.velocity) / stribeck_velocity;
    const double h = rate > 0.1 || speed > 1 ? 1e-4 : speed > 0.01 ? 1e-3 : 5e-3;
    const auto next = sim::backward_euler(model, inertia, load, t, y, h);
    y = next.state;
    t += h;
    peak = std::max(peak, next.friction);
  }
  return peak;
}

/// 0.3 F_C (1 + sin) at 3 Hz: below the elastic range of the elasto-plastic model.
double vibration_movement(const scalar::AnyModel& model) {
  const sim::Sine vibration{0.3 * coulomb_force, 6 * std::numbers::pi, -std::numbers::pi / 2, 0.3 * coulomb_force};
  const auto x = positions(model, vibration, {10, 20}, fixed_step);
  return std::abs(x[1] - x[0]);
}

/// Friction over the path back and forth, three presliding lengths each way, in the second round.
std::vector<double> path_friction(const scalar::AnyModel& model, double speed) {
  constexpr int samples = 300;
  const double dt = 3 * presliding / speed / samples;
  auto state = model.at_rest(0);
  std::vector<double> force;
  for (int way = 0; way < 4; ++way) {
    const double v = way % 2 == 0 ? speed : -speed;
    for (int i = 0; i < samples; ++i) {
      state = model.advance(state, v, dt);
      if (way >= 2) {
        force.push_back(model.force(state, v));
      }
    }
  }
  return force;
}

double rate_dependence(const scalar::AnyModel& model) {
  const auto slow = path_friction(model, 0.05 * stribeck_velocity);
  const auto fast = path_friction(model, 5 * stribeck_velocity);
  double largest = 0;
  double difference = 0;
  for (std::size_t i = 0; i < slow.size(); ++i) {
    largest = std::max({largest, std::abs(slow[i]), std::abs(fast[i])});
    difference = std::max(difference, std::abs(slow[i] - fast[i]));
  }
  return difference / largest;
}

struct Measured {
  std::string model;
  std::array<double, capabilities> number{};
  SteadyCurve steady{};

  [[nodiscard]] bool tick(std::size_t i) const {
    return columns[i].above ? number[i] > columns[i].threshold : number[i] < columns[i].threshold;
  }
};

Measured measured(const scalar::AnyModel& model) {
  Measured result{model.name(), {}, steady_curve(model)};
  const double load = test_load(model);
  result.number[holds] = held_movement(model, load);
  result.number[stiction] = sim::breakaway_force(model) / result.steady.back() - 1;
  result.number[stribeck] = stribeck_fall(result.steady);
  result.number[elastic] = elastic_displacement(model, load);
  result.number[lag] = lag_area(model);
  result.number[varying] = 1 - breakaway_at(model, 1) / breakaway_at(model, 0.005);
  result.number[drift_free] = vibration_movement(model);
  result.number[dissipative] = sim::worst_cycle(model).share();
  result.number[rate_independent] = rate_dependence(model);
  return result;
}

/// The number of ticks that agree with theory; not judged where theory says nothing.
Claim claim_for(const Measured& row) {
  const std::string name = row.model + ": ticks that agree with theory";
  const auto* const found =
      std::find_if(theory.begin(), theory.end(), [&](const Theory& t) { return row.model == t.model; });
  if (found == theory.end()) {
    return within(name, from_theory("none"), 0, 0, 0, "ticks")
        .as_info("No row says what theory expects of this model.");
  }
  int known = 0;
  int agreed = 0;
  for (std::size_t i = 0; i < capabilities; ++i) {
    known += found->ticks[i] == '?' ? 0 : 1;
    agreed += found->ticks[i] == (row.tick(i) ? '+' : '-') ? 1 : 0;
  }
  return within(name, from_theory(found->source), known, agreed, 0, "ticks");
}

}  // namespace

Result run(const Context& context) {
  std::vector<Measured> rows;
  const auto models = scalar::registered_models();
  for (const scalar::ModelTable* model : models) {
    context.step(0.9 * static_cast<double>(rows.size()) / static_cast<double>(models.size()));
    if (const scalar::Preset* preset = scalar::comparison_preset(*model)) {
      rows.push_back(measured(preset->make()));
    }
  }
  const auto timings =
      time_models(context.quick ? 50'000 : 200'000, context.quick ? 0.05 : 0.3, [&] { context.check(); });

  Result result;
  result.notes =
      "Every model with the parameters of the comparison set, which come as near to Table 2 of Olsson et al. 1998 as "
      "the "
      "model allows, on the same inertia. Each number decides its tick by one threshold, the same for all models.";
  Table shown{"capabilities", {{"model", std::vector<std::string>{}}}, true};
  Table numbers{"numbers", {{"model", std::vector<std::string>{}}}};
  auto& names = std::get<std::vector<std::string>>(shown.columns[0].values);
  for (const Measured& row : rows) {
    names.push_back(row.model);
    result.claims.push_back(claim_for(row));
  }
  numbers.columns[0].values = names;
  std::vector<std::string> capability;
  std::vector<std::string> meaning;
  std::vector<std::string> threshold;
  for (std::size_t i = 0; i < capabilities; ++i) {
    std::vector<std::string> cells;
    std::vector<double> values;
    for (const Measured& row : rows) {
      cells.push_back(fmt::format("{} {:.2g}", row.tick(i) ? "✓" : "–", row.number[i]));
      values.push_back(row.number[i]);
    }
    shown.columns.push_back({columns[i].name, cells});
    numbers.columns.push_back({columns[i].measured, values});
    capability.emplace_back(columns[i].name);
    meaning.emplace_back(columns[i].measured);
    threshold.push_back(fmt::format("{} {:g}", columns[i].above ? ">" : "<", columns[i].threshold));
  }
  std::vector<double> cost;
  for (const ModelTiming& timing : timings) {
    cost.push_back(timing.step.median / timings.front().step.median);
  }
  std::vector<std::string> cost_text;
  std::transform(cost.begin(), cost.end(), std::back_inserter(cost_text),
                 [](double c) { return fmt::format("{:.0f}", c); });
  shown.columns.push_back({"cost", cost_text});
  result.tables = {
      shown, {"thresholds", {{"capability", capability}, {"number", meaning}, {"tick", threshold}}, true}, numbers};
  std::vector<double> speeds;
  std::transform(speed_shares.begin(), speed_shares.end(), std::back_inserter(speeds),
                 [](double share) { return share * stribeck_velocity; });
  Table steady{"steady", {{"velocity [rad/s]", speeds}}};
  Figure figure{"steady", "Friction after sliding for long", "velocity [rad/s]", "friction [N m]", {}, true};
  for (const Measured& row : rows) {
    steady.columns.push_back({row.model + " [N m]", std::vector<double>(row.steady.begin(), row.steady.end())});
    const std::array drawn{"coulomb", "stribeck", "gms", "brown-mcphee", "specker", "tanh"};
    if (std::find(drawn.begin(), drawn.end(), row.model) != drawn.end()) {
      figure.series.push_back({"steady", 0, steady.columns.size() - 1, row.model, "linespoints"});
    }
  }
  result.tables.push_back(steady);
  result.figures = {figure};
  result.claims.push_back(
      at_least("cost of one call of the cheapest other model over that of Coulomb friction",
               requirement("Coulomb friction is a sign"), 1, *std::min_element(cost.begin() + 1, cost.end()), "-")
          .as_info("It depends on the machine. The last column of the table has every model; stiction bench times more "
                   "calls."));
  return result;
}

}  // namespace stiction::lab::scalar_capabilities
