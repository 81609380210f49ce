#include "identify/torture_logs.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace stiction::test {
namespace {

using identify::Recording;
using identify::Sweep;

constexpr double two_pi = 2 * std::numbers::pi;

template <std::size_t n>
const char* one_of(Random& random, const std::array<const char*, n>& list) {
  return list[random.bits() % n];
}
bool chance(Random& random, double share) { return random.unit() < share; }

/// The servo of Table 2, each number within a factor of two or so.
Axis drawn_axis(Random& random, const std::string& friction) {
  Axis axis;
  axis.mass = random.log_between(0.001, 0.005);
  axis.stiffness = random.log_between(130, 520);
  axis.damping = 2 * random.between(0.15, 0.6) * std::sqrt(axis.mass * axis.stiffness);
  const auto side = [&] {
    Side one;
    one.coulomb = random.log_between(0.14, 0.5);
    one.peak = one.coulomb * random.between(1.1, 1.5);
    one.stribeck_velocity = random.log_between(0.006, 0.025);
    one.viscous = random.log_between(0.01, 0.04);
    return one;
  };
  axis.plus = side();
  axis.minus = friction == "asymmetric" ? side() : axis.plus;
  if (friction == "dahl") {
    axis = dahl_axis(axis.mass, axis.stiffness, axis.plus.coulomb, random.between(0.7, 1.5));
  } else if (friction == "elasto-plastic") {
    axis.elastic_share = random.between(0.3, 0.8);
  } else if (friction == "gms") {
    axis.plus.viscous *= 15;
    axis = maxwell_axis(axis.mass, axis.stiffness, {0.2, 0.35, 0.3, 0.15}, 100 * axis.plus.coulomb, axis.plus);
  }
  return axis;
}

/// The same log in other units of force and length.
void rescale(Random& random, TortureLog& log) {
  const double force = chance(random, 0.5) ? 1 : random.log_between(1e-3, 1e4);
  const double length = chance(random, 0.5) ? 1 : random.log_between(1e-4, 10);
  const auto times = [](std::vector<double>& values, double by) {
    for (double& value : values) {
      value *= by;
    }
  };
  for (Recording& recording : log.data.recordings) {
    times(recording.torque, force);
    times(recording.position, length);
    times(recording.commanded, length);
  }
  for (Sweep& sweep : log.data.sweeps) {
    times(sweep.velocity, length);
    times(sweep.torque, force);
    times(sweep.deviation, force);
  }
  Axis& axis = *log.axis;
  axis.mass *= force / length;
  axis.stiffness *= force / length;
  axis.damping *= force / length;
  axis.attraction *= force;
  for (Spring& spring : axis.springs) {
    spring.stiffness *= force / length;
  }
  for (Side* side : {&axis.plus, &axis.minus}) {
    side->coulomb *= force;
    side->peak *= force;
    side->stribeck_velocity *= length;
    side->viscous *= force / length;
  }
}

void add_noise(std::vector<double>& values, double deviation, std::uint64_t seed) {
  const auto normal = normal_numbers(seed);
  for (double& value : values) {
    value += deviation * normal();
  }
}

void quantise(std::vector<double>& values, double quantum) {
  for (double& value : values) {
    value = quantum * std::round(value / quantum);
  }
}

double spread_of(const std::vector<double>& values) {
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  return *high - *low;
}

// Tables --------------------------------------------------------------------------------------------------------------

TortureLog table(Random& random) {
  TortureLog log;
  const double force = random.log_between(1e-3, 1e4);
  const double exponent = std::array{0.5, 0.8, 1.0, 2.0, 2.0, 3.0}[random.bits() % 6];
  const double viscous_exponent = std::array{1.0, 1.0, 1.0, 0.5, 2.0}[random.bits() % 5];
  const auto curve = [&] {
    const double coulomb = random.between(0.5, 1) * force;
    return Curve{coulomb,
                 coulomb * (chance(random, 0.2) ? 0 : random.between(0.05, 1)),
                 random.log_between(0.005, 0.1),
                 exponent,
                 coulomb * random.log_between(0.01, 1),
                 viscous_exponent};
  };
  const bool asymmetric = chance(random, 0.35);
  const Curve plus = curve();
  const Curve minus = asymmetric ? curve() : plus;
  const double offset = chance(random, 0.2) ? random.between(-0.3, 0.3) * plus.coulomb : 0;
  log.steady = SteadyFriction{plus, minus, offset};
  double noise = plus.coulomb * random.log_between(1e-5, 0.03);
  const int points = static_cast<int>(std::lround(random.log_between(4, 60)));
  const bool one_way = chance(random, 0.1);
  const double slowest = random.log_between(1e-4, 2e-2);
  const double fastest = random.log_between(0.1, 2);
  const bool repeated = chance(random, 0.1);
  Sweep sweep{"table", {}, {}, {}};
  for (int i = 0; i < points; ++i) {
    const double speed =
        slowest * std::pow(fastest / slowest, points > 1 ? static_cast<double>(i) / (points - 1) : 0.0);
    for (const double sign : {1.0, -1.0}) {
      for (int round = 0; round < (repeated ? 3 : 1); ++round) {
        if (sign > 0 || !one_way) {
          sweep.velocity.push_back(sign * speed);
          sweep.torque.push_back((*log.steady)(sign * speed));
        }
      }
    }
  }
  add_noise(sweep.torque, noise, random.bits());
  log.kind = std::string("table") + (asymmetric ? ", asymmetric" : "") + (offset != 0 ? ", offset" : "") +
             (exponent != 2 ? ", exponent" : "") + (viscous_exponent != 1 ? ", viscous exponent" : "");
  if (chance(random, 0.15)) {  // the slowest had not settled
    log.kind += ", unsettled";
    for (std::size_t k = 0; k < sweep.velocity.size() / 8; ++k) {
      sweep.torque[k] *= 0.4 + 4.8 * static_cast<double>(k) / static_cast<double>(sweep.velocity.size());
    }
  }
  if (chance(random, 0.1)) {
    log.kind += ", quantised";
    quantise(sweep.torque, 5 * noise);
    noise *= 2;
  }
  if (chance(random, 0.1)) {
    log.kind += ", an outlier";
    sweep.torque[random.bits() % sweep.torque.size()] *= random.between(-1, 3);
  }
  if (chance(random, 0.6)) {
    const double said = chance(random, 0.8) ? 1 : random.log_between(0.05, 20);
    log.kind += said == 1 ? ", deviation" : ", wrong deviation";
    sweep.deviation.assign(sweep.velocity.size(), said * noise);
  }
  log.data.sweeps = {sweep};
  log.options.model = one_of(random, std::array{"stribeck", "asymmetric-stribeck", "auto"});
  log.options.stribeck_exponent = exponent <= 2 && chance(random, 0.6) ? exponent : 2;
  return log;
}

// Recordings ----------------------------------------------------------------------------------------------------------

/// Noise on force and position, and what else may happen to a position.
void add_sensors(Random& random, TortureLog& log, Recording& recording, double force_noise) {
  add_noise(recording.torque, force_noise, random.bits());
  const double range = spread_of(recording.position);
  const double noise = range * (chance(random, 0.1) ? 0 : random.log_between(1e-6, 1e-2));
  add_noise(recording.position, noise, random.bits());
  if (chance(random, 0.2)) {
    log.kind += ", quantised";
    quantise(recording.position, range * random.log_between(1e-4, 3e-2));
  }
  if (chance(random, 0.1)) {
    log.kind += ", spikes";
    for (int i = 0; i < 3; ++i) {
      recording.position[random.bits() % recording.position.size()] += range;
    }
  }
  if (chance(random, 0.1)) {
    log.kind += ", jittered clock";
    for (std::size_t k = 1; k + 1 < recording.time.size(); ++k) {
      recording.time[k] += 0.3 * (recording.time[k + 1] - recording.time[k]) * random.unit();
    }
  }
  log.data.recordings = {recording};
}

/// A wish for the model that fits, or another.
std::string model_for(Random& random, const std::string& friction) {
  if (chance(random, 0.12)) {
    return "auto";
  }
  if (chance(random, 0.6)) {
    return friction == "asymmetric" ? "asymmetric-stribeck" : friction;
  }
  return one_of(random, std::array{"lugre", "dahl", "stribeck", "elasto-plastic", "gms", "asymmetric-stribeck"});
}

std::string friction_for(Random& random) {
  return one_of(random, std::array{"lugre", "lugre", "lugre", "dahl", "elasto-plastic", "gms", "asymmetric"});
}

void finish(Random& random, TortureLog& log, const Axis& axis, const std::string& friction) {
  log.axis = axis;
  log.friction = friction;
  log.options.model = model_for(random, friction);
  rescale(random, log);
}

struct Clock {
  double rate;
  std::size_t samples;
  [[nodiscard]] double interval() const { return 1 / rate; }
  [[nodiscard]] double duration() const { return static_cast<double>(samples) / rate; }
};
Clock drawn_clock(Random& random) {
  const double rate = random.log_between(10, 20'000);
  return {rate, static_cast<std::size_t>(std::clamp(random.log_between(150, 3000), 150.0, std::max(160.0, 30 * rate)))};
}

/// A force that makes a motion: two sines, below break-away or beyond.
TortureLog by_force(Random& random) {
  TortureLog log;
  const std::string friction = friction_for(random);
  Axis axis = drawn_axis(random, friction);
  const Clock clock = drawn_clock(random);
  const double level = std::min(axis.plus.coulomb, axis.minus.coulomb);
  if (clock.duration() > 2 && friction != "dahl") {  // else it would run away
    axis.plus.viscous = axis.minus.viscous = level * random.between(1, 3);
  }
  const double amplitude = level * random.between(0.15, friction == "dahl" && clock.duration() > 2 ? 0.57 : 1.2);
  const double slow = random.between(2, 8) / clock.duration();
  const double fast = std::min(random.log_between(10, 60) / clock.duration(), clock.rate / 5);
  const double phase = random.between(0, two_pi);
  const auto torque = [&](double t) {
    return amplitude * (std::sin(two_pi * slow * t) + 0.7 * std::sin(two_pi * fast * t + phase));
  };
  const bool held = chance(random, 0.6);
  const double offset = chance(random, 0.15) ? 0.2 * random.sign() * level : 0;
  const std::size_t finer = held ? 1 : 16;
  std::vector<double> driving;
  Recording recording{"force", {}, {}, {}, Recording::Reference::none, {}};
  for (std::size_t k = 0; k < finer * clock.samples; ++k) {
    const double t = clock.interval() * static_cast<double>(k) / static_cast<double>(finer);
    // What is held for a sixteenth of a sample is the force in its middle: else it would all come too late.
    driving.push_back(torque(held ? t : t + clock.interval() / 32) + offset);
    if (k % finer == 0) {
      recording.time.push_back(t);
      recording.torque.push_back(torque(t));
    }
  }
  const auto positions = under_torque(axis, driving, clock.interval() / static_cast<double>(finer));
  for (std::size_t k = 0; k < positions.size(); k += finer) {
    recording.position.push_back(positions[k]);
  }
  log.kind = "force, " + friction + (held ? "" : ", not held") + (offset != 0 ? ", offset" : "");
  const double noise = amplitude * (chance(random, 0.6) ? 0 : random.log_between(1e-4, 3e-2));
  add_sensors(random, log, recording, noise);
  finish(random, log, axis, friction);
  return log;
}

/// A velocity loop.
TortureLog in_loop(Random& random) {
  TortureLog log;
  const std::string friction = friction_for(random);
  const Axis axis = drawn_axis(random, friction);
  Clock clock = drawn_clock(random);
  clock.rate = std::max(clock.rate, 100.0);
  const Sensors sensors{random.log_between(1e-7, 1e-4), axis.plus.coulomb * random.log_between(1e-4, 0.1),
                        random.bits()};
  const Motion motion_plan{clock.duration(), clock.rate, 0.3, random.between(10, 40) / clock.duration()};
  const Controller controller{2 * axis.plus.peak, 0.2 * axis.plus.peak, chance(random, 0.3)};
  Recording recording = motion(axis, sensors, motion_plan, controller);
  log.kind = "loop, " + friction;
  if (chance(random, 0.4)) {
    log.kind += ", no reference";
    recording.reference = Recording::Reference::none;
    recording.commanded.clear();
  }
  log.data.recordings = {recording};
  if (chance(random, 0.3)) {
    log.kind += ", with a sweep";
    log.data.sweeps = {sweep(axis, sensors, {.slowest = 0.004, .fastest = 0.5})};
  }
  finish(random, log, axis, friction);
  return log;
}

/// Logs as they should be: a table, presliding and a loop, little noise; and a model that may be wrong for them.
TortureLog as_planned(Random& random) {
  TortureLog log;
  const std::string friction = friction_for(random);
  const Axis axis = drawn_axis(random, friction);
  const Sensors sensors{random.log_between(1e-6, 2e-5), random.log_between(5e-4, 5e-3), random.bits()};
  log.kind = "as planned, " + friction;
  const double swing = std::sqrt(axis.stiffness / axis.mass) / two_pi;
  const bool presliding_too = chance(random, 0.7);
  const bool table_too = chance(random, 0.7);
  const Controller controller{2 * axis.plus.peak, 0.2 * axis.plus.peak};
  log.data.recordings = {motion(axis, sensors, {.duration = 2.5}, controller)};
  if (presliding_too) {
    log.data.recordings.push_back(presliding(axis, sensors, {.duration = 1, .chirp_to = 1.2 * swing}));
  }
  if (table_too) {
    log.data.sweeps = {sweep(axis, sensors)};
  }
  finish(random, log, axis, friction);
  return log;
}

/// A motion that something else imposes; the torque is what it takes.
TortureLog imposed(Random& random) {
  TortureLog log;
  const std::string friction = friction_for(random);
  const Axis axis = drawn_axis(random, friction);
  const Clock clock = drawn_clock(random);
  const double speed = random.log_between(0.001, 0.5);
  const double w = two_pi * random.between(2, 15) / clock.duration();
  const auto velocity = [=](double t) { return speed * (0.7 * std::sin(w * t) + 0.3 * std::sin(2.7 * w * t)); };
  Recording recording{"imposed", {}, {}, {}, Recording::Reference::none, {}};
  for (std::size_t k = 0; k < clock.samples; ++k) {
    const double t = clock.interval() * static_cast<double>(k);
    recording.time.push_back(t);
    recording.position.push_back(speed *
                                 (0.7 * (1 - std::cos(w * t)) / w + 0.3 * (1 - std::cos(2.7 * w * t)) / (2.7 * w)));
  }
  recording.torque = friction_along(axis, velocity, speed, recording.time);
  log.inertia = chance(random, 0.5);
  if (log.inertia) {
    for (std::size_t k = 0; k < clock.samples; ++k) {
      const double t = recording.time[k];
      recording.torque[k] += axis.mass * speed * w * (0.7 * std::cos(w * t) + 0.81 * std::cos(2.7 * w * t));
    }
  }
  log.kind = "imposed, " + friction;
  const double noise = axis.plus.coulomb * (chance(random, 0.3) ? 0 : random.log_between(1e-4, 3e-2));
  add_sensors(random, log, recording, noise);
  finish(random, log, axis, friction);
  return log;
}

/// Any of them, spoilt.
TortureLog hostile(Random& random) {
  TortureLog log = std::array{table, by_force, in_loop, imposed}[random.bits() % 4](random);
  spoil(random, log);
  return log;
}

}  // namespace

double Curve::operator()(double speed) const {
  return coulomb + excess * std::exp(-std::pow(speed / stribeck_velocity, exponent)) +
         viscous * std::pow(speed, viscous_exponent);
}

TortureLog torture_log(std::uint64_t number) {
  Random random(1000 + number);
  switch (number % 10) {
    case 0:
    case 1:
    case 2:
      return table(random);
    case 3:
    case 4:
      return by_force(random);
    case 5:
      return as_planned(random);
    case 6:
      return in_loop(random);
    case 7:
      return imposed(random);
    default:
      return hostile(random);
  }
}

}  // namespace stiction::test
