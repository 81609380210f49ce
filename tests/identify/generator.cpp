#include "identify/generator.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <stdexcept>

namespace stiction::test {
namespace {

constexpr double two_pi = 2 * std::numbers::pi;

/// Gaussian numbers that are the same with every standard library.
class Noise {
 public:
  explicit Noise(std::uint64_t seed) : bits_(seed) {}
  double operator()() {
    // Box and Muller
    const double u = (static_cast<double>(bits_() >> 11U) + 1) * 0x1p-53;
    const double w = static_cast<double>(bits_() >> 11U) * 0x1p-53;
    return std::sqrt(-2 * std::log(u)) * std::cos(two_pi * w);
  }

 private:
  std::mt19937_64 bits_;
};

struct State {
  double position = 0, velocity = 0, bristle = 0;
  std::array<double, 4> springs{};
  std::array<bool, 4> slips{};
};

double sign_of(double velocity) { return velocity < 0 ? -1 : 1; }

/// α of the elasto-plastic model, for a bristle bent by `along` in the direction of motion.
double plastic(const Axis& axis, double along, double settled) {
  const double elastic = axis.elastic_share * std::min(axis.plus.coulomb, axis.minus.coulomb) / axis.stiffness;
  if (along <= elastic) {
    return 0;
  }
  if (along >= settled) {
    return 1;
  }
  return (1 + std::sin(std::numbers::pi * (along - (settled + elastic) / 2) / (settled - elastic))) / 2;
}

State rate(const Axis& axis, const State& y, double torque) {
  const Side& side = axis.side(y.velocity);
  const double level = side.level(std::abs(y.velocity));
  State result;
  result.position = y.velocity;
  double friction = side.viscous * y.velocity;
  if (!axis.springs.empty()) {
    for (std::size_t i = 0; i < axis.springs.size(); ++i) {
      const auto& [stiffness, share] = axis.springs[i];
      // stick: dF/dt = k v      slip: dF/dt = sgn(v) C (α − |F|/s(v))
      result.springs[i] = y.slips[i] ? sign_of(y.velocity) * axis.attraction * (share - std::abs(y.springs[i]) / level)
                                     : stiffness * y.velocity;
      friction += y.springs[i];
    }
  } else {
    const double along = y.bristle * sign_of(y.velocity);
    const double left = 1 - axis.stiffness * along / level *
                                (axis.elastic_share > 0 ? plastic(axis, along, level / axis.stiffness) : 1);
    // dz/dt = v (1 − σ₀ z sgn v/g)^exponent
    const double bent = axis.exponent == 1 ? left : std::copysign(std::pow(std::abs(left), axis.exponent), left);
    result.bristle = y.velocity * bent;
    // F = σ₀ z + σ₁ dz/dt + F_v v
    friction += axis.stiffness * y.bristle + axis.damping * result.bristle;
  }
  result.velocity = (torque - friction) / axis.mass;
  return result;
}

/// Springs that have reached their limit slip; where the motion has turned, all stick.
void switch_springs(const Axis& axis, const State& before, State& y) {
  if (before.velocity * y.velocity <= 0) {
    y.slips = {};
  }
  const double level = axis.side(y.velocity).level(std::abs(y.velocity));
  for (std::size_t i = 0; i < axis.springs.size(); ++i) {
    const double along = y.springs[i] * sign_of(y.velocity);
    if (!y.slips[i] && along >= axis.springs[i].share * level) {
      y.slips[i] = true;
      y.springs[i] =
          sign_of(y.velocity) * std::max(axis.springs[i].share * level, before.springs[i] * sign_of(y.velocity));
    }
  }
}

/// Classical Runge-Kutta steps of at most `longest`; torque(share of the interval, state) drives the axis.
template <class Torque>
State moved(const Axis& axis, State y, double interval, double longest, const Torque& torque) {
  const int steps = std::max(1, static_cast<int>(std::ceil(interval / longest)));
  const double h = interval / steps;
  const auto plus = [](const State& a, double by, const State& b) {
    State sum = a;
    sum.position += by * b.position;
    sum.velocity += by * b.velocity;
    sum.bristle += by * b.bristle;
    for (std::size_t i = 0; i < sum.springs.size(); ++i) {
      sum.springs[i] += by * b.springs[i];
    }
    return sum;
  };
  for (int i = 0; i < steps; ++i) {
    const auto f = [&](double c, const State& at) { return rate(axis, at, torque((i + c) / steps, at)); };
    const State before = y;
    const State k1 = f(0, y);
    const State k2 = f(0.5, plus(y, h / 2, k1));
    const State k3 = f(0.5, plus(y, h / 2, k2));
    const State k4 = f(1, plus(y, h, k3));
    y = plus(plus(plus(plus(y, h / 6, k1), h / 3, k2), h / 3, k3), h / 6, k4);
    switch_springs(axis, before, y);
  }
  return y;
}

/// A step that resolves the bristle and its relaxation at this speed, and does not upset a loop of this rate.
double fine_step(const Axis& axis, double speed, double loop_rate) {
  const double least = std::min(axis.plus.coulomb, axis.minus.coulomb);
  const double fastest = std::max({std::sqrt(axis.stiffness / axis.mass), axis.damping / axis.mass,
                                   axis.stiffness * speed / least, loop_rate / (10 * axis.mass)});
  return (axis.springs.empty() ? 0.02 : 0.004) / fastest;  // springs switch at the end of a step only
}

/// reference(t) gives position and velocity.
template <class Reference>
identify::Recording in_loop(const Axis& axis, const Sensors& sensors, const Controller& controller, std::size_t samples,
                            double interval, double speed, const Reference& reference) {
  Noise noise(sensors.seed);
  identify::Recording log{"motion", {}, {}, {}, identify::Recording::Reference::velocity, {}};
  const double longest = fine_step(axis, speed, controller.rate);
  State y;
  double before = 0;
  for (std::size_t k = 0; k < samples; ++k) {
    const double t = interval * static_cast<double>(k);
    const double seen = y.position + sensors.position * noise();
    const auto command = [&](double at, double position, double velocity) {
      const auto [x_ref, v_ref] = reference(at);
      return controller.proportional * (x_ref - position) + controller.rate * (v_ref - velocity);
    };
    const double held = controller.hears_noise ? command(t, seen, k > 0 ? (seen - before) / interval : 0)
                                               : command(t, y.position, y.velocity);
    before = seen;
    log.time.push_back(t);
    log.torque.push_back(held + sensors.torque * noise());
    log.position.push_back(seen);
    log.commanded.push_back(reference(t).second);
    y = moved(axis, y, interval, longest, [&](double share, const State& at) {
      return controller.sampled ? held : command(t + share * interval, at.position, at.velocity);
    });
  }
  return log;
}

}  // namespace

double Side::level(double speed) const {
  const double ratio = speed / stribeck_velocity;
  return coulomb + (peak - coulomb) * std::exp(-ratio * ratio);
}
double Side::steady(double speed) const { return level(speed) + viscous * speed; }

Axis dahl_axis(double mass, double stiffness, double coulomb, double exponent) {
  const Side side{coulomb, coulomb, 1, 0};
  return {mass, stiffness, 0, side, side, exponent};
}

Axis maxwell_axis(double mass, double stiffness, const std::array<double, 4>& shares, double attraction,
                  const Side& side) {
  Axis axis;
  axis.mass = mass;
  axis.damping = 0;
  axis.stiffness = 0;  // of all springs together; sets the steps
  axis.plus = axis.minus = side;
  axis.attraction = attraction;
  double reach = 0.4 * side.coulomb / stiffness;
  for (const double share : shares) {
    axis.springs.push_back({share * side.coulomb / reach, share});
    axis.stiffness += axis.springs.back().stiffness;
    reach *= 2;
  }
  return axis;
}

identify::Sweep sweep(const Axis& axis, const Sensors& sensors, const SweepPlan& plan) {
  Noise noise(sensors.seed + 1000);
  identify::Sweep table{"sweep", {}, {}, {}};
  const double samples = plan.average * plan.rate;
  for (int i = 0; i < 2 * plan.speeds; ++i) {
    const double share = plan.speeds > 1 ? static_cast<double>(i / 2) / (plan.speeds - 1) : 0;
    const double speed = plan.slowest * std::pow(plan.fastest / plan.slowest, share);
    const double velocity = i % 2 == 0 ? speed : -speed;
    const Side& side = axis.side(velocity);
    // Stiffer than the steepest fall of the friction, (F_S − F_C)/v_S √(2/e).
    const double rate_gain =
        3 * (side.peak - side.coulomb) / side.stribeck_velocity + std::sqrt(axis.stiffness * axis.mass);
    const double proportional = std::max(20 * rate_gain, axis.stiffness);  // else the start from rest takes long
    const double longest = 3 * fine_step(axis, speed, rate_gain);
    double settling = 12 * side.level(speed) / (axis.stiffness * speed) + 0.5;
    for (const Spring& spring : axis.springs) {
      settling = std::max(
          settling, 0.5 + 2 * spring.share * side.peak / (spring.stiffness * speed) + 12 * side.peak / axis.attraction);
    }
    const auto torque_at = [&](double t, const State& y) {
      return proportional * (velocity * t - y.position) + rate_gain * (velocity - y.velocity);
    };
    State y = moved(axis, {}, settling, longest,
                    [&](double share_of, const State& at) { return torque_at(share_of * settling, at); });
    const double begin = y.position;
    double torque = 0;
    double least = y.velocity;
    double most = y.velocity;
    constexpr int parts = 20;
    for (int k = 0; k < parts; ++k) {
      const double from = settling + k * plan.average / parts;
      y = moved(axis, y, plan.average / parts, longest, [&](double share_of, const State& at) {
        return torque_at(from + share_of * plan.average / parts, at);
      });
      torque += torque_at(from + plan.average / parts, y) / parts;
      least = std::min(least, y.velocity);
      most = std::max(most, y.velocity);
    }
    if (!(most - least < 1e-3 * speed)) {
      throw std::runtime_error("the sweep's loop does not settle");
    }
    const double deviation = sensors.torque / std::sqrt(samples);
    // The slope of a straight line through the positions: σ √(12/N)/T.
    table.velocity.push_back((y.position - begin) / plan.average +
                             sensors.position * std::sqrt(12 / samples) / plan.average * noise());
    table.torque.push_back(torque + deviation * noise());
    table.deviation.push_back(deviation);
  }
  return table;
}

identify::Recording presliding(const Axis& axis, const Sensors& sensors, const Excitation& excitation) {
  Noise noise(sensors.seed + 2000);
  identify::Recording log{"presliding", {}, {}, {}, identify::Recording::Reference::none, {}};
  const auto samples = static_cast<std::size_t>(excitation.duration * excitation.rate);
  const double amplitude = excitation.amplitude * std::min(axis.plus.coulomb, axis.minus.coulomb);
  for (std::size_t k = 0; k < samples; ++k) {
    const double t = static_cast<double>(k) / excitation.rate;
    const double sweep_rate = (excitation.chirp_to - excitation.chirp_from) / excitation.duration;
    log.time.push_back(t);
    log.torque.push_back(amplitude * (std::sin(two_pi * excitation.sine * t) +
                                      std::sin(two_pi * (excitation.chirp_from + sweep_rate * t / 2) * t)));
  }
  log.position = under_torque(axis, log.torque, 1 / excitation.rate);
  for (double& position : log.position) {
    position += sensors.position * noise();
  }
  return log;
}

identify::Recording motion(const Axis& axis, const Sensors& sensors, const Motion& motion,
                           const Controller& controller) {
  const double w = motion.frequency;
  const double a = motion.speed;
  return in_loop(axis, sensors, controller, static_cast<std::size_t>(motion.duration * motion.rate), 1 / motion.rate,
                 motion.speed, [&](double t) {
                   // v_ref = a (0.7 sin wt + 0.3 sin(2.7 wt + 1)) and its integral from 0
                   return std::pair(a * (0.7 * (1 - std::cos(w * t)) / w +
                                         0.3 * (std::cos(1.0) - std::cos(2.7 * w * t + 1)) / (2.7 * w)),
                                    a * (0.7 * std::sin(w * t) + 0.3 * std::sin(2.7 * w * t + 1)));
                 });
}

identify::Recording along(const Axis& axis, const Sensors& sensors, const std::vector<double>& reference,
                          double interval, const Controller& controller) {
  std::vector<double> position(reference.size());
  double fastest = 0;
  for (std::size_t k = 1; k < reference.size(); ++k) {
    position[k] = position[k - 1] + interval * (reference[k - 1] + reference[k]) / 2;
    fastest = std::max(fastest, std::abs(reference[k]));
  }
  return in_loop(axis, sensors, controller, reference.size(), interval, fastest, [&](double t) {
    const auto k = std::min(static_cast<std::size_t>(t / interval + 1e-9), reference.size() - 1);
    const double rest = t - interval * static_cast<double>(k);
    const double after = reference[std::min(k + 1, reference.size() - 1)];
    const double velocity = reference[k] + rest / interval * (after - reference[k]);
    return std::pair(position[k] + rest * (reference[k] + velocity) / 2, velocity);
  });
}

std::vector<double> under_torque(const Axis& axis, const std::vector<double>& torque, double interval) {
  std::vector<double> positions;
  State y;
  for (const double u : torque) {
    positions.push_back(y.position);
    const double longest = fine_step(axis, std::max(std::abs(y.velocity), 0.1), 0);
    y = moved(axis, y, interval, longest, [u](double, const State&) { return u; });
  }
  return positions;
}

std::vector<double> friction_along(const Axis& axis, const std::function<double(double)>& velocity, double fastest,
                                   const std::vector<double>& time) {
  std::vector<double> friction;
  // The bristle relaxes as σ₀ |v|/g; the body follows velocity(t), so its own swing does not matter.
  const double level = std::min(axis.plus.coulomb, axis.minus.coulomb);
  const double longest = (axis.springs.empty() ? 0.02 : 0.004) * level / (axis.stiffness * fastest);
  State y;
  y.velocity = velocity(time.front());
  for (std::size_t k = 0; k < time.size(); ++k) {
    friction.push_back(-axis.mass * rate(axis, y, 0).velocity);
    if (k + 1 == time.size()) {
      break;
    }
    const double interval = time[k + 1] - time[k];
    const int steps = std::max(1, static_cast<int>(std::ceil(interval / longest)));
    const double h = interval / steps;
    for (int i = 0; i < steps; ++i) {
      const double t = time[k] + i * h;
      const State before = y;
      const auto slope = [&](double at, const State& from, double by, const State& along) {
        State moved = from;
        moved.bristle += by * along.bristle;
        for (std::size_t j = 0; j < moved.springs.size(); ++j) {
          moved.springs[j] += by * along.springs[j];
        }
        moved.velocity = velocity(at);
        return rate(axis, moved, 0);
      };
      const State k1 = slope(t, y, 0, y);
      const State k2 = slope(t + h / 2, y, h / 2, k1);
      const State k3 = slope(t + h / 2, y, h / 2, k2);
      const State k4 = slope(t + h, y, h, k3);
      y.bristle += h / 6 * (k1.bristle + 2 * k2.bristle + 2 * k3.bristle + k4.bristle);
      for (std::size_t j = 0; j < y.springs.size(); ++j) {
        y.springs[j] += h / 6 * (k1.springs[j] + 2 * k2.springs[j] + 2 * k3.springs[j] + k4.springs[j]);
      }
      y.velocity = velocity(t + h);
      switch_springs(axis, before, y);
    }
  }
  return friction;
}

std::function<double()> normal_numbers(std::uint64_t seed) { return Noise(seed); }

}  // namespace stiction::test
