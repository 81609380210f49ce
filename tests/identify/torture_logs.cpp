#include "identify/torture_logs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "support/random.h"

namespace stiction::test {
namespace {

using identify::Recording;
using identify::Sweep;

constexpr double two_pi = 2 * std::numbers::pi;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

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
  log.force_noise *= force;
  log.position_noise *= length;
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

double rms(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) {
    sum += value * value;
  }
  return std::sqrt(sum / static_cast<double>(values.size()));
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

struct Curve {
  double coulomb, excess, stribeck_velocity, exponent, viscous, viscous_exponent;
  [[nodiscard]] double operator()(double speed) const {
    return coulomb + excess * std::exp(-std::pow(speed / stribeck_velocity, exponent)) +
           viscous * std::pow(speed, viscous_exponent);
  }
};

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
  log.steady = [=](double v) { return offset + (v < 0 ? -minus(-v) : plus(v)); };
  log.force_noise = plus.coulomb * random.log_between(1e-5, 0.03);
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
          sweep.torque.push_back(log.steady(sign * speed));
        }
      }
    }
  }
  add_noise(sweep.torque, log.force_noise, random.bits());
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
    quantise(sweep.torque, 5 * log.force_noise);
    log.force_noise *= 2;
  }
  if (chance(random, 0.1)) {
    log.kind += ", an outlier";
    sweep.torque[random.bits() % sweep.torque.size()] *= random.between(-1, 3);
  }
  if (chance(random, 0.6)) {
    const double said = chance(random, 0.8) ? 1 : random.log_between(0.05, 20);
    log.kind += said == 1 ? ", deviation" : ", wrong deviation";
    sweep.deviation.assign(sweep.velocity.size(), said * log.force_noise);
    log.force_noise *= std::max(1.0, said);  // what the table says of itself
  }
  log.data.sweeps = {sweep};
  log.options.model = one_of(random, std::array{"stribeck", "asymmetric-stribeck", "auto"});
  log.options.stribeck_exponent = exponent <= 2 && chance(random, 0.6) ? exponent : 2;
  return log;
}

// Recordings ----------------------------------------------------------------------------------------------------------

void spoil_position(Random& random, TortureLog& log, Recording& recording) {
  const double range = spread_of(recording.position);
  log.position_noise = range * (chance(random, 0.1) ? 0 : random.log_between(1e-6, 1e-2));
  add_noise(recording.position, log.position_noise, random.bits());
  if (chance(random, 0.2)) {
    log.kind += ", quantised";
    const double quantum = range * random.log_between(1e-4, 3e-2);
    quantise(recording.position, quantum);
    log.position_noise = std::hypot(log.position_noise, quantum / std::sqrt(12.0));
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
    driving.push_back(torque(t) + offset);
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
  log.force_noise = amplitude * (chance(random, 0.6) ? 0 : random.log_between(1e-4, 3e-2));
  add_noise(recording.torque, log.force_noise, random.bits());
  spoil_position(random, log, recording);
  log.axis = axis;
  log.data.recordings = {recording};
  log.options.model = model_for(random, friction);
  rescale(random, log);
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
  log.axis = axis;
  log.force_noise = sensors.torque;
  log.position_noise = sensors.position;
  log.data.recordings = {recording};
  if (chance(random, 0.3)) {
    log.kind += ", with a sweep";
    log.data.sweeps = {sweep(axis, sensors, {.slowest = 0.004, .fastest = 0.5})};
  }
  log.options.model = model_for(random, friction);
  rescale(random, log);
  return log;
}

/// Logs as they should be: a table, presliding and a loop, little noise; and a model that may be wrong for them.
TortureLog as_planned(Random& random) {
  TortureLog log;
  const std::string friction = friction_for(random);
  const Axis axis = drawn_axis(random, friction);
  const Sensors sensors{random.log_between(1e-6, 2e-5), random.log_between(5e-4, 5e-3), random.bits()};
  log.kind = "as planned, " + friction;
  log.axis = axis;
  log.force_noise = sensors.torque;
  log.position_noise = sensors.position;
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
  log.options.model = model_for(random, friction);
  rescale(random, log);
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
  log.force_noise = axis.plus.coulomb * (chance(random, 0.3) ? 0 : random.log_between(1e-4, 3e-2));
  add_noise(recording.torque, log.force_noise, random.bits());
  spoil_position(random, log, recording);
  log.axis = axis;
  log.data.recordings = {recording};
  log.options.model = model_for(random, friction);
  rescale(random, log);
  return log;
}

// What is no log ------------------------------------------------------------------------------------------------------

TortureLog hostile(Random& random) {
  TortureLog log;
  switch (random.bits() % 4) {
    case 0:
      log = table(random);
      break;
    case 1:
      log = by_force(random);
      break;
    case 2:
      log = in_loop(random);
      break;
    default:
      log = imposed(random);
  }
  std::vector<std::vector<double>*> columns;
  std::vector<double>* axis = nullptr;  // time, or the velocities of a table
  for (Recording& recording : log.data.recordings) {
    columns = {&recording.time, &recording.torque, &recording.position};
    if (!recording.commanded.empty()) {
      columns.push_back(&recording.commanded);
    }
    axis = &recording.time;
  }
  for (Sweep& sweep : log.data.sweeps) {
    columns.push_back(&sweep.velocity);
    columns.push_back(&sweep.torque);
    if (!sweep.deviation.empty()) {
      columns.push_back(&sweep.deviation);
    }
    axis = axis == nullptr ? &sweep.velocity : axis;
  }
  std::vector<double>& column = *columns[random.bits() % columns.size()];
  double& cell = column[random.bits() % column.size()];
  const auto all = [&](double value) { std::fill(column.begin(), column.end(), value); };
  constexpr std::array extremes{1e300, -1e300, 1e-300, std::numeric_limits<double>::max(), 1e154, 1e20, 5e-324};
  log.usable = false;
  switch (random.bits() % 14) {
    case 0:
      log.kind += "; a NaN";
      cell = nan;
      break;
    case 1:
      log.kind += "; an infinity";
      cell = random.sign() * infinity;
      break;
    case 2:
      log.kind += "; all NaN";
      all(nan);
      break;
    case 3:
      log.kind += "; an extreme";
      cell = extremes[random.bits() % extremes.size()];
      break;
    case 4:
      log.kind += "; a constant";
      all(cell);
      break;
    case 5:
      log.kind += "; all zero";
      all(0);
      break;
    case 6:
      log.kind += "; scaled by an extreme";
      for (const double by = extremes[random.bits() % extremes.size()]; double& value : column) {
        value *= by;
      }
      break;
    case 7:
      log.kind += "; few rows";
      for (const std::size_t rows = random.bits() % 3; auto* values : columns) {
        values->resize(std::min(values->size(), rows));
      }
      break;
    case 8:
      log.kind += "; a column too short";
      column.resize(column.size() / 2);
      break;
    case 9:
      log.kind += "; a column too long";
      column.push_back(0);
      break;
    case 10:
      log.kind += "; the first column backwards";
      std::reverse(axis->begin(), axis->end());
      break;
    case 11:
      log.kind += "; equal values in the first column";
      (*axis)[axis->size() / 2] = (*axis)[axis->size() / 2 - 1];
      break;
    case 12: {
      log.kind += "; noise";
      const auto normal = normal_numbers(random.bits());
      for (double& value : column) {
        value = normal();
      }
      break;
    }
    default:
      log.kind += "; two levels";
      for (std::size_t k = 0; k < column.size(); ++k) {
        column[k] = static_cast<double>(k / 50 % 2);
      }
  }
  return log;
}

}  // namespace

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

HeldOut held_out(const TortureLog& log, const identify::Fit& fit) {
  HeldOut result;
  std::vector<double> truth;
  std::vector<double> predicted;
  const auto steady_force = [&](double v) {
    return std::visit([&](const auto& model) { return model.force(model.advance(model.advance({}, v, 0), v, 1e9), v); },
                      fit.model);
  };
  if (!log.axis) {  // between the velocities of the table
    const auto& given = log.data.sweeps.front().velocity;
    double slowest = infinity;
    double fastest = 0;
    for (const double v : given) {
      slowest = std::min(slowest, std::abs(v));
      fastest = std::max(fastest, std::abs(v));
    }
    const bool backwards = std::any_of(given.begin(), given.end(), [](double v) { return v < 0; });
    for (int i = 0; i < 60; ++i) {
      const double speed = slowest * std::pow(fastest / slowest, i / 59.0);
      for (const double v : {speed, -speed}) {
        if (v > 0 || backwards) {
          truth.push_back(log.steady(v));
          predicted.push_back(steady_force(v));
        }
      }
    }
  } else {  // moved as far and as fast as in the log
    const Recording& recording = log.data.recordings.front();
    const std::size_t stride = std::max<std::size_t>(1, recording.time.size() / 200);
    double fastest = 0;
    for (std::size_t k = stride; k < recording.time.size(); k += stride) {
      fastest = std::max(fastest, std::abs(recording.position[k] - recording.position[k - stride]) /
                                      (recording.time[k] - recording.time[k - stride]));
    }
    const double w = fastest / (0.5 * spread_of(recording.position));
    const auto velocity = [&](double t) {
      return 0.8 * fastest * (0.7 * std::sin(w * t) + 0.3 * std::sin(1.7 * w * t));
    };
    constexpr int steps = 20'000;
    const double dt = 5 * two_pi / w / steps;
    std::vector<double> time;
    for (int k = 0; k < steps; ++k) {
      time.push_back(dt * k);
    }
    truth = friction_along(*log.axis, velocity, fastest, time);
    std::visit(
        [&](const auto& model) {
          auto state = model.advance({}, velocity(0), 0);
          predicted.push_back(model.force(state, velocity(0)));
          for (int k = 1; k < steps; ++k) {
            const double v = velocity(time[static_cast<std::size_t>(k)]);
            state = model.advance(state, velocity(time[static_cast<std::size_t>(k)] - dt / 2), dt);
            predicted.push_back(model.force(state, v));
          }
        },
        fit.model);
    result.mass_error = fit.mass > 0 && log.inertia ? std::abs(fit.mass / log.axis->mass - 1) : 0;
    for (const identify::Estimate& e : fit.estimates) {
      result.mass_deviation = e.name == "mass" ? e.deviation / log.axis->mass : result.mass_deviation;
    }
  }
  result.level = rms(truth);
  const double from_position = log.axis ? log.axis->stiffness * log.position_noise : 0;
  result.noise = std::hypot(log.force_noise, std::min(from_position, 0.15 * result.level));
  for (std::size_t k = 0; k < truth.size(); ++k) {
    predicted[k] -= truth[k];
  }
  result.error = rms(predicted);
  return result;
}

}  // namespace stiction::test
