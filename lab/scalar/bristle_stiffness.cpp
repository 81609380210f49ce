// Haessig and Friedland's bristles with a stiffness σ₀(v) that depends on the velocity: it can carry a Stribeck curve.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "paper_setup.h"
#include "stiction/sim/line.h"

namespace stiction::lab::scalar_bristle_stiffness {
namespace {

constexpr double max_deflection = 1e-3;  // δ_s [rad]

/// g(v) of Table 2.
double stribeck(double velocity) { return olsson_table2().curve(velocity); }

/// F = Σ σ₀(v) (x − bᵢ) with σ₀(v) = (3/2) g(v)/(N δ_s), so that the mean of sliding friction is g(v). When bristles
/// snap depends on the path alone: they are those of constant stiffness.
struct SofteningBristles {
  scalar::HaessigBristle bristles;
  std::uint32_t count;

  explicit SofteningBristles(std::uint32_t n, std::uint32_t seed = 0)
      : bristles({.stiffness = 1, .largest_bend = max_deflection, .bristles = n, .seed = seed}), count(n) {}

  [[nodiscard]] double stiffness(double velocity) const { return 1.5 * stribeck(velocity) / (count * max_deflection); }
  [[nodiscard]] double force(const scalar::HaessigBristle::State& state, double velocity) const {
    return stiffness(velocity) * bristles.force(state, velocity);
  }
};

struct Sliding {
  double mean = 0, spread = 0;  // [N m]
  double constant = 0;          // mean with the stiffness of v = 0 at all speeds [N m]
};

/// Steady sliding over a path; the force is sampled each 0.1 δ_s.
Sliding slide(const SofteningBristles& model, double velocity, double path) {
  auto state = model.bristles.advance(model.bristles.at_rest(0), 50 * max_deflection, 1);
  const int samples = static_cast<int>(path / (0.1 * max_deflection));
  double sum = 0;
  double squares = 0;
  double constant = 0;
  for (int i = 0; i < samples; ++i) {
    state = model.bristles.advance(state, velocity, 0.1 * max_deflection / velocity);
    const double f = model.force(state, velocity);
    sum += f;
    squares += f * f;
    constant += model.stiffness(0) * model.bristles.force(state, velocity);
  }
  const double mean = sum / samples;
  return {mean, std::sqrt(squares / samples - mean * mean), constant / samples};
}

/// The energy gained in a cycle without a snap: out to u δ_s fast, where the bristles are soft, and back slowly.
double energy_of_cycle(const SofteningBristles& model, double fast, double slow, double share) {
  constexpr int steps = 1000;
  const double step = share * max_deflection / steps;
  auto state = model.bristles.at_rest(0);
  double work = 0;
  for (int i = 0; i < 2 * steps; ++i) {
    const double direction = i < steps ? 1 : -1;
    const double velocity = direction * (i < steps ? fast : slow);
    const double before = model.force(state, velocity);
    state = model.bristles.advance(state, direction * step, 1);
    work += (before + model.force(state, velocity)) / 2 * direction * step;
  }
  return -work;
}

/// Mean friction over many seeds while the velocity swings without changing its sign: rising less falling, at the mean
/// velocity, and its standard error.
struct Lag {
  double difference = 0, error = 0;  // [N m]
};
Lag lag(std::uint32_t count, int seeds) {
  constexpr double mean = 0.01;   // [rad/s]
  constexpr double swing = 8e-3;  // [rad/s]
  constexpr double frequency = 1;
  constexpr int steps = 400;
  const double h = 2 * std::numbers::pi / frequency / steps;
  double sum = 0;
  double squares = 0;
  for (int seed = 1; seed <= seeds; ++seed) {
    const SofteningBristles model(count, static_cast<std::uint32_t>(seed));
    auto state = model.bristles.advance(model.bristles.at_rest(0), 50 * max_deflection, 1);
    double rising = 0;
    double falling = 0;
    for (int i = 0; i <= steps; ++i) {
      const double velocity = mean + swing * std::sin(2 * std::numbers::pi * i / steps);
      state = model.bristles.advance(state, velocity, h);
      rising = i == steps ? model.force(state, velocity) : rising;
      falling = i == steps / 2 ? model.force(state, velocity) : falling;
    }
    sum += rising - falling;
    squares += (rising - falling) * (rising - falling);
  }
  const double difference = sum / seeds;
  return {difference, std::sqrt((squares / seeds - difference * difference) / seeds)};
}

struct Curve {
  std::vector<double> velocity, theory, mean_20, spread_20, mean_1, constant;
};

Curve sliding_curve(const Context& context, double path) {
  Curve curve;
  const SofteningBristles many(20);
  const SofteningBristles single(1);
  for (const double v : {1e-4, 1e-3, 3e-3, 5e-3, 7e-3, 1e-2, 1.5e-2, 2e-2, 3e-2, 0.1}) {
    context.step(0.08 * static_cast<double>(curve.velocity.size()));
    const Sliding s = slide(many, v, path);
    curve.velocity.push_back(v);
    curve.theory.push_back(stribeck(v));
    curve.mean_20.push_back(s.mean);
    curve.spread_20.push_back(s.spread / s.mean);
    curve.mean_1.push_back(slide(single, v, path).mean);
    curve.constant.push_back(s.constant);
  }
  return curve;
}

/// Force over a path that starts at rest slowly, speeds up, slows down, for the figure.
Table trace(std::uint32_t count) {
  const SofteningBristles model(count);
  std::vector<double> position{0};
  std::vector<double> force{0};
  std::vector<double> level{stribeck(1e-4)};
  auto state = model.bristles.at_rest(0);
  for (int i = 1; i <= 2000; ++i) {
    const double step = max_deflection / 100;
    const double velocity = 1e-4 + 0.03 * square(std::sin(std::numbers::pi * i / 1000));
    state = model.bristles.advance(state, step, 1);
    position.push_back(position.back() + step);
    force.push_back(model.force(state, velocity));
    level.push_back(stribeck(velocity));
  }
  return {fmt::format("trace_{}", count),
          {{"position [rad]", position}, {"friction [N m]", force}, {"g(v) [N m]", level}}};
}

/// A body on bristles that do not snap: the swing after twenty periods over the first.
double ringing() {
  const scalar::HaessigBristle bristles(
      {.stiffness = 260.0 / 20, .largest_bend = max_deflection, .bristles = 20});  // σ₀ of Table 2 in all
  const double omega = std::sqrt(260 / olsson_table2_inertia);
  const double period = 2 * std::numbers::pi / omega;
  const auto run =
      sim::simulate(bristles, {.mass = olsson_table2_inertia, .velocity = 0.2 * max_deflection * omega}, {},
                    {.duration = 21 * period, .output_interval = period / 400, .relative_tolerance = 1e-10});
  const auto largest = [&](std::ptrdiff_t from) {
    return *std::max_element(run.position.begin() + from, run.position.begin() + from + 400);
  };
  return largest(std::ptrdiff_t{20} * 400) / largest(0);
}

std::vector<Claim> claims_of(const Curve& curve, double path) {
  std::vector<Claim> claims;
  // Mean 2/3 of a deflection, standard deviation √(1/(8 N)) of that; independent values are about δ_s apart.
  const auto scatter = [&](double bristles) { return 4 / std::sqrt(8 * bristles) * std::sqrt(max_deflection / path); };
  double worst_20 = 0;
  double worst_1 = 0;
  double worst_spread = 0;
  double worst_constant = 0;
  for (std::size_t i = 0; i < curve.velocity.size(); ++i) {
    worst_20 = std::max(worst_20, std::abs(curve.mean_20[i] / curve.theory[i] - 1));
    worst_1 = std::max(worst_1, std::abs(curve.mean_1[i] / curve.theory[i] - 1));
    worst_spread = std::max(worst_spread, std::abs(curve.spread_20[i] * std::sqrt(8 * 20.0) - 1));
    worst_constant = std::max(worst_constant, std::abs(curve.constant[i] / curve.constant[0] - 1));
  }
  const Source mean = from_theory("(2/3) N σ0(v) δs = g(v); tolerance: four standard errors");
  claims.push_back(at_most("N = 20: largest deviation of the mean from g(v) of Table 2, ten speeds", mean, 0, worst_20,
                           "-", scatter(20)));
  claims.push_back(at_most("N = 1: the same", mean, 0, worst_1, "-", scatter(1)));
  claims.push_back(at_most("N = 20: largest deviation of spread over mean from √(1/(8 N)), ten speeds",
                           from_theory("σ0(v) multiplies mean and spread alike"), 0, worst_spread, "-", 0.03));
  claims.push_back(within("N = 20: friction at 0.1 mrad/s over that at 0.1 rad/s", from_theory("F_S/F_C of Table 2"),
                          0.33 / 0.28, curve.mean_20.front() / curve.mean_20.back(), 2 * scatter(20) * 0.33 / 0.28,
                          "-"));
  claims.push_back(at_most("N = 20, constant σ0: largest change of the mean over the speeds",
                           from_theory("eq. 12: the path alone counts"), 0, worst_constant, "-", 1e-6));
  return claims;
}

}  // namespace

Result run(const Context& context) {
  const double path = max_deflection * (context.quick ? 3e3 : 3e4);
  const Curve curve = sliding_curve(context, path);
  const SofteningBristles model(20);
  constexpr double fast = 0.1;
  constexpr double slow = 1e-4;
  constexpr double share = 0.9;
  const double gained = energy_of_cycle(model, fast, slow, share);
  // ½ N (σ₀(slow) − σ₀(fast)) (u δ_s)²
  const double expected = 0.5 * 20 * (model.stiffness(slow) - model.stiffness(fast)) * square(share * max_deflection);
  context.step(0.85);
  const Lag delay = lag(20, context.quick ? 400 : 4000);

  Result result;
  result.claims = claims_of(curve, path);
  const std::vector<Claim> others{
      within("frictional lag: friction at the mean velocity, rising less falling, over 0.05 N m",
             from_theory("σ0(v) follows the velocity at once: no lag; tolerance: four standard errors"), 0,
             delay.difference / 0.05, 4 * delay.error / 0.05, "-"),
      within("energy gained in a cycle without a snap, out fast and back slowly",
             from_theory("½ N (σ0(slow) − σ0(fast)) (u δs)²: not dissipative"), expected, gained, 1e-9 * expected, "J"),
      within("swing of a body in stick after twenty periods over the first",
             printed("Section 4: motion in sticking may be oscillatory, there is no damping of the bristles"), 1,
             ringing(), 1e-3, "-"),
  };
  result.claims.insert(result.claims.end(), others.begin(), others.end());
  result.notes =
      "The paper says of the bristle model that the stiffness of its bristles can be made velocity dependent, and no "
      "more. With σ0(v) proportional to the Stribeck curve g(v) of Table 2 its mean friction is that curve, for any "
      "number of bristles, and its relative spread is the same at all speeds. What it does not get that way is lag: "
      "friction follows the velocity at once. And it is no longer dissipative: bristles that are bent fast, while they "
      "are soft, and released slowly return more energy than they took.";
  result.tables = {{"curve",
                    {{"velocity [rad/s]", curve.velocity},
                     {"g(v) [N m]", curve.theory},
                     {"mean, N = 20 [N m]", curve.mean_20},
                     {"mean, N = 1 [N m]", curve.mean_1},
                     {"mean, N = 20, constant stiffness [N m]", curve.constant},
                     {"spread over mean, N = 20 [-]", curve.spread_20}},
                    true},
                   trace(1),
                   trace(20)};
  result.figures = {{"curve",
                     "Mean friction of bristles whose stiffness depends on the velocity",
                     "velocity [rad/s]",
                     "friction [N m]",
                     {{"curve", 0, 1, "g(v) of Table 2"},
                      {"curve", 0, 2, "N = 20", "points"},
                      {"curve", 0, 3, "N = 1", "points"},
                      {"curve", 0, 4, "N = 20, constant stiffness", "linespoints"}},
                     true},
                    {"trace",
                     "From rest, while the velocity rises from 0.1 to 30 mrad/s and falls twice",
                     "position [rad]",
                     "friction [N m]",
                     {{"trace_1", 0, 1, "N = 1"}, {"trace_20", 0, 1, "N = 20"}, {"trace_20", 0, 2, "g(v)"}}}};
  return result;
}

}  // namespace stiction::lab::scalar_bristle_stiffness
