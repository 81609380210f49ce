// The friction detector on many simulated logs: how often it is right, wrong or undecided.
#include "stiction/control/detector.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <numbers>

#include "../lab.h"
#include "statistics.h"
#include "stiction/scalar/presets.h"

namespace stiction::lab::control_detector {
namespace {

constexpr double pi = std::numbers::pi;

struct Log {
  std::vector<double> error, reference;
};

/// A position servo with the gains of Figs. 18 to 20, more or less, along one or two sines, with disturbances and an
/// encoder. `level` multiplies the friction of Table 2.
Log servo_log(std::uint64_t seed, double level, double duration) {
  Random random(seed);
  const auto between = [&](double low, double high) { return low + (high - low) * random.uniform(); };
  auto params = scalar::preset::olsson_table2().params();
  for (double* force : {&params.coulomb_force, &params.static_force, &params.stiffness, &params.damping}) {
    *force *= std::max(level, 1e-9);
  }
  const scalar::LuGre friction(params);
  constexpr double inertia = 0.0023;
  constexpr double dt = 1e-3;
  const double speed = between(20, 40);  // triple pole of the loop [1/s]
  const double proportional = 3 * inertia * speed * speed;
  const double derivative = 3 * inertia * speed;
  const double integral = inertia * speed * speed * speed;
  const double w1 = between(1.5, 3);
  const double w2 = w1 * between(1.5, 3);
  const double second = between(0, 1) < 0.5 ? 0 : between(0.2, 0.6);
  const double noise = between(2e-5, 2e-4);        // of the position [rad]
  const double disturbance = between(0.01, 0.05);  // of the torque [N m]
  const double bandwidth = between(10, 60);        // of the disturbance [1/s]
  constexpr double encoder = 2 * pi / 200000;
  scalar::LuGre::State contact;
  double x = 0;
  double v = w1 + second * w2;
  double sum = 0;
  double push = 0;
  Log log;
  for (int i = 0; i * dt < duration; ++i) {
    const double t = i * dt;
    const double reference = std::sin(w1 * t) + second * std::sin(w2 * t);
    const double desired = w1 * std::cos(w1 * t) + second * w2 * std::cos(w2 * t);
    push += -dt * bandwidth * push + std::sqrt(2 * bandwidth * dt) * random.gaussian();
    const double measured = encoder * std::round((x + noise * random.gaussian()) / encoder);
    sum += dt * (reference - measured);
    const double torque =
        proportional * (reference - measured) + derivative * (desired - v) + integral * sum + disturbance * push;
    const auto next = friction.solve(
        contact, {.free_velocity = v + dt / inertia * torque, .mobility = 1 / inertia, .velocity = v, .dt = dt});
    contact = next.state;
    v = next.velocity;
    x += dt * v;
    if (t > 3 && i % 5 == 0) {
      log.error.push_back(reference - measured);
      log.reference.push_back(reference);
    }
  }
  return log;
}

/// The velocity loop of Table 1 with another noise: the error alone, as in the paper.
Log velocity_log(std::uint64_t seed, double level, double duration) {
  Random random(seed);
  auto params = scalar::LuGre::Params{.stiffness = 19.6,
                                      .damping = 5.75,
                                      .coulomb_force = 1,
                                      .static_force = 1.18,
                                      .stribeck_velocity = 0.015,
                                      .viscous = 1};
  for (double* force : {&params.coulomb_force, &params.static_force, &params.stiffness, &params.damping}) {
    *force *= std::max(level, 1e-9);
  }
  const scalar::LuGre friction(params);
  constexpr double dt = 2e-3;
  // n(t) = Σ A cos(w t + φ) as rotating phasors
  std::array<std::complex<double>, 60> phasor{};
  std::array<std::complex<double>, 60> turn{};
  for (std::size_t k = 0; k < phasor.size(); ++k) {
    turn[k] = std::polar(1.0, 0.728 * random.uniform() * dt);
    phasor[k] = std::polar(0.2127, 2 * pi * random.uniform());
  }
  scalar::LuGre::State contact;
  double v = 0;
  double sum = 0;
  Log log;
  for (int i = 0; i * dt < duration; ++i) {
    const double t = i * dt;
    double n = 0;
    for (std::size_t k = 0; k < phasor.size(); ++k) {
      n += phasor[k].real();
      const double real = phasor[k].real() * turn[k].real() - phasor[k].imag() * turn[k].imag();
      const double imaginary = phasor[k].real() * turn[k].imag() + phasor[k].imag() * turn[k].real();
      phasor[k] = {real, imaginary};
    }
    const double y = v + n;
    sum += dt * y;
    const auto next = friction.solve(
        contact, {.free_velocity = v + dt * (-42.336 * y - 54.0225 * sum), .mobility = 1, .velocity = v, .dt = dt});
    contact = next.state;
    v = next.velocity;
    if (t > 5 && i % 25 == 0) {
      log.error.push_back(y);
    }
  }
  return log;
}

struct Rates {
  double friction = 0, none = 0, unsure = 0;  // shares of the logs
};
template <class MakeLog>
Rates rates_of(const MakeLog& make, int logs, std::uint64_t first_seed, const control::DetectorOptions& options,
               const Context& context, double from, double to) {
  Rates rates;
  for (int i = 0; i < logs; ++i) {
    context.step(from + (to - from) * i / logs);
    const Log log = make(first_seed + static_cast<std::uint64_t>(i));
    const auto found = control::detect_friction(log.error, log.reference, options);
    double& share = found.verdict == control::FrictionVerdict::friction      ? rates.friction
                    : found.verdict == control::FrictionVerdict::no_friction ? rates.none
                                                                             : rates.unsure;
    share += 1.0 / logs;
  }
  return rates;
}

}  // namespace

Result run(const Context& context) {
  const int logs = context.quick ? 40 : 100;
  constexpr double duration = 40;
  constexpr std::uint64_t held_out = 700000;  // seeds that were not used to design the detector
  const std::array levels{0.0, 0.02, 0.05, 0.1, 0.2, 1.0};
  std::vector<Rates> servo;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const double done = 0.12 * static_cast<double>(i);
    const bool end = i == 0 || i + 1 == levels.size();
    servo.push_back(rates_of([&](std::uint64_t seed) { return servo_log(seed, levels[i], duration); },
                             end ? logs : logs / 2, held_out + 10000 * i, {}, context, done, done + 0.12));
  }
  std::vector<Rates> velocity;
  const control::DetectorOptions sliding{.slides = true};  // the noise drives the body back and forth
  for (const double level : {0.0, 1.0}) {
    velocity.push_back(rates_of([&](std::uint64_t seed) { return velocity_log(seed, level, 300); },
                                context.quick ? 16 : 40, held_out + 90000, sliding, context, 0.75 + 0.1 * level,
                                0.85 + 0.1 * level));
  }
  context.step(0.95);
  const Log with = servo_log(held_out, 1, 40);
  const Log without = servo_log(held_out, 0, 40);
  const auto standardised = [](const Log& log) {
    const auto found = control::detect_friction(log.error, log.reference);
    std::vector<double> edges;
    std::vector<double> density;
    for (int bin = -24; bin <= 24; ++bin) {
      const double centre = bin * 0.25;
      const auto count = std::count_if(log.error.begin(), log.error.end(),
                                       [&](double e) { return std::abs(e / found.rms - centre) < 0.125; });
      edges.push_back(centre);
      density.push_back(static_cast<double>(count) / static_cast<double>(log.error.size()) / 0.25);
    }
    return std::pair(edges, density);
  };
  const auto [bins, density_with] = standardised(with);
  const auto density_without = standardised(without).second;

  Result result;
  result.notes =
      "Logs of a position servo with random gains, references, disturbances and noise, with a share of the friction of "
      "Table 2, judged with error and reference; and logs of the velocity loop of Table 1 with other noises, judged by "
      "the error alone. The seeds were kept apart until the detector was done. A false alarm has a probability of 1 % "
      "by design.";
  std::vector<std::string> names;
  std::vector<double> friction;
  std::vector<double> none;
  std::vector<double> unsure;
  const auto add = [&](const std::string& name, const Rates& rates) {
    names.push_back(name);
    friction.push_back(100 * rates.friction);
    none.push_back(100 * rates.none);
    unsure.push_back(100 * rates.unsure);
  };
  for (std::size_t i = 0; i < levels.size(); ++i) {
    add(fmt::format("servo, {:g} % of the friction", 100 * levels[i]), servo[i]);
  }
  add("velocity loop, no friction", velocity[0]);
  add("velocity loop, friction", velocity[1]);
  std::vector<double> percent;
  std::vector<double> detected;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    percent.push_back(100 * levels[i]);
    detected.push_back(100 * servo[i].friction);
  }
  result.tables = {
      {"verdicts",
       {{"logs", names}, {"friction [%]", friction}, {"no friction [%]", none}, {"cannot tell [%]", unsure}},
       true},
      {"power", {{"friction [%]", percent}, {"detected [%]", detected}}},
      {"density",
       {{"error over its rms [-]", bins}, {"with friction [-]", density_with}, {"without [-]", density_without}}}};
  result.figures = {{"power",
                     "Logs in which friction is found",
                     "friction, share of Table 2 [%]",
                     "found [%]",
                     {{"power", 0, 1, "servo", "linespoints"}}},
                    {"density",
                     "Distribution of the error of one servo",
                     "error over its rms",
                     "density",
                     {{"density", 0, 1, "with friction", "steps"}, {"density", 0, 2, "without", "steps"}}}};
  const Source paper = printed("Section 6: the distribution of tracking errors tells friction");
  const Source rates = requirement("the paper gives no rates");
  // Of n logs with a false alarm rate of 1 %, more than this many is less likely than 1 in 1000.
  const double alarms = context.quick ? 100.0 * 3 / 40 : 100.0 * 5 / 100;
  result.claims = {
      at_most("false alarms, servo without friction", requirement("1 % by design, and the spread over the logs"),
              alarms, 100 * servo.front().friction, "%"),
      at_least("friction found, servo with the friction of Table 2", rates, 98, 100 * servo.back().friction, "%"),
      at_most("'no friction' for a servo with the friction of Table 2", rates, 0, 100 * servo.back().none, "%"),
      at_least("'no friction' for a servo without friction", rates, 85, 100 * servo.front().none, "%"),
      at_least("friction found, velocity loop of Table 1 by its error alone", paper, 75, 100 * velocity[1].friction,
               "%"),
      at_most("'no friction' for the velocity loop with friction", rates, 7, 100 * velocity[1].none, "%"),
      at_most("false alarms, velocity loop without friction",
              requirement("1 % by design, and the spread over the logs"), 15, 100 * velocity[0].friction, "%"),
  };
  return result;
}

}  // namespace stiction::lab::control_detector
